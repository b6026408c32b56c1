"""Pairs drawn for people, and what is made of their answers: weights, unbiasedness, coverage, noisy codes found out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from accord.coefficients.spec import COEFFICIENTS
from accord.errors import DataError, UsageError
from accord.inference.estimate import estimate
from accord.similarity.core import Dense
from accord.study import Study
from accord.validation.anchored import Judged, anchored
from accord.validation.calibration import bins, fitted, out_of_fold, quality, weighted_auc
from accord.validation.findings import findings
from accord.validation.forms import csv_form, json_lines, page
from accord.validation.frame import frame_of
from accord.validation.key import Key, read_key, write_key
from accord.validation.material import Material, aligned
from accord.validation.questions import questions
from accord.validation.ratings import Ratings, read_ratings
from accord.validation.sampling import draw

NAMES, CONCEPTS = 4, 25


def study_of(table, values):
    unit, rater = np.nonzero(table >= 0)
    return Study(
        unit=unit.astype(np.int32),
        rater=rater.astype(np.int32),
        code=table[unit, rater].astype(np.int32),
        values=tuple(values),
        unit_names=[f"u{k}" for k in range(len(table))],
        rater_names=[f"r{k}" for k in range(table.shape[1])],
    )


def texts():
    """Names of concepts; some names of neighbouring concepts share their first word."""
    return [f"word{(c + n) % CONCEPTS} name{n} of {c}" for c in range(CONCEPTS) for n in range(NAMES)]


def meant(size=CONCEPTS * NAMES):
    return np.arange(size) // NAMES


def simulated(units=150, raters=2, agree=0.7, seed=0, missing=0.0):
    """Raters that mean one concept or another, each by one of its names."""
    rng = np.random.default_rng(seed)
    concept = rng.integers(0, CONCEPTS, units)
    said = np.where(rng.random((units, raters)) < agree, concept[:, None], rng.integers(0, CONCEPTS, (units, raters)))
    table = said * NAMES + rng.integers(0, NAMES, said.shape)
    table[rng.random(table.shape) < missing] = -1
    return study_of(table[(table >= 0).any(axis=1)], texts())


def truth_table():
    same = meant()[:, None] == meant()[None, :]
    return same.astype(np.float64)


def blurred(rng, table, noise):
    """A measure: the truth and noise, symmetric, in [0, 1]."""
    size = len(table)
    err = rng.normal(0, noise, (size, size))
    err = (err + err.T) / np.sqrt(2)
    scores = 1 / (1 + np.exp(-(4 * table - 2 + err)))
    np.fill_diagonal(scores, 1.0)
    return scores


def key_for(data, within=400, across=300, seed=0, repeats=0.1, controls=5):
    frame = frame_of(data.study, data.coefficient)
    scores = np.stack([frame.of(table) for table in data.scores.values()])
    chosen = draw(frame, scores, within, across, seed)
    asked = questions(data, frame, chosen, scores, repeats=repeats, controls=controls, seed=seed)
    return Key(data, chosen, asked, seed)


def true_answers(key):
    truth = frame_of(key.data.study, key.data.coefficient).of(truth_table())
    return truth[key.sample.pair]


@pytest.mark.parametrize("coefficient", ["cohen_kappa", "fleiss_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_weights_of_pairs_are_those_of_the_coefficient(coefficient, missing):
    study = simulated(60, 2 if coefficient == "cohen_kappa" else 4, missing=missing)
    scores = blurred(np.random.default_rng(1), truth_table(), 1.0)
    found = estimate(COEFFICIENTS.catalog()[coefficient], study, Dense(scores, "s"), ci=None)
    frame = frame_of(study, coefficient)
    assert frame.agreement(frame.of(scores)) == pytest.approx((found.observed, found.expected), abs=1e-12)


def material(study, tables, coefficient="cohen_kappa", codes=None):
    return Material(study, codes, coefficient, tables, {name: name for name in tables})


def test_draws_keep_their_sizes_and_take_what_there_is():
    data = material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)})
    key = key_for(data)
    sample = key.sample
    assert len(np.unique(sample.pair)) == len(sample.pair)
    assert (np.bincount(sample.stratum, minlength=len(sample.names)) == sample.taken).all()
    assert (sample.taken <= sample.pairs).all()
    frame = key.frame
    assert (frame.observed[sample.pair[sample.stratum < 4]] > 0).all()
    assert (frame.observed[sample.pair[sample.stratum >= 4]] == 0).all()
    assert sample.taken[:4].sum() == sample.pairs[:4].sum()
    assert 280 <= sample.taken[4:].sum() <= 300


def test_forms_are_blind_and_repeats_are_swapped(tmp_path):
    data = material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)}, codes=simulated(seed=4))
    key = key_for(data)
    first = {q.pair: q for q in key.questions if q.role == "pair"}
    again = [q for q in key.questions if q.role == "repeat"]
    assert len(again) == round(0.1 * len(first))
    assert all((q.left, q.right) == (first[q.pair].right, first[q.pair].left) for q in again)
    assert sum(q.role == "control" for q in key.questions) == 10
    assert len({q.id for q in key.questions}) == len(key.questions)
    forms = (csv_form(key.questions), json_lines(key.questions), page(key.questions))
    for form in forms:
        for secret in ("control", "repeat", "stratum", "u17", '"r1"', "inclusion"):
            assert secret not in form
        assert form.count(key.questions[3].id) == 1
    write_key(key, tmp_path)
    back = read_key(tmp_path / "key.json")
    assert back.questions == key.questions
    assert (back.sample.pair == key.sample.pair).all()
    assert back.data.measured(back.data.scores["a"]).value == data.measured(data.scores["a"]).value


def test_texts_cannot_break_out_of_the_forms():
    study = simulated(40)
    hostile = ["</script><script>alert(1)</script>", '=HYPERLINK("http://x")', "\u202eabc", '"; DROP', *texts()[4:]]
    data = material(replace(study, values=tuple(hostile)), {"a": blurred(np.random.default_rng(2), truth_table(), 1)})
    asked = key_for(data, 100, 100).questions
    shown = page(asked)
    assert shown.count("<script") == 2
    assert "alert(1)</script>" not in shown
    assert not [line for line in csv_form(asked).splitlines() if ",=" in line or ',"=' in line]


def test_the_coefficient_by_people_is_right_on_average_and_covered(monkeypatch):
    """Whatever the guide is worth: with a good and with a useless measure."""
    monkeypatch.setattr("accord.validation.anchored.RESAMPLES", 20)
    study = simulated(120, seed=5)
    truth = estimate(COEFFICIENTS.catalog()["cohen_kappa"], study, Dense(truth_table(), "t"), ci=None).value
    for noise in (1.0, 50.0):
        found, errors = [], []
        for seed in range(25):
            table = blurred(np.random.default_rng(seed), truth_table(), noise)
            key = key_for(material(study, {"a": table}), within=60, across=150, seed=seed)
            judged = Judged.of(key, true_answers(key))
            one = anchored(judged, seed)
            found.append(one.value.value)
            errors.append(one.design_error)
        z = (np.mean(found) - truth) / (np.std(found, ddof=1) / 5)
        assert abs(z) < 3.5
        assert np.mean(np.abs(np.array(found) - truth) <= 2.06 * np.array(errors)) >= 0.8


def noisy_code_case():
    """Codes come from the first word of the texts, as a careless mapping would make them.

    ``words`` compares first words: it reproduces the codes. ``meaning`` is nearly the truth.
    """
    study = simulated(200, agree=0.75, seed=7)
    first = np.array([t.split()[0] for t in study.values])
    codes = np.unique(first, return_inverse=True)[1].astype(np.int32)
    coded = replace(study, code=codes[study.code], values=tuple(np.unique(first).tolist()))
    rng = np.random.default_rng(3)
    words = np.where(first[:, None] == first[None, :], 0.97, 0.03)
    np.fill_diagonal(words, 1.0)
    return material(study, {"words": words, "meaning": blurred(rng, truth_table(), 0.3)}, codes=coded)


def test_noisy_codes_put_the_measures_in_the_wrong_order_and_people_find_out():
    data = noisy_code_case()
    key = key_for(data, within=300, across=300)
    rng = np.random.default_rng(11)
    answers = np.full((2, len(key.questions)), np.nan)
    said = true_answers(key)
    for k, q in enumerate(key.questions):
        right = said[q.pair] if q.pair >= 0 else float(q.expected)
        answers[:, k] = np.where(rng.random(2) < 0.03, 1 - right, right)
    found = findings(key, Ratings(("anna", "ben"), answers))
    ranks = found.anchored.ranks
    assert ranks.by_codes == ("words", "meaning")
    assert ranks.by_people == ("meaning", "words")
    assert ranks.tau.value == -1.0
    assert ranks.tau.high < 0.0
    rows = {row.measure: row for row in found.anchored.rows}
    assert rows["words"].difference.high < 0.0 or rows["words"].difference.low > 0.0
    assert abs(rows["meaning"].difference.value) < abs(rows["words"].difference.value) / 2
    assert found.equivalent_by_people
    assert found.equivalent_by_codes
    assert found.disputed[0] > 10
    assert found.anchored.guide == "meaning"
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["ranks"]["by_people"] == ["meaning", "words"]


def test_maps_are_rising_and_repair_calibration():
    rng = np.random.default_rng(0)
    scores = rng.random(2000)
    truth = (rng.random(2000) < scores**3).astype(np.float64)
    weight = rng.random(2000) + 0.5
    before = quality(scores, truth, weight)
    for method in ("platt", "isotonic"):
        after = quality(out_of_fold(scores, truth, weight, method), truth, weight)
        assert after.error < before.error / 2
        assert after.brier < before.brier
        assert after.auc == pytest.approx(before.auc, abs=0.02)
        grid = fitted(scores, truth, weight, method)(np.linspace(0, 1, 50))
        assert (np.diff(grid) >= -1e-12).all()
        assert grid.min() >= 0
        assert grid.max() <= 1
    assert sum(b.weight for b in bins(scores, truth, weight)) == pytest.approx(1.0)


def test_weights_mean_copies():
    scores = np.array([0.1, 0.4, 0.6, 0.9, 0.4])
    truth = np.array([0.0, 1.0, 0.0, 1.0, 0.0])
    weight = np.array([1.0, 2.0, 3.0, 1.0, 2.0])
    copies = np.repeat(np.arange(5), weight.astype(int))
    for value in (weighted_auc, lambda *a: quality(*a).brier, lambda *a: quality(*a).log_loss):
        one = value(scores, truth, weight)
        assert one == pytest.approx(value(scores[copies], truth[copies], np.ones(len(copies))))


def test_platt_survives_scores_that_separate():
    found = fitted(np.array([0.1, 0.2, 0.8, 0.9]), np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4), "platt")
    assert np.isfinite([found.slope, found.shift]).all()
    flat = fitted(np.full(4, 0.5), np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4), "platt")
    assert flat(np.array([0.5]))[0] == pytest.approx(0.5, abs=0.01)


def test_cells_are_brought_together_whatever_their_order():
    first = simulated(20, seed=1)
    order = np.random.default_rng(0).permutation(20)
    table = np.full((20, 2), -1)
    table[first.unit, first.rater] = first.code
    table[order[0], 1] = -1
    second = study_of(table[order][:, ::-1], texts())
    second = replace(second, unit_names=[f"u{k}" for k in order.tolist()], rater_names=["r1", "r0"])
    a, b = aligned(first, second)
    assert a.C == b.C == 39
    assert (a.unit == b.unit).all()
    assert (a.rater == b.rater).all()
    assert (a.code == b.code).all()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "id,answer\n", "lacks the column equivalent"),
        ("a.csv", "id,equivalent\nnobody,yes\n", "line 2.*not asked"),
        ("a.csv", "id,equivalent\n{id},perhaps\n", "line 2.*no answer.*perhaps"),
        ("a.csv", "id,equivalent\n{id},yes\n{id},no\n", "line 3.*twice"),
        ("a.csv", "id,equivalent\n{id},\n", "nobody has filled"),
        ("a.json", "[]", "no filled form"),
        ("a.json", '{"answers": {"{id}": 1}}', "no filled form"),
        ("a.json", "[" * 100_000, "no filled form"),
        ("a.jsonl", "nonsense", "no filled form"),
    ],
)
def test_forms_that_are_none_are_refused(tmp_path, name, content, words):
    key = key_for(material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)}))
    path = tmp_path / name
    path.write_text(content.replace("{id}", key.questions[0].id))
    with pytest.raises(DataError, match=words):
        read_ratings([path], key.questions)


def test_every_kind_of_form_is_read_alike(tmp_path):
    key = key_for(material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)}))
    ids = [q.id for q in key.questions][:3]
    (tmp_path / "a.csv").write_text(
        "\ufeffid,equivalent\n" + "".join(f"{i},{w}\n" for i, w in zip(ids, ("Yes", "n", "?"), strict=True))
    )
    rows = [json.dumps({"id": i, "equivalent": w}) for i, w in zip(ids, (True, False, None), strict=True)]
    (tmp_path / "b.jsonl").write_text("\n".join(rows))
    said = {i: {"equivalent": w} for i, w in zip(ids, ("yes", "no", "cannot judge"), strict=True)}
    (tmp_path / "c.json").write_text(json.dumps({"expert": "", "answers": said}))
    found = read_ratings([tmp_path / name for name in ("a.csv", "b.jsonl", "c.json")], key.questions)
    assert found.experts == ("a", "b", "c")
    for row in found.answers:
        assert row[:3].tolist()[:2] == [1.0, 0.0]
        assert np.isnan(row[2:]).all()
    (tmp_path / "d.json").write_text(json.dumps({"expert": "a", "answers": said}))
    with pytest.raises(DataError, match="second file"):
        read_ratings([tmp_path / "a.csv", tmp_path / "d.json"], key.questions)


def test_answers_that_settle_nothing_are_refused():
    key = key_for(material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)}))
    alike = Ratings(("a",), np.ones((1, len(key.questions))))
    with pytest.raises(DataError, match="all pairs alike"):
        findings(key, alike)
    few = np.full((1, len(key.questions)), np.nan)
    few[0, [k for k, q in enumerate(key.questions) if q.role == "pair"][:2]] = [0.0, 1.0]
    with pytest.raises(DataError, match="no pair is judged"):
        findings(key, Ratings(("a",), few))


def test_too_few_questions_and_damaged_keys_are_refused(tmp_path):
    data = material(simulated(), {"a": blurred(np.random.default_rng(2), truth_table(), 1.5)})
    with pytest.raises(UsageError, match="at least 12 pairs within units and 27 others"):
        key_for(data, within=5)
    write_key(key_for(data), tmp_path)
    whole = json.loads((tmp_path / "key.json").read_text())
    for change in ({"accord_text_key": 9}, {"texts": whole["texts"][:3]}, {"answers": None}, {"pairs": "x"}):
        (tmp_path / "key.json").write_text(json.dumps({**whole, **change}))
        with pytest.raises(DataError, match="no key"):
            read_key(tmp_path / "key.json")
    with pytest.raises(DataError, match="cannot read"):
        read_key(tmp_path / "absent.json")
