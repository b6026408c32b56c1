"""Studies straight from dataframes: long tables by column, or whatever layout a dataframe has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from accord.errors import UsageError
from accord.readers.coding import kind_of
from accord.readers.studies import with_domain
from accord.readers.tables import read_tables
from accord.study import Study, study_of
from accord.values import Kind, Value


def study_of_frame(
    frame: Any,
    *,
    domain: Sequence[Value] | None = None,
    missing: Iterable[Value] = (),
    cluster: str | None = None,
    **roles: Any,
) -> Study:
    """Read a dataframe that holds one control as a study.

    Numbers count as in arrays: whole ones are labels however many differ.

    Raises
    ------
    UsageError
        The dataframe holds several controls.
    """
    fields = () if cluster is None else (cluster,)
    dataset = read_tables([frame], missing=missing, fields=fields, **roles)
    if len(dataset.columns) != 1:
        names = ", ".join(dataset.columns)
        raise UsageError(f"The data hold several controls ({names}); read them with accord.read and measure each.")
    study = study_of(dataset, next(iter(dataset.columns)), cluster=cluster)
    if domain is not None:
        study = with_domain(study, domain)
    if study.kind in (Kind.LABEL, Kind.NUMBER):
        kind, level = kind_of(study.values, domain)
        study = replace(study, kind=kind, level=level)
    return study
