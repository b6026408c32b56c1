"""The answers that a plan looks at: one control of a dataset, in coded form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, cast

from accord.dataset import Dataset, Role
from accord.errors import UsageError
from accord.pipeline.choose import default_for
from accord.pipeline.compat import as_used
from accord.pipeline.plan import Plan
from accord.readers.studies import with_domain
from accord.study import Study, study_of
from accord.values import Level


def asked_study(dataset: Dataset, name: str, plan: Plan, roles: Iterable[Role]) -> Study:
    """Take a control of a dataset as a plan asks for it; answers of these roles count."""
    study = study_of(
        as_used(dataset, name) if plan.compat else dataset,
        name,
        answers=cast(Literal["all", "independent"], plan.answers),
        first=plan.first,
        roles=roles,
        cluster=plan.cluster,
    )
    wish = plan.control(name)
    if wish.domain is not None:
        if default_for(study.kind).level is None:
            raise UsageError(f"Control {name}: a domain orders single answers, and these are {study.kind}.")
        study = with_domain(study, wish.domain)
    return replace(study, level=Level(wish.level)) if wish.level else study
