"""A backup holds everything, goes into either kind of database, and is refused where it is not whole."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from live_server import Server
from sqlalchemy import select

from accord.errors import DataError, UsageError
from accord.service.roles import Role
from accord.workspace import Workspace
from accord.workspace.backup import backup, restore
from accord.workspace.tables import METADATA


def content(workspace: Workspace) -> dict[str, list]:
    with workspace.database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in METADATA.sorted_tables
        }


@pytest.fixture(scope="module")
def kept(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    server.example("Kept")
    server.person(Role.REVIEWER)
    target = tmp_path_factory.mktemp("backup") / "accord.backup"
    assert backup(server.workspace.database, target) > 2000
    return target


def test_everything_comes_back_and_goes_on(server: Server, kept: Path, tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "new.db") as workspace:
        restore(workspace.database, kept)
        assert content(workspace) == content(server.workspace)
        assert workspace.projects.create("Next", actor="tests") > 1
        with pytest.raises(UsageError, match="not empty"):
            restore(workspace.database, kept)


def test_a_broken_backup_leaves_nothing(kept: Path, tmp_path: Path) -> None:
    whole = gzip.decompress(kept.read_bytes())
    lines = whole.splitlines(keepends=True)
    broken = {
        "cut.gz": kept.read_bytes()[:5000],
        "short": gzip.compress(b"".join(lines[:-1])),
        "missing": gzip.compress(b"".join(lines[:5] + lines[-1:])),
        "other": gzip.compress(b"{}\n"),
        "text": b"nothing",
        "schema": gzip.compress(lines[0].replace(b'"schema": "', b'"schema": "x') + b"".join(lines[1:])),
        "table": gzip.compress(lines[0] + b'["users", [1, 2]]\n'),
    }
    with Workspace.open(tmp_path / "new.db") as workspace:
        before = content(workspace)
        for name, data in broken.items():
            path = tmp_path / name
            path.write_bytes(data)
            with pytest.raises(DataError):
                restore(workspace.database, path)
            assert content(workspace) == before


def test_commands(kept: Path, tmp_path: Path) -> None:
    def accord(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "accord", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    done = accord("restore", kept, "--data", tmp_path / "data")
    assert done.returncode == 0, done.stderr
    assert "rows restored" in done.stdout
    target = tmp_path / "again.backup"
    assert accord("backup", target, "--data", tmp_path / "data").returncode == 0
    assert gzip.decompress(target.read_bytes()) == gzip.decompress(kept.read_bytes())
    refused = accord("backup", target, "--data", tmp_path / "data")
    assert refused.returncode == 2
    assert "exists already" in refused.stderr


def test_recompute_on_the_command_line(kept: Path, tmp_path: Path) -> None:
    with Workspace.open(tmp_path / "accord.db") as workspace:
        restore(workspace.database, kept)
        number = workspace.projects.all()[0].id
    command = [sys.executable, "-m", "accord", "recompute", "--data", tmp_path, "--json", "--project"]
    done = subprocess.run([*command, str(number)], capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(done.stdout) == {"scanned": 240, "scored": 240, "mismatch": 0, "skipped": 0}
    wrong = subprocess.run([*command, "99"], capture_output=True, text=True, check=False, timeout=120)
    assert wrong.returncode == 2
    assert "There is no project 99" in wrong.stderr
