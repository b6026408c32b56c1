"""A report made by hand: six controls of different kinds, one undefined, one with a single task, hostile names."""

from __future__ import annotations

import math
from dataclasses import replace

from accord.coefficients.estimate import Estimate, Interval
from accord.dataset import Control, ImportReport, Notice
from accord.pipeline.report import (
    Answer,
    ConfusedPair,
    Confusion,
    ControlReport,
    Counts,
    DatasetSummary,
    Diagnostic,
    Finding,
    LabelRow,
    MeanOfControls,
    RaterPair,
    RaterRow,
    Readiness,
    Report,
    Score,
    TaskRow,
)
from accord.values import Kind, Level

SECRET = "zebra-secret-answer"
ADDRESS = "ann.lee@example.org"
HOSTILE = (
    "<script>alert(1)</script>",
    '"onmouseover="alert(2)" x=\'',
    "</title></style></script><img src=x onerror=alert(3)>",
    "\u202eright-to-left \u0000\u0007 controls",
    "{{ 7*7 }}{% raw %}",
    "שלום עולם",
)


def interval(low: float, high: float) -> Interval:
    return Interval(low, high, 0.95, "score")


def estimate(name: str, value: float, low: float, high: float, **more: object) -> Estimate:
    facts: dict[str, object] = {
        "observed": 0.69,
        "expected": 0.36,
        "se": 0.04,
        "interval": interval(low, high),
        "units": 231,
        "raters": 4,
        "values": 4,
        "pairs": 303,
        "signature": f"{name} | level=nominal | interval=score | seed=0 | accord=0.1.0",
        "similarity": "nominal",
        "symbol": "α" if "alpha" in name else "κ",
    }
    return Estimate(name=name, value=value, **{**facts, **more})  # type: ignore[arg-type]


def undefined(name: str, why: str, **more: object) -> Estimate:
    facts: dict[str, object] = {"units": 0, "raters": 1, "signature": name, "similarity": "nominal", "symbol": "α"}
    return Estimate(name=name, value=math.nan, undefined=why, **{**facts, **more})  # type: ignore[arg-type]


RATERS = ("R1", "R2", "R3", "R4")
LABELS = ("Negative", "Neutral", "Positive", "Mixed")


def _rater_rows(raters: tuple[str, ...], labels: tuple[str, ...]) -> tuple[RaterRow, ...]:
    return tuple(
        RaterRow(
            rater,
            135 - 20 * i,
            120 - 30 * i,
            Score(0.72 - 0.04 * i, interval(0.66 - 0.04 * i, 0.78 - 0.03 * i), 120),
            0.01 - 0.008 * i,
            {label: (j + 1 + (i == 2) * (j == 0)) / 10 for j, label in enumerate(labels)},
            34.0 + i,
        )
        for i, rater in enumerate(raters)
    )


def _pairs(raters: tuple[str, ...]) -> tuple[RaterPair, ...]:
    found = [(a, b) for i, a in enumerate(raters) for b in raters[i + 1 :]]
    return tuple(
        RaterPair(
            a,
            b,
            7 if (a, b) == ("R1", "R4") else 83 - 9 * k,
            0.66 + 0.02 * k,
            estimate("cohen_kappa", 0.45 + 0.09 * k, 0.3, 0.7),
        )
        for k, (a, b) in enumerate(found)
    )


def _label_rows(labels: tuple[str, ...]) -> tuple[LabelRow, ...]:
    values = (0.69, 0.49, 0.43, 0.27, 0.2, 0.1)
    return tuple(
        LabelRow(
            label, 252 // (i + 1) if i < 3 else 18, 0.8 - 0.1 * i, estimate("krippendorff_alpha", v, v - 0.1, v + 0.1)
        )
        for i, (label, v) in enumerate(zip(labels, values, strict=False))
    )


def _confusion(labels: tuple[str, ...]) -> tuple[Confusion, tuple[ConfusedPair, ...]]:
    counts = ((49, 13.5, 2, 1), (13.5, 111, 23.5, 1.5), (2, 23.5, 45, 5.5), (1, 1.5, 5.5, 4))
    observed = tuple(tuple(float(x) for x in row[: len(labels)]) for row in counts[: len(labels)])
    expected = tuple(tuple(abs(x - 9.0) + 1 for x in row) for row in observed)
    pairs = (
        ConfusedPair(labels[1], labels[2], 47, 36.5, 0.5, 0.39, True, 0.01),
        ConfusedPair(labels[0], labels[1], 27, 35.7, 0.29, 0.38, False, 0.9),
    )
    return Confusion(labels, observed, expected), pairs


def _tasks(n: int, *answers: tuple[str, ...]) -> tuple[TaskRow, ...]:
    return tuple(
        TaskRow(
            f"{100 + i}",
            0.0 if i % 3 else 0.33,
            tuple(Answer(rater, text) for rater, text in zip(RATERS, answers[i % len(answers)], strict=False)),
            "Feels better on bisoprolol but remains dizzy.",
            -0.01,
        )
        for i in range(n)
    )


