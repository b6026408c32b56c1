"""Writers of annotations on texts and recordings in the formats of other tools."""

import json

from carried import ANSWERS, RATERS, TEXTS, in_characters, in_units, linked, text_of


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def lines(records):
    return "\n".join(json.dumps(record) for record in records) + "\n"


def answers(kind):
    return ANSWERS["spans" if kind == "relations" else kind]


def prodigy(kind, folder):
    records = []
    for rater, units in answers(kind).items():
        for unit, answer in units.items():
            record = {"text": text_of(unit), "_input_hash": unit, "answer": "accept", "_annotator_id": rater}
            if kind in ("choice", "choices"):
                options = [{"id": label, "text": label.upper()} for label in ("person", "place", "thing")]
                style = "multiple" if kind == "choices" else "single"
                record |= {"options": options, "config": {"choice_style": style}}
                record["accept"] = answer if kind == "choices" else [answer]
            else:
                record["spans"] = [
                    dict(
                        zip(("start", "end"), in_characters(unit, a, b), strict=True),
                        label=label,
                        token_start=a,
                        token_end=b,
                    )
                    for a, b, label in answer
                ]
            if kind == "relations":
                ends = [{"token_start": a, "token_end": b} for a, b, _ in answer]
                record["relations"] = [
                    {"head_span": ends[a], "child_span": ends[b], "label": "after"} for a, b in linked(answer)
                ]
            records.append(record)
    return [put(folder / "prodigy.jsonl", lines(records))]


def doccano(kind, folder):
    sources = []
    for rater, units in answers(kind).items():
        records = []
        for unit, answer in units.items():
            record = {"id": unit, "text": text_of(unit)}
            if kind in ("choice", "choices"):
                record["label"] = answer if kind == "choices" else [answer]
            elif kind == "spans":
                record["label"] = [[*in_characters(unit, a, b), label] for a, b, label in answer]
            else:
                places = [(*in_characters(unit, a, b), label) for a, b, label in answer]
                record["entities"] = [
                    {"id": n, "start_offset": s, "end_offset": e, "label": label}
                    for n, (s, e, label) in enumerate(places)
                ]
                record["relations"] = [{"from_id": a, "to_id": b, "type": "after"} for a, b in linked(answer)]
            records.append(record)
        sources.append(put(folder / f"{rater}.jsonl", lines(records)))
    return sources


def conll(kind, folder):
    sources = []
    for rater, units in answers(kind).items():
        rows = []
        for unit, answer in units.items():
            tags = ["O"] * len(TEXTS[unit])
            for first, last, label in answer:
                tags[first : last + 1] = [f"B-{label}", *[f"I-{label}"] * (last - first)]
            rows += [f"{token}\t{tag}" for token, tag in zip(TEXTS[unit], tags, strict=True)] + [""]
        sources.append(put(folder / f"{rater}.conll", "\n".join(rows)))
    return sources


def brat(kind, folder):
    for rater, units in answers(kind).items():
        for unit, answer in units.items():
            put(folder / "brat" / rater / f"{unit}.txt", text_of(unit))
            rows = []
            for number, (first, last, label) in enumerate(answer):
                begin, end = in_characters(unit, first, last)
                rows.append(f"T{number}\t{label} {begin} {end}\t{text_of(unit)[begin:end]}\n")
            if kind == "relations":
                rows += [f"R{a}\tafter Arg1:T{a} Arg2:T{b}\n" for a, b in linked(answer)]
            put(folder / "brat" / rater / f"{unit}.ann", "".join(rows))
    return [folder / "brat"]


def uima(kind, folder):
    import cassis

    types = cassis.TypeSystem()
    named = types.create_type("custom.Named")
    types.create_feature(named, "value", "uima.cas.String")
    related = types.create_type("custom.Related")
    for name, range_ in (("Governor", named), ("Dependent", named), ("kind", "uima.cas.String")):
        types.create_feature(related, name, range_)
    put(folder / "uima" / "TypeSystem.xml", types.to_xml())
    for rater, units in answers(kind).items():
        for unit, answer in units.items():
            cas = cassis.Cas(types)
            cas.sofa_string = text_of(unit)
            places = [(*in_characters(unit, a, b), label) for a, b, label in answer]
            marks = [named(begin=begin, end=end, value=label) for begin, end, label in places]
            cas.add_all(marks)
            if kind == "relations":
                cas.add_all(
                    related(begin=marks[b].begin, end=marks[b].end, Governor=marks[a], Dependent=marks[b], kind="after")
                    for a, b in linked(answer)
                )
            put(folder / "uima" / "annotation" / unit / f"{rater}.xmi", cas.to_xmi())
    return [folder / "uima"]


