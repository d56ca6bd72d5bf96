"""A process of its own for a task: it has imported what a ledger needs, and has opened nothing."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

#: Children of one process that has imported these start at once.
FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(
    [
        "cryptography.hazmat.primitives.serialization",
        "psycopg",
        "sfumato.ledger",
        "sqlalchemy.dialects.postgresql",
    ]
)


def in_a_fresh_process(task: Callable[..., Result], *arguments: object) -> Result:
    """What a task returns that is done in a process of its own, where nobody complains."""
    with tempfile.TemporaryDirectory() as folder:
        complaints = Path(folder) / "stderr"
        with ProcessPoolExecutor(
            1, FORKED, initializer=_begin, initargs=(dict(os.environ), complaints)
        ) as pool:
            result = pool.submit(task, *arguments).result(PATIENCE)
        assert complaints.read_text() == ""
        return result


def _begin(environment: dict[str, str], complaints: Path) -> None:
    """Take over the settings of the test, and write to a file whatever goes wrong."""
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(complaints, os.O_CREAT | os.O_WRONLY), 2)
    warnings.simplefilter("ignore", DeprecationWarning)  # of Python about threads in a fork
