"""Quantiles of a column, with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms import ExponentialQuantile
from sfumato.privacy import events
from sfumato.tables.plan.cells import CellOutput, Look, choice_epsilon
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.privacy.events import Event
    from sfumato.tables.plan.cells import GridTally, LookAtCells, ReleasedCells
    from sfumato.tables.plan.measurements import Contribution


#: The confidence of intervals, unless said otherwise.
CONFIDENCE = Fraction(19, 20)
#: Where several quantiles are asked for, the weight at a point is spread over so many parts of it.
PARTS = 16
#: In what steps the share that a limit leaves out is taken.
_FINEST = 1_000


@dataclass(frozen=True)
class Ranks(Look):
    """Quantiles, each with a lower and an upper bar.

    Several quantiles are chosen as in :cite:p:`kaplan2022quantiles`: first the middle one, and
    then, on either side of it, the others by the rows of that side alone.  Within a level the
    rows of different sides and groups are disjoint, so the choices of a level together cost as
    much as one, and the levels compose: ⌈log2(m + 1)⌉ of them for m quantiles.  The rows at a
    point are spread evenly over 16 parts of it, so that a cut goes through tied rows.

    A bar is the quantile that lies r rows further out, chosen by all rows of the group, with r
    the rank error of that choice for half of what the confidence leaves.  If it is off by no more
    than that, it is not beyond the true quantile.

    Parameters
    ----------
    ranks
        The shares of rows below, in order.
    confidence
        That of each pair of bars; None without bars.
    """

    tally: GridTally
    ranks: tuple[Fraction, ...]
    confidence: Fraction | None

    @property
    def levels(self) -> int:
        """How many levels the quantiles are chosen in."""
        return len(self.ranks).bit_length()

    @property
    def bars(self) -> int:
        """How many bars are chosen."""
        return 0 if self.confidence is None else 2 * len(self.ranks)

    @property
    def importance(self) -> float:
        """As the square of the number of choices that follow each other."""
        return float((self.levels + self.bars) ** 2)

    def level_epsilon(self, step: LookAtCells) -> Fraction:
        """Return the ε of all choices of a level."""
        return choice_epsilon(step.share, self._points_part / self.levels)

    def bar(
        self,
        step: LookAtCells,
        contribution: Contribution,
        rank: Fraction,
        *,
        side: int,
        left_out: float,
    ) -> ExponentialQuantile:
        """Return what chooses the lower bar of a quantile or, for the side 1, the upper one.

        Rows that count in part by a limit, of which they are a share, move a rank by no more
        than that share.
        """
        moved = rank + side * Fraction(ceil(left_out * _FINEST), _FINEST)
        aim = min(max(moved, Fraction(0)), Fraction(1))
        offset = ceil(self._bar_error(step, contribution, aim)) + 1
        return self._one_bar(step, contribution, aim, side * offset)

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for all choices."""
        levels = [events.Exponential(epsilon=self.level_epsilon(step))] * self.levels
        bars = (
            [events.Exponential(epsilon=self._bar_epsilon(step))] * self.bars if self.bars else []
        )
        each = [*levels, *bars]
        return each[0] if len(each) == 1 else events.Composed(*each)

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return by how many rows the choice of the first level is off its rank."""
        middle = ExponentialQuantile(
            epsilon=self.level_epsilon(step),
            rank=self.ranks[len(self.ranks) // 2],
            sensitivity=step.sensitivity(contribution),
            relation=contribution.relation,
        )
        found = middle.error(confidence=confidence, candidates=self.tally.size)
        return found / contribution.fine

    def reach(self, step: LookAtCells, contribution: Contribution) -> float:
        """Return by how many rows bars are off the rank of their quantile, at their confidence."""
        worst = max(self._bar_error(step, contribution, rank) for rank in self.ranks)
        return 2 * worst / contribution.fine

    @property
    def _points_part(self) -> Fraction:
        if not self.bars:
            return Fraction(1)
        return Fraction(1, 3) if len(self.ranks) == 1 else Fraction(1, 2)

    def _bar_epsilon(self, step: LookAtCells) -> Fraction:
        return choice_epsilon(step.share, (1 - self._points_part) / self.bars)

    def _bar_error(self, step: LookAtCells, contribution: Contribution, rank: Fraction) -> float:
        missed = (1 - (self.confidence or CONFIDENCE)) / 2
        mechanism = self._one_bar(step, contribution, rank, 0)
        return mechanism.error(confidence=1 - missed, candidates=self.tally.size)

    def _one_bar(
        self, step: LookAtCells, contribution: Contribution, rank: Fraction, offset: int
    ) -> ExponentialQuantile:
        return ExponentialQuantile(
            epsilon=self._bar_epsilon(step),
            rank=rank,
            offset=offset,
            sensitivity=step.sensitivity(contribution),
            relation=contribution.relation,
        )

    def __str__(self) -> str:
        if len(self.ranks) > 1:
            return tr(
                "choose {ranks} quantiles of {text}",
                ranks=len(self.ranks),
                text=self.tally.column.text,
            )
        (rank,) = self.ranks
        which = tr("median") if rank == Fraction(1, 2) else f"{float(rank):g}-quantile"
        return tr("choose the {which} of {text}", which=which, text=self.tally.column.text)


@dataclass(frozen=True)
class QuantilesOutput(CellOutput):
    """Quantiles between their bars."""

    look: Ranks

    misses_rows = True

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the quantiles, moved between their bars where they are not.

        Beyond the confidence that bars were made for, they are the bounds of the column.
        """
        look = self.look
        held = look.confidence is not None and (confidence or 0) <= look.confidence
        found: dict[str, list[Any]] = {}
        for place, name in enumerate(self.columns):
            points = seen.cells[place :: len(look.ranks) + look.bars]
            lows, highs = self._bars(seen.cells, place) if look.bars else (points, points)
            within = [sorted(cells)[1] for cells in zip(lows, points, highs, strict=True)]
            found[name] = [look.tally.value(cell) for cell in within]
            if confidence is not None:
                found |= look.tally.bars(name, lows, highs, held=held)
        return found

    def _bars(self, cells: Sequence[int], place: int) -> tuple[list[int], list[int]]:
        """Return the lower and the upper bars of one quantile in all groups."""
        count = len(self.look.ranks)
        sides = (cells[side * count + place :: 3 * count] for side in (1, 2))
        ordered = [sorted(pair) for pair in zip(*sides, strict=True)]
        return [low for low, _ in ordered], [high for _, high in ordered]

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return by how many ranks the bars may be off."""
        if not self.look.bars:
            return tr("± {step:.4g} ranks", step=self.look.error(step, contribution, CONFIDENCE))
        return tr("± {step:.4g} ranks", step=self.look.reach(step, contribution))


@dataclass(frozen=True)
class Extreme(Look):
    """The least or the greatest value, as the quantile so many rows from the end that it is inside.

    It aims r rows inside, with r its rank error at a confidence of 95 %.  If it is off by no more
    than that, it lies inside the range of the values.
    """

    tally: GridTally
    greatest: bool

    @property
    def importance(self) -> float:
        """As much as one choice."""
        return 1.0

    def mechanism(self, step: LookAtCells, contribution: Contribution) -> ExponentialQuantile:
        """Return what chooses it, in fine steps."""
        inside = ceil(self._error(step, contribution, CONFIDENCE)) + 1
        return self._choice(step, contribution, -inside if self.greatest else inside)

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for the choice."""
        return events.Exponential(epsilon=choice_epsilon(step.share, Fraction(1)))

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return by how many rows it is off the rank that it aims at."""
        return self._error(step, contribution, confidence) / contribution.fine

    def _error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        choice = self._choice(step, contribution, 0)
        return choice.error(confidence=confidence, candidates=self.tally.size)

    def _choice(
        self, step: LookAtCells, contribution: Contribution, offset: int
    ) -> ExponentialQuantile:
        return ExponentialQuantile(
            epsilon=choice_epsilon(step.share, Fraction(1)),
            rank=int(self.greatest),
            offset=offset,
            sensitivity=step.sensitivity(contribution),
            relation=contribution.relation,
        )

    def __str__(self) -> str:
        end = tr("maximum") if self.greatest else tr("minimum")
        return tr(
            "choose a quantile near the {end} of {text}", end=end, text=self.tally.column.text
        )


@dataclass(frozen=True)
class ExtremeOutput(CellOutput):
    """A value near the end, and how far the end may be: at the bound at most."""

    look: Extreme

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the values, with what was found on one side and the bound on the other as bars."""
        tally, (name,) = self.look.tally, self.columns
        cells = seen.cells
        found: dict[str, list[Any]] = {name: [tally.value(cell) for cell in cells]}
        if confidence is not None:
            ends = [0] * len(cells), [tally.size - 1] * len(cells)
            lows, highs = (cells, ends[1]) if self.look.greatest else (ends[0], cells)
            found |= tally.bars(name, lows, highs, held=confidence <= CONFIDENCE)
        return found

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return within how many ranks of the end it lies."""
        inside = 2 * self.look.error(step, contribution, CONFIDENCE)
        return tr("within {inside:.4g} ranks of the end", inside=inside)
