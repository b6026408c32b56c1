"""Options that contradict each other or cannot mean anything: exit code 2, in words, and nothing is printed."""

import pytest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--fail-under", "nan"], "--fail-under nan is out of range"),
        (["--fail-under", "-5"], "Allowed: -1 to 1"),
        (["--bootstrap", "200", "--interval", "score"], "contradict"),
        (["--bootstrap", "200", "--ci", "none"], "contradict"),
        (["--value", "ann", "--text", "ann"], "contradict"),
        (["--unit", "item", "--rater", "item"], "both name column 'item'"),
        (["--metric", "label="], "write [CONTROL=]VALUE"),
        (["--level", "="], "write [CONTROL=]VALUE"),
        (["--seed", "-1"], "seed=-1 is out of range"),
        (["--plan", "/dev/zero"], "is not a file"),
        (["--metric", "label=" + "z" * 10_000], "Unknown metric 'zzz"),
        (["--control", "\x1b[31mred\u202e"], r"'\x1b[31mred\u202e'"),
    ],
    ids=lambda part: str(part)[:40],
)
def test_a_call_that_cannot_mean_anything_is_refused(accord, wide, options, words):
    ran = accord("score", wide, *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err) < 1000
    assert ran.err.rstrip("\n").isprintable()


def test_a_config_that_is_no_file_is_refused(accord, wide):
    ran = accord("score", wide, "--config", "/dev/zero")
    assert ran.code == 3
    assert "this is not a file" in ran.err


def test_broken_criteria_are_refused_before_anything_is_written(accord, wide, tmp_path):
    (tmp_path / "criteria.json").write_text("{}")
    ran = accord("report", wide, "-o", tmp_path / "r.html", "--criteria", tmp_path / "criteria.json")
    assert ran.code == 3
    assert not (tmp_path / "r.html").exists()


def test_the_shape_that_was_read_is_stated(accord, wide):
    assert "Read: CSV: wide table, item = 'item', raters = 'ann', 'ben'" in accord("score", wide).out
