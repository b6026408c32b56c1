"""The same annotations give the same numbers in whichever format they come, from export to report."""

import json
import sys

import carried
import labelstudio_writer
import pytest
from carriers import CARRIERS

import accord
from accord.cli import main
from accord.pipeline.plan import Plan
from accord.readers.exports.catalog import EXPORTS
from accord.readers.sniff import sniff
from accord.values import Kind

PAIRS = [(kind, name) for kind, writers in CARRIERS.items() for name in writers]
OF_KIND = {"choice": Kind.LABEL, "choices": Kind.LABELS, "stretches": Kind.SPANS}
SAID = ("observed", "expected", "value", "units", "raters", "pairs", "skipped", "undefined")


def numbers(sources, kind, **options):
    """Coefficients and pairwise agreement of the control that holds a kind of annotation."""
    report = accord.measure(accord.read(*sources, **options), Plan(ci=None)).to_dict()
    (control,) = (one for one in report["controls"] if one["kind"] == OF_KIND.get(kind, kind))
    values = {name: {key: one[key] for key in SAID} for name, one in control["coefficients"].items()}
    return {"pairwise": control["pairwise"]["value"], "metric": control["metric"], **values}


def same(one, other):
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
    else:
        assert one == other


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Numbers of a kind as a Label Studio export, or where that is awkward to write as the first other format."""
    known = {}

    def find(kind):
        if kind not in known:
            folder = tmp_path_factory.mktemp(kind)
            write = CARRIERS["masks"]["coco"] if kind == "masks" else labelstudio_writer.write
            config = labelstudio_writer.CONFIG.get(kind)
            view = None if config is None else f'<View><Text name="text" value="$text"/>{config}</View>'
            known[kind] = numbers(write(kind, folder), kind, **({} if view is None else {"config": view}))
        return known[kind]

    return find


@pytest.mark.parametrize(("kind", "name"), PAIRS, ids=lambda part: part)
def test_numbers_do_not_depend_on_the_format(kind, name, tmp_path, reference):
    if name == "uima":
        pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    sources = CARRIERS[kind][name](kind, tmp_path)
    assert {sniff(source) for source in sources} == {name}
    found = numbers(sources, kind)
    assert 0 < found["pairwise"] < 1
    same(found, reference(kind))


@pytest.mark.parametrize("name", EXPORTS)
def test_every_format_goes_from_export_to_report(name, tmp_path, monkeypatch, capsys):
    if name == "uima":
        pytest.importorskip("cassis", reason="dkpro-cassis is not installed")
    kind = next(kind for kind, writers in CARRIERS.items() if name in writers)
    sources = [str(source) for source in CARRIERS[kind][name](kind, tmp_path)]
    page = tmp_path / "report.html"
    for arguments in (["score", *sources, "--json"], ["report", *sources, "-o", str(page)]):
        monkeypatch.setattr(sys, "argv", ["accord", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert not stopped.value.code
        out = capsys.readouterr().out
        if arguments[0] == "score":
            report = json.loads(out)
            assert report["dataset"]["raters"] == len(carried.RATERS)
            assert report["controls"][0]["units"] > 0
    assert "<html" in page.read_text(encoding="utf-8")


def test_every_format_carries_something():
    assert {name for _, name in PAIRS} == set(EXPORTS)
    assert set(CARRIERS) == set(carried.KINDS)
