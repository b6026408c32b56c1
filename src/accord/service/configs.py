"""Label configs that come over HTTP: text of a config, never a name of a file."""

from __future__ import annotations

from itertools import islice
from typing import Any

from accord.dataset import Control
from accord.readers.given_tasks import read_tasks
from accord.readers.label_config import parse_label_config
from accord.service.failures import Failure
from accord.workspace import Workspace
from accord.workspace.records import Project

LOOKED_AT = 500


def checked_config(text: str | None) -> str | None:
    """Label config as it is kept; None for an empty one.

    Raises
    ------
    Failure
        422 if it is no XML.
    DataError
        If it is no label config.
    """
    if text is None or not text.strip("\ufeff \t\r\n"):
        return None
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise Failure(422, "The label config is not XML. It begins with <View>.", code="label_config")
    parse_label_config(text)
    return text


def controls_of(workspace: Workspace, project: Project) -> tuple[Control, ...]:
    """Controls of a project: from its label config, else as its first tasks show them."""
    if project.label_config is not None:
        return parse_label_config(project.label_config).controls
    some = islice(workspace.content.export(project.id), LOOKED_AT)
    return read_tasks(some, name="project").dataset.controls


def sample_annotation(workspace: Workspace, project: Project) -> dict[str, Any] | None:
    """First annotation of a project that was not cancelled, as custom code gets it."""
    for task in islice(workspace.content.export(project.id), LOOKED_AT):
        for annotation in task.get("annotations", ()):
            if isinstance(annotation, dict) and not annotation.get("was_cancelled"):
                return annotation
    return None
