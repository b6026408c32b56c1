"""The store itself: schema, imports that may be repeated, versions, deletions, what hostile data cannot do."""

import json
import zipfile

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select, text

from accord.errors import DataError, UsageError
from accord.workspace import Workspace
from accord.workspace.tables import ANNOTATIONS, CODED_TASKS, METADATA, TASKS

from . import answers as made


@pytest.fixture
def project(workspace):
    return workspace.projects.create("p", made.CONFIG, actor="test")


def count(workspace, table):
    with workspace.database.read() as connection:
        return len(connection.execute(select(table)).all())


def test_migrations_make_the_schema(workspace):
    with workspace.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_opening_again_changes_nothing(url):
    with Workspace.open(url) as workspace:
        workspace.projects.create("p", actor="test")
    with Workspace.open(url) as workspace:
        assert [project.name for project in workspace.projects.all()] == ["p"]


def test_a_database_of_a_newer_version_is_refused(url):
    with Workspace.open(url) as workspace, workspace.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DataError, match="newer version"):
        Workspace.open(url)


@pytest.mark.parametrize("wrong", ["mysql://x/y", "sqlite://", "not a url://", "postgresql+nothing://x/y"])
def test_other_urls_are_refused(wrong):
    with pytest.raises(UsageError):
        Workspace.open(wrong)


def test_the_same_import_again_changes_nothing(workspace, project):
    tasks = made.simple()
    first = workspace.content.import_(project, tasks, actor="test")
    assert (first.tasks, first.annotations, first.added, first.changed) == (6, 18, 18, 0)
    version = workspace.projects.get(project).data_version
    again = workspace.content.import_(project, tasks, actor="test")
    assert (again.added, again.changed, again.unchanged) == (0, 0, 18)
    assert workspace.projects.get(project).data_version == version
    assert count(workspace, ANNOTATIONS) == 18


def test_every_version_is_kept_and_older_ones_do_not_come_back(workspace, project):
    new = made.task(1, made.annotation(1, 1, made.choice("mood", "bad"), updated="2026-03-05T00:00:00Z"))
    old = made.task(1, made.annotation(1, 1, made.choice("mood", "good"), updated="2026-03-01T00:00:00Z"))
    workspace.content.import_(project, [old], actor="test", name="monday")
    workspace.content.import_(project, [new], actor="test", name="friday")
    late = workspace.content.import_(project, [old], actor="test", name="late")
    assert (late.older, late.changed) == (1, 0)
    (task,) = workspace.content.export(project)
    assert task["annotations"] == new["annotations"]
    with workspace.database.read() as connection:
        number = connection.scalar(select(ANNOTATIONS.c.id))
    assert [v["source"] for v in workspace.content.versions(project, number)] == ["monday", "friday"]


def test_deleted_annotations_come_back_only_with_an_import_that_says_so(workspace, project):
    tasks = made.simple(tasks=2)
    workspace.content.import_(project, tasks, actor="test")
    assert workspace.content.delete(project, annotations=["11"], actor="test") == 1
    assert workspace.content.delete(project, annotations=["11", "unknown"], actor="test") == 0
    workspace.content.import_(project, tasks, actor="test", revive=False)
    assert [a["id"] for a in next(iter(workspace.content.export(project)))["annotations"]] == [12, 13]
    assert workspace.content.delete(project, tasks=["2"], actor="test") == 1
    workspace.content.import_(project, tasks, actor="test", revive=False)
    assert len(list(workspace.content.export(project))) == 1
    workspace.content.import_(project, tasks, actor="test")
    assert [len(t["annotations"]) for t in workspace.content.export(project)] == [3, 3]


def test_annotations_without_ids_are_told_by_content_and_place(workspace, project):
    same = {"result": [made.choice("mood", "good")]}
    tasks = [{"data": {"text": made.TEXT}, "annotations": [same, same]}, {"data": {"text": made.TEXT}}]
    for _ in range(2):
        workspace.content.import_(project, tasks, actor="test")
    assert count(workspace, TASKS) == 2
    assert count(workspace, ANNOTATIONS) == 2


