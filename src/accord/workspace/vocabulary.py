"""Numbers of raters, controls and values of a project: given once, looked up ever after."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from accord.dataset import Condition, Control
from accord.pipeline.value_json import decode, encode
from accord.values import Kind, Level, Value, canonical
from accord.workspace.keeping import portions
from accord.workspace.tables import ANSWER_VALUES, CONTROLS, RATERS
from accord.workspace.texts import json_text, text_digest


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Looks up numbers in one project, and gives new ones, within a transaction."""

    connection: Connection
    project_id: int

    def raters(self, names: Sequence[str]) -> list[int]:
        """Numbers of raters."""
        owner = {"project_id": self.project_id}
        return _numbers(self.connection, RATERS, owner, names, text_digest, lambda name: {"name": name})

    def controls(self, controls: Sequence[Control]) -> list[int]:
        """Numbers of controls; what is known of each is brought up to date."""
        order = {control.name: place for place, control in enumerate(controls)}
        by_name = {control.name: control for control in controls}
        numbers = _numbers(
            self.connection,
            CONTROLS,
            {"project_id": self.project_id},
            list(by_name),
            text_digest,
            lambda name: {"name": name, "position": order[name], "facts": control_text(by_name[name])},
        )
        for number, control in zip(numbers, controls, strict=True):
            facts = {"position": order[control.name], "facts": control_text(control)}
            self.connection.execute(CONTROLS.update().where(CONTROLS.c.id == number).values(facts))
        return numbers

    def values(self, control_id: int, values: Sequence[Value]) -> list[int]:
        """Numbers of the values of a control."""
        return _numbers(
            self.connection,
            ANSWER_VALUES,
            {"control_id": control_id},
            values,
            lambda value: text_digest(canonical(value)),
            lambda value: {"payload": json_text(encode(value))},
        )


def _numbers(
    connection: Connection,
    table: Table,
    owner: dict[str, int],
    items: Sequence[Any],
    digest: Callable[[Any], str],
    row: Callable[[Any], dict[str, Any]],
) -> list[int]:
    digests = list(map(digest, items))
    known = _known(connection, table, owner, digests)
    new = {d: item for d, item in zip(digests, items, strict=True) if d not in known}
    if new:
        connection.execute(insert(table), [owner | {"digest": d} | row(item) for d, item in new.items()])
        known |= _known(connection, table, owner, list(new))
    return [known[d] for d in digests]


def _known(connection: Connection, table: Table, owner: dict[str, int], digests: Iterable[str]) -> dict[str, int]:
    ((column, number),) = owner.items()
    found: dict[str, int] = {}
    for some in portions(sorted(set(digests))):
        query = select(table.c.digest, table.c.id).where(table.c[column] == number, table.c.digest.in_(some))
        found.update({row.digest: row.id for row in connection.execute(query)})
    return found


def control_text(control: Control) -> str:
    """Control as JSON."""
    condition = control.condition
    return json_text(
        {
            "name": control.name,
            "kind": str(control.kind),
            "tag": control.tag,
            "level": str(control.level),
            "domain": None if control.domain is None else [encode(value) for value in control.domain],
            "objects": list(control.objects),
            "condition": None if condition is None else [condition.parent, sorted(condition.values), condition.negated],
            "per_region": control.per_region,
            "required": control.required,
            "declared": control.declared,
        }
    )


def control_from(text: str) -> Control:
    """Undo ``control_text``."""
    data = json.loads(text)
    condition, domain = data["condition"], data["domain"]
    return Control(
        name=data["name"],
        kind=Kind(data["kind"]),
        tag=data["tag"],
        level=Level(data["level"]),
        domain=None if domain is None else tuple(map(decode, domain)),
        objects=tuple(data["objects"]),
        condition=None if condition is None else Condition(condition[0], frozenset(condition[1]), condition[2]),
        per_region=data["per_region"],
        required=data["required"],
        declared=data["declared"],
    )
