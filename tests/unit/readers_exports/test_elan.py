"""ELAN's annotation documents."""

import pytest

from accord.errors import DataError
from accord.readers.sniff import sniff
from accord.values import Span

SLOTS = {"ts1": 0, "ts2": 1500, "ts3": None, "ts4": 4500}


def eaf(*tiers, slots=SLOTS):
    times = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{key}"' + ("/>" if time is None else f' TIME_VALUE="{time}"/>')
        for key, time in slots.items()
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><ANNOTATION_DOCUMENT><HEADER/><TIME_ORDER>{times}</TIME_ORDER>'
        f"{''.join(tiers)}"
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="gesture" CONTROLLED_VOCABULARY_REF="cv"/>'
        '<CONTROLLED_VOCABULARY CV_ID="cv"><CV_ENTRY_ML CVE_ID="1"><CVE_VALUE>point</CVE_VALUE></CV_ENTRY_ML>'
        '<CV_ENTRY_ML CVE_ID="2"><CVE_VALUE>wave</CVE_VALUE></CV_ENTRY_ML></CONTROLLED_VOCABULARY>'
        "</ANNOTATION_DOCUMENT>"
    )


def tier(name, *annotations, annotator=""):
    inner = "".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}{n}" TIME_SLOT_REF1="{start}" TIME_SLOT_REF2="{end}">'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
        for n, (start, end, text) in enumerate(annotations)
    )
    return f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="gesture" ANNOTATOR="{annotator}">{inner}</TIER>'


ADA = ("ts1", "ts2", "wave"), ("ts2", "ts3", "point"), ("ts3", "ts4", "")


def test_tiers_are_raters_of_one_file(load, marks, put, codes) -> None:
    dataset = load({"rec.eaf": eaf(tier("ada", *ADA), tier("ben", ("ts1", "ts4", "wave")))})
    assert marks(dataset, "stretches") == {
        ("rec", "ada"): [("wave", Span(0, 1.5)), ("point", Span(1.5, 3))],
        ("rec", "ben"): [("wave", Span(0, 4.5))],
    }
    assert dataset["stretches"].control.domain == ("point", "wave")
    assert codes(dataset) == {"time-unaligned": 1}
    assert sniff(put({}) / "rec.eaf") == "elan"


def test_annotators_are_raters_where_tiers_name_them(load, marks) -> None:
    tiers = tier("hands_A", ADA[0], annotator="ada"), tier("hands_B", annotator="ben")
    dataset = load({"rec.eaf": eaf(*tiers)})
    assert marks(dataset, "gesture") == {("rec", "ada"): [("wave", Span(0, 1.5))], ("rec", "ben"): []}


def test_files_are_raters_of_several(load, marks) -> None:
    dataset = load({"ada.eaf": eaf(tier("hands", ADA[0])), "ben.eaf": eaf(tier("hands"))})
    assert marks(dataset, "hands") == {("document", "ada"): [("wave", Span(0, 1.5))], ("document", "ben"): []}


def test_annotations_about_annotations_lie_where_these_lie(load, marks, codes) -> None:
    about = (
        '<TIER TIER_ID="note" PARENT_REF="ada"><ANNOTATION><REF_ANNOTATION ANNOTATION_ID="n0" ANNOTATION_REF="ada0">'
        "<ANNOTATION_VALUE>big</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>"
        '<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="n1" ANNOTATION_REF="n1">'
        "<ANNOTATION_VALUE>circle</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER>"
    )
    dataset = load({"rec.eaf": eaf(tier("ada", ADA[0]), about)})
    assert marks(dataset, "stretches")["rec", "note"] == [("big", Span(0, 1.5))]
    assert codes(dataset) == {"bad-geometry": 1, "unknown-value": 1}


def test_tiers_of_one_name_and_lost_slots(load, codes) -> None:
    again = tier("ada", ("ts9", "ts8", "wave")).replace("ada0", "ada7")
    dataset = load({"rec.eaf": eaf(tier("ada", ADA[0]), again)})
    assert codes(dataset) == {"tier-repeated": 1, "bad-geometry": 1}


def test_other_files_are_refused(load) -> None:
    with pytest.raises(DataError, match=r"rec\.eaf: this is no ELAN file"):
        load({"rec.eaf": "<annotation/>"}, format="elan")
    with pytest.raises(DataError, match=r"rec\.eaf: the XML declares"):
        load({"rec.eaf": f'<!DOCTYPE a [<!ENTITY b "c">]>{eaf()[38:]}'}, format="elan")


def test_damage(survives) -> None:
    survives("rec.eaf", eaf(tier("ada", *ADA), tier("ben", ADA[0])), "elan")
