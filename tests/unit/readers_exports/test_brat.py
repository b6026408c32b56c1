"""brat standoff."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Span

TEXT = "😀 Ada met\nBob in Rome."
ADA = """T1\tPER 2 5\tAda
T2\tPER 10 13\tBob
T3\tMEET 6 9\tmet
E1\tMEET:T3 Who:T1 Whom:T2
R1\tknows Arg1:T1 Arg2:T2
A1\tfictional T1
A2\tsure E1 high
*\tsame T1 T2
N1\tReference T1 Wiki:7\tAda
#1\tAnnotatorNotes T1\ta note
"""
BEN = "T1\tPER 2 5\tAda\n"


def folders(**raters):
    return {f"work/{name}/doc.{ending}": text for name, both in raters.items() for ending, text in both.items()}


def test_a_folder_of_folders_is_one_rater_each(load, marks, put, codes) -> None:
    files = folders(ada={"ann": ADA, "txt": TEXT}, ben={"ann": BEN, "txt": TEXT})
    dataset = load({**files, "work/annotation.conf": "[entities]"}, sources=["work"])
    assert marks(dataset, "entities") == {
        ("doc", "ada"): [("PER", Span(2, 5)), ("PER", Span(10, 13)), ("MEET", Span(6, 9))],
        ("doc", "ben"): [("PER", Span(2, 5))],
    }
    assert codes(dataset) == {"note-left-out": 2, "per-region": 2}
    assert sniff(put({}) / "work") == "brat"


def test_attributes_events_and_relations(load, answers) -> None:
    dataset = load({"ada/a.ann": ADA, "ada/a.txt": TEXT, "ben/a.ann": BEN, "ben/a.txt": TEXT}, sources=["ada", "ben"])
    regions = answers(dataset, "entities")["a", "ada"]
    assert {(region.id, region.choices) for region in regions} >= {("T1", frozenset({"true"}))}
    assert dict(regions[2].attributes) == {"sure": '["high"]'}
    links = answers(dataset, "relations")["a", "ada"]
    assert [(one.geometry.source, one.geometry.target, *one.labels) for one in links] == [
        ("entities#2", "entities#0", "Who"),
        ("entities#2", "entities#1", "Whom"),
        ("entities#0", "entities#1", "knows"),
        ("entities#0", "entities#1", "same"),
    ]


def test_files_of_two_folders(load, marks) -> None:
    files = folders(ada={"ann": BEN, "txt": TEXT}, ben={"ann": "", "txt": TEXT})
    sources = [name for name in files if name.endswith(".ann")]
    dataset = load(files, sources=sources, format="brat")
    assert marks(dataset, "entities") == {("document", "ada"): [("PER", Span(2, 5))], ("document", "ben"): []}


def test_pieces_mismatches_and_missing_texts(load, marks, codes) -> None:
    pieces = "T1\tPER 2 5;10 13\tAda Bob\nT2\tPER 6 9\tMET\nT3\tPER 6 900\tmet\nA1\tsure T9\n"
    dataset = load({"ada/d.ann": pieces, "ada/d.txt": TEXT, "ada/e.ann": BEN}, sources=["ada"])
    assert [where for _, where in marks(dataset, "entities")["d", "ada"]][:2] == [Span(2, 5), Span(10, 13)]
    assert codes(dataset) == {
        "discontinuous-span": 1, "text-mismatch": 2, "span-range": 1, "text-missing": 1, "orphan-per-region": 1,
    }  # fmt: skip
    with pytest.raises(DataError, match=r"d.ann.*discontinuous-span"):
        load({"ada/d.ann": pieces}, sources=["ada"], strict=True)


def test_broken_lines_are_named(load) -> None:
    for line in ("T1\tPER 2\tAda", "X1\twhat", "R1\tknows Arg1:T1", "T1\tPER 2 5 9\tAda", "E1\t"):
        with pytest.raises(DataError, match=r"d\.ann, line 2: this is no line of a brat file"):
            load({"ada/d.ann": f"T9\tPER 0 1\tA\n{line}\n", "ada/d.txt": TEXT}, sources=["ada"])


def test_damage(survives) -> None:
    survives("d.ann", ADA, "brat")
