"""Files that the tools' own software wrote, and what they hold.

Written by pycocotools 2.0.11 (``mask.encode``), pympi-ling 1.71 (``Eaf.to_file``), praatio 6.2.2 (``Textgrid.save``,
short form) and argilla 2.8.0 (``Record.to_dict``), each asked to write what stands beside its text.
"""

import json

import numpy as np
import pytest

from accord.metrics.masks import decode
from accord.readers import read
from accord.values import Span

MASK = ["000101010", "000100100", "100001000", "011000010", "000100101", "110010100"]
RUNS = {"size": [6, 9], "counts": "212010N020O10O41KO30N20N40K"}

ELAN = """<?xml version='1.0' encoding='UTF-8'?>
<ANNOTATION_DOCUMENT AUTHOR="pympi" DATE="2026-11-30T08:26:37+00:00" VERSION="2.8" FORMAT="2.8" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv2.8.xsd">
	<HEADER>
		<PROPERTY NAME="lastUsedAnnotation">0</PROPERTY>
		</HEADER>
	<TIME_ORDER>
		<TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="0" />
		<TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="1500" />
		<TIME_SLOT TIME_SLOT_ID="ts4" TIME_VALUE="0" />
		<TIME_SLOT TIME_SLOT_ID="ts5" TIME_VALUE="4500" />
		</TIME_ORDER>
	<TIER TIER_ID="ada" LINGUISTIC_TYPE_REF="default-lt">
		<ANNOTATION>
			<ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
				<ANNOTATION_VALUE>wave</ANNOTATION_VALUE>
				</ALIGNABLE_ANNOTATION>
			</ANNOTATION>
		</TIER>
	<TIER TIER_ID="ben" LINGUISTIC_TYPE_REF="default-lt">
		<ANNOTATION>
			<ALIGNABLE_ANNOTATION ANNOTATION_ID="a3" TIME_SLOT_REF1="ts4" TIME_SLOT_REF2="ts5">
				<ANNOTATION_VALUE>wave</ANNOTATION_VALUE>
				</ALIGNABLE_ANNOTATION>
			</ANNOTATION>
		</TIER>
	<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true" GRAPHIC_REFERENCES="false" />
	</ANNOTATION_DOCUMENT>"""

TEXTGRID = """File type = "ooTextFile"
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
"say ""a\"""
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
"""

USER = "11111111-1111-1111-1111-111111111111"
ARGILLA = {
    "id": "r1", "fields": {"text": "hi"}, "metadata": {}, "suggestions": {}, "vectors": {}, "status": "pending",
    "responses": {
        "topic": [{"value": "war", "user_id": USER}],
        "who": [{"value": [{"start": 0, "end": 2, "label": "X"}], "user_id": USER}],
    },
    "_server_id": None,
}  # fmt: skip


@pytest.fixture
def answer(tmp_path):
    """The only answer to a control in a file of some content."""

    def find(name, content, control, rater=0):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        dataset = read(path)
        column = dataset[control]
        (found,) = (column.values[code] for code, by in zip(column.code, column.rater, strict=True) if by == rater)
        return found

    return find


def test_a_mask_encoded_by_pycocotools(answer) -> None:
    image = {"id": 1, "file_name": "a.png", "width": 9, "height": 6}
    drawn = {"image_id": 1, "category_id": 1, "segmentation": RUNS}
    (region,) = answer("c.json", {"images": [image], "categories": [], "annotations": [drawn]}, "objects")
    runs = decode(region.geometry).runs
    pixels = np.zeros(54, dtype=bool)
    for start, stop in zip(runs.start, runs.stop, strict=True):
        pixels[start:stop] = True
    assert ["".join(map(str, row)) for row in pixels.reshape(6, 9).astype(int).tolist()] == MASK


def test_a_file_of_pympi(answer) -> None:
    assert [(r.geometry, *r.labels) for r in answer("r.eaf", ELAN, "stretches")] == [(Span(0, 1.5), "wave")]
    assert [(r.geometry, *r.labels) for r in answer("r.eaf", ELAN, "stretches", 1)] == [(Span(0, 4.5), "wave")]


def test_a_file_of_praatio(answer) -> None:
    found = answer("r.TextGrid", TEXTGRID, "stretches")
    assert [(r.geometry, *r.labels) for r in found] == [(Span(0, 1.5), 'say "a"'), (Span(2, 4), "b")]


def test_a_record_of_argilla(answer) -> None:
    assert answer("records.json", [ARGILLA], "topic") == "war"
    assert [(r.geometry, *r.labels) for r in answer("records.json", [ARGILLA], "who")] == [(Span(0, 2), "X")]
