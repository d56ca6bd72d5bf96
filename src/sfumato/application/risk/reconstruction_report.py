"""How much of a column was reconstructed, against how much ε allows."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Any

from sfumato.printing.layout import aligned, cut, fitted
from sfumato.printing.not_private import NotPrivate
from sfumato.printing.page import whole_page
from sfumato.printing.plotting import as_svg, drawn, pictured
from sfumato.printing.wording import counted, setting, share
from sfumato.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing.plotting import Chart

__all__ = ["ColumnAttack", "Trial", "allowed_share"]

_WIDTH, _MOST_WIDE = 79, 60
_TENTH = Decimal("0.1")


def allowed_share(epsilon: float | None, commoner: float) -> float:
    """Return which share of a column any attack on ε-private answers finds on average, at most.

    Let a value be the commoner one with probability q, independently of the others.  Let x be the
    probability that an attack guesses the commoner value where it is true, and y where it is not.
    Under a guarantee for a change of one person's value x ≤ e^ε·y, y ≤ e^ε·x, and the same of 1 - x
    and 1 - y.  The pairs (x, y) of which this holds with x ≥ y are a triangle: its corners are
    (1, 1), always to guess the commoner value; (0, 0), always the other; and randomised response,
    x = 1 - y = e^ε/(1 + e^ε).  The guess is right with probability q·x + (1 - q)·(1 - y), which is
    linear and so greatest at a corner: max(q, 1 - q, e^ε/(1 + e^ε)).  The number of right guesses
    of fair coins even lies below a binomial with that probability :cite:p:`steinke2023auditing`.

    Parameters
    ----------
    epsilon
        The total ε; None for exact answers, which may give everything away.
    commoner
        The probability q of the commoner value.
    """
    if epsilon is None:
        return 1.0
    return max(commoner, 1 - commoner, 1 / (1 + math.exp(-epsilon)))


@dataclass(frozen=True)
class Trial:
    """The attack at one level of noise.

    Attributes
    ----------
    epsilon
        The ε of all answers together; None where they are exact.
    scale
        The noise scale of each answer.
    right, people
        How many values were reconstructed, and of how many.
    allowed
        The share that ε lets any attack find on average.
    """

    epsilon: float | None
    scale: float
    right: int
    people: int
    allowed: float

    @property
    def share_right(self) -> float:
        """Which share of the values was reconstructed."""
        return self.right / self.people

    @property
    def title(self) -> str:
        """The ε, or that the answers are exact."""
        return tr("none, exact") if self.epsilon is None else f"ε = {setting(self.epsilon)}"


@dataclass(frozen=True, kw_only=True)
class ColumnAttack(NotPrivate):
    """How much of a column answers about it give away, exact and at several ε.

    Attributes
    ----------
    name
        The column.
    rows
        How many rows the table has.
    people, ones
        How many people were attacked, and how many of them have a 1.
    queries
        How many random halves were counted.
    most_questions
        How many of these one person is in at most: so much do all answers together change.
    exact
        The attack on exact answers.
    trials
        The attack at each ε.
    """

    name: str
    rows: int
    people: int
    ones: int
    queries: int
    most_questions: int
    exact: Trial
    trials: tuple[Trial, ...]

    @property
    def share_guessed(self) -> float:
        """Which share is right if everybody is given the commoner value."""
        return max(self.ones, self.people - self.ones) / self.people

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""
        rows = [
            (each.title, f"{each.scale:.4g}", share(each.share_right), _at_most(each.allowed))
            for each in (self.exact, *self.trials)
        ]
        header = (
            tr("ε of all answers"),
            tr("noise"),
            tr("reconstructed"),
            tr("allowed on average"),
        )
        return [
            *fitted([self._answer(), *self._compared()], _WIDTH),
            *self._read(),
            *aligned([header, *rows], right={1, 2, 3}),
            tr(
                "always guessing the commoner value: {share_guessed}",
                share_guessed=share(self.share_guessed),
            ),
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        found = asdict(self)
        shares = {"share_guessed": self.share_guessed, "share_right": self.exact.share_right}
        return {**found, **shares}

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw how much is reconstructed at each ε, beside what is allowed and what a guess finds.

        Parameters
        ----------
        to
            Also write it into a file: ``.html``, ``.png`` or ``.svg``.
        """
        return drawn("reconstruction", self, to=to)

    def svg(self) -> str:
        """Return the picture of ``plot`` as SVG."""
        return as_svg(self.plot())

    def to_html(self) -> str:
        """Return the findings and the drawing as a page of its own."""
        return whole_page(self._answer(), self._repr_html_())

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.plot)

    def _answer(self) -> str:
        return tr(
            "from exact answers {right:,} of {people:,} values of {name} are reconstructed",
            right=self.exact.right,
            people=self.people,
            name=cut(self.name, _MOST_WIDE),
        )

    def _compared(self) -> list[str]:
        """Return, where it is so, that the attack is no better than a guess without answers."""
        if self.exact.share_right > self.share_guessed:
            return []
        return [tr("that is no more than guessing without any answer finds")]

    def _read(self) -> list[str]:
        return [
            tr(
                "{questions} about random halves of {people:,} of {rows}",
                questions=counted(self.queries, "question"),
                people=self.people,
                rows=counted(self.rows, "row"),
            )
        ]


def _at_most(share: float) -> str:
    """Return an upper bound in percent, rounded up."""
    return f"{(100 * Decimal(repr(share))).quantize(_TENTH, ROUND_CEILING)} %".replace(".0 ", " ")
