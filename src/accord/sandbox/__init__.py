"""Custom metrics: Python from a stranger, run in processes of another interpreter without files and network."""

from accord.sandbox.code import CustomCode
from accord.sandbox.failures import CustomCodeError, Failure, FailureKind
from accord.sandbox.scoring import Outcome, Test, check, score_pairs, try_pair
from accord.sandbox.workers import Limits

__all__ = [
    "CustomCode",
    "CustomCodeError",
    "Failure",
    "FailureKind",
    "Limits",
    "Outcome",
    "Test",
    "check",
    "score_pairs",
    "try_pair",
]
