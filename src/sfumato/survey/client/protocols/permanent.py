"""A permanent answer for repeated surveys, a fresh report of it each time, and where it is kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import InputError, StoreError
from sfumato.survey.client.draws import Loss  # noqa: TC001 (a field's type)
from sfumato.survey.client.protocols.frequency_oracles import Unary
from sfumato.survey.client.protocols.protocol import bit, written_bits

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from os import PathLike

    from sfumato.survey.client.draws import Draws


@dataclass(frozen=True)
class Permanent(Unary):
    """Bits drawn once for an answer and kept, and flipped afresh in each report (RAPPOR).

    All reports of an answer together tell no more than ``lifetime``, for they are made from its
    permanent bits alone; one report tells no more than ``loss``.  The permanent bits are those
    of optimised unary encoding, and so one report is as exact as optimised unary encoding is.

    Parameters
    ----------
    lifetime
        What all reports of one answer may tell together, above ``loss``.
    """

    lifetime: Loss

    name = "permanent"
    theorem = (
        "Reports made from permanent bits that are ln(L)-differentially private are together "
        "ln(L)-differentially private for substituting one answer (post-processing), and one "
        "of them is ln(E)-differentially private."
    )
    citations = ("erlingsson2014rappor", "arcolezi2022longitudinal")

    @property
    def kept(self) -> Fraction:
        """The probability that a report shows a permanent bit as it is."""
        rare = self._drawn.miss
        return (1 - rare - self.miss) / (1 - 2 * rare)

    @property
    def _drawn(self) -> Unary:
        return Unary(self.choices, self.lifetime)

    def draw_permanent(self, answer: int, draws: Draws) -> str:
        """Return the permanent bits of an answer, to be kept by the person."""
        return self._drawn.randomize(answer, draws)

    def report(self, permanent: str, draws: Draws) -> str:
        """Return one report of permanent bits."""
        kept = self.kept
        shown = (bit(permanent, place) == draws.chance(kept) for place in range(self.choices))
        return written_bits(shown)

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return the first report of an answer, whose permanent bits are then forgotten."""
        return self.report(self.draw_permanent(answer, draws), draws)


_TABLE = """CREATE TABLE IF NOT EXISTS permanent (
    question TEXT NOT NULL, person TEXT NOT NULL, answer INTEGER NOT NULL, bits TEXT NOT NULL,
    PRIMARY KEY (question, person, answer)
)"""
_KEEP = "INSERT INTO permanent VALUES (?, ?, ?, ?)"
_FIND = "SELECT bits FROM permanent WHERE question = ? AND person = ? AND answer = ?"
_PATIENCE_S = 30


class Memory:
    """A person's own file of permanent answers; it never leaves the person.

    The bits drawn for an answer are written down before a report is made from them, so that a
    report is never made from bits that are then forgotten.  The file says what was answered: it
    is made readable by its owner alone.

    Parameters
    ----------
    path
        The file; it is made where there is none.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import sfumato as sf
    >>> mood = {"choices": ["good", "bad"], "epsilon": 1, "lifetime": 3}
    >>> survey = sf.Survey({"mood": mood})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     memory = sf.survey.Memory(Path(folder, "answers.db"))
    ...     waves = [survey.answer({"mood": "good"}, memory=memory) for _ in range(3)]
    >>> len(waves)
    3
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)

    def permanent(self, of: tuple[str, str, int], draw: Callable[[], str]) -> str:
        """Return the bits kept for an answer; the first time, draw and keep them.

        Parameters
        ----------
        of
            What decides how the bits are drawn, the person's id ("" where there is none) and the
            answer's place.
        draw
            What draws the bits.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import sfumato as sf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     memory = sf.survey.Memory(Path(folder, "answers.db"))
        ...     first = memory.permanent(("mood", "", 0), lambda: "b10")
        ...     print(first, memory.permanent(("mood", "", 0), lambda: "b01"))
        b10 b10
        """
        self._make()
        try:
            with closing(sqlite3.connect(self.path.absolute(), timeout=_PATIENCE_S)) as file, file:
                file.execute("PRAGMA synchronous=FULL")
                file.execute("BEGIN IMMEDIATE")
                file.execute(_TABLE)
                found = file.execute(_FIND, of).fetchone()
                if found is None:
                    found = (draw(),)
                    file.execute(_KEEP, (*of, *found))
        except sqlite3.DatabaseError as error:
            raise StoreError(
                "E-SURVEY-MEMORY",
                "{name} cannot keep permanent answers ({error})",
                "name a new file, or one that sfumato made",
                name=self.path.name,
                error=error,
            ) from None
        return str(found[0])

    def _make(self) -> None:
        try:
            self.path.touch(mode=0o600)
        except OSError as error:
            raise InputError(
                "E-OUTPUT-UNWRITABLE",
                "{path!r} cannot be written ({reason})",
                "name another file",
                path=str(self.path),
                reason=error.strerror,
            ) from None
