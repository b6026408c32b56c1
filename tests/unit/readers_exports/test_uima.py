"""UIMA documents, as INCEpTION exports them."""

import io
import json
import zipfile

import pytest

from accord.errors import DataError
from accord.readers import read
from accord.readers.sniff import sniff
from accord.values import Span

cassis = pytest.importorskip("cassis", reason="dkpro-cassis is not installed")

TEXT = "😀 Ada met Bob."
NAMED = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"
RELATION = "webanno.custom.Rel"


def types():
    known = cassis.TypeSystem()
    named = known.create_type(NAMED)
    known.create_feature(named, "value", "uima.cas.String")
    known.create_feature(named, "sure", "uima.cas.Boolean")
    known.create_type(TOKEN)
    related = known.create_type(RELATION)
    known.create_feature(related, "Governor", named)
    known.create_feature(related, "Dependent", named)
    known.create_feature(related, "kind", "uima.cas.String")
    return known


TYPES = types()


def cas(*spans, related=False):
    """Document in which (begin, end, label) are marked, counted in characters."""
    found = cassis.Cas(TYPES)
    found.sofa_string, found.sofa_mime = TEXT, "text/plain"
    marks = [TYPES.get_type(NAMED)(begin=b, end=e, value=label, sure=True) for b, e, label in spans]
    found.add_all([*marks, TYPES.get_type(TOKEN)(begin=0, end=1)])
    if related:
        relation = TYPES.get_type(RELATION)
        found.add(relation(begin=2, end=5, Governor=marks[0], Dependent=marks[1], kind="met"))
    return found


ADA, BEN = cas((2, 5, "PER"), (10, 13, "PER"), related=True), cas((2, 5, "PER"))
FOUND = {("t.txt", "ada"): [("PER", Span(2, 5)), ("PER", Span(10, 13))], ("t.txt", "ben"): [("PER", Span(2, 5))]}


def archive(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def project(ending="xmi"):
    """Exported project with the texts of two users, the text itself and a curated one."""
    users = {"ada": ADA, "ben": BEN, "INITIAL_CAS": cas(), "CURATION_USER": ADA}
    folder = "annotation/t.txt"
    if ending == "json":
        return {f"{folder}/{user}.json": one.to_json() for user, one in users.items()}
    if ending == "zip":
        parts = {"TypeSystem.xml": TYPES.to_xml()}
        return {f"{folder}/{u}.zip": archive(**{f"{u}.xmi": one.to_xmi(), **parts}) for u, one in users.items()}
    return {"TypeSystem.xml": TYPES.to_xml(), **{f"{folder}/{u}.xmi": one.to_xmi() for u, one in users.items()}}


@pytest.mark.parametrize("ending", ["xmi", "json", "zip"])
def test_a_project_holds_a_folder_for_each_text_and_a_file_for_each_user(put, marks, codes, ending) -> None:
    files = {"exportedproject.json": json.dumps({"name": "p"}), **project(ending)}
    path = put({"p.zip": archive(**files), **{f"p/{name}": content for name, content in files.items()}})
    for source in (path / "p.zip", path / "p"):
        assert sniff(source) == "uima"
        dataset = read(source)
        assert marks(dataset, "NamedEntity") == FOUND
        assert codes(dataset) == {"curated-left-out": 2, "per-region": 3}


def test_features_and_relations(load, answers) -> None:
    dataset = load({f"p/{name}": content for name, content in project().items()}, sources=["p"])
    first, _ = answers(dataset, "NamedEntity")["t.txt", "ada"]
    assert first.choices == frozenset({"True"})
    (relation,) = answers(dataset, "relations")["t.txt", "ada"]
    ends = relation.geometry.source, relation.geometry.target
    assert (*ends, *relation.labels) == ("NamedEntity#0", "NamedEntity#1", "met")


def test_files_and_folders_of_several_raters(load, marks) -> None:
    files = {"ada.xmi": ADA.to_xmi(), "ben.xmi": BEN.to_xmi(), "TypeSystem.xml": TYPES.to_xml()}
    by_file = load(files, sources=["ada.xmi", "ben.xmi"])
    assert {rater for _, rater in marks(by_file, "NamedEntity")} == {"ada", "ben"}
    files = {f"{r}/{name}.xmi": ADA.to_xmi() for r in ("x", "y") for name in ("1", "2")}
    files |= {f"{r}/TypeSystem.xml": TYPES.to_xml() for r in ("x", "y")}
    by_folder = load(files, sources=["x", "y"])
    assert set(marks(by_folder, "NamedEntity")) == {(u, r) for u in "12" for r in "xy"}


def test_what_is_missing_or_broken_is_named(load) -> None:
    with pytest.raises(DataError, match=r"ada\.xmi: there is no TypeSystem\.xml"):
        load({"none/ada.xmi": ADA.to_xmi()}, format="uima")
    with pytest.raises(DataError, match=r"ada\.xmi: this is no UIMA document of this type system"):
        load({"ada.xmi": ADA.to_xmi(), "TypeSystem.xml": "<a/>"}, sources=["ada.xmi"])
    bomb = ADA.to_xmi().replace("?>", '?><!DOCTYPE a [<!ENTITY b "c">]>', 1)
    with pytest.raises(DataError, match=r"ada\.xmi: the XML declares"):
        load({"ada.xmi": bomb, "TypeSystem.xml": TYPES.to_xml()}, sources=["ada.xmi"], format="uima")
    with pytest.raises(DataError, match=r"p\.zip"):
        load({"p.zip": archive(**{"annotation/t/ada.zip": b"PK\x05\x06no"})}, format="uima")


def test_damage(survives, tmp_path) -> None:
    (tmp_path / "spoilt").mkdir()
    (tmp_path / "spoilt" / "TypeSystem.xml").write_text(TYPES.to_xml(), encoding="utf-8")
    survives("ada.xmi", ADA.to_xmi(), "uima")
    survives("ben.json", BEN.to_json(), "uima")
