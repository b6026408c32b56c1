"""Label Studio exports: tasks with annotations, as JSON in all the shapes it comes in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.dataset import Dataset
from accord.errors import DataError
from accord.readers.annotation_facts import compact_json, flags_of, lead_time, seconds
from accord.readers.annotation_items import AnnotationItems
from accord.readers.builder import DatasetBuilder
from accord.readers.codes import Notices
from accord.readers.config_model import LabelConfig
from accord.readers.context import keep_context
from accord.readers.here import Here
from accord.readers.identity import rater_of
from accord.readers.nesting import repeats_of
from accord.readers.slots import Slots
from accord.readers.task_keys import TaskKeys, project_of
from accord.readers.text_offsets import settle_offsets
from accord.values import Kind


class LabelStudioReader:
    """Reads tasks into a builder, one after the other."""

    def __init__(
        self,
        builder: DatasetBuilder,
        config: LabelConfig | None,
        *,
        keys: TaskKeys,
        fields: Sequence[str] = (),
        context: bool = False,
        results: bool = False,
    ) -> None:
        self._builder = builder
        self._config = config
        self._keys = keys
        self._fields = tuple(fields)
        self._context = context
        self._results = results
        self._notices = builder.notices
        self._here = Here(builder.notices, config)
        self._slots = Slots(builder, dict(config.questions) if config is not None else {}, builder.notices)
        self._items = AnnotationItems(builder, self._slots, config, self._here)
        self._earlier: dict[tuple[int, str], int] | None = None
        self._places = _placed(config)
        self._in_context: set[int] = set()
        self.tasks = 0
        self.cancelled = 0

    @property
    def declared(self) -> dict[str, str]:
        """Controls of the label config with the type of their answers, empty without a config."""
        controls = self._config.controls if self._config is not None else ()
        return {control.name: control.tag.lower() for control in controls if control.kind is not Kind.RELATIONS}

    def notice_inferred(self, file: str, detail: str) -> None:
        """Count that the controls of a compact export were guessed."""
        self._notices.file = file
        self._notices.add("min-inferred", detail)

    def repaired(self, code: str) -> None:
        """Count what was replaced in the text of the file being read."""
        self._notices.add(code)

    def read_file(self, tasks: Iterable[Any], file: str) -> None:
        """Read the tasks of one file."""
        self._builder.add_file(file)
        self._notices.file = file
        for position, task in enumerate(tasks, 1):
            self._notices.task = str(position)
            try:
                self.read_task(envelope(task, self._notices), position)
            except RecursionError:
                raise DataError.at("the JSON nests too deeply.", file=file, task=self._notices.task) from None
            self._notices.task = ""

    def read_task(self, task: Mapping[str, Any], position: int) -> None:
        """Read one task with its annotations."""
        self.tasks += 1
        identity = task.get("id")
        name = str(position) if identity is None else str(identity)
        self._notices.task = name
        if identity is None:
            self._notices.add("no-task-id")
        if task.get("drafts") or task.get("predictions"):
            self._count_left_out(task)
        annotations = annotations_of(task, self._notices)
        kept = [a for a in annotations if not is_cancelled(a)]
        if len(kept) < len(annotations):
            self.cancelled += len(annotations) - len(kept)
            self._notices.add("cancelled", count=len(annotations) - len(kept))
        if not kept:
            self._notices.add("no-annotation")
            return
        data = task.get("data")
        project = project_of(task)
        number, again = self._keys.number(task, name, project, self._field_values(data))
        self._here.enter(data, self._builder.tasks.scope[number])
        if not again:
            self._ask(number)
        again = again or len({str(a.get("id")) for a in kept}) < len(kept)
        for annotation in kept:
            self._read_annotation(annotation, number, project, again=again)
        self._here.leave()
        if self._context and number not in self._in_context:
            self._in_context.add(number)
            objects = self._config.objects if self._config is not None else {}
            keep_context(self._builder.context, number, self._here, self._slots, objects)

    def _count_left_out(self, task: Mapping[str, Any]) -> None:
        for key, code in (("drafts", "draft-left-out"), ("predictions", "prediction-left-out")):
            left_out = task.get(key)
            if isinstance(left_out, list) and left_out:
                self._notices.add(code, count=len(left_out))

    def _field_values(self, data: Any) -> dict[str, str | None] | None:
        if not self._fields:
            return None
        values = data if isinstance(data, Mapping) else {}
        return {name: None if values.get(name) is None else str(values[name]) for name in self._fields}

    def _ask(self, task: int) -> None:
        """Note the places where repeated questions were put, as far as the data says."""
        for name, question, key in self._places:
            rows = self._here.data.get(key) if key else None
            count = len(rows) if isinstance(rows, list) else repeats_of(question, self._here.data)
            answers = self._builder.answers.get(name)
            if count and answers is not None:
                answers.asked.update((self._builder.unit(task, (i,)), None) for i in range(count))

    def _read_annotation(self, annotation: Mapping[str, Any], task: int, project: str, *, again: bool) -> None:
        builder, notices = self._builder, self._notices
        identity = annotation.get("id")
        name = "" if identity is None else str(identity)
        created = seconds(annotation.get("created_at"), notices)
        rater = rater_of(annotation, builder)
        if again and name and self._is_repeated(task, name, rater, created, project):
            notices.add("duplicate-annotation", f"annotation {name}")
            return
        result = annotation.get("result")
        found = self._items.read(items := _flat(result, notices))
        if not result:
            notices.add("empty-result")
        row = builder.add_annotation(
            task,
            rater,
            id=name,
            flags=flags_of(annotation, notices, prediction=found.prediction),
            created=created,
            updated=seconds(annotation.get("updated_at"), notices),
            lead_time=lead_time(annotation.get("lead_time"), notices),
        )
        if self._results:
            builder.annotations.results.append(compact_json({"id": identity, "result": items}))
        if self._earlier is not None:
            self._earlier[task, name] = row
        self._items.store(found, task, row)

    def _is_repeated(self, task: int, name: str, rater: int, created: float, project: str) -> bool:
        """Whether this annotation was read before: same id in a file or project, or same id, rater and time."""
        table = self._builder.annotations
        if self._earlier is None:
            tasks = table.whole("task").tolist()
            self._earlier = dict(zip(zip(tasks, table.ids, strict=True), range(len(table)), strict=True))
        row = self._earlier.get((task, name), -1)
        if row < 0:
            return False
        _, file, by, when = table.row(row)
        if file == len(self._builder.files) - 1:
            return True
        if project and self._builder.projects[file] == {project}:
            return by == rater and (when == created or math.isnan(when) or math.isnan(created))
        return by == rater and when == created

    def finish(self, **about: Any) -> Dataset:
        """Make the dataset of everything read."""
        self._notices.file = self._notices.task = ""
        for slot in self._slots:
            slot.settle()
            _note_near_equal(slot.seen, slot.control.domain or (), slot.name, self._notices)
        settle_offsets(self._slots, self._here, self._notices)
        answers = self._builder.answers
        self._builder.answers = {slot.name: answers[slot.name] for slot in self._slots if slot.name in answers}
        self._builder.nested = self._items.nested()
        dynamic = [q.control.name for q in self._config.questions.values() if q.dynamic] if self._config else []
        for name in dynamic:
            self._notices.add("dynamic-choices", control=name)
        return self._builder.build(tasks=self.tasks, cancelled=self.cancelled, **about)


def _note_near_equal(seen: Iterable[str], domain: Iterable[Any], control: str, notices: Notices) -> None:
    """Count labels that differ only in case or spaces."""
    groups: dict[str, list[str]] = {}
    for label in dict.fromkeys((*(value for value in domain if isinstance(value, str)), *seen)):
        groups.setdefault(" ".join(label.casefold().split()), []).append(label)
    for group in groups.values():
        if len(group) > 1:
            notices.add("near-equal-label", " / ".join(map(repr, group)), control=control)


def _placed(config: LabelConfig | None) -> list[tuple[str, Any, str]]:
    """Controls that repeat within a task: name, question, field of the list they run over."""
    if config is None:
        return []
    placed = []
    for name, question in config.questions.items():
        objects = [config.objects[o] for o in question.control.objects if o in config.objects]
        listed = next((o.key for o in objects if o.is_list), "")
        if question.repeats:
            placed.append((name, question, ""))
        elif listed and (question.per_item or question.control.kind.is_region):
            placed.append((name, question, listed))
    return placed


def envelope(found: Any, notices: Notices) -> Mapping[str, Any]:
    """Task of a record: a task, or one annotation that carries its task."""
    if not isinstance(found, dict):
        raise DataError.at(
            "this is not a task.",
            file=notices.file,
            task=notices.task,
            found=str(found),
            allowed="objects with data and annotations",
        )
    if "result" not in found or "annotations" in found or "completions" in found:
        return found
    task = found.get("task")
    annotation = {key: value for key, value in found.items() if key != "task"}
    inner = dict(task) if isinstance(task, Mapping) else {"id": task}
    if "project" in found:
        inner.setdefault("project", found["project"])
    return {**inner, "annotations": [annotation]}


def is_cancelled(annotation: Mapping[str, Any]) -> bool:
    """Whether the annotator skipped the task."""
    return annotation.get("was_cancelled") is True or annotation.get("skipped") is True


def annotations_of(task: Mapping[str, Any], notices: Notices) -> list[Mapping[str, Any]]:
    """Annotations of a task, whatever the age of the export."""
    annotations = task.get("annotations")
    if annotations is None and "completions" in task:
        notices.add("old-format")
        annotations = task["completions"]
    if annotations is None:
        return []
    if not isinstance(annotations, list) or any(type(a) is not dict for a in annotations):
        raise DataError.at(
            "the annotations of this task are no list of annotations.",
            file=notices.file,
            task=notices.task,
            found=str(annotations),
            hint="Export the project as JSON, with annotations and not only their ids.",
        )
    return annotations


def _flat(result: Any, notices: Notices) -> list[Any]:
    """Items of a result; an old export holds lists of lists."""
    if result is None:
        return []
    if not isinstance(result, list):
        raise DataError.at(
            "the result of an annotation is no list.", file=notices.file, task=notices.task, found=str(result)
        )
    if list in map(type, result):
        return [inner for item in result for inner in (item if isinstance(item, list) else [item])]
    return result
