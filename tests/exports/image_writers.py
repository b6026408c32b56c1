"""Writers of annotations on images and video in the formats of other tools."""

from carried import ANSWERS, FRAMES, HEIGHT, LABELS, RATERS, WIDTH
from text_writers import lines, put


def prodigy(kind, folder):
    records = []
    for rater, units in ANSWERS[kind].items():
        for unit, answer in units.items():
            if kind == "boxes":
                spans = [dict(zip(("x", "y", "width", "height", "label"), one, strict=True)) for one in answer]
            else:
                spans = [{"label": label, "points": points} for points, label in answer]
            record = {"image": unit, "_input_hash": unit, "answer": "accept", "_annotator_id": rater, "spans": spans}
            records.append({**record, "width": WIDTH, "height": HEIGHT})
    return [put(folder / "prodigy.jsonl", lines(records))]


def doccano(kind, folder):
    sources = []
    for rater, units in ANSWERS[kind].items():
        records = []
        for unit, answer in units.items():
            if kind == "boxes":
                shapes = {
                    "bbox": [dict(zip(("x", "y", "width", "height", "label"), one, strict=True)) for one in answer]
                }
            else:
                flat = [([part for point in points for part in point], label) for points, label in answer]
                shapes = {"segmentation": [{"points": points, "label": label} for points, label in flat]}
            records.append({"id": unit, "filename": unit, **shapes})
        sources.append(put(folder / f"{rater}.jsonl", lines(records)))
    return sources


def _coco_shape(kind, answer):
    if kind == "boxes":
        *box, label = answer
        return {"bbox": box}, label
    if kind == "polygons":
        points, label = answer
        return {"segmentation": [[part for point in points for part in point]]}, label
    x, y, width, height, label = answer
    counts, at = [], 0
    for column in range(x, x + width):
        begin = column * HEIGHT + y
        counts += [begin - at, height]
        at = begin + height
    return {"segmentation": {"size": [HEIGHT, WIDTH], "counts": [*counts, WIDTH * HEIGHT - at]}}, label


def coco(kind, folder):
    categories = [{"id": n, "name": label} for n, label in enumerate(LABELS)]
    if kind == "keypoints":
        categories = [{"id": 0, "name": "body", "keypoints": list(LABELS)}]
    sources = []
    for rater, units in ANSWERS[kind].items():
        images, annotations = [], []
        for number, (unit, answer) in enumerate(units.items()):
            images.append({"id": number, "file_name": unit, "width": WIDTH, "height": HEIGHT})
            if kind == "keypoints":
                flat = [part for x, y, _ in answer for part in (x, y, 2)]
                annotations.append({"image_id": number, "category_id": 0, "keypoints": flat})
                continue
            if kind == "text":
                annotations.append({"image_id": number, "caption": answer})
                continue
            for one in answer:
                shape, label = _coco_shape(kind, one)
                annotations.append({"image_id": number, "category_id": LABELS.index(label), **shape})
        content = {"images": images, "categories": categories, "annotations": annotations}
        sources.append(put(folder / f"{rater}.json", content))
    return sources


def voc(kind, folder):
    for rater, units in ANSWERS[kind].items():
        for unit, answer in units.items():
            things = "".join(
                f"<object><name>{label}</name><bndbox><xmin>{x + 1}</xmin><ymin>{y + 1}</ymin><xmax>{x + width}</xmax>"
                f"<ymax>{y + height}</ymax></bndbox></object>"
                for x, y, width, height, label in answer
            )
            size = f"<size><width>{WIDTH}</width><height>{HEIGHT}</height></size>"
            text = f"<annotation><filename>{unit}</filename>{size}{things}</annotation>"
            put(folder / "voc" / rater / f"{unit}.xml", text)
    return [folder / "voc"]


def yolo(kind, folder):
    names = "\n".join(f"  {n}: {label}" for n, label in enumerate(LABELS))
    pose = "kpt_shape: [3, 2]\n" if kind == "keypoints" else ""
    put(folder / "yolo" / "data.yaml", f"{pose}names:\n{names}\n")
    for rater, units in ANSWERS[kind].items():
        for unit, answer in units.items():
            rows = []
            if kind == "keypoints":
                rows.append([0, 0.5, 0.5, 1, 1, *(part for x, y, _ in answer for part in (x / WIDTH, y / HEIGHT))])
            elif kind == "boxes":
                for x, y, width, height, label in answer:
                    centre = (x + width / 2) / WIDTH, (y + height / 2) / HEIGHT
                    rows.append([LABELS.index(label), *centre, width / WIDTH, height / HEIGHT])
            else:
                for points, label in answer:
                    rows.append([LABELS.index(label), *(part for x, y in points for part in (x / WIDTH, y / HEIGHT))])
            text = "".join(" ".join(map(repr, row)) + "\n" for row in rows)
            put(folder / "yolo" / rater / "labels" / f"{unit.removesuffix('.png')}.txt", text)
    return [folder / "yolo"]


