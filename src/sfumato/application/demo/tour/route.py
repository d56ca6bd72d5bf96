"""The tour as a whole: its stops in order, each computed when it is its turn."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sfumato.application.demo.tour.stop import copy_files
from sfumato.application.demo.tour.stops import (
    ANSWERED,
    ATTACKED,
    AUDITED,
    CHECKED,
    EXPOSED,
    FORGED,
    REFUSED,
)
from sfumato.application.demo.walk import Walk
from sfumato.errors import MissingExtraError
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.application.demo.tour.stop import Stop, Visited


TITLE = mark("A tour of sfumato: exposed, attacked, answered, and checked")
STOPS: tuple[Stop, ...] = (EXPOSED, ATTACKED, ANSWERED, REFUSED, CHECKED, FORGED, AUDITED)


def check_engine() -> None:
    """Refuse before anything is shown where the engine is not there that counts rows."""
    if any(find_spec(name) is None for name in ("duckdb", "ibis")):
        purpose = tr("the tour")
        raise MissingExtraError(purpose, extra="duckdb")


@contextmanager
def prepared() -> Iterator[Path]:
    """Hold a folder with the files of the tour for as long as it lasts, then leave nothing."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy_files(folder)
        yield Path(folder)


def walk_of(visited: Sequence[Visited]) -> Walk:
    """Return the stops that were visited as a walk."""
    return Walk(tr(TITLE), tuple(each.step for each in visited))
