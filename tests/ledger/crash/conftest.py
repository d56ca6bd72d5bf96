"""The library that makes writes fail."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.engines import missing
from tests.ledger.crash.shim import Shim

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes writes fail, compiled."""
    if shutil.which("cc") is None:
        missing("a C compiler", "apt-get install gcc libc6-dev")
    return Shim.compiled(tmp_path_factory.mktemp("faults"))
