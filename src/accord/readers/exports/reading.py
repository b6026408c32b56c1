"""From exports of other tools to one Dataset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from accord.dataset import Dataset
from accord.errors import DataError, UsageError
from accord.readers.builder import DatasetBuilder
from accord.readers.exports.catalog import EXPORTS
from accord.readers.exports.export import Export, Source, Task
from accord.readers.exports.items import task
from accord.readers.exports.sources import sources_of
from accord.readers.labelstudio import LabelStudioReader
from accord.readers.task_keys import TaskKeys, data_hash


def read_exports(
    paths: Sequence[Path],
    key: str,
    builder: DatasetBuilder,
    *,
    join: str | None = None,
    rater_is: str | Sequence[str] | None = None,
    fields: Sequence[str] = (),
    context: bool = False,
    results: bool = False,
) -> Dataset:
    """Read sources of one format, each the work of one rater unless the format names raters.

    Raises
    ------
    DataError
        A source is broken or empty, or two of them have different texts under one name.
    UsageError
        ``rater_is`` is no ``tier`` or ``file``, or the format has no tiers.
    """
    one, export = EXPORTS[key], Export(builder.notices)
    if rater_is is not None and (rater_is not in ("tier", "file") or not one.tiers):
        allowed = "tier, file" if one.tiers else "no rater, this format has its own"
        raise UsageError(f"rater={rater_is!r} does not fit the format {key}. Allowed: {allowed}.")
    sources = sources_of(paths, one, export, str(rater_is or ""))
    collected = [(source, _tasks(source, one.tasks)) for source in sources]
    if not export.questions and one.nothing is not None:
        export.ask(*one.nothing)
    if join is None:
        _check_texts(collected)
    if one.absent:
        _add_absent(collected)
    keys = TaskKeys(builder, join, several=len(sources) > 1)
    reader = LabelStudioReader(builder, export.config(), keys=keys, fields=fields, context=context, results=results)
    for source, tasks in collected:
        reader.read_file(tasks, source.shown)
    if not reader.tasks:
        raise DataError.at("there is nothing annotated in it.", file=", ".join(map(str, paths)))
    return reader.finish(shape=f"{one.title}; raters: {one.raters}", source_kind=one.title)


def _tasks(source: Source, read: Any) -> list[Task]:
    notices = source.notices
    notices.file, notices.task = source.shown, ""
    try:
        return list(read(source))
    except RecursionError:
        raise DataError.at("the content nests too deeply.", file=notices.file) from None
    finally:
        notices.task = ""


def _check_texts(collected: Iterable[tuple[Source, Sequence[Task]]]) -> None:
    """Refuse different texts under one name: offsets in them cannot be compared."""
    known: dict[str, tuple[str, str]] = {}
    for source, tasks in collected:
        for one in tasks:
            text = one["data"].get("text")
            if text is None:
                continue
            digest = data_hash(text)
            first, other = known.setdefault(one["id"], (source.shown, digest))
            if digest != other:
                raise DataError.at(
                    f"the text differs from the one of this name in {first}.",
                    file=source.shown,
                    task=one["id"],
                    found=text,
                    hint="Annotate the same texts, with the same tokens and line breaks; or join by data.text.",
                )


def _add_absent(collected: Sequence[tuple[Source, list[Task]]]) -> None:
    """Add an answer that marks nothing where a rater has no document and others have one."""
    every = {one["id"]: one["data"] for _, tasks in collected for one in tasks}
    own: dict[str, set[str]] = {}
    for source, tasks in collected:
        own.setdefault(source.rater, set()).update(one["id"] for one in tasks)
    for source, tasks in collected:
        source.notices.file = source.shown
        for name in [name for name in every if name not in own[source.rater]]:
            source.notices.add("file-missing", name)
            own[source.rater].add(name)
            tasks.append(task(name, every[name], {source.rater: ()}))
