"""The schema: one file for each part of it, one ``METADATA`` for all."""

from accord.workspace.tables.coded import ANSWER_VALUES, CODED_TASKS, CONTROLS, RATERS, TASK_SCORES
from accord.workspace.tables.connections import CONNECTIONS, HOSTS, PULLED_TASKS
from accord.workspace.tables.content import ANNOTATION_VERSIONS, ANNOTATIONS, PROJECTS, TASKS
from accord.workspace.tables.people import IDENTITIES, SESSIONS, TOKENS, USERS
from accord.workspace.tables.quality import RATER_STATES, REVIEWS
from accord.workspace.tables.types import METADATA, AnyText
from accord.workspace.tables.work import EVENTS, JOBS, PLANS, REPORTS

__all__ = [
    "ANNOTATIONS",
    "ANNOTATION_VERSIONS",
    "ANSWER_VALUES",
    "CODED_TASKS",
    "CONNECTIONS",
    "CONTROLS",
    "EVENTS",
    "HOSTS",
    "IDENTITIES",
    "JOBS",
    "METADATA",
    "PLANS",
    "PROJECTS",
    "PULLED_TASKS",
    "RATERS",
    "RATER_STATES",
    "REPORTS",
    "REVIEWS",
    "SESSIONS",
    "TASKS",
    "TASK_SCORES",
    "TOKENS",
    "USERS",
    "AnyText",
]
