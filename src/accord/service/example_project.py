"""A project to look around in: the support inbox of the examples."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from typing import Final

from accord.workspace import Workspace

NAME: Final = "Example: support inbox"


def add_example(workspace: Workspace) -> bool:
    """Make the project in a workspace that has none yet; returns whether it was made."""
    if workspace.projects.all():
        return False
    folder = resources.files("accord.service").joinpath("example")
    config = folder.joinpath("support-config.xml").read_text(encoding="utf-8")
    tasks = json.loads(gzip.decompress(folder.joinpath("support-export.json.gz").read_bytes()))
    number = workspace.projects.create(NAME, config, actor="accord serve --demo")
    workspace.content.import_(number, tasks, actor="accord serve --demo", name="support-export.json")
    return True
