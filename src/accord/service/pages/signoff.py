"""The page on which agreement is signed off: criteria, result, what was left out, data, recipe; and what was signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.pipeline.gate import Criterion
from accord.service.access import Identity, Manager, Viewer
from accord.service.api.asked import Number, workspace_of
from accord.service.api.signoffs import judged
from accord.service.configs import controls_of
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.decision_words import moment
from accord.service.pages.frames import frame, page
from accord.service.pages.overview import reports_of
from accord.service.plain import plain
from accord.service.render import html
from accord.service.roles import Role
from accord.service.signing import criteria, judge
from accord.workspace.records import Project, StoredReport

router = APIRouter()
NUMBERS = ("at_least", "units", "raters", "gold_accuracy")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOffPage:
    """The decision on the present scores, the criteria, and earlier sign-offs; ``shown`` is one of them."""

    project: Project
    decision: Mapping[str, Any] | None
    criteria: tuple[Criterion, ...]
    controls: tuple[str, ...]
    signed: Sequence[StoredReport]
    can_manage: bool
    shown: int | None = None
    problem: Problem | None = None

    @property
    def rows(self) -> list[tuple[str, Criterion | None]]:
        """Criteria with the controls that have none."""
        named = {one.control for one in self.criteria}
        return [*((one.control, one) for one in self.criteria), *((c, None) for c in self.controls if c not in named)]


def _show(request: Request, who: Identity, data: SignOffPage, status: int = 200) -> Response:
    return html("signoff", data, frame(request, who, project=data.project), status, moment=moment)


@page(router, "/projects/{project}/signoff", _show)
def signoff(request: Request, who: Viewer, project: Number, number: int | None = None) -> SignOffPage:
    """Build the page."""
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    kept = workspace.reports.frozen(project)
    problem, decision = None, None
    if number is not None:
        decision = next((one.payload for one in kept if one.id == number), None)
        if decision is None:
            raise Failure(404, "There is no such sign-off.")
    else:
        try:
            now = judge(workspace, reports_of(request), project)
            decision = None if now is None else now.decision
        except AccordError as error:
            problem = from_accord(error).body.error
    return SignOffPage(
        project=found,
        decision=decision,
        criteria=criteria(workspace.settings.get(project)[0]),
        controls=tuple(control.name for control in controls_of(workspace, found)),
        signed=kept,
        can_manage=who.role >= Role.MANAGER,
        shown=number,
        problem=problem,
    )


@router.post("/projects/{project}/signoff")
async def act(request: Request, who: Manager, project: Number) -> Response:
    """Change the criteria, or sign."""
    async with request.form(max_fields=2000) as form:
        return await run_in_threadpool(_act, request, who, project, form)


def _act(request: Request, who: Identity, project: int, form: FormData) -> Response:
    workspace = workspace_of(request)
    try:
        if form.get("action") == "sign":
            found = judged(request, project)
            workspace.reports.freeze(project, plain(found.decision), found.versions, actor=who.name)
        else:
            now, version = workspace.settings.get(project)
            items = _criteria(form)
            wanted = now.to_dict() | {"criteria": {"criteria": items} if items else {}}
            workspace.settings.put(project, wanted, actor=who.actor, version=version)
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = replace(signoff(request=request, who=who, project=project), problem=failure.body.error)
        return _show(request, who, data, failure.status)
    return RedirectResponse(f"/projects/{project}/signoff?said=saved", 303)


def _criteria(form: FormData) -> list[dict[str, Any]]:
    """Criteria of a form, in rows; a row without a number is none."""
    names = [form.getlist(key) for key in ("control", "coefficient", "on", *NUMBERS)]
    found = []
    for control, coefficient, on, *numbers in zip(*names, strict=False):
        given = {
            name: _number(str(text), name) for name, text in zip(NUMBERS, numbers, strict=True) if str(text).strip()
        }
        if "at_least" in given:
            one = Criterion(control=str(control), coefficient=str(coefficient) or None, on=str(on), **given)
            found.append(asdict(one))
    return found


def _number(text: str, name: str) -> Any:
    try:
        return int(text) if name in ("units", "raters") else float(text)
    except ValueError:
        raise Failure(422, f"{name.replace('_', ' ')} is not a number that fits.", code="usage") from None
