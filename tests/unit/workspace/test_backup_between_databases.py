"""A backup of either database goes into either database, and numbers go on after it."""

from pathlib import Path

from sqlalchemy import select

from accord.workspace import Workspace
from accord.workspace.backup import backup, restore
from accord.workspace.tables import METADATA

EXAMPLE = Path(__file__).parents[3] / "examples" / "support-export.json"


def content(workspace):
    with workspace.database.read() as connection:
        return [
            tuple(map(tuple, connection.execute(select(table).order_by(*table.primary_key.columns))))
            for table in METADATA.sorted_tables
        ]


def test_there_and_back(workspace, tmp_path):
    with Workspace.open(tmp_path / "first.db") as first:
        number = first.projects.create("One", actor="t")
        first.content.import_(number, EXAMPLE, actor="t")
        backup(first.database, tmp_path / "a")
        restore(workspace.database, tmp_path / "a")
        assert content(workspace) == content(first)
    assert workspace.projects.create("Two", actor="t") == number + 1
    backup(workspace.database, tmp_path / "b")
    with Workspace.open(tmp_path / "second.db") as second:
        restore(second.database, tmp_path / "b")
        assert content(second) == content(workspace)
