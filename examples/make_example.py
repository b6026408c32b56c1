"""Write the shipped example: a support-inbox project as Label Studio exports it, and two tables of one control.

The messages, people and numbers are invented. Run ``python examples/make_example.py``; the output is the same on
every run. The behaviour of the four raters is in ``support_answers.py``; what a report should find is in ``README.md``.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import support_texts as texts
from support_answers import RATERS, Json, Rater, Truth, items

HERE = Path(__file__).parent
TASKS = 240
CALIBRATION = 40  # the first tasks are answered by everybody
START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def main() -> None:
    """Write the four files next to this script."""
    random_ = random.Random(20260302)
    ids = iter(range(50_001, 99_999))
    tasks = [make_task(number, random_, ids) for number in range(1, TASKS + 1)]
    spoil(tasks, random_, ids)
    for task in tasks:
        count(task)
    write_export(tasks)
    write_tables(tasks)


def make_task(number: int, random_: random.Random, ids: Iterator[int]) -> Json:
    """Build one message with the answers of its raters."""
    truth = message(random_)
    created = START + timedelta(hours=2 * number, minutes=random_.randrange(60))
    order = random_.sample(RATERS, 4)
    chosen = order if number <= CALIBRATION else order[:2]
    annotations = [annotate(number, truth, rater, created, random_, ids) for rater in chosen]
    if len(chosen) == 2 and disagree(annotations) and random_.random() < 0.75:
        annotations.append(annotate(number, truth, order[2], created + timedelta(days=2), random_, ids))
    return {
        "id": 7000 + number,
        "data": {"message": truth.text, "channel": random_.choice(["mail", "mail", "form", "chat"])},
        "meta": {},
        "created_at": stamp(START),
        "updated_at": annotations[-1]["updated_at"],
        "inner_id": number,
        "project": 31,
        "annotations": annotations,
        "drafts": [],
        "predictions": [],
        "comment_count": 0,
    }


def message(random_: random.Random) -> Truth:
    """Compose a message from fragments and remember what is true of it."""
    sentiment = random_.choices(texts.SENTIMENTS, weights=(22, 34, 30, 14))[0]
    topics = random_.sample(texts.TOPICS, random_.choices((1, 2), weights=(3, 2))[0])
    group, product = random_.choice(texts.PRODUCTS)
    slots = {
        "Product": product,
        "Order": f"{random_.choice('ABCD')}-{random_.randrange(10_000, 99_999)}",
        "Date": f"{random_.randrange(1, 29)} {random_.choice(texts.MONTHS)}",
        "Amount": f"{random_.randrange(9, 180)}.{random_.choice(('00', '50', '90'))} EUR",
    }
    wish = random_.choice(texts.WISHES)
    sentences = [random_.choice(texts.OPENINGS[sentiment])]
    sentences += [random_.choice(texts.FACTS[topic]) for topic in topics]
    sentences += [random_.choice(texts.CLOSINGS[sentiment]), wish]
    template = " ".join(sentences)
    if random_.random() < 0.06:
        template = f"{random_.choice('🙂🙏📦')} {template}"
    text, spans = fill(template, slots)
    urgency = min(
        5, max(1, {"positive": 1, "neutral": 2, "mixed": 3, "negative": 4}[sentiment] + random_.choice((0, 0, 1)))
    )
    minutes = 5 * round(random_.lognormvariate(2.6 + 0.25 * len(topics), 0.45) / 5 + 0.5)
    refund = random_.choices(("full", "partial", "none"), weights=(3, 2, 4))[0]
    return Truth(text, spans, sentiment, topics, (group, product.title()), urgency, minutes, refund, wish)


def fill(template: str, slots: dict[str, str]) -> tuple[str, list[tuple[int, int, str]]]:
    """Put the slots in and keep their offsets (code points, end exclusive)."""
    text, spans = "", []
    for piece in template.split("{"):
        name, brace, rest = piece.partition("}")
        if not brace:
            text += piece
            continue
        spans.append((len(text), len(text) + len(slots[name]), name))
        text += slots[name] + rest
    return text, spans


def annotate(
    number: int, truth: Truth, rater: Rater, created: datetime, random_: random.Random, ids: Iterator[int]
) -> Json:
    """One submitted annotation."""
    identity = next(ids)
    done = created + timedelta(days=random_.randrange(1, 4), minutes=random_.randrange(400))
    lead = random_.lognormvariate(4.0, 0.5)
    return {
        "id": identity,
        "completed_by": rater.card,
        "result": list(items(number, truth, rater, random_, f"{identity:x}")),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": stamp(done),
        "updated_at": stamp(done),
        "draft_created_at": stamp(done - timedelta(seconds=lead)),
        "lead_time": round(lead, 3),
        "prediction": {},
        "unique_id": f"00000000-0000-4000-8000-{identity:012x}",
        "last_action": "submitted",
        "task": 7000 + number,
        "project": 31,
        "updated_by": rater.id,
        "parent_prediction": None,
        "parent_annotation": None,
    }


def disagree(annotations: list[Json]) -> bool:
    """Whether the first control was answered differently."""
    return len({annotation["result"][0]["value"]["choices"][0] for annotation in annotations}) > 1


def spoil(tasks: list[Json], random_: random.Random, ids: Iterator[int]) -> None:
    """Add what real exports contain: skips, edits by others, copies, predictions, second thoughts, gold answers."""
    pick = random_.sample(range(CALIBRATION, TASKS), 60)
    for index in pick[:8]:
        tasks[index]["annotations"].append(skipped(tasks[index], ids, keep_result=index == pick[0]))
    for index in pick[8:10]:
        tasks[index]["annotations"].append(second_thought(tasks[index], ids))
    for index in pick[10:16]:
        last(tasks[index]).update(updated_by=RATERS[0].id, last_action="updated")
    for index in pick[16:18]:
        last(tasks[index])["parent_annotation"] = tasks[index]["annotations"][0]["id"]
    for index in pick[18:43]:
        predict(tasks[index], ids)
    for index in pick[43:46]:
        last(tasks[index])["result"] = []
    for index in pick[46:58]:
        tasks[index]["annotations"][0]["ground_truth"] = True
    for index in pick[58:60]:
        pad_span(tasks[index])


def last(task: Json) -> Json:
    """The annotation made last."""
    return task["annotations"][-1]


def skipped(task: Json, ids: Iterator[int], *, keep_result: bool) -> Json:
    """A rater who has not answered this task opens it and skips it."""
    present = {annotation["completed_by"]["id"] for annotation in task["annotations"]}
    rater = next(rater for rater in RATERS if rater.id not in present)
    result = last(task)["result"][:1] if keep_result else []
    return {
        **last(task),
        "id": next(ids),
        "completed_by": rater.card,
        "updated_by": rater.id,
        "result": result,
        "was_cancelled": True,
    }


def second_thought(task: Json, ids: Iterator[int]) -> Json:
    """The first rater answers the task once more, later."""
    first = task["annotations"][0]
    later = stamp(datetime.fromisoformat(first["updated_at"]) + timedelta(days=5))
    return {**first, "id": next(ids), "created_at": later, "updated_at": later}


def predict(task: Json, ids: Iterator[int]) -> None:
    """A model proposed an answer, and the last annotation started from it."""
    first_item = {**last(task)["result"][0], "origin": "prediction"}
    prediction = {
        "id": next(ids),
        "model_version": "triage-2",
        "score": 0.71,
        "result": [first_item],
        "task": task["id"],
    }
    task["predictions"].append(prediction)
    last(task)["parent_prediction"] = prediction["id"]
    last(task)["result"] = [first_item, *last(task)["result"][1:]]


def pad_span(task: Json) -> None:
    """The stored text of a span carries a blank that its offsets do not."""
    for item in last(task)["result"]:
        if item["type"] == "labels":
            item["value"]["text"] += " "


def count(task: Json) -> None:
    """Fill in the counters the way the tool does: cancelled annotations are counted apart."""
    cancelled = sum(annotation["was_cancelled"] for annotation in task["annotations"])
    task["total_annotations"] = len(task["annotations"]) - cancelled
    task["cancelled_annotations"] = cancelled
    task["total_predictions"] = len(task["predictions"])
    for annotation in task["annotations"]:
        annotation["result_count"] = len(annotation["result"])


def stamp(moment: datetime) -> str:
    """Time as the tool writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def write_export(tasks: list[Json]) -> None:
    """A JSON list with one task on a line."""
    lines = ",\n".join(json.dumps(task, ensure_ascii=False, separators=(",", ":")) for task in tasks)
    (HERE / "support-export.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def write_tables(tasks: list[Json]) -> None:
    """The sentiment control as a long and as a wide table."""
    names = [rater.first for rater in RATERS]
    answers: dict[int, dict[str, str]] = {}
    for task in tasks:
        for annotation in task["annotations"]:
            if annotation["result"] and not annotation["was_cancelled"]:
                row = answers.setdefault(task["id"], {})
                row[annotation["completed_by"]["first_name"]] = annotation["result"][0]["value"]["choices"][0]
    long = [(task, name, row[name]) for task, row in answers.items() for name in names if name in row]
    wide = [(task, *(row.get(name, "") for name in names)) for task, row in answers.items()]
    write_csv("support-sentiment-long.csv", ("task", "rater", "sentiment"), long)
    write_csv("support-sentiment-wide.csv", ("task", *names), wide)


def write_csv(name: str, header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """One table."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
