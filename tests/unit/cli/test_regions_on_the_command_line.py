"""What is promised about regions, from an export to the printed numbers."""

import itertools
import json
import random

import pytest

CONFIG = """<View><Image name="i" value="$image"/>
<RectangleLabels name="boxes" toName="i"><Label value="Boat"/><Label value="Crane"/></RectangleLabels>
<Rectangle name="bare" toName="i"/></View>"""


def box(control, x, y, width, height, label=None):
    value = {"x": x, "y": y, "width": width, "height": height, "rotation": 0}
    kind = "rectangle"
    if label is not None:
        kind, value = "rectanglelabels", value | {"rectanglelabels": [label]}
    place = {"from_name": control, "to_name": "i", "original_width": 100, "original_height": 100}
    return {"id": f"{control}{x}-{y}", "type": kind, **place, "value": value}


def write(folder, tasks):
    """Tasks as {rater: items} in files that the command line reads."""
    export = [
        {"id": task, "data": {"image": "i.png"}, "annotations": [
            {"id": 100 * task + n, "completed_by": {"email": f"{rater}@example.org"}, "result": items}
            for n, (rater, items) in enumerate(answers.items())]}
        for task, answers in enumerate(tasks, 1)
    ]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(export))
    (folder / "config.xml").write_text(CONFIG)


@pytest.fixture
def scored(accord, tmp_path):
    """Numbers of one control of some tasks."""

    def run(tasks, *options, control="boxes"):
        write(tmp_path, tasks)
        done = accord("score", "export.json", "--config", "config.xml", "--control", control, "--json", *options)
        assert done.code == 0, done.err
        return done.json["controls"][0]

    return run


APART = [{"ann": [box("boxes", 0, 0, 10, 10, "Boat")], "ben": [box("boxes", 50, 50, 10, 10, "Boat")]}] * 3


def test_regions_apart_score_nothing_whatever_their_labels(scored):
    assert scored(APART)["pairwise"]["value"] == 0.0
    assert scored(APART, "--compat", "platform")["pairwise"]["value"] == 0.5


def test_bare_rectangles_have_no_floor(scored):
    """Without labels only the place counts: nothing in common is 0, a third in common a third."""
    ann, ben, cyd = ([box("bare", x, y, 20, 10)] for x, y in ((10, 20), (70, 20), (20, 20)))
    assert scored([{"ann": ann, "ben": ben}], control="bare")["pairwise"]["value"] == 0.0
    assert scored([{"ann": ann, "ben": cyd}], control="bare")["pairwise"]["value"] == pytest.approx(1 / 3)


def some_tasks(count, seed=3):
    """Two raters who mark up to four boxes of a few, in the order in which they found them."""
    chance = random.Random(seed)
    tasks = []
    for _ in range(count):
        places = [(chance.uniform(0, 60), chance.uniform(0, 60)) for _ in range(3)]
        tasks.append(
            {
                rater: [
                    box("boxes", round(x + chance.gauss(0, 4), 2), round(y + chance.gauss(0, 4), 2), 25, 20, label)
                    for x, y in places
                    if chance.random() < 0.9
                    for label in [chance.choice(("Boat", "Boat", "Crane"))]
                ]
                for rater in ("ann", "ben", "cyd")
            }
        )
    return tasks


NOTHING = {"ann": [], "ben": [], "cyd": []}


@pytest.mark.parametrize("more", [1, 3, 40])
def test_tasks_where_nobody_marked_anything_leave_marked_as_it_is(scored, more):
    before, after = (scored(tasks)["coefficients"] for tasks in (some_tasks(12), some_tasks(12) + [NOTHING] * more))
    name = "krippendorff_alpha_marked"
    for part in ("value", "observed", "expected", "disagreement", "se", "units", "pairs"):
        assert after[name][part] == pytest.approx(before[name][part], rel=1e-12), part
    assert after["krippendorff_alpha"]["value"] != pytest.approx(before["krippendorff_alpha"]["value"])


def test_the_reading_is_an_option_of_the_headline(scored):
    """``--set krippendorff_alpha.empty=marked`` and ``presence`` give what stands beside the joint value."""
    tasks = [*some_tasks(12), *[NOTHING] * 2, {"ann": [], "ben": some_tasks(1)[0]["ben"], "cyd": []}]
    joint = scored(tasks)
    assert joint["headline"] == "krippendorff_alpha"
    assert "empty:joint" in joint["coefficients"]["krippendorff_alpha"]["signature"]
    for reading in ("marked", "presence"):
        found = scored(tasks, "--set", f"krippendorff_alpha.empty={reading}")["coefficients"]["krippendorff_alpha"]
        beside = joint["coefficients"][f"krippendorff_alpha_{reading}"]
        assert f"empty:{reading}" in found["signature"]
        assert (found["value"], found["units"]) == (beside["value"], beside["units"])
        assert found["value"] != joint["coefficients"]["krippendorff_alpha"]["value"]


def test_an_unknown_reading_is_refused(accord, tmp_path):
    write(tmp_path, APART)
    done = accord("score", "export.json", "--set", "krippendorff_alpha.empty=some")
    assert done.code == 2
    assert "joint, marked, presence" in done.err


def test_the_order_of_regions_and_raters_does_not_matter(scored):
    tasks = some_tasks(12)
    first = scored(tasks, "--set", "detection.threshold=0.3")
    for seed in (1, 2):
        chance = random.Random(seed)
        other = [
            {rater: chance.sample(task[rater], len(task[rater])) for rater in chance.sample(sorted(task), 3)}
            for task in tasks
        ]
        second = scored(other, "--set", "detection.threshold=0.3")
        assert second["pairwise"]["value"] == pytest.approx(first["pairwise"]["value"], abs=1e-12)
        for name in first["coefficients"]:
            assert second["coefficients"][name]["value"] == pytest.approx(
                first["coefficients"][name]["value"], abs=1e-12
            )
        assert second["regions"]["f1"]["value"] == pytest.approx(first["regions"]["f1"]["value"], abs=1e-12)


def test_renaming_raters_moves_their_rows_and_nothing_else(scored):
    tasks = some_tasks(8)
    names = dict(zip(("ann", "ben", "cyd"), ("cyd", "ann", "ben"), strict=True))
    first = scored(tasks)
    second = scored([{names[rater]: items for rater, items in task.items()} for task in tasks])
    assert second["pairwise"]["value"] == pytest.approx(first["pairwise"]["value"], abs=1e-12)

    def by_pair(report, naming):
        return {frozenset((naming[row["a"].split("@")[0]], naming[row["b"].split("@")[0]])): row["value"]
                for row in report["rater_pairs"]}  # fmt: skip

    assert by_pair(second, {name: name for name in names}) == pytest.approx(by_pair(first, names), abs=1e-12)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_optimal_matching_finds_the_best_total_in_any_order(scored, order):
    """Best first would take the pair of .90 and leave one of .38: less in total than twice .67."""
    ann = [box("boxes", 0, 0, 20, 10, "Boat"), box("boxes", 5, 0, 20, 10, "Boat"), box("boxes", 60, 60, 10, 10, "Boat")]
    ben = [box("boxes", 4, 0, 20, 10, "Boat"), box("boxes", 9, 0, 20, 10, "Boat"), box("boxes", 60, 60, 10, 5, "Boat")]
    task = {"ann": [ann[k] for k in order], "ben": ben}
    assert scored([task])["pairwise"]["value"] == pytest.approx((16 / 24 + 16 / 24 + 1 / 2) / 3)
