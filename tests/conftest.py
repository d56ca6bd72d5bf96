"""Settings shared by all tests: fixed seeds by default, a sweep on demand."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.register_profile(
    "sweep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("SFUMATO_TEST_PROFILE", "fixed"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure: a component it needs was not installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and os.environ.get("CI"):
        print(f"\n{len(skipped)} tests were skipped, which CI does not accept")  # noqa: T201
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
