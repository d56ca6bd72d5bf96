"""Noise of the system's own source, the same in every run."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from sfumato.sampling import SystemSource, system_source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["begun_anew", "same_noise"]

IS_SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"


@pytest.fixture(autouse=True)
def same_noise() -> Iterator[None]:
    """Begin each test with the same key, and give the system's own back; a sweep has fresh ones.

    Everything else is as ever, in processes that are forked too.  A room imports this in its
    ``conftest.py`` where answers have noise, and what its tests say of them is true but for a
    small chance.
    """
    if IS_SWEEP:
        yield
        return
    with begun_anew():
        yield


@contextmanager
def begun_anew() -> Iterator[None]:
    """Have this process draw from the beginning of the same key, as long as the block runs."""
    source, process, genuine = system_source(), os.getpid(), SystemSource._start  # noqa: SLF001
    assert isinstance(source, SystemSource)

    def start(self: SystemSource) -> tuple[bytes, bytes]:
        return (bytes(16), bytes(16)) if os.getpid() == process else genuine(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SystemSource, "_start", start)
        source.renew()
        yield
    source.renew()
