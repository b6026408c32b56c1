"""Whole numbers in CSV files are read as numbers where that is quicker, and never change by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.readers import csv_cells
from accord.readers.csv_scan import scan
from accord.readers.csv_tables import open_csv
from accord.readers.tables import read_tables

PLAIN = ["0", "7", "10", "2147483647", "123"]
ODD = ["007", "00", "+7", " 7", "7 ", "\t7", "7\t", "-0", "-7", "0x1F", "1e3", "7.0", "2147483648", "99999999999", "x"]
QUOTED = ['"07"', '" 7"', '""']


def cells_of(path: Path) -> list[str]:
    column = open_csv(path).load(["item"])["item"]
    return [column.distinct[code] for code in column.codes.tolist()]


def write(path: Path, items: list[str], end: str = "\n") -> Path:
    path.write_bytes(("item,label" + end + end.join(f"{item},a" for item in items)).encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("odd", [*ODD, *QUOTED])
def test_text_that_is_no_plain_number_stays_as_it_is(tmp_path: Path, odd: str, end: str) -> None:
    items = ["7", "0", odd, "31", "1000"]
    expected = [item.strip('"') for item in items]
    assert cells_of(write(tmp_path / "table.csv", items, end)) == expected


@pytest.mark.parametrize("odd", ["07", " 7", "7 "])
def test_the_last_cell_of_a_file_counts_too(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(f"label,item\na,7\nb,{odd}".encode())
    assert cells_of(path) == ["7", odd]


@given(st.lists(st.sampled_from([*PLAIN, *ODD]), min_size=1, max_size=30))
def test_cells_come_back_as_written(tmp_path_factory: pytest.TempPathFactory, items: list[str]) -> None:
    assert cells_of(write(tmp_path_factory.mktemp("csv") / "table.csv", items)) == items


@pytest.mark.parametrize("size", [3, 4, 7, 64])
@pytest.mark.parametrize("odd", ["007", " 7", "7 "])
def test_blocks_of_any_size_see_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, odd: str) -> None:
    monkeypatch.setattr("accord.readers.csv_scan.BLOCK", size)
    path = write(tmp_path / "table.csv", ["12", "0", "100", odd, "5"])
    assert not scan(path, ",").plain
    found = scan(write(path, ["12", "0", "100", "5"]), ",")
    assert (found.plain, found.quotes, found.lines) == (True, 0, 5)


def test_plain_numbers_are_read_as_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "table.csv", ["5", "3", "3", "4000000", "5"])
    monkeypatch.delattr(csv_cells.TextCoder, "add")
    assert cells_of(path) == ["5", "3", "3", "4000000", "5"]


def test_a_late_word_makes_the_column_text(tmp_path: Path) -> None:
    items = [str(number) for number in range(300_000)] + ["last"]
    column = open_csv(write(tmp_path / "table.csv", items)).load(["item"])["item"]
    assert column.distinct[int(column.codes[-1])] == "last"
    assert len(column.distinct) == 300_001


def test_items_named_by_numbers_give_the_same_answers_as_by_words(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    rows = [(int(unit), rater, int(random.integers(0, 4))) for unit in random.permutation(500) for rater in "abc"]
    for name, prefix in (("numbers", ""), ("words", "t")):
        lines = "".join(f"{prefix}{unit},{rater},{label}\n" for unit, rater, label in rows)
        (tmp_path / f"{name}.csv").write_text("item,rater,label\n" + lines, encoding="utf-8")
    found = []
    for name, prefix in (("numbers", ""), ("words", "t")):
        data = read_tables(tmp_path / f"{name}.csv")
        column = data.columns["label"]
        units = [data.units[unit].removeprefix(prefix) for unit in column.unit.tolist()]
        values = [column.values[code] for code in column.code.tolist()]
        found.append(sorted(zip(units, column.rater.tolist(), values, strict=True)))
    assert found[0] == found[1]
    assert len(found[0]) == 1500
