"""Bodies of webhooks, addresses of servers and stamps of tasks."""

import json

import pytest

from accord.errors import DataError, UsageError
from accord.labelstudio import Client, parse_event, stamps_of, token_matches
from accord.labelstudio.address import checked_url
from accord.labelstudio.pull import exported
from accord.labelstudio.webhooks import Change


def event(**body):
    return parse_event(json.dumps(body).encode())


def test_an_annotation_names_its_task_and_project():
    annotation = {"id": 13, "task": 5, "updated_at": "2026-01-01T00:00:00Z", "result": []}
    found = event(action="ANNOTATION_UPDATED", annotation=annotation, task={"id": 5}, project={"id": 2})
    assert (found.change, found.project, found.tasks, found.annotations) == (Change.ANNOTATIONS, 2, (5,), (13,))


def test_a_deletion_names_annotations_only():
    found = event(action="ANNOTATIONS_DELETED", annotations=[{"id": 13}, {"id": 14}], project={"id": 2})
    assert (found.change, found.tasks, found.annotations) == (Change.ANNOTATIONS_DELETED, (), (13, 14))


def test_repeated_deliveries_have_one_key():
    annotation = {"id": 1, "task": 1, "updated_at": "2026-01-01T00:00:00Z"}
    one, two = (event(action="ANNOTATION_CREATED", annotation=annotation, project={"id": 2}) for _ in range(2))
    later = event(action="ANNOTATION_CREATED", annotation={**annotation, "updated_at": "2026-01-02"}, project={"id": 2})
    assert one.key == two.key != later.key


def test_actions_of_no_concern_are_no_error():
    assert event(action="LABEL_LINK_CREATED", project=2).change == Change.OTHER


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b"\xff", b"null", b'{"action": 5}', b"[" * 100_000, b'{"action": "' + b"x" * 200 + b'"}'],
)
def test_what_is_no_event_is_refused(body):
    with pytest.raises(DataError, match="no event"):
        parse_event(body)


@pytest.mark.parametrize("hostile", [True, -1, 2**70, "7", None, [], 1.5])
def test_identifiers_are_whole_numbers(hostile):
    found = event(action="TASKS_DELETED", tasks=[{"id": hostile}, hostile, {"id": 3}], project={"id": hostile})
    assert (found.tasks, found.project) == ((3,), None)


def test_the_secret_is_compared_whole():
    assert token_matches("secret", "secret")
    assert not any(token_matches(given, "secret") for given in ("", None, "secre", "secret ", "\ud800"))


@pytest.mark.parametrize(
    "url", ["", "ftp://x", "http://", "http://a:b@x", "file:///etc/passwd", "http://x?y=1", "http://x:99999", "//x"]
)
def test_what_is_no_server_is_refused(url):
    with pytest.raises(UsageError):
        checked_url(url)


def test_hosts_may_be_limited():
    with pytest.raises(UsageError, match="not allowed"):
        checked_url("http://other.example.org", hosts={"label.example.org"})
    with pytest.raises(UsageError, match="not allowed from here"):
        checked_url("http://127.0.0.1:8080", local=False)


@pytest.mark.parametrize("token", ["", "a b", "a\nb", "é"])
def test_what_is_no_token_is_refused(token):
    with pytest.raises(UsageError, match="token"):
        Client("http://x", token)


def test_a_server_that_is_not_there_is_tried_again_and_told():
    waits = []
    with Client("http://127.0.0.1:1", "x", wait=waits.append) as client, pytest.raises(DataError, match="cannot be"):
        client.project(1)
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_a_pulled_task_is_as_the_export_has_it():
    annotation = {"id": 1, "result": [], "created_username": "ann", "created_ago": "now", "completed_by": 3}
    task = {"id": 7, "data": {}, "annotators": [3], "annotations": [annotation], "updated_at": "t"}
    found = exported(task)
    assert found == {
        "id": 7,
        "data": {},
        "annotations": [{"id": 1, "result": [], "completed_by": 3}],
        "updated_at": "t",
    }
    assert stamps_of([found]) == stamps_of([task])
