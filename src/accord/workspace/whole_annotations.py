"""Whole annotations beside coded answers, for custom code that compares them."""

from __future__ import annotations

import json
from dataclasses import replace

from sqlalchemy import Connection, select

from accord.pipeline.plan import Plan
from accord.readers.annotation_facts import compact_json
from accord.workspace.keeping import portions
from accord.workspace.loading import Loaded
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS


def with_annotations(connection: Connection, loaded: Loaded, plan: Plan) -> Loaded:
    """Add the annotations themselves where a plan has custom code; nothing changes where it has none."""
    table = loaded.dataset.annotations
    if table is None or not any(wish.is_custom for wish in plan.controls.values()):
        return loaded
    texts = _texts(connection, loaded.annotations.tolist())
    results = [texts[number] for number in loaded.annotations.tolist()]
    return replace(loaded, dataset=replace(loaded.dataset, annotations=replace(table, results=results)))


def _texts(connection: Connection, numbers: list[int]) -> dict[int, str]:
    """Annotations by number, as a reader of the export hands them to custom code."""
    columns, versions = ANNOTATIONS.c, ANNOTATION_VERSIONS.c
    now = (versions.annotation_id == columns.id) & (versions.version == columns.version)
    found = {}
    for some in portions(sorted(numbers)):
        query = select(columns.id, versions.payload).join(ANNOTATION_VERSIONS, now).where(columns.id.in_(some))
        for row in connection.execute(query):
            annotation = json.loads(row.payload)
            items = annotation.get("result")
            result = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
            found[row.id] = compact_json({"id": annotation.get("id"), "result": result})
    return found
