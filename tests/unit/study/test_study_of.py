"""One control of a dataset as a study: which answers count, and what they are clustered by."""

import numpy as np
import pytest

from accord.dataset import Annotations, Column, Control, Dataset, Flag, Rater, Role
from accord.errors import DataError, UsageError
from accord.study import study_of
from accord.values import Kind, Level


def ints(*numbers):
    return np.array(numbers, dtype=np.int32)


def dataset(flags=None, created=None, roles=(Role.RATER,) * 3, clusters=None, domain=("x", "y")):
    """Units a, b, c (c without answers); raters r0, r1, r2 (r2 only on b)."""
    unit, rater, code = ints(0, 0, 1, 1, 1), ints(0, 1, 0, 1, 2), ints(0, 1, 1, 1, 0)
    column = Column(
        control=Control(name="mood", kind=Kind.LABEL, level=Level.ORDINAL, domain=domain),
        unit=unit,
        rater=rater,
        code=code,
        values=("x", "y"),
        annotation=ints(0, 1, 2, 3, 4),
    )
    annotations = Annotations(
        ids=("1", "2", "3", "4", "5"),
        unit=unit,
        rater=rater,
        flags=ints(*(flags or [0] * 5)),
        created=np.array(created or [np.nan] * 5),
        updated=np.full(5, np.nan),
        lead_time=np.full(5, np.nan),
    )
    return Dataset(
        units=["a", "b", "c"],
        raters=tuple(Rater(f"r{i}", role) for i, role in enumerate(roles)),
        columns={"mood": column},
        annotations=annotations,
        clusters=clusters or {},
    )


def cells(study):
    return list(zip(study.unit.tolist(), study.rater.tolist(), study.code.tolist(), strict=True))


def test_units_without_answers_go_and_the_rest_is_carried_over():
    study = study_of(dataset(), "mood")
    assert list(study.unit_names) == ["a", "b"]
    assert study.rater_names == ["r0", "r1", "r2"]
    assert cells(study) == [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 2, 0)]
    assert (study.name, study.kind, study.level, study.domain) == ("mood", Kind.LABEL, Level.ORDINAL, 2)
    assert study.matrix is None
    assert study.cluster is None


def test_open_domain_stays_open():
    assert study_of(dataset(domain=None), "mood").domain is None


def test_only_the_roles_asked_for_count():
    roles = (Role.RATER, Role.REFERENCE, Role.MODEL)
    study = study_of(dataset(roles=roles), "mood")
    assert study.rater_names == ["r0"]
    assert cells(study) == [(0, 0, 0), (1, 0, 1)]
    both = study_of(dataset(roles=roles), "mood", roles=(Role.RATER, Role.MODEL))
    assert both.rater_names == ["r0", "r2"]
    assert cells(both) == [(0, 0, 0), (1, 0, 1), (1, 1, 0)]


def test_complete_answers_also_come_as_a_matrix():
    study = study_of(dataset(roles=(Role.RATER, Role.RATER, Role.MODEL)), "mood")
    assert study.matrix.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("flag", [Flag.EDITED_BY_OTHER, Flag.COPIED, Flag.FROM_PREDICTION])
def test_independent_answers_leave_out_each_kind_of_dependence(flag):
    data = dataset(flags=[0, int(flag), 0, 0, 0])
    assert study_of(data, "mood").C == 5
    independent = study_of(data, "mood", answers="independent")
    assert cells(independent) == [(0, 0, 0), (1, 0, 1), (1, 1, 1), (1, 2, 0)]


def test_gold_is_independent_and_superseded_never_counts():
    data = dataset(flags=[int(Flag.GROUND_TRUTH), int(Flag.SUPERSEDED), 0, 0, 0])
    assert study_of(data, "mood").C == 4
    assert study_of(data, "mood", answers="independent").C == 4


def test_first_answers_by_time_within_each_unit():
    data = dataset(created=[5.0, 1.0, 3.0, 9.0, 2.0])
    assert cells(study_of(data, "mood", first=1)) == [(0, 0, 1), (1, 1, 0)]
    assert study_of(data, "mood", first=1).rater_names == ["r1", "r2"]
    assert cells(study_of(data, "mood", first=2)) == [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 2, 0)]
    assert study_of(data, "mood", first=9).C == 5


def test_first_counts_only_answers_that_count_at_all():
    data = dataset(created=[5.0, 1.0, 3.0, 9.0, 2.0], flags=[0, 2, 0, 0, 2])
    assert cells(study_of(data, "mood", first=1, answers="independent")) == [(0, 0, 0), (1, 0, 1)]


def test_first_without_times_names_the_control():
    with pytest.raises(DataError, match=r"control mood: .*no time of creation"):
        study_of(dataset(created=[1.0, 2.0, np.nan, 3.0, 4.0]), "mood", first=1)


def test_first_must_be_positive():
    with pytest.raises(UsageError, match="at least 1"):
        study_of(dataset(created=[1.0] * 5), "mood", first=0)


def test_units_that_share_a_task_form_a_cluster_by_default():
    study = study_of(dataset(clusters={"task": ints(7, 7, 9)}), "mood")
    assert study.cluster.tolist() == [0, 0]
    assert study_of(dataset(clusters={"task": ints(7, 7, 9)}), "mood", cluster="unit").cluster is None


def test_units_that_are_tasks_form_no_clusters():
    assert study_of(dataset(clusters={"task": ints(3, 4, 5)}), "mood").cluster is None


def test_named_cluster_is_numbered_from_0_over_the_units_left():
    study = study_of(dataset(clusters={"doc": ints(8, 3, 1)}), "mood", cluster="doc")
    assert study.cluster.tolist() == [1, 0]


def test_unknown_names_suggest():
    with pytest.raises(UsageError, match="Did you mean mood"):
        study_of(dataset(), "moods")
    with pytest.raises(UsageError, match="Did you mean doc"):
        study_of(dataset(clusters={"doc": ints(0, 0, 0)}), "mood", cluster="docs")
    with pytest.raises(UsageError, match="Allowed: all, independent"):
        study_of(dataset(), "mood", answers="own")


def test_no_rater_with_the_role_gives_an_empty_study():
    study = study_of(dataset(roles=(Role.MODEL,) * 3), "mood")
    assert (study.U, study.R, study.C) == (0, 0, 0)
