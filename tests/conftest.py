"""Settings shared by all tests: fixed seeds by default, a sweep on demand."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.register_profile(
    "sweep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("SFUMATO_TEST_PROFILE", "fixed"))
