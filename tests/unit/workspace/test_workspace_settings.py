"""What a plan of a project may not hold: anything by which its people would make the server reach outside."""

import pytest

from accord.errors import UsageError
from accord.workspace.settings import Settings


@pytest.mark.parametrize(
    "plan",
    [
        {"cache": "/etc/passwd"},
        {"allow_remote": ["example.org"]},
        {"set": {"judge.url": "http://127.0.0.1:8080"}},
        {"set": {"llm_judge.url": "http://127.0.0.1:8080"}},
        {"set": {"embedding.model": "/srv"}},
        {"controls": {"a": {"similarity": "nli", "options": {"model": "someone/checkpoint"}}}},
    ],
)
def test_a_project_reaches_no_other_machine_and_no_file(plan):
    with pytest.raises(UsageError, match="no other machine"):
        Settings.from_dict({"plan": plan})


def test_the_shipped_models_may_be_chosen():
    plan = {"set": {"nli.combine": "min"}, "controls": {"a": {"similarity": "nli"}}, "max_calls": 100}
    assert Settings.from_dict({"plan": plan}).measuring.max_calls == 100
