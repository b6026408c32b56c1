"""The front door: any sources in, one Dataset out."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.dataset import Dataset
from accord.errors import DataError, UsageError
from accord.readers.builder import DatasetBuilder, Duplicates, Unanswered
from accord.readers.codes import Notices
from accord.readers.compact import read_compact
from accord.readers.exports.catalog import EXPORTS
from accord.readers.exports.reading import read_exports
from accord.readers.json_text import Progress
from accord.readers.label_config import LabelConfig, parse_label_config
from accord.readers.labelstudio import LabelStudioReader
from accord.readers.sniff import check_file, sniff
from accord.readers.task_keys import TaskKeys
from accord.readers.task_stream import tasks_of
from accord.values import Value

_DUPLICATES = ("newest", "first", "all", "error")
_UNANSWERED = ("auto", "empty")


def read(
    *sources: Any,
    config: str | bytes | Path | Mapping[str, Any] | LabelConfig | None = None,
    join: str | None = None,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name users know
    unit: str | None = None,
    rater: str | Sequence[str] | None = None,
    value: str | Sequence[str] | None = None,
    text: str | Sequence[str] | None = None,
    missing: Sequence[Value] = (),
    unanswered: Unanswered = "auto",
    fields: Sequence[str] = (),
    context: bool = False,
    results: bool = False,
    duplicates: Duplicates = "newest",
    progress: Progress | None = None,
) -> Dataset:
    """Read annotations from exports of Label Studio and other tools, tables or dataframes.

    What a source is, is found by its content; the report of the dataset says what was read, and everything
    dropped, repaired or ambiguous in it.

    Parameters
    ----------
    sources
        Paths or dataframes; several are read as one dataset. For other tools also folders and zip archives.
    config
        Label config of the project: a path, XML, or the parsed form of the API.
    join
        Key that makes tasks of different projects one: ``data.FIELD``, ``inner_id`` or ``data``.
    strict
        Make whatever would be dropped, repaired or guessed an error that names file and task or line.
    format
        ``labelstudio``, ``labelstudio-min``, ``labelstudio-csv``, ``table`` or the name of another tool's format
        where content does not tell.
    unit, rater, value, text
        Columns of a table. In a compact export, ``value`` and ``text`` name the controls. In recordings with
        tiers, ``rater`` is ``tier`` or ``file``: what stands for a rater.
    missing
        Answers that mean "missing", beside blank.
    unanswered
        ``empty``: a question left blank in a submitted annotation is EMPTY instead of missing.
    fields
        Fields of the data kept as clusters.
    context
        Keep the texts that were annotated.
    results
        Keep whole annotations, which custom metrics compare; not for tables.
    duplicates
        Which of several annotations by one rater on one task counts: ``newest``, ``first``, ``all`` (each as a
        rater of its own) or ``error``.
    progress
        Called with bytes read and bytes in all.

    Raises
    ------
    DataError
        A source cannot be read, or ``strict`` and it is irregular.
    UsageError
        An option is not known or does not fit the sources.

    Examples
    --------
    >>> import accord.readers
    >>> table = {"item": [1, 1, 2, 2], "rater": ["a", "b", "a", "b"], "label": ["x", "x", "y", "x"]}
    >>> accord.readers.read(table).answers
    4
    """
    if not sources:
        raise UsageError("There is nothing to read: name at least one file or dataframe.")
    _check("duplicates", duplicates, _DUPLICATES)
    _check("unanswered", unanswered, _UNANSWERED)
    found = [sniff(source, format) for source in sources]
    if len({kind if kind in EXPORTS else kind == "table" for kind in found}) > 1:
        kinds = ", ".join(sorted(set(found)))
        raise UsageError(f"Sources of different kinds are not read together ({kinds}); read one kind at a time.")
    parsed = config if config is None or isinstance(config, LabelConfig) else parse_label_config(config)
    if found[0] == "table":
        if join is not None or duplicates == "all":
            raise UsageError("join and duplicates='all' are for Label Studio exports, not for tables.")
        from accord.readers.tables import read_tables

        return read_tables(
            sources,
            unit=unit,
            rater=rater,
            value=value,
            text=text,
            missing=missing,
            config=parsed,
            strict=strict,
            fields=fields,
            duplicates=duplicates,
        )
    builder = DatasetBuilder(Notices(strict=strict), duplicates=duplicates, unanswered=unanswered, missing=missing)
    if found[0] in EXPORTS:
        if unit is not None or value is not None or text is not None or config is not None:
            raise UsageError("unit, value, text and config are for tables and Label Studio, not for other tools.")
        return read_exports(
            [Path(s) for s in sources],
            found[0],
            builder,
            join=join,
            rater_is=rater,
            fields=fields,
            context=context,
            results=results,
        )
    if unit is not None or rater is not None:
        raise UsageError("unit and rater name columns of tables; a Label Studio export has its own.")
    keys = TaskKeys(builder, join, several=len(sources) > 1)
    reader = LabelStudioReader(builder, parsed, keys=keys, fields=fields, context=context, results=results)
    with without_garbage_collection():
        shapes = dict.fromkeys(
            _read_exports(reader, builder, [Path(s) for s in sources], found, (value, text), progress)
        )
        if not reader.tasks:
            raise DataError.at("there are no tasks in it.", file=", ".join(map(str, sources)))
        how = "from the label config" if parsed is not None else "inferred from the answers, without a label config"
        return reader.finish(shape=f"Label Studio: {'; '.join(shapes)}; controls {how}", source_kind="Label Studio")


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Spare the collector the millions of values that a reader makes; none of them is part of a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:  # makes the new values old at once, so that no round looks at all of them
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _check(name: str, given: str, allowed: Sequence[str]) -> None:
    if given not in allowed:
        raise UsageError(f"Unknown value {given!r} of {name}. Allowed: {', '.join(allowed)}.")


def _read_exports(
    reader: LabelStudioReader,
    builder: DatasetBuilder,
    paths: Sequence[Path],
    found: Sequence[str],
    controls: tuple[Any, Any],
    progress: Progress | None,
) -> Iterator[str]:
    """Read the files one after the other; yields in words what each was."""
    for path in paths:
        check_file(path)
    sizes = [path.stat().st_size for path in paths]
    seen: dict[tuple[int, str], Path] = {}
    for number, (path, kind) in enumerate(zip(paths, found, strict=True)):
        if len(paths) > 1 and sizes.count(sizes[number]) > 1:
            twin = seen.setdefault((sizes[number], _digest(path)), path)
            if twin is not path:
                builder.notices.file = str(path)
                builder.notices.add("duplicate-file", f"same content as {twin}")
                continue
        before = sum(sizes[:number])
        step = None if progress is None else _onwards(progress, before, sum(sizes))
        if kind == "labelstudio":
            tasks, words = tasks_of(path, builder.notices, step)
            reader.read_file(tasks, str(path))
            yield f"JSON, {words}"
        else:
            yield read_compact(reader, path, kind, controls, progress=step)


def _onwards(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
