"""The fingerprint of a dataset tells what was measured, not how it lay in the files."""

import random
from dataclasses import replace

import pytest

from accord.readers.tables import read_tables

ROWS = [(f"t{i}", rater, random.Random(i).choice("xyz")) for i in range(30) for rater in ("ann", "ben", "cyd")]


@pytest.fixture
def read(tmp_path):
    def load(rows, header="item,rater,label"):
        path = tmp_path / "table.csv"
        path.write_text(header + "\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
        return read_tables(path)

    return load


@pytest.mark.parametrize("seed", range(3))
def test_order_of_rows_does_not_matter(read, seed):
    assert read(random.Random(seed).sample(ROWS, len(ROWS))).fingerprint == read(ROWS).fingerprint


def test_order_of_columns_does_not_matter(read):
    wide = [("t1", "x", "y"), ("t2", "y", "y")]
    turned = [(unit, second, first) for unit, first, second in reversed(wide)]
    assert read(turned, "item,ben,ann").fingerprint == read(wide, "item,ann,ben").fingerprint


def test_every_answer_rater_and_unit_matters(read):
    plain = read(ROWS).fingerprint
    unit, rater, label = ROWS[0]
    other = "x" if label != "x" else "y"
    for row in ((unit, rater, other), (unit, "dot", label), ("t99", rater, label)):
        assert read([row, *ROWS[1:]]).fingerprint != plain
    assert read(ROWS[1:]).fingerprint != plain


def test_swapped_answers_matter(read):
    """The same answers by the same people, but by the other one."""
    one = read([("t1", "ann", "x"), ("t1", "ben", "y"), ("t2", "ann", "x"), ("t2", "ben", "x")])
    two = read([("t1", "ann", "y"), ("t1", "ben", "x"), ("t2", "ann", "x"), ("t2", "ben", "x")])
    assert one.fingerprint != two.fingerprint


def test_name_of_the_control_matters(read):
    data = read(ROWS)
    (name,) = data.columns
    assert replace(data, columns={"other": data[name]}).fingerprint != data.fingerprint
