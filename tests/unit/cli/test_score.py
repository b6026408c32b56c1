import json

import pytest


def test_score_prints_the_contract(accord, wide):
    ran = accord("score", wide, "--json", "--tasks")
    assert ran.code == 0, ran.err
    data = ran.json
    (control,) = data["controls"]
    assert control["headline"] == "krippendorff_alpha"
    alpha = control["coefficients"]["krippendorff_alpha"]
    assert alpha["units"] == 40
    assert alpha["raters"] == 2
    assert alpha["pairs"] == 40
    assert alpha["observed"] == pytest.approx(35 / 40)
    assert alpha["value"] == pytest.approx(1 - (1 - 35 / 40) / (1 - (45 * 44 + 35 * 34) / (80 * 79)))
    assert alpha["interval"]["low"] < alpha["value"] < alpha["interval"]["high"]
    assert alpha["interval"]["method"] == "score"
    assert alpha["signature"]
    assert len(control["tasks"]) == 40
    assert data["overall"]["pairwise"]["value"] == pytest.approx(35 / 40)


def test_score_prints_a_table_for_people(accord, wide):
    ran = accord("score", wide)
    assert ran.code == 0
    assert "krippendorff_alpha" in ran.out
    assert ran.err == ""


def test_unknown_coefficient_suggests(accord, wide):
    ran = accord("score", wide, "--coefficient", "krippendorf")
    assert ran.code == 2
    assert "krippendorff_alpha" in ran.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--interval", "exactly"), "score, analytic"),
        (("--ci", "95"), "confidence level"),
        (("--ci", "high"), "0.95, or none"),
        (("--level", "ordinaal"), "ordinal"),
        (("--weights", "cubic"), "quadratic"),
        (("--set", "krippendorff_alpha.nothing=1"), "option"),
        (("--set", "alpha"), "KEY.OPTION=VALUE"),
        (("--metric", "tune=jaccard"), "tune"),
        (("--matching", "best"), "optimal"),
        (("--fail-on", "upper"), "value, lower"),
        (("--control", "nothing"), "nothing"),
        (("--bootstrap", "3"), "resamples"),
        (("--nonsense",), "nonsense"),
    ],
)
def test_wrong_options_are_usage_errors(accord, wide, options, words):
    ran = accord("score", wide, *options)
    assert ran.code == 2, ran
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_missing_file_is_named(accord):
    ran = accord("score", "nowhere.csv")
    assert ran.code in (2, 3)
    assert "nowhere.csv" in ran.err


def test_no_interval_on_request(accord, wide):
    data = accord("score", wide, "--json", "--ci", "none").json
    assert data["controls"][0]["coefficients"]["krippendorff_alpha"]["interval"] is None


def test_bootstrap_gives_percentile_intervals_and_is_seeded(accord, wide):
    first, second = (accord("score", wide, "--json", "--bootstrap", "200", "--seed", "5").json for _ in range(2))
    assert first == second
    interval = first["controls"][0]["coefficients"]["krippendorff_alpha"]["interval"]
    assert interval["method"] == "bootstrap"


@pytest.mark.parametrize(("threshold", "on", "code"), [(0.7, "value", 0), (0.9, "value", 1), (0.7, "lower", 1)])
def test_fail_under(accord, wide, threshold, on, code):
    ran = accord("score", wide, "--fail-under", threshold, "--fail-on", on)
    assert ran.code == code
    assert bool(ran.err) == bool(code)


def test_undefined_fails_the_gate_and_has_a_reason(accord, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("item,ann,ben\n1,x,x\n2,x,x\n3,x,x\n")
    ran = accord("score", path, "--json", "--fail-under", "-1")
    alpha = ran.json["controls"][0]["coefficients"]["krippendorff_alpha"]
    assert alpha["value"] is None
    assert alpha["undefined"] == "no_variation"
    assert alpha["observed"] == 1.0
    assert ran.code == 1


def test_plan_file_is_followed_and_options_override_it(accord, wide, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"coefficients": ["cohen_kappa"], "ci": 0.9, "interval": "analytic"}))
    data = accord("score", wide, "--plan", plan, "--json", "--ci", "0.8").json
    (control,) = data["controls"]
    assert control["headline"] == "cohen_kappa"
    assert control["coefficients"]["cohen_kappa"]["interval"] == pytest.approx(
        control["coefficients"]["cohen_kappa"]["interval"]
    )
    assert control["coefficients"]["cohen_kappa"]["interval"]["level"] == 0.8
    assert control["coefficients"]["cohen_kappa"]["interval"]["method"] == "analytic"


def test_bundle_reproduces_every_number(accord, wide, tmp_path):
    folder = tmp_path / "bundle"
    assert accord("score", wide, "--bundle", folder).code == 0
    ran = accord("reproduce", folder, "--json")
    assert ran.code == 0
    assert ran.json["same"]
    assert len(ran.json["numbers"]) >= 14


def test_a_changed_bundle_is_noticed(accord, wide, tmp_path):
    folder = tmp_path / "bundle"
    accord("score", wide, "--bundle", folder)
    table = folder / "control-1.csv"
    text = table.read_text().splitlines()
    text[1] = text[1].replace(",0,0,", ",0,1,", 1)
    table.write_text("\n".join(text) + "\n")
    assert accord("reproduce", folder).code == 1


def test_bundle_never_overwrites(accord, wide, tmp_path):
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "mine.txt").write_text("keep")
    ran = accord("score", wide, "--bundle", folder)
    assert ran.code == 2
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_pseudonyms(accord, wide):
    data = accord("score", wide, "--json", "--pseudonyms").json
    pair = data["controls"][0]["rater_pairs"][0]
    assert {pair["a"], pair["b"]}.isdisjoint({"ann", "ben"})
    again = accord("score", wide, "--json", "--pseudonyms").json
    assert again["controls"][0]["rater_pairs"][0] == pair