def test_an_import_that_fails_leaves_nothing(workspace, project):
    tasks = [*made.simple(tasks=700), made.task(999, {"id": 1, "result": "no list"})]
    with pytest.raises(DataError, match="result of an annotation is no list"):
        workspace.content.import_(project, tasks, actor="test")
    assert count(workspace, TASKS) == 0
    assert workspace.projects.get(project).data_version == 0


def test_one_change_writes_one_row(workspace, project, monkeypatch):
    monkeypatch.setattr("accord.workspace.rescoring.SMALL", 0)
    workspace.content.import_(project, made.simple(tasks=30), actor="test")
    from accord.workspace.worker import Worker

    Worker(workspace).run_all()
    before = coded(workspace)
    changed = made.task(7, made.annotation(71, 1, made.choice("mood", "bad"), updated="2026-04-01T00:00:00Z"))
    done = workspace.content.import_(project, [changed], actor="test")
    assert done.job is None
    assert workspace.projects.get(project).fresh
    after = coded(workspace)
    assert [name for name in after if after[name] != before[name]] == ["7"]


def coded(workspace):
    with workspace.database.read() as connection:
        rows = connection.execute(select(CODED_TASKS)).all()
    return {row.name: (row.cells, row.facts, row.agreement) for row in rows}


@pytest.mark.parametrize(
    "tasks, words",
    [
        (["text"], "not a task"),
        ([{"id": 1, "annotations": "x"}], "no list of annotations"),
        ([{"id": 1, "annotations": [[]]}], "no list of annotations"),
    ],
)
def test_what_are_no_tasks_is_refused(workspace, project, tasks, words):
    with pytest.raises(DataError, match=words):
        workspace.content.import_(project, tasks, actor="test")


def test_deep_json_is_refused(workspace, project):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(DataError, match="too deeply"):
        workspace.content.import_(project, [made.task(1, extra=deep)], actor="test")
    while deep:  # else freeing it would nest as deeply
        deep = deep.pop()


@pytest.mark.parametrize("odd", ["\x00", "\ud800", "\\0000", "<script>", "../../x", "x" * 100_000, "\u202e", "🙂"])
def test_odd_text_everywhere_comes_back_as_it_was(workspace, project, odd):
    given = made.task(odd, made.annotation(odd, odd, made.choice("mood", odd)), **{odd: odd})
    given["annotations"].append(made.annotation(odd + "2", odd + "2", made.choice("mood", "good")))
    given["project"] = odd
    workspace.content.import_(project, [given], actor=odd, name=odd)
    workspace.content.import_(project, [given], actor=odd, name=odd)
    (task,) = workspace.content.export(project)
    assert json.dumps(task, sort_keys=True) == json.dumps(given, sort_keys=True)
    assert workspace.tasks.page(project).rows[0].by_control["mood"] == 0.0
    assert workspace.events.page(project).rows[0].payload["source"] == odd


def test_label_configs_are_never_taken_for_files(workspace, tmp_path):
    secret = tmp_path / "secret.xml"
    secret.write_text(made.CONFIG)
    for config in (str(secret), "", "{}", "<View><broken"):
        with pytest.raises(DataError):
            workspace.projects.create("p", config, actor="test")
    assert not workspace.projects.all()


def test_files_of_other_kinds_are_named(workspace, project, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("task,rater,label\n1,a,x\n")
    packed = tmp_path / "packed.json"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", "y" * 1000)
    for path in (table, packed, tmp_path / "missing.json"):
        with pytest.raises(DataError):
            workspace.content.import_(project, path, actor="test")


def test_projects_are_apart(workspace, project):
    other = workspace.projects.create("q", made.CONFIG, actor="test")
    workspace.content.import_(project, made.simple(tasks=2), actor="test")
    workspace.content.import_(other, made.simple(tasks=4, raters=2), actor="test")
    workspace.content.delete(other, tasks=["1"], actor="test")
    found = {p.name: (p.tasks, p.annotations) for p in workspace.projects.all()}
    assert found == {"p": (2, 6), "q": (3, 8)}
    workspace.projects.remove(other, actor="test")
    with pytest.raises(UsageError, match="no project"):
        workspace.tasks.page(other)
    assert [p.name for p in workspace.projects.all()] == ["p"]
