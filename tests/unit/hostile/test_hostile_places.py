"""Places and streams that cannot be written to: nothing half-written, nothing lost, a message in words."""

import json
import os
import subprocess
import sys

import pytest

RUN = [sys.executable, "-c", "from accord.cli import main; main()"]
LIMITED = [sys.executable, "-c", "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n" + RUN[2]]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("item,ann,ben\n" + "".join(f"{i},{'xyz'[i % 3]},{'xxyz'[i % 4]}\n" for i in range(40)))
    return path


def ran(*args, command=RUN, **settings):
    environment = os.environ | settings.pop("env", {})
    return subprocess.run(
        [*command, *map(str, args)], capture_output=True, text=True, check=False, env=environment, **settings
    )


def test_a_full_disk_keeps_the_old_report_and_leaves_no_part(table, tmp_path):
    target = tmp_path / "r.html"
    target.write_text("old")
    done = ran("report", table, "-o", target, command=LIMITED)
    assert done.returncode == 3
    assert "cannot write" in done.stderr
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.html", "t.csv"]


def test_a_full_disk_leaves_no_part_of_a_bundle(table, tmp_path):
    done = ran("score", table, "--bundle", tmp_path / "b", command=LIMITED)
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot write" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_a_report_never_overwrites_what_it_is_made_of(table):
    before = table.read_bytes()
    done = ran("report", table, "-o", table, "--format", "csv")
    assert done.returncode == 2
    assert "would be overwritten" in done.stderr
    assert table.read_bytes() == before


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("command", ["inspect", "score"])
def test_a_terminal_that_knows_few_letters_gets_escapes(table, command, encoding):
    table.write_text("item,ann,ben\n1,é,日本\n2,é,é\n3,\u202e,日本\n", encoding="utf-8")
    done = ran(command, table, env={"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_error(table, closed):
    done = ran("inspect", table, command=["sh", "-c", f'exec "$0" "$@" {closed}', *RUN])
    assert (done.returncode, done.stderr) == (0, "")


def test_two_runs_at_once_agree_on_one_key(table, tmp_path):
    command = [*RUN, "score", str(table), "--pseudonyms", "--json"]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) for _ in range(3)]
    reports = [json.loads(process.communicate()[0]) for process in runs]
    named = {tuple(pair[side] for side in "ab") for r in reports for pair in r["controls"][0]["rater_pairs"]}
    assert len(named) == 1
    names = json.loads((tmp_path / "accord-pseudonyms.json").read_text())["names"]
    assert sorted(names.values()) == ["ann", "ben"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["accord-pseudonyms.json", "t.csv"]
