"""Table files that are damaged, hostile or no files at all: an error that names the place, never a crash."""

import os

import pytest

import accord
from accord.errors import DataError

HUGE = "9" * 100_000


def written(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("item,ann,bob\r1,a,b\r2,b,a\r", None),
        ("item,a\rnn,bob\n1,a,b\n", "line 3"),
        ('item,ann,"' + "x" * 2_000_000, "line 1"),
        ("item,ann," + "x" * 200_000 + "\n1,a,b\n2,b,b\n", None),
        ("item,ann,bob\n1,a,b\n".encode("utf-32"), "UTF-32"),
        (bytes(range(1, 256)) * 20, "line 2"),
        ("item,rater,value\n1,a,1e308\n1,b,-1e308\n", "control value: a number is too large"),
        (f"item,rater,value\n1,a,{HUGE}\n1,b,2\n", "control value"),
        ("item,rater,value\n1,a,1.5\n1,b,inf\n", "control value: infinity is not an answer"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_a_damaged_table_is_read_or_named(tmp_path, content, words):
    path = written(tmp_path, content)
    if words is None:
        assert accord.read(path).answers > 0
        return
    with pytest.raises(DataError) as error:
        accord.read(path)
    assert words in str(error.value)
    assert str(path) in str(error.value)
    assert len(str(error.value)) < 1000


def test_a_pipe_or_device_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    for source in (tmp_path / "pipe.json", "/dev/zero", "/dev/null"):
        with pytest.raises(DataError, match="pipe or a device"):
            accord.read(source)
