"""The door to a workspace."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from accord.workspace.connections import Connections
from accord.workspace.content import Content
from accord.workspace.database import Database
from accord.workspace.effort import Raters
from accord.workspace.evaluation import Evaluation
from accord.workspace.events import Clock, Events
from accord.workspace.exports import Exports
from accord.workspace.hosts import Hosts
from accord.workspace.jobs import LEASE, Jobs
from accord.workspace.listing import Tasks
from accord.workspace.migrating import migrate
from accord.workspace.persons import Persons
from accord.workspace.previews import Previews
from accord.workspace.projects import Projects
from accord.workspace.reports import Reports
from accord.workspace.reviews import Reviews
from accord.workspace.rounds import RoundsOfProjects
from accord.workspace.settings import SettingsOfProjects
from accord.workspace.suspension import Suspensions
from accord.workspace.trends import Trends


class Workspace:
    """Everything a team's server does with its data, by subject.

    Attributes
    ----------
    projects, content, settings
        Make and list projects; imports, exports, deletions; plans and policies.
    reports, tasks
        Numbers of a project; its tasks by agreement.
    previews
        What other settings would do, before they are kept.
    reviews
        The queue of tasks people disagree on, decisions about them, undo.
    evaluation
        Raters against gold answers; an audit of the gold answers.
    suspensions
        Raters who may have to pause, by policy and by decision.
    raters, trends, rounds
        Who does how much, skips and overlap; days and weeks; rounds compared.
    exports
        Accepted answers, decisions, soft labels.
    persons
        One person's data, handed out or erased; retention.
    hosts, connections
        Hosts that may be asked; where annotations are pulled from, and where news goes.
    jobs, events
        Long work; the audit trail.

    Examples
    --------
    >>> import tempfile
    >>> from accord.workspace import Workspace
    >>> folder = tempfile.TemporaryDirectory()
    >>> config = (
    ...     '<View><Text name="t" value="$t"/><Choices name="mood" toName="t">'
    ...     '<Choice value="good"/><Choice value="bad"/></Choices></View>'
    ... )
    >>> def answer(id, rater, choice):
    ...     item = {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": [choice]}}
    ...     return {"id": id, "completed_by": rater, "result": [item]}
    >>> tasks = [
    ...     {"id": 1, "data": {"t": "Fine."}, "annotations": [answer(1, 1, "good"), answer(2, 2, "good")]},
    ...     {"id": 2, "data": {"t": "Hm."}, "annotations": [answer(3, 1, "good"), answer(4, 2, "bad")]},
    ... ]
    >>> with Workspace.open(folder.name + "/accord.db") as workspace:
    ...     project = workspace.projects.create("Mood", config, actor="me")
    ...     done = workspace.content.import_(project, tasks, actor="me")
    ...     worst = workspace.tasks.page(project, limit=1).rows[0]
    >>> done.annotations, worst.key, worst.agreement
    (4, '2', 0.0)
    >>> folder.cleanup()
    """

    def __init__(self, database: Database, *, clock: Clock = time.time, lease: float = LEASE) -> None:
        self.database = database
        self.clock = clock
        self.projects = Projects(database, clock)
        self.content = Content(database, clock)
        self.settings = SettingsOfProjects(database, clock)
        self.reports = Reports(database, clock)
        self.tasks = Tasks(database)
        self.previews = Previews(database)
        self.reviews = Reviews(database, clock)
        self.evaluation = Evaluation(database, clock)
        self.suspensions = Suspensions(database, clock)
        self.raters = Raters(database, self.suspensions)
        self.trends = Trends(database)
        self.rounds = RoundsOfProjects(database)
        self.exports = Exports(database)
        self.persons = Persons(database, clock)
        self.hosts = Hosts(database, clock)
        self.connections = Connections(database, clock, self.hosts)
        self.jobs = Jobs(database, clock, lease)
        self.events = Events(database, clock)

    @classmethod
    def open(cls, url: str | Path, *, clock: Clock = time.time, lease: float = LEASE) -> Self:
        """Open a workspace, made or brought up to date where needed.

        Parameters
        ----------
        url
            ``sqlite:///FILE``, ``postgresql://...``, or the path of an SQLite file.
        clock
            Tells the time, seconds since 1970 UTC.
        lease
            Seconds a job stays with a worker that does not renew it.

        Raises
        ------
        UsageError
            The URL is not one of SQLite or PostgreSQL.
        DataError
            The database cannot be used, or was made by a newer version.
        """
        database = Database(url)
        try:
            migrate(database)
        except BaseException:
            database.close()
            raise
        return cls(database, clock=clock, lease=lease)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
