"""Small exports of other tools, written to files and read."""

import json
import random

import pytest

from accord.errors import AccordError
from accord.readers import read
from accord.values import EMPTY

JUNK = [b"\0", b"\xff", b"9" * 30, b"-", b"", b"<", b'"', b"]"]


def as_bytes(content):
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


@pytest.fixture
def put(tmp_path):
    """Write files, ``put({"ann/1.xml": "…"})``; returns the folder they are in."""

    def write(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes(content))
        return tmp_path

    return write


@pytest.fixture
def load(put):
    """Write files and read them, or the folders in ``sources``."""

    def write_and_read(files, sources=None, **options):
        folder = put(files)
        return read(*(folder / name for name in sources or files), **options)

    return write_and_read


@pytest.fixture
def survives(tmp_path):
    """Cut and spoil a file in many places: whatever happens, it is read or refused with a message that names it."""

    def check(name, content, read_as, *, mention=None, rounds=60):
        data, rng = as_bytes(content), random.Random(7)
        path = tmp_path / "spoilt" / name
        path.parent.mkdir(exist_ok=True)
        refused = []
        for number in range(rounds):
            spoilt = bytearray(data[: rng.randrange(len(data))] if number % 2 else data)
            for _ in range(number % 3 if spoilt else 0):
                at = rng.randrange(len(spoilt))
                spoilt[at : at + rng.randrange(3)] = rng.choice(
                    [b"\0", b"\xff", b"9" * 30, b"-", b"", b"<", b'"', b"]"]
                )
            path.write_bytes(bytes(spoilt))
            try:
                read(path, format=read_as)
            except AccordError as error:
                refused.append(str(error))
        assert refused
        assert all((mention or path.stem) in message for message in refused)

    return check


@pytest.fixture
def codes():
    """Counts of the import report by code."""
    return lambda dataset: {notice.code: notice.count for notice in dataset.report.notices}


@pytest.fixture
def answers():
    """Answers to a control by unit and rater."""

    def find(dataset, control):
        column = dataset[control]
        cells = zip(column.unit, column.rater, column.code, strict=True)
        return {(dataset.units[u], dataset.raters[r].name): column.values[code] for u, r, code in cells}

    return find


@pytest.fixture
def marks(answers):
    """Regions of every answer to a control, as (labels, geometry) by unit and rater; [] is nothing marked."""

    def find(dataset, control):
        return {
            where: [] if regions is EMPTY else [("/".join(sorted(r.labels)), r.geometry) for r in regions]
            for where, regions in answers(dataset, control).items()
        }

    return find
