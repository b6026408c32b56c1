"""The annotations as a Label Studio export, to which all other formats are compared."""

import json

from carried import ANSWERS, FRAMES, HEIGHT, WIDTH, in_characters, linked, text_of

SIZE = {"original_width": WIDTH, "original_height": HEIGHT}
TYPES = {"choice": "choices", "choices": "choices", "rating": "rating", "text": "textarea"}
ABOUT = {"boxes": "image", "polygons": "image", "masks": "image", "keypoints": "image", "tracks": "video",
         "stretches": "audio"}  # fmt: skip
CONFIG = {
    "choices": '<Choices name="q" toName="text" choice="multiple"><Choice value="person"/><Choice value="place"/>'
    '<Choice value="thing"/></Choices>',
}


def percent(x, y):
    return 100 * x / WIDTH, 100 * y / HEIGHT


def box(x, y, width, height):
    left, top = percent(x, y)
    wide, high = percent(width, height)
    return {"x": left, "y": top, "width": wide, "height": high, "rotation": 0}


def item(type_, value, label=None, identity=None, **more):
    key = "labels" if type_ == "videorectangle" else type_
    value = value if label is None else {**value, key: [label]}
    known = {} if identity is None else {"id": identity}
    return {"from_name": "q", "type": type_, "value": value, **known, **more}


def items(kind, unit, answer):
    if kind in TYPES:
        key = {"textarea": "text"}.get(TYPES[kind], TYPES[kind])
        value = answer if kind in ("choices", "rating") else [answer]
        return [item(TYPES[kind], {key: value})]
    if kind in ("spans", "relations"):
        places = [(*in_characters(unit, a, b), label) for a, b, label in answer]
        text = text_of(unit)
        found = [
            item("labels", {"start": s, "end": e, "text": text[s:e]}, label, str(n))
            for n, (s, e, label) in enumerate(places)
        ]
        links = [{"type": "relation", "from_id": str(a), "to_id": str(b), "direction": "right", "labels": ["after"]}
                 for a, b in linked(answer)]  # fmt: skip
        return found + (links if kind == "relations" else [])
    if kind == "boxes":
        return [item("rectanglelabels", box(*place), label, **SIZE) for *place, label in answer]
    if kind == "polygons":
        rings = [([list(percent(*point)) for point in points], label) for points, label in answer]
        return [item("polygonlabels", {"points": points}, label, **SIZE) for points, label in rings]
    if kind == "keypoints":
        points = [(*percent(x, y), label) for x, y, label in answer]
        return [item("keypointlabels", {"x": x, "y": y, "width": 1}, label, **SIZE) for x, y, label in points]
    if kind == "stretches":
        return [item("labels", {"start": start, "end": end, "channel": 0}, label) for start, end, label in answer]
    return [item("videorectangle", track(frames), label, **SIZE) for frames, label in answer]


def track(frames):
    """Key frames at the first and last frame; the way between is a line."""
    first, last = min(frames), max(frames)
    keys = [{**box(*frames[frame]), "frame": frame, "enabled": frame == first} for frame in (first, last)]
    return {"sequence": keys, "framesCount": FRAMES}


def write(kind, folder):
    """Write the answers of a kind; returns the sources to read."""
    about = ABOUT.get(kind, "text")
    answers = ANSWERS["spans" if kind == "relations" else kind]
    tasks = {}
    for rater, units in answers.items():
        for unit, answer in units.items():
            data = {"text": text_of(unit)} if about == "text" else {about: unit}
            one = tasks.setdefault(unit, {"id": unit, "project": 1, "data": data, "annotations": []})
            result = [
                {**found, "to_name": about} if "from_name" in found else found for found in items(kind, unit, answer)
            ]
            one["annotations"].append({"id": f"{unit}-{rater}", "completed_by": rater, "result": result})
    path = folder / "labelstudio.json"
    path.write_text(json.dumps(list(tasks.values())), encoding="utf-8")
    return [path]
