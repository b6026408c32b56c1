"""CoNLL columns."""

import pytest

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.exports.tags import marks_beginnings, spans_of
from accord.readers.sniff import sniff
from accord.values import Span

ADA = """-DOCSTART- -X- O O

Ada NNP B-NP B-PER
met VBD B-VP O
New NNP B-NP B-LOC
York NNP I-NP I-LOC

😀 SYM O O
Bob NNP B-NP B-PER
"""
BEN = ADA.replace("B-LOC", "O").replace("I-LOC", "O")


def test_a_file_is_a_rater_and_a_sentence_a_unit(load, marks, put, codes) -> None:
    dataset = load({"ada.conll": ADA, "ben.conll": BEN}, context=True)
    assert marks(dataset, "spans") == {
        ("1", "ada"): [("PER", Span(0, 3)), ("LOC", Span(8, 16))],
        ("1", "ben"): [("PER", Span(0, 3))],
        ("2", "ada"): [("PER", Span(2, 5))],
        ("2", "ben"): [("PER", Span(2, 5))],
    }
    assert dataset.context["text"] == ["Ada met New York", "😀 Bob"]
    assert codes(dataset) == {}
    put({"tagged.txt": BEN, "table.tsv": "token\ttag\nAda\tB-PER\n"})
    assert sniff(put({}) / "ada.conll") == sniff(put({}) / "tagged.txt") == "conll"
    assert sniff(put({}) / "table.tsv") == "table"


def test_folders_of_documents(load, marks) -> None:
    files = {f"work/{rater}/{name}.conll": ADA for rater in ("ada", "ben") for name in ("x", "y")}
    dataset = load(files, sources=["work"])
    assert {where for where in marks(dataset, "spans") if where[1] == "ben"} == {
        ("x/1", "ben"), ("x/2", "ben"), ("y/1", "ben"), ("y/2", "ben")}  # fmt: skip


def test_a_folder_of_files_is_a_rater_in_each(load, marks) -> None:
    dataset = load({"work/ada.conll": ADA, "work/ben.conll": BEN}, sources=["work"])
    assert list(marks(dataset, "spans")) == [("1", "ada"), ("1", "ben"), ("2", "ada"), ("2", "ben")]


@pytest.mark.parametrize(
    "tags",
    ["B-P I-P O B-L", "I-P I-P O I-L", "B-P E-P O S-L", "B-P L-P O U-L", "B-P M-P O S-L", "P P O L", "B_P I_P _ B_L"],
)
def test_schemes_say_the_same(tags) -> None:
    tags, notices = tags.split(), Notices()
    found = list(spans_of(tags, notices, beginnings=marks_beginnings([tags])))
    assert found == [(0, 1, "P"), (3, 3, "L")]
    assert not notices.all()


def test_neighbours_of_one_label_and_a_tag_without_beginning() -> None:
    notices = Notices()
    assert list(spans_of(["B-P", "B-P", "I-P"], notices, beginnings=True)) == [(0, 0, "P"), (1, 2, "P")]
    assert list(spans_of(["I-P", "B-P"], notices, beginnings=False)) == [(0, 0, "P"), (1, 1, "P")]
    assert not notices.all()
    assert list(spans_of(["O", "I-P", "I-L"], notices, beginnings=True)) == [(1, 1, "P"), (2, 2, "L")]
    assert notices.count("broken-tags") == 2


def test_other_tokens_are_refused(load) -> None:
    with pytest.raises(DataError, match=r"ben.conll, task 1: the text differs .*ada.conll"):
        load({"ada.conll": ADA, "ben.conll": ADA.replace("York", "Yorck")})
    with pytest.raises(DataError, match=r"ada.conll, line 3: the line has other columns"):
        load({"ada.conll": "Ada B-PER\nmet O\nNew York B-LOC\n"})


def test_damage(survives) -> None:
    survives("ada.conll", ADA, "conll")
