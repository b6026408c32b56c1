"""Praat's TextGrid."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Span

LONG = '''File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 4
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "ada"
        xmin = 0
        xmax = 4
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "say ""a"""
        intervals [2]:
            xmin = 1.5
            xmax = 2
            text = ""
        intervals [3]:
            xmin = 2
            xmax = 4
            text = "b"
    item [2]:
        class = "TextTier"
        name = "ben"
        xmin = 0
        xmax = 4
        points: size = 1
        points [1]:
            number = 2
            mark = "b"
'''
SHORT = '''File type = "ooTextFile"
Object class = "TextGrid"

0
4
<exists>
2
"IntervalTier"
"ada"
0
4
3
0
1.5
"say ""a""" ! a note with 3 numbers
1.5
2
""
2
4
"b"
"TextTier"
"ben"
0
4
1
2
"b"
'''
FOUND = {
    ("rec", "ada"): [('say "a"', Span(0, 1.5)), ("b", Span(2, 4))],
    ("rec", "ben"): [("b", Span(2, 2))],
}


@pytest.mark.parametrize("text", [LONG, SHORT], ids=["long", "short"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tiers_are_raters_of_one_file(load, marks, put, text, encoding) -> None:
    dataset = load({"rec.TextGrid": text.encode(encoding)})
    assert marks(dataset, "stretches") == FOUND
    assert sniff(put({}) / "rec.TextGrid") == "textgrid"


def test_files_are_raters_of_several_and_tiers_are_questions(load, marks) -> None:
    files = {"ada.TextGrid": LONG, "ben.TextGrid": SHORT}
    dataset = load(files)
    assert set(marks(dataset, "ada")) == {("document", "ada"), ("document", "ben")}
    assert set(marks(dataset, "ben")) == {("document", "ada"), ("document", "ben")}
    by_tier = load(files, rater="tier")
    assert set(marks(by_tier, "stretches")) == {(u, r) for u in ("ada", "ben") for r in ("ada", "ben")}


def test_folders(load, marks) -> None:
    files = {f"work/{name}/{rec}.TextGrid": LONG for name in ("x", "y") for rec in ("1", "2")}
    assert set(marks(load(files, sources=["work"]), "ada")) == {(u, r) for u in "12" for r in "xy"}
    by_tier = marks(load(files, sources=["work"], rater="tier"), "stretches")
    assert set(by_tier) == {(f"{name}/{rec}", r) for name in "xy" for rec in "12" for r in ("ada", "ben")}


def test_letters_in_no_known_encoding_are_read_as_latin_1(load, marks, codes) -> None:
    dataset = load({"rec.TextGrid": SHORT.replace("ben", "bé").encode("latin-1")})
    assert ("rec", "bé") in marks(dataset, "stretches")
    assert codes(dataset) == {"encoding-guessed": 1}
    with pytest.raises(DataError, match=r"rec\.TextGrid.*encoding-guessed"):
        load({"rec.TextGrid": SHORT.replace("ben", "bé").encode("latin-1")}, strict=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHORT.replace("TextGrid", "Pitch"), "line 2: this is no TextGrid"),
        (SHORT[:-4], "the file ends too early"),
        (SHORT.replace("IntervalTier", "NoTier"), "line 11: the tier is of no known class"),
        (SHORT.replace("\n3\n0\n", "\n3.5\n0\n"), "line 12: this is no count"),
        (SHORT.replace("\n3\n0\n", "\n999999999999\n0\n"), "a number is missing"),
        ("ooBinaryFile\x08TextGrid", "this is a binary TextGrid"),
    ],
)
def test_broken_files_are_named(load, text, message) -> None:
    with pytest.raises(DataError, match=rf"rec\.TextGrid.*{message}"):
        load({"rec.TextGrid": text})


def test_damage(survives) -> None:
    survives("rec.TextGrid", LONG, "textgrid")
    survives("wide.TextGrid", SHORT.encode("utf-16"), "textgrid")
