import json
import stat

import numpy as np
import pytest

from accord.dataset import Column, Control, Dataset, ImportReport, Notice, Rater
from accord.errors import DataError
from accord.pipeline.privacy import pseudonymise, without_addresses
from accord.values import Kind


def dataset():
    arrays = (np.array([0, 0], dtype=np.int32), np.array([0, 1], dtype=np.int32), np.array([0, 0], dtype=np.int32))
    column = Column(
        control=Control(name="c", kind=Kind.LABEL), unit=arrays[0], rater=arrays[1], code=arrays[2], values=("x",)
    )
    report = ImportReport(notices=(Notice("copied", 1, "…", ("task 1: ann@example.org",)),))
    return Dataset(units=("1",), raters=(Rater("ann@example.org"), Rater("7")), columns={"c": column}, report=report)


def test_pseudonyms_stay_the_same_for_one_key_file(tmp_path):
    path = tmp_path / "key.json"
    first = [rater.name for rater in pseudonymise(dataset(), path).raters]
    second = [rater.name for rater in pseudonymise(dataset(), path).raters]
    assert first == second
    assert len(set(first)) == 2
    assert not any("ann" in name for name in first)
    names = json.loads(path.read_text())["names"]
    assert {names[name] for name in first} == {"ann@example.org", "7"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_another_key_gives_other_pseudonyms(tmp_path):
    one, other = (pseudonymise(dataset(), tmp_path / name) for name in ("a.json", "b.json"))
    assert one.raters != other.raters


def test_examples_that_may_quote_names_go(tmp_path):
    assert pseudonymise(dataset(), tmp_path / "k.json").report.notices[0].examples == ()


def test_a_foreign_key_file_is_left_alone(tmp_path):
    path = tmp_path / "key.json"
    path.write_text('{"key": "not hex"}')
    with pytest.raises(DataError, match="not a pseudonym key file"):
        pseudonymise(dataset(), path)
    assert path.read_text() == '{"key": "not hex"}'


def test_addresses_become_numbers_and_other_names_stay():
    assert [rater.name for rater in without_addresses(dataset()).raters] == ["rater 1", "7"]
