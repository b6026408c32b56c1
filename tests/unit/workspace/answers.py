"""Label configs and tasks for workspace tests."""

import itertools

CONFIG = """<View>
  <Text name="text" value="$text"/>
  <Choices name="mood" toName="text"><Choice value="good"/><Choice value="bad"/><Choice value="so so"/></Choices>
  <Choices name="topics" toName="text" choice="multiple"><Choice value="a"/><Choice value="b"/></Choices>
  <Choices name="why" toName="text" visibleWhen="choice-selected" whenTagName="mood" whenChoiceValue="bad">
    <Choice value="x"/><Choice value="y"/>
  </Choices>
  <Rating name="stars" toName="text" maxRating="5"/>
  <Number name="amount" toName="text"/>
  <TextArea name="note" toName="text"/>
  <Labels name="span" toName="text"><Label value="P"/><Label value="Q"/></Labels>
</View>"""

TEXT = "The parcel was announced for Monday and came two days later."

_numbers = itertools.count(1000)


def item(name, kind, value):
    return {"id": f"{name}{next(_numbers)}", "from_name": name, "to_name": "text", "type": kind, "value": value}


def choice(name, *labels):
    return item(name, "choices", {"choices": list(labels)})


def stars(number):
    return item("stars", "rating", {"rating": number})


def span(start, end, label):
    return item("span", "labels", {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]})


def annotation(number, rater, *result, updated="2026-03-02T08:00:31.402918Z", **more):
    return {
        "id": number,
        "completed_by": rater,
        "created_at": "2026-03-02T08:00:00.114206Z",
        "updated_at": updated,
        "lead_time": 12.5,
        "was_cancelled": False,
        "result": list(result),
        **more,
    }


def task(number, *annotations, **more):
    return {"id": number, "data": {"text": TEXT, **more}, "annotations": list(annotations)}


def simple(tasks=6, raters=3):
    """Tasks with one choice each; every third task is disagreed on by the last rater."""
    return [
        task(
            t,
            *(
                annotation(10 * t + r, r, choice("mood", "bad" if t % 3 == 0 and r == raters else "good"))
                for r in range(1, raters + 1)
            ),
        )
        for t in range(1, tasks + 1)
    ]
