"""Terminologies from files a user brings: what is read, and what is refused with a place."""

import gzip

import pytest

from accord.errors import DataError, UsageError
from accord.terminology.concepts import Concept, Terminology
from accord.terminology.reading import read_terminology

OBO = """format-version: 1.2

[Term]
id: X:1
name: abnormal eye

[Term]
id: X:2
name: nearsightedness
synonym: "Myopia" EXACT layperson [orcid:1]
synonym: "Short \\"far\\" sight" EXACT []
synonym: "bad sight" RELATED []
synonym: "old name" EXACT obsolete_synonym []
is_a: X:1 ! abnormal eye

[Typedef]
id: part_of
name: part of

[Term]
id: X:3
name: gone
is_obsolete: true
"""

MESH = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://example.org/nlmdescriptorrecordset.dtd">
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord><DescriptorUI>D1</DescriptorUI><DescriptorName><String>Neoplasms</String></DescriptorName>
<TreeNumberList><TreeNumber>C04</TreeNumber></TreeNumberList><ConceptList/></DescriptorRecord>
<DescriptorRecord><DescriptorUI>D2</DescriptorUI><DescriptorName><String>Lung Neoplasms</String></DescriptorName>
<TreeNumberList><TreeNumber>C04.588</TreeNumber><TreeNumber>C99.1</TreeNumber></TreeNumberList><ConceptList>
<Concept PreferredConceptYN="Y"><TermList><Term><String>Lung Neoplasms</String></Term>
<Term><String>Pulmonary Neoplasms</String></Term>
<Term IsPermutedTermYN="Y"><String>Neoplasms, Lung</String></Term></TermList></Concept>
<Concept PreferredConceptYN="N"><TermList><Term><String>Lung Cancer</String></Term></TermList></Concept>
</ConceptList></DescriptorRecord></DescriptorRecordSet>"""

BOMB = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
<DescriptorRecordSet><DescriptorRecord><DescriptorUI>&b;</DescriptorUI></DescriptorRecord></DescriptorRecordSet>"""


def names(table):
    return {c: (v.names, v.parents) for c, v in table.concepts.items()}


def test_obo_gives_exact_synonyms_that_are_in_use(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(OBO)
    assert names(read_terminology(str(path))) == {
        "X:1": (["abnormal eye"], []),
        "X:2": (["nearsightedness", "Myopia", 'Short "far" sight'], ["X:1"]),
    }


@pytest.mark.parametrize("packed", [False, True])
def test_mesh_gives_terms_of_the_preferred_concept_and_the_tree(tmp_path, packed):
    path = tmp_path / ("desc.xml.gz" if packed else "desc.xml")
    path.write_bytes(gzip.compress(MESH.encode()) if packed else MESH.encode())
    assert names(read_terminology(str(path))) == {
        "D1": (["Neoplasms"], []),
        "D2": (["Lung Neoplasms", "Pulmonary Neoplasms"], ["D1"]),
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, "declares entities"),
        ("<a><b></a>", "not well-formed"),
        ("<a/>", "no DescriptorRecord"),
        ("", "well-formed"),
    ],
)
def test_hostile_mesh_is_refused(tmp_path, content, words):
    path = tmp_path / "desc.xml"
    path.write_text(content)
    with pytest.raises(DataError, match=words):
        read_terminology(str(path))


def test_a_cut_archive_is_refused(tmp_path):
    path = tmp_path / "desc.xml.gz"
    path.write_bytes(gzip.compress(MESH.encode())[:60])
    with pytest.raises(DataError, match=r"cannot read|well-formed"):
        read_terminology(str(path))


