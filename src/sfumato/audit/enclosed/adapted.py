"""An exact comparison where one by enclosures is asked for."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.audit.claim import Claim
from sfumato.audit.enclosed.bounds import between
from sfumato.audit.enclosed.candidates import Candidate
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.numeric import Enclosure, as_ball, fraction_below
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.audit.comparison import Comparison, Least
    from sfumato.numeric import Ln

__all__ = ["AdaptedComparison"]


class AdaptedComparison(EnclosedComparison):
    """What an exact comparison says, in balls."""

    def __init__(self, found: Comparison, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._found, self.assumption = found, found.assumption

    @cached_property
    def exact_greatest(self) -> Fraction | Ln | None:
        """See ``EnclosedComparison``."""
        return self._pure.exact

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        if self._pure.exact is not None:
            return as_ball(self._pure.exact), as_ball(self._pure.exact)
        return arb(self._pure.bounds.lower), arb(self._pure.bounds.upper)

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        low = self._found.least_delta(-fraction_below(-level)).bounds.lower
        return between(arb(low), arb(self._found.least_delta(fraction_below(level)).bounds.upper))

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``."""
        event = self._found.judge(Claim(fraction_below(level), self._little(level))).event
        if event is not None:
            yield Candidate(event.outcomes, _ball(event.p), _ball(event.q))

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return self._found.renyi(order)

    @cached_property
    def _pure(self) -> Least:
        return self._found.least_epsilon(Fraction(0))

    def _little(self, level: arb) -> Fraction:
        """Return a δ for which the event is the best there is, and not a single outcome."""
        return fraction_below(self.excess(level).lower()) / 2


def _ball(value: Fraction | Enclosure) -> arb:
    return as_ball(value) if isinstance(value, Fraction) else arb(value.lower).union(value.upper)