def labelbox(kind, folder):
    records = []
    for unit in TEXTS:
        labels = []
        for rater in RATERS:
            answer = answers(kind)[rater][unit]
            found = {"objects": [], "classifications": []}
            if kind == "choice":
                found["classifications"] = [{"name": "q", "radio_answer": {"name": answer}}]
            elif kind == "choices":
                found["classifications"] = [{"name": "q", "checklist_answers": [{"name": label} for label in answer]}]
            elif kind == "text":
                found["classifications"] = [{"name": "q", "text_answer": {"content": answer}}]
            else:
                for number, (first, last, label) in enumerate(answer):
                    begin, end = in_units(unit, first, last)
                    token = " ".join(TEXTS[unit][first : last + 1])
                    place = {"start": begin, "end": end - 1, "token": token}
                    found["objects"].append({"name": label, "feature_id": str(number), "location": place})
            if kind == "relations":
                found["relationships"] = [
                    {"name": "after", "unidirectional_relationship": {"source": str(a), "target": str(b)}}
                    for a, b in linked(answer)
                ]
            labels.append({"label_details": {"created_by": rater}, "annotations": found})
        row = {"id": unit, "row_data": text_of(unit)}
        records.append(
            {"data_row": row, "media_attributes": {"asset_type": "text"}, "projects": {"p": {"labels": labels}}}
        )
    return [put(folder / "labelbox.ndjson", lines(records))]


def argilla(kind, folder):
    records = []
    for unit in TEXTS:
        given = [(rater, answers(kind)[rater][unit]) for rater in RATERS]
        if kind == "spans":
            places = {rater: [(*in_characters(unit, a, b), label) for a, b, label in answer] for rater, answer in given}
            given = [
                (rater, [{"start": begin, "end": end, "label": label} for begin, end, label in found])
                for rater, found in places.items()
            ]
        responses = [{"user_id": rater, "value": value, "status": "submitted"} for rater, value in given]
        records.append({"id": unit, "fields": {"text": text_of(unit)}, "responses": {"q": responses}})
    forms = {"choice": "label_selection", "choices": "multi_label_selection", "rating": "rating", "text": "text",
             "spans": "span"}  # fmt: skip
    options = {"rating": [1, 2, 3, 4, 5]}.get(kind, ["person", "place", "thing"])
    settings = {"type": forms[kind], "options": [{"value": value} for value in options], "field": "text"}
    put(folder / "argilla" / ".argilla" / "settings.json", {"questions": [{"name": "q", "settings": settings}]})
    put(folder / "argilla" / "records.json", records)
    return [folder / "argilla"]


def rttm(kind, folder):
    return [
        put(folder / f"{rater}.rttm", "".join(
            f"SPEAKER {unit} 1 {start} {end - start} <NA> <NA> {label} <NA> <NA>\n"
            for unit, answer in units.items() for start, end, label in answer))
        for rater, units in answers(kind).items()
    ]  # fmt: skip


def textgrid(kind, folder):
    for unit in answers(kind)["ada"]:
        rows = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "0", "60", "<exists>", "3"]
        for rater in RATERS:
            answer = answers(kind)[rater][unit]
            rows += ['"IntervalTier"', f'"{rater}"', "0", "60", str(len(answer))]
            rows += [f'{start}\n{end}\n"{label}"' for start, end, label in answer]
        put(folder / "textgrid" / f"{unit}.TextGrid", "\n".join(rows))
    return [folder / "textgrid"]


def elan(kind, folder):
    for rater, units in answers(kind).items():
        for unit, answer in units.items():
            slots, found = [], []
            for number, (start, end, label) in enumerate(answer):
                slots += [f'<TIME_SLOT TIME_SLOT_ID="{number}{side}" TIME_VALUE="{1000 * time:.0f}"/>'
                          for side, time in (("a", start), ("b", end))]  # fmt: skip
                found.append(
                    f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{number}" TIME_SLOT_REF1="{number}a" '
                    f'TIME_SLOT_REF2="{number}b"><ANNOTATION_VALUE>{label}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>'
                    "</ANNOTATION>"
                )
            tier = f'<TIER TIER_ID="q" LINGUISTIC_TYPE_REF="q">{"".join(found)}</TIER>'
            text = f"<ANNOTATION_DOCUMENT><TIME_ORDER>{''.join(slots)}</TIME_ORDER>{tier}</ANNOTATION_DOCUMENT>"
            put(folder / "elan" / rater / f"{unit}.eaf", text)
    return [folder / "elan"]