def choice(name: str = "sentiment", labels: tuple[str, ...] = LABELS) -> ControlReport:
    confusion, confused = _confusion(labels)
    main = estimate("krippendorff_alpha", 0.52, 0.43, 0.6, notes=("A small sample note.",))
    tasks = _tasks(17, labels[:2], (labels[1], labels[2]), (labels[2], labels[2], labels[1]))
    finding = Finding(
        "labels",
        name,
        f"{labels[1]} against {labels[2]}",
        0.5,
        0.39,
        "47 of 94 disagreements; chance alone would give 39 %",
        "Write one rule with an example that separates them.",
    )
    return ControlReport(
        control=Control(name=name, kind=Kind.LABEL, tag="Choices", domain=labels),
        metric="jaccard",
        headline="krippendorff_alpha",
        why_headline="it takes any number of raters and missing answers.",
        units=231,
        raters=4,
        answers=519,
        pairs=303,
        counts=Counts(231, 9, 3, 0, 0),
        pairwise=Score(0.69, interval(0.63, 0.75), 231),
        consensus=Score(0.81, interval(0.77, 0.85), 231),
        coefficients={
            "krippendorff_alpha": main,
            "percent_agreement": estimate("percent_agreement", 0.69, 0.63, 0.75, symbol="A"),
            "fleiss_kappa": undefined("fleiss_kappa", "not_applicable", reason="needs complete data"),
        },
        rater_pairs=_pairs(RATERS),
        labels=_label_rows(labels),
        tasks=tuple(replace(task, answers=(), context=None) for task in tasks),
        disagreed=tasks,
        disagreed_total=77,
        histogram=(60, 0, 0, 17, 0, 0, 0, 0, 0, 154),
        rater_rows=_rater_rows(RATERS, labels),
        confusion=confusion,
        confused=confused,
        diagnostics=(
            Diagnostic("Skew", "fine", f"{labels[1]} is 50 % of the answers. That is not extreme."),
            Diagnostic("Clusters", "look", "The 231 tasks come from 88 patients. Resample patients.", main),
            Diagnostic("Overlap", "thin", "R1 and R4 share 7 tasks."),
        ),
        findings=(finding,),
        cannot_tell=(f"Raters on {name} cannot be told apart with this much data.",),
        criterion=0.667,
        verdict="Below the criterion",
        reading="Answers agree 69 %; chance alone would give 36 %.",
        methods=f"Agreement on {name} was measured with Krippendorff’s alpha: α = 0.52.",
        bands=(0.667, 0.8),
    )


def rating() -> ControlReport:
    base = choice("severity", ("1", "2", "3", "4"))
    main = estimate("krippendorff_alpha", 0.74, 0.69, 0.79, similarity="ordinal")
    return replace(
        base,
        control=Control(name="severity", kind=Kind.RATING, tag="Rating", level=Level.ORDINAL, domain=(1, 2, 3, 4, 5)),
        coefficients={"krippendorff_alpha": main},
        findings=(),
        verdict="Meets the criterion",
    )


def several() -> ControlReport:
    base = choice("findings", ("Effusion", "Edema", "None, really"))
    sets = (("Effusion", "Edema"), ("Edema",), ())
    row = TaskRow("301", 0.17, tuple(Answer(r, ", ".join(s), parts=s) for r, s in zip(RATERS, sets, strict=False)))
    return replace(
        base,
        control=Control(name="findings", kind=Kind.LABELS, tag="Choices", domain=("Effusion", "Edema")),
        coefficients={"krippendorff_alpha": estimate("krippendorff_alpha", 0.61, 0.53, 0.68, similarity="jaccard")},
        disagreed=(row,),
        disagreed_total=1,
        confusion=None,
        confused=(),
        bands=(),
        criterion=0.55,
        verdict="Cannot tell yet",
        findings=(),
    )


def spans() -> ControlReport:
    text = "ECG unchanged. Ankle swelling slightly less than in March. " + f"{SECRET} follows. " * 90
    answers = (
        Answer("R1", "2 spans", ((15, 29, "Finding"), (49, 54, "Date"))),
        Answer("R2", "1 span", ((21, 29, "Finding"),)),
        Answer("R3", "nothing"),
    )
    base = choice("entities")
    return replace(
        base,
        control=Control(name="entities", kind=Kind.SPANS, tag="Labels"),
        coefficients={
            "krippendorff_alpha": estimate("krippendorff_alpha", -0.06, -0.21, 0.1, similarity="span_overlap(x)")
        },
        disagreed=(TaskRow("118", 0.2, answers, text), TaskRow("119", 0.2, answers, text[:70])),
        disagreed_total=2,
        confusion=None,
        confused=(),
        bands=(),
        criterion=None,
        verdict=None,
        findings=(),
        differences={"types": {"boundary": 64, "missing": 20.5, "label": 9}},
    )


