"""Comparing the outputs on two tables exactly: rounding neither hides nor invents a violation."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.sensitivity.lengths import Lengths
from sfumato.mechanisms.sensitivity.outcome import Outcome
from sfumato.mechanisms.sensitivity.roots import show_root
from sfumato.mechanisms.sensitivity.witness import Witness
from sfumato.numeric import shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanisms.sensitivity.declared import Norm, Sensitivity
    from sfumato.mechanisms.sensitivity.outcome import Table

__all__ = ["Judge"]


@dataclass
class Judge:
    """Compares neighbours until one pair is a witness or the effort is spent.

    Each pair is held against all norms of the claim; the distances given back are in one of them.
    """

    function: Callable[[list[Any]], Any]
    claimed: Sensitivity
    norm: Norm
    effort: int
    pairs: int = 0
    largest: Lengths = field(default_factory=Lengths)
    witness: Witness | None = None

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.witness is not None or self.pairs >= self.effort

    def compare(self, table: Table, neighbour: Table) -> Fraction:
        """Return the squared distance of the outputs on two tables, and keep a witness."""
        return self.weigh(Outcome.of(self.function, table), Outcome.of(self.function, neighbour))

    def weigh(self, one: Outcome, other: Outcome) -> Fraction:
        """Return the squared distance of two outcomes, and keep a witness."""
        self.pairs += 1
        failure = one.failure or other.failure or _unlike(one, other)
        if failure is not None:
            self._keep(one, other, None, failure)
            return Fraction(0)
        apart = Lengths.of([x - y for x, y in zip(one.numbers, other.numbers, strict=True)])
        self.largest = self.largest.longest(apart)
        for norm in self.claimed.norms:
            self._hold_against_claim(one, other, apart.squared(norm), norm)
        return apart.squared(self.norm)

    def _hold_against_claim(
        self, one: Outcome, other: Outcome, squared: Fraction, norm: Norm
    ) -> None:
        allowed = self.claimed.squared(norm)
        if self.witness is None and squared > allowed:
            far, near = show_root(squared), show_root(allowed)
            words = tr(
                "{far} apart in {norm}, above the declared {near}",
                far=far,
                norm=norm.upper(),
                near=near,
            )
            self._keep(one, other, squared, tr("the outputs are {words}", words=words))

    def _keep(self, one: Outcome, other: Outcome, squared: Fraction | None, reason: str) -> None:
        self.witness = Witness(one.table, other.table, one.output, other.output, squared, reason)


def _unlike(one: Outcome, other: Outcome) -> str | None:
    if one.shape == other.shape:
        return None
    return tr(
        "the outputs have the shapes {one} and {other}",
        one=shown(one.shape),
        other=shown(other.shape),
    )