def csv_folder(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return str(tmp_path)


def test_tables_of_ones_own(tmp_path):
    folder = csv_folder(
        tmp_path,
        concepts='concept_id,preferred\n1,limb\n2,"arm, upper"\n',
        synonyms="concept_id,term\n2,brachium\n2,ARM UPPER\n",
        hierarchy="child,parent\n2,1\n",
    )
    assert names(read_terminology(folder)) == {"1": (["limb"], []), "2": (["arm, upper", "brachium"], ["1"])}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"concepts": "id,name\n1,limb\n"}, "lacks the column concept_id, preferred"),
        ({"concepts": "concept_id,preferred\n1,a\n1,b\n"}, "line 3.*twice"),
        ({"concepts": "concept_id,preferred\n"}, "no concept"),
        ({"concepts": "concept_id,preferred\n1,a\n", "synonyms": "concept_id,term\n2,b\n"}, "line 2.*not among"),
        ({"concepts": "concept_id,preferred\n1,a\n", "hierarchy": "child,parent\n1,9\n"}, "line 2.*not among.*9"),
        ({"concepts": "concept_id,preferred\n1," + "a" * 200_000}, "no table"),
    ],
)
def test_damaged_tables_are_refused_with_their_line(tmp_path, files, words):
    with pytest.raises(DataError, match=words):
        read_terminology(csv_folder(tmp_path, **files))


def test_icd11_takes_its_depth_from_the_dashes_and_synonyms_from_beside_it(tmp_path):
    rows = ["Code\tBlockId\tTitle", "\t\tEye", '1A\tB1\t"- Myopia"', "1B\t\t- - High myopia", "2A\t\t- Cataract"]
    (tmp_path / "mms.txt").write_text("\n".join(rows), encoding="utf-8-sig")
    (tmp_path / "synonyms.csv").write_text("concept_id,term\n1A,nearsightedness\n")
    table = read_terminology(str(tmp_path / "mms.txt"))
    assert names(table) == {
        "0:Eye": (["Eye"], []),
        "1A": (["Myopia", "nearsightedness"], ["0:Eye"]),
        "1B": (["High myopia"], ["1A"]),
        "2A": (["Cataract"], ["0:Eye"]),
    }


def test_meddra_takes_current_lowest_level_terms_as_synonyms(tmp_path):
    (tmp_path / "pt.asc").write_text("10$Myopia$$\n11$Cataract$$\n")
    (tmp_path / "hlt.asc").write_text("5$Eye disorders$\n")
    (tmp_path / "hlt_pt.asc").write_text("5$10$\n5$11$\n")
    (tmp_path / "llt.asc").write_text("10$Myopia$10$$$$$$$Y$\n20$Short sight$10$$$$$$$Y$\n21$Old$10$$$$$$$N$\n")
    table = read_terminology(str(tmp_path))
    assert names(table)["10"] == (["Myopia", "Short sight"], ["5"])
    (tmp_path / "llt.asc").write_text("10$Myopia$99$\n")
    with pytest.raises(DataError, match=r"llt\.asc, line 1.*not among"):
        read_terminology(str(tmp_path))


def test_what_is_no_terminology_is_named(tmp_path):
    (tmp_path / "a.pdf").write_text("x")
    for source in ("nonsense", str(tmp_path), str(tmp_path / "a.pdf")):
        with pytest.raises(UsageError, match=r"hpo, icd10cm, wordnet"):
            read_terminology(source)


def test_binary_files_are_refused(tmp_path):
    (tmp_path / "a.obo").write_bytes(b"\xff\xfe\x00[Term]")
    with pytest.raises(DataError, match="no utf-8"):
        read_terminology(str(tmp_path / "a.obo"))


def test_circles_and_deep_chains_end():
    circle = Terminology("c", {"a": Concept(["a"], ["b"]), "b": Concept(["b"], ["a"])})
    assert circle.related("a", "b")
    assert circle.siblings("a") == []
    chain = {str(k): Concept([f"n{k}"], [str(k + 1)]) for k in range(20_000)}
    assert len(Terminology("deep", chain).broader("0")) == 19_999


def test_ambiguous_strings_are_listed_and_dropped():
    table = Terminology("t", {"a": Concept(["cold", "rhinitis"]), "b": Concept(["Cold", "chill"]), "c": Concept(["x"])})
    assert table.ambiguous() == {"cold"}
    assert names(table.unambiguous()) == {"a": (["rhinitis"], []), "b": (["chill"], []), "c": (["x"], [])}
