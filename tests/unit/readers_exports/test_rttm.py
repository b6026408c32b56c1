"""RTTM."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Span

ADA = """;; made by hand
SPEAKER rec1 1 0.5 2.25 <NA> <NA> anna <NA> <NA>
SPEAKER rec1 2 3 1 <NA> <NA> bert <NA>
SPKR-INFO rec1 1 <NA> <NA> <NA> unknown anna <NA>
SPEAKER rec2 1 0 1 <NA> <NA> anna <NA> <NA>
"""
BEN = "SPEAKER rec1 1 0.5 2 <NA> <NA> anna <NA> <NA>\n"


def test_a_file_is_a_rater_and_a_recording_a_unit(load, marks, put, codes) -> None:
    dataset = load({"ada.rttm": ADA, "ben.rttm": BEN})
    assert marks(dataset, "turns") == {
        ("rec1", "ada"): [("anna", Span(0.5, 2.75)), ("bert", Span(3, 4, "2"))],
        ("rec1", "ben"): [("anna", Span(0.5, 2.5))],
        ("rec2", "ada"): [("anna", Span(0, 1))],
    }
    assert codes(dataset) == {"note-left-out": 1}
    assert sniff(put({}) / "ada.rttm") == sniff(put({})) == "rttm"


def test_a_folder_a_rater(load, marks) -> None:
    files = {f"work/{rater}/{rec}.rttm": BEN.replace("rec1", rec) for rater in ("ada", "ben") for rec in ("x", "y")}
    assert set(marks(load(files, sources=["work"]), "turns")) == {(u, r) for u in "xy" for r in ("ada", "ben")}
    assert set(marks(load(files), "turns")) == {(u, r) for u in "xy" for r in ("ada", "ben")}


@pytest.mark.parametrize(
    "line", ["SPEAKER rec1 1 x 1 <NA> <NA> a", "SPEAKER rec1", "TURN a 1 0 1 a b c", "SPEAKER r 1 -1 1 <NA> <NA> a"]
)
def test_broken_lines_are_named(load, line) -> None:
    with pytest.raises(DataError, match=r"ada\.rttm, line 2: this is no line of an RTTM file"):
        load({"ada.rttm": BEN + line}, format="rttm")


def test_damage(survives) -> None:
    survives("ada.rttm", ADA, "rttm")