def test_report_formats(accord, wide, tmp_path):
    for name in ("r.html", "r.md", "r.csv", "r.json"):
        ran = accord("report", wide, "-o", tmp_path / name)
        assert ran.code == 0, ran.err
        assert (tmp_path / name).stat().st_size > 100
    assert accord("report", wide, "-o", tmp_path / "r.docx").code == 2


def test_inspect_says_what_was_read(accord, wide):
    data = accord("inspect", wide, "--json").json
    assert "wide" in data["shape"]
    assert data["controls"][0]["kind"] == "label"
    assert data["controls"][0]["answers"] == 80
    assert accord("inspect", wide).code == 0


def test_gate(accord, wide, tmp_path):
    control = accord("score", wide, "--json").json["controls"][0]["name"]
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps({"criteria": [{"control": control, "at_least": 0.6}]}))
    ran = accord("gate", wide, "--criteria", criteria, "--json", "-o", tmp_path / "signoff.md")
    assert ran.code == 0, ran.err
    assert ran.json["passed"] is True
    assert "sign-off: passed" in (tmp_path / "signoff.md").read_text()
    criteria.write_text(json.dumps({"criteria": [{"control": control, "at_least": 0.99}]}))
    assert accord("gate", wide, "--criteria", criteria).code == 1


def test_catalog_and_selftest(accord):
    entries = accord("catalog", "--json").json
    assert len(entries["coefficients"]) >= 18
    assert accord("catalog", "fleiss_kappa").code == 0
    assert accord("catalog", "fleis").code == 2
    ran = accord("selftest", "--json")
    assert ran.code == 0
    assert ran.json["passed"]


def test_version(accord):
    assert accord("--version").out.startswith("accord ")


def test_the_level_in_use_is_reported_and_a_plan_gives_the_order_of_words(accord, tmp_path):
    path, plan = tmp_path / "risk.csv", tmp_path / "plan.json"
    path.write_text("item,ann,ben\n1,low,high\n2,low,low\n3,mid,high\n4,high,high\n5,mid,mid\n")
    unordered = accord("score", path, "--level", "ordinal", "--json").json["controls"][0]
    assert unordered["level"] == "ordinal"
    assert unordered["coefficients"]["krippendorff_alpha"]["undefined"] == "not_applicable"
    plan.write_text(json.dumps({"controls": {"label": {"level": "ordinal", "domain": ["low", "mid", "high"]}}}))
    ordered = accord("score", path, "--plan", plan, "--json").json["controls"][0]
    # alpha by hand: mid-ranks of 10 answers, 3 low, 3 mid, 4 high
    ranks = {"low": 1.5, "mid": 4.5, "high": 8.0}
    pairs = [("low", "high"), ("low", "low"), ("mid", "high"), ("high", "high"), ("mid", "mid")]
    observed = sum(2 * (ranks[a] - ranks[b]) ** 2 for a, b in pairs) / 10
    answers = [ranks[x] for pair in pairs for x in pair]
    expected = sum((x - y) ** 2 for x in answers for y in answers) / 90
    assert ordered["coefficients"]["krippendorff_alpha"]["value"] == pytest.approx(1 - observed / expected)


def test_weights_change_the_name_of_a_coefficient_not_only_its_value(accord, tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("item,ann,ben\n1,1,2\n2,2,2\n3,3,3\n4,1,1\n5,3,2\n6,2,1\n")
    control = accord("score", path, "--weights", "quadratic", "--json").json["controls"][0]
    assert {"gwet_ac2", "weighted_kappa"} <= set(control["coefficients"])
    assert not {"gwet_ac1", "cohen_kappa"} & set(control["coefficients"])


def test_every_interval_of_a_control_is_of_the_kind_asked_for(accord, wide):
    for options, method in ((("--bootstrap", "200"), "bootstrap"), (("--interval", "jackknife"), "jackknife")):
        (control,) = accord("score", wide, "--json", *options).json["controls"]
        parts = [control["pairwise"], control["consensus"], *control["coefficients"].values()]
        assert [part["interval"]["method"] for part in parts] == [method] * len(parts)
    score = accord("score", wide, "--json").json["controls"][0]
    for name in ("pairwise", "consensus"):
        wanted, found = score[name]["interval"], control[name]["interval"]
        assert (found["low"], found["high"]) == pytest.approx((wanted["low"], wanted["high"]), abs=0.06)
        assert found["low"] < control[name]["value"] < found["high"]


def test_inspect_gives_domains_as_they_were_declared(accord, tmp_path):
    config, export = tmp_path / "config.xml", tmp_path / "export.json"
    config.write_text(
        '<View><Text name="t" value="$t"/><Rating name="stars" toName="t" maxRating="3"/>'
        '<Choices name="tone" toName="t"><Choice value="good"/><Choice value="bad"/></Choices>'
        '<Taxonomy name="kind" toName="t"><Choice value="A"><Choice value="B"/></Choice></Taxonomy></View>'
    )
    export.write_text(json.dumps([{"id": 1, "data": {"t": "x"}, "annotations": [{"completed_by": 1, "result": []}]}]))
    controls = {c["name"]: c for c in accord("inspect", export, "--config", config, "--json").json["controls"]}
    assert controls["stars"]["domain"] == [1, 2, 3]
    assert controls["tone"]["domain"] == ["good", "bad"]
    assert controls["kind"]["domain"] == [["A"], ["A", "B"]]
    assert controls["stars"]["level"] == "ordinal"
