"""Distributions that draw one of several disjoint alternatives first."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.audit.comparison import Interval, Least
from sfumato.audit.enclosed.candidates import Candidate, union
from sfumato.audit.enclosed.enclosed import EnclosedComparison
from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, float_above, float_below, shown, working_precision
from sfumato.privacy.parameters import written
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from sfumato.audit.enclosed.forms import Branched

    Compare = Callable[[Any, Any], EnclosedComparison]
    Alternative = tuple[Hashable, arb, Any]

__all__ = ["BranchedComparison", "read_branches"]

_BITS = 192


def read_branches(distribution: Branched) -> list[Alternative]:
    """Return the alternatives of a distribution, with balls at the precision in force."""
    given: Any = distribution.branches
    found = [_read_branch(each) for each in (given if isinstance(given, Iterable) else [given])]
    if len({name for name, _, _ in found}) < len(found):
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "two branches of a distribution have one name",
            "give every alternative a name of its own",
        )
    total = sum((chance for _, chance, _ in found), arb(0))
    if not total.overlaps(arb(1)):
        raise InputError(
            "E-PROBABILITIES-SUM",
            "the branches of a distribution have probabilities that sum to {total:.10g}, not to 1",
            "name every alternative, and write Fraction(1, 3) or '1/3' where no decimal is exact",
            total=float(total),
        )
    return found


def _read_branch(branch: Any) -> Alternative:
    parts = branch if isinstance(branch, (tuple, list)) else ()
    if len(parts) != len(("name", "chance", "distribution")) or not isinstance(parts[0], Hashable):
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "a branch is a name, a probability and a distribution or None, not {branch}",
            "write ('released', 0.9, distribution), say",
            branch=shown(branch),
        )
    name, given, distribution = parts
    chance = (
        given if isinstance(given, arb) else as_ball(written(given, mark("a branch's probability")))
    )
    if not chance.is_finite() or chance < 0:
        raise InputError(
            "E-DISTRIBUTION-BRANCHES",
            "the branch {name} has the probability {given}",
            "write 0 to 1",
            name=shown(name),
            given=shown(given),
        )
    return name, chance, distribution


class _Branch:
    """One alternative: its two probabilities, and what follows it."""

    def __init__(self, name: Hashable, p: arb, q: arb, rest: EnclosedComparison | None) -> None:
        self.name, self.p, self.q, self.rest = name, p, q, rest

    @property
    def shift(self) -> arb:
        """The logarithm of the ratio of the two probabilities."""
        return arb.pos_inf() if self.q.is_zero() else (self.p / self.q).log()

    def greatest(self) -> tuple[arb, arb]:
        if self.p.is_zero():
            return arb.neg_inf(), arb.neg_inf()
        low, high = (arb(0), arb(0)) if self.rest is None else self.rest.greatest()
        return low + self.shift, high + self.shift

    def excess(self, level: arb) -> arb:
        rest = self._follows
        return self._alone(level) if rest is None else self.p * rest.excess(level - self.shift)

    def most_excess(self, level: arb) -> arb:
        rest = self._follows
        return self._alone(level) if rest is None else self.p * rest.most_excess(level - self.shift)

    @property
    def _follows(self) -> EnclosedComparison | None:
        """What follows and matters: nothing, where one of the two never comes so far."""
        return None if self.p.is_zero() or self.q.is_zero() else self.rest

    def _alone(self, level: arb) -> arb:
        return (self.p - level.exp() * self.q).max(0)

    def best_event(self, level: arb) -> Candidate | None:
        """Return the event of this alternative that exceeds the level by most, if one does."""
        found = max(self._events(level), key=lambda each: float(each.excess(level)), default=None)
        return found if found is not None and found.excess(level) > 0 else None

    def _events(self, level: arb) -> Iterator[Candidate]:
        if self.rest is None:
            yield Candidate((self.name,), self.p, self.q)
        elif self._follows is None:
            yield Candidate((Interval(None, None),), self.p, self.q)
        else:
            for each in self._follows.events(level - self.shift):
                yield Candidate(each.outcomes, self.p * each.p, self.q * each.q)

    def power(self, order: Fraction) -> tuple[arb, arb]:
        """Return bounds on the sum of p^α q^(1-α) over this alternative."""
        if self.p.is_zero():
            return arb(0), arb(0)
        if self.q.is_zero():
            return arb.pos_inf(), arb.pos_inf()
        weight = self.p ** as_ball(order) * self.q ** as_ball(1 - order)
        if self.rest is None:
            return weight, weight
        bounds = self.rest.renyi(order).bounds
        low, high = (arb(end) * as_ball(order - 1) for end in (bounds.lower, bounds.upper))
        return weight * low.exp(), weight * high.exp()


class BranchedComparison(EnclosedComparison):
    """Events split by alternative: excesses add up, and the greatest ratio is one alternative's."""

    def __init__(self, p: Branched, q: Branched, compare: Compare, *, effort: int) -> None:
        super().__init__(effort=effort)
        self._distributions = p, q
        with working_precision(_BITS):
            both = list(zip(read_branches(p), read_branches(q), strict=True))
        self._rests = {
            name: None if one is None else compare(one, other)
            for (name, _, one), (_, _, other) in both
        }
        told = (rest.assumption for rest in self._rests.values() if rest is not None)
        self.assumption = next(filter(None, told), "")

    def greatest(self) -> tuple[arb, arb]:
        """See ``EnclosedComparison``."""
        low, high = arb.neg_inf(), arb.neg_inf()
        for branch in self._branches():
            ends = branch.greatest()
            low, high = low.max(ends[0]), high.max(ends[1])
        return low, high

    def excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        return sum((branch.excess(level) for branch in self._branches()), arb(0))

    def most_excess(self, level: arb) -> arb:
        """See ``EnclosedComparison``."""
        return sum((branch.most_excess(level) for branch in self._branches()), arb(0))

    def events(self, level: arb) -> Iterator[Candidate]:
        """See ``EnclosedComparison``."""
        found = [branch.best_event(level) for branch in self._branches()]
        kept = [each for each in found if each is not None]
        yield from kept
        if len(kept) > 1:
            yield union(kept)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        with working_precision(_BITS):
            powers = [branch.power(order) for branch in self._branches()]
            low, high = (sum(ends, arb(0)) for ends in zip(*powers, strict=True))
            least = float_below(low.log() / as_ball(order - 1))
            most = float_above(high.log() / as_ball(order - 1))
        return Least(Enclosure(max(0.0, least), math.inf if math.isnan(most) else max(0.0, most)))

    def _branches(self) -> list[_Branch]:
        """Return the alternatives, at the precision in force."""
        both = zip(*map(read_branches, self._distributions), strict=True)
        return [
            _Branch(name, one, other, self._rests[name]) for (name, one, _), (_, other, _) in both
        ]
