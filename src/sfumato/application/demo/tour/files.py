"""What the tour works on: a table of made-up patients, and two functions to audit."""

from __future__ import annotations

import os
from contextlib import chdir, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.application.demo.tables import copied

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MECHANISMS", "PATIENTS", "copy_files", "working_in"]

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
