"""A stop of the tour: what is said before it is computed, what is seen, and its pictures."""

from __future__ import annotations

import os
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.application.demo.tables import copied
from sfumato.application.demo.walk import Step
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.application.demo.walk import Shown


PATIENTS, MECHANISMS = "patients.csv", "mechanisms.py"

_FOLDER = files("sfumato.application.demo") / "tour_files"
#: Each file by the name that it is copied to; code is kept as text, since nothing here runs it.
_KEPT = {PATIENTS: PATIENTS, MECHANISMS: f"{MECHANISMS}.txt"}


def copy_files(folder: str) -> list[Path]:
    """Copy the files of the tour into a folder, made if it is new; refuse to write over one."""
    return copied({name: Path(str(_FOLDER / kept)) for name, kept in _KEPT.items()}, folder)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Be in a folder while the block runs, and sign with a key of its own, not the user's."""
    from sfumato.ledger import SIGNING_KEY

    before = os.environ.get(SIGNING_KEY)
    os.environ[SIGNING_KEY] = str(folder.absolute() / "key.pem")
    try:
        with chdir(folder):
            yield
    finally:
        if before is None:
            del os.environ[SIGNING_KEY]
        else:
            os.environ[SIGNING_KEY] = before


@dataclass(frozen=True)
class Picture:
    """A picture of the report, drawn when the report is written.

    Attributes
    ----------
    caption
        What is to be seen, for who cannot see it.
    draw
        Returns it as SVG.
    """

    caption: str
    draw: Callable[[], str]


@dataclass(frozen=True)
class Seen:
    """What a stop shows.

    Attributes
    ----------
    shown
        Commands and what they answer.
    remark
        What it means.
    pictures
        For the report.
    """

    shown: tuple[Shown, ...]
    remark: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Visited:
    """A stop that was computed: the step of the walk, and its pictures."""

    step: Step
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Stop:
    """A stop of the tour.

    Attributes
    ----------
    title
        What happens, in a sentence.
    doing
        What is done meanwhile, beside a spinner.
    look
        Computes it, in the folder with the files of the tour and what earlier stops left there.
    """

    title: str
    doing: str
    look: Callable[[], Seen]

    def headline(self, number: int, width: int) -> list[str]:
        """Return what happens, with its number, before any of it is computed."""
        return Step(tr(self.title), (), "").headline(number, width)

    def visit(self, folder: Path) -> Visited:
        """Compute the stop in its folder."""
        with working_in(folder):
            seen = self.look()
        return Visited(Step(tr(self.title), seen.shown, seen.remark), seen.pictures)
