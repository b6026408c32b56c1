"""A file is written whole or not at all."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from accord.errors import DataError, UsageError
from accord.reporting.writing import write_text


def test_the_new_text_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")
    write_text(path, "new é\n")
    assert path.read_bytes() == "new é\n".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "a.html"
    plain.write_text("x")
    write_text(path, "x")
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "real.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")
    program = f"""
        import resource, signal
        from accord.errors import DataError
        from accord.reporting.writing import write_text
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_text({str(path)!r}, "x" * 100_000)
        except DataError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "cannot write: File too large" in done.stdout
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        write_text(tmp_path / "none" / "a.html", "x")
    with pytest.raises(UsageError, match="is a folder"):
        write_text(tmp_path, "x")
    with pytest.raises(DataError, match="cannot write"):
        write_text(tmp_path / ("n" * 300), "x")


def test_a_device_is_written_directly() -> None:
    write_text("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
