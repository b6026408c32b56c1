"""Hypothesis profiles, and the rule that in CI nothing is skipped.

With ``ACCORD_TEST_ALL=1`` every program and environment is expected to be there: a skip is a failure.
"""

import os

import pytest
from hypothesis import HealthCheck, settings
from postgres_server import running

settings.register_profile("default", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("ACCORD_HYPOTHESIS", "default"))


@pytest.fixture(scope="session")
def postgres():
    """URL of a PostgreSQL server without data, up to the name of a database."""
    with running() as server:
        yield server.url


NOTHING_SKIPPED = os.environ.get("ACCORD_TEST_ALL") == "1"


def _forbid_skip(report):
    if NOTHING_SKIPPED and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although ACCORD_TEST_ALL=1: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _forbid_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _forbid_skip((yield))