def free_text() -> ControlReport:
    base = choice("impression")
    answers = (
        Answer("R1", f"Mild ankle swelling, improving on bisoprolol. {SECRET}"),
        Answer("R2", "Mild ankle swelling, essentially unchanged."),
    )
    return replace(
        base,
        control=Control(name="impression", kind=Kind.TEXT, tag="TextArea"),
        coefficients={
            "krippendorff_alpha": estimate("krippendorff_alpha", 0.17, -0.06, 0.39, similarity="edit_similarity")
        },
        disagreed=(TaskRow("57", 0.4, answers),),
        disagreed_total=31,
        labels=(),
        confusion=None,
        confused=(),
        bands=(),
        criterion=None,
        verdict=None,
        findings=(),
    )


def measured() -> ControlReport:
    points = [(10 + 0.37 * i, math.sin(i) * 2 + 0.4, 1 + i % 3) for i in range(60)]
    base = choice("dose")
    return replace(
        base,
        control=Control(name="dose", kind=Kind.NUMBER, tag="Number", level=Level.INTERVAL),
        coefficients={"krippendorff_alpha": estimate("krippendorff_alpha", 0.9, 0.85, 0.94, similarity="interval")},
        labels=(),
        confusion=None,
        confused=(),
        findings=(),
        differences={
            "bland_altman": {
                "points": points,
                "bias": 0.4,
                "bias_interval": (0.1, 0.7),
                "low": -2.5,
                "low_interval": (-3.0, -2.0),
                "high": 3.3,
                "high_interval": (2.8, 3.8),
                "raters": ("R1", "R2"),
            }
        },
        given_parent={"parent": "drug", "values": ("yes",), "units": 40, "share": 0.2, "joint": base.main},
    )


def lonely(name: str, main: Estimate) -> ControlReport:
    """One control about which next to nothing is known."""
    return ControlReport(
        control=Control(name=name, kind=Kind.LABEL, tag="Choices", domain=("a", "b")),
        metric="jaccard",
        headline="krippendorff_alpha",
        why_headline="",
        units=main.units,
        raters=main.raters,
        answers=3,
        pairs=main.pairs,
        counts=Counts(main.units, 1, 0, 0, 0),
        pairwise=Score(undefined="no_overlap"),
        consensus=Score(undefined="no_overlap"),
        coefficients={"krippendorff_alpha": main},
        reading="Too little was answered.",
    )


def report(*, content: bool = True) -> Report:
    """All kinds of controls, with hostile labels and names."""
    controls = (
        choice(),
        rating(),
        several(),
        spans(),
        free_text(),
        measured(),
        choice(f'{HOSTILE[0]} & "q"', HOSTILE[:4]),
        choice(HOSTILE[4], (*HOSTILE[4:], "c", "d")),
        lonely("never met", undefined("krippendorff_alpha", "no_overlap", raters=2)),
        lonely("one task", estimate("krippendorff_alpha", 0.0, 0, 0, interval=None, units=1, pairs=1, raters=2)),
    )
    notices = (
        Notice("duplicate-answer", 2, "same annotation id twice; kept once", ("task 7", f"{SECRET} {HOSTILE[2]}")),
        Notice("edited-by-other", 6, f"kept; edited by {ADDRESS}"),
    )
    read = ImportReport(
        sources=("/data/secret-folder/notes <2>.json", "b.json", "c.json", "d.json"),
        shape="Label Studio JSON, 240 tasks",
        notices=notices,
        tasks=240,
    )
    findings = (
        controls[0].findings[0],
        Finding(
            "rater", "severity", "R3 disagrees with the others", 0.36, 0.25, "118 of 327", "Talk to R3.", ("100", "999")
        ),
        Finding("overlap", "never met", "Nobody met", math.nan, math.nan, "no shared task", "Assign some twice."),
        controls[6].findings[0],
    )
    return Report(
        version="0.1.0",
        created="2026-03-12T09:40:00+00:00",
        dataset=DatasetSummary("Clinical notes, round 2", "9f3c61ab00000000", 240, 4, 2580, read),
        plan={"version": 1, "seed": 0},
        controls=controls,
        overall_pairwise=Score(0.7, interval(0.66, 0.74), 231),
        overall={"krippendorff_alpha": MeanOfControls(0.5, 9, 10, (("never met", "no_overlap"),), interval(0.4, 0.6))},
        findings=findings,
        readiness=Readiness(
            0.74,
            (
                ("coverage", 0.35, 0.96, "tasks with two answers / tasks"),
                ("agreement", 0.35, 0.69, "mean task agreement"),
                ("gold coverage", 0.15, None, "no gold annotation"),
                ("class balance", 0.15, 0.8, "entropy / log q"),
            ),
        ),
        answer="Raters agree well on severity and not yet well enough on sentiment. For one task nothing can be said.",
        criteria="Judged against criteria.json: the whole 95 % interval of α above .667.",
        content=content,
        versions={"accord": "0.1.0", "python": "3.12.4", "numpy": "2.3.1"},
        notes=("Two controls are hostile on purpose.",),
    )
