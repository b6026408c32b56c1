"""The store of a team: projects, every version of every annotation, coded answers, scores, reviews, jobs.

One class is the door: ``Workspace.open(url)``. It works on SQLite (the default) and on PostgreSQL.
"""

from accord.errors import MissingExtraError

try:
    import sqlalchemy  # noqa: F401 - only to say what to install
except ModuleNotFoundError:
    raise MissingExtraError.install("The workspace", "serve") from None

from accord.workspace.facade import Workspace

__all__ = ["Workspace"]