def _cvat_shape(kind, answer):
    if kind == "polygons":
        points, label = answer
        return f'<polygon label="{label}" points="{";".join(f"{x},{y}" for x, y in points)}"/>'
    if kind == "keypoints":
        x, y, label = answer
        return f'<points label="{label}" points="{x},{y}"/>'
    x, y, width, height, label = answer
    if kind == "masks":
        place = f'left="{x}" top="{y}" width="{width}" height="{height}"'
        return f'<mask label="{label}" rle="0,{width * height}" {place}/>'
    return f'<box label="{label}" xtl="{x}" ytl="{y}" xbr="{x + width}" ybr="{y + height}"/>'


def cvat(kind, folder):
    if kind == "tracks":
        return [put(folder / "cvat" / rater / f"{unit}.xml", _cvat_video(unit, answer))
                for rater, units in ANSWERS[kind].items() for unit, answer in units.items()]  # fmt: skip
    sources = []
    for rater, units in ANSWERS[kind].items():
        images = []
        for unit, answer in units.items():
            if kind == "choices":
                inner = "".join(f'<tag label="{label}"/>' for label in answer)
            else:
                inner = "".join(_cvat_shape(kind, one) for one in answer)
            images.append(f'<image name="{unit}" width="{WIDTH}" height="{HEIGHT}">{inner}</image>')
        text = f"<annotations><version>1.1</version>{''.join(images)}</annotations>"
        sources.append(put(folder / f"{rater}.xml", text))
    return sources


def _cvat_video(unit, answer):
    tracks = []
    for number, (frames, label) in enumerate(answer):
        boxes = "".join(
            f'<box frame="{frame - 1}" outside="0" keyframe="1" xtl="{x}" ytl="{y}" xbr="{x + w}" ybr="{y + h}"/>'
            for frame, (x, y, w, h) in frames.items()
        )
        x, y, w, h = frames[max(frames)]
        gone = f'<box frame="{max(frames)}" outside="1" xtl="{x}" ytl="{y}" xbr="{x + w}" ybr="{y + h}"/>'
        tracks.append(f'<track id="{number}" label="{label}">{boxes}{gone}</track>')
    size = f"<original_size><width>{WIDTH}</width><height>{HEIGHT}</height></original_size>"
    meta = f"<meta><task><stop_frame>{FRAMES - 1}</stop_frame><source>{unit}</source>{size}</task></meta>"
    return f"<annotations><version>1.1</version>{meta}{''.join(tracks)}</annotations>"


def labelbox(kind, folder):
    records = []
    for unit in ANSWERS[kind]["ada"]:
        labels = []
        for rater in RATERS:
            answer = ANSWERS[kind][rater][unit]
            if kind == "tracks":
                frames = {}
                for number, (boxes, label) in enumerate(answer):
                    for frame, (x, y, width, height) in boxes.items():
                        box = {"left": x, "top": y, "width": width, "height": height}
                        inside = frames.setdefault(str(frame), {"objects": {}})["objects"]
                        inside[f"f{number}"] = {"name": label, "bounding_box": box}
                found = {"frames": frames}
            else:
                found = {"objects": [_labelbox_object(kind, one) for one in answer]}
            labels.append({"label_details": {"created_by": rater}, "annotations": found})
        media = {"width": WIDTH, "height": HEIGHT, "asset_type": "video" if kind == "tracks" else "image"}
        media |= {"frame_count": FRAMES} if kind == "tracks" else {}
        row = {
            "data_row": {"id": unit, "row_data": unit},
            "media_attributes": media,
            "projects": {"p": {"labels": labels}},
        }
        records.append(row)
    return [put(folder / "labelbox.ndjson", lines(records))]


def _labelbox_object(kind, answer):
    if kind == "polygons":
        points, label = answer
        return {"name": label, "polygon": [{"x": x, "y": y} for x, y in points]}
    if kind == "keypoints":
        x, y, label = answer
        return {"name": label, "point": {"x": x, "y": y}}
    x, y, width, height, label = answer
    return {"name": label, "bounding_box": {"left": x, "top": y, "width": width, "height": height}}
