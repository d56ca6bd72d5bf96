"""Independent parts compared: exact likelihood ratios are multiplied, and equal ones merged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, Any

from sfumato.audit.comparison import Claim, Comparison, Judgement, Least, WitnessEvent, plain
from sfumato.audit.exact.distribution import ExactDistribution
from sfumato.audit.exact.finite import ExactComparison
from sfumato.audit.exact.independent import Independent, Parts, in_parts
from sfumato.audit.exact.pair import FinitePair
from sfumato.audit.exact.weights import Exact, exact_sum
from sfumato.numeric import Enclosure, Exponentials, any_float, cached_property

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from sfumato.privacy import Epsilon

_MOST_CLASSES = 20_000
#: An event of more sets of outputs than this is described, not listed.
_MOST_PARTS = 64


class PlacedComparison(Comparison):
    """The comparison of the one part that differs, at its place among all parts."""

    def __init__(self, place: int, part: Comparison) -> None:
        self._place, self._part, self.assumption = place, part, part.assumption

    def least_epsilon(self, delta: Fraction) -> Least:
        """See ``Comparison``."""
        return self._part.least_epsilon(delta)

    def least_delta(self, epsilon: Epsilon) -> Least:
        """See ``Comparison``."""
        return self._part.least_delta(epsilon)

    def renyi(self, order: Fraction) -> Least:
        """See ``Comparison``."""
        return self._part.renyi(order)

    def judge(self, claim: Claim) -> Judgement:
        """See ``Comparison``."""
        found = self._part.judge(claim)
        if found.event is None:
            return found
        named = (Parts({self._place: found.event.outcomes}),)
        return Judgement(found.holds, WitnessEvent(named, found.event.p, found.event.q))


def compare_products(p: Independent, q: Independent) -> Comparison | None:
    """Compare two distributions of independent parts; None where a part is not exact."""
    if len(p.factors) != len(q.factors):
        return _certain(*(Described(in_parts(len(each.factors))) for each in (p, q)))
    pairs = zip(p.factors, q.factors, strict=True)
    differing = {place: pair for place, pair in enumerate(pairs) if pair[0] != pair[1]}
    if not differing:
        return _certain(_ANY, _ANY)
    if not all(isinstance(each, ExactDistribution) for pair in differing.values() for each in pair):
        return None
    return ProductComparison({place: FinitePair(*pair) for place, pair in differing.items()})


def _certain(first: Hashable, second: Hashable) -> ExactComparison:
    return ExactComparison(
        FinitePair(ExactDistribution([first], [1]), ExactDistribution([second], [1]))
    )


@dataclass(frozen=True)
class Described:
    """Outputs that are said in words."""

    words: str

    def __repr__(self) -> str:
        return self.words


_ANY, _REST = Described("of any kind"), Described("of any other kind")


@dataclass(frozen=True)
class RatioClass:
    """Outputs of one likelihood ratio: their weights, and which they are if that is short."""

    p: Exact
    q: Exact
    parts: tuple[Parts, ...] | None


@dataclass(frozen=True)
class Likelier:
    """The outputs that are likelier on the first input by more than a factor e^ε."""

    epsilon: Epsilon

    def __repr__(self) -> str:
        near = any_float(self.epsilon)
        power = f"{near:g}" if math.isfinite(near) else plain(self.epsilon)
        return f"more than exp({power}) times likelier on the first input"


class ProductComparison(Comparison):
    """Two distributions of independent parts that differ at some places.

    Max divergences add over the parts.  For a δ the exact distribution of the likelihood ratio is
    made by merging equal ratios; where it becomes too long, what pure privacy proves remains.
    """

    def __init__(self, pairs: dict[int, FinitePair]) -> None:
        self._pairs = pairs

    def least_epsilon(self, delta: Fraction) -> Least:
        """Return the least ε at a δ."""
        exact = self._merged if delta else self._pure
        return self._at_most() if exact is None else exact.least_epsilon(delta)

    def least_delta(self, epsilon: Epsilon) -> Least:
        """Return the least δ at an ε."""
        if self._merged is None:
            return Least(Enclosure(0.0, 1.0))
        return self._merged.least_delta(epsilon)

    def renyi(self, order: Fraction) -> Least:
        """Return the Rényi divergence of an order above 1."""
        return self._at_most() if self._merged is None else self._merged.renyi(order)

    def judge(self, claim: Claim) -> Judgement:
        """Decide a claim."""
        if claim.order is None and not claim.delta:
            return self._pure.judge(claim)
        if self._merged is None:
            most = self._at_most().bounds.upper
            return Judgement(holds=True if most <= claim.epsilon else None)
        found = self._merged.judge(claim)
        return Judgement(found.holds, found.event and _listed(found.event, claim.epsilon))

    def _at_most(self) -> Least:
        """Return what the greatest likelihood ratio bounds, where there are too many of them."""
        return Least(Enclosure(0.0, self._pure.least_epsilon(Fraction(0)).bounds.upper))

    @cached_property
    def _pure(self) -> ExactComparison:
        """The output at which the likelihood ratio is greatest, against all others."""
        best = {place: pair.likeliest() for place, pair in self._pairs.items()}
        top = Parts({place: [self._pairs[place].outcomes[i]] for place, i in best.items()})
        weights = [self._pairs[place].weights(i) for place, i in best.items()]
        totals = [pair.totals for pair in self._pairs.values()]
        sides = [
            _with_rest([each[side] for each in weights], [each[side] for each in totals])
            for side in (0, 1)
        ]
        return ExactComparison(
            FinitePair(*(ExactDistribution([top, _REST], side) for side in sides))
        )

    @cached_property
    def _merged(self) -> ExactComparison | None:
        """The two distributions of the likelihood ratio; None where there are too many ratios."""
        classes = [RatioClass(1, 1, (Parts({}),))]
        for place, pair in self._pairs.items():
            classes = _multiplied(classes, _classes(place, pair))
            if len(classes) > _MOST_CLASSES:
                return None
        labels = [_Labelled(i, each.parts) for i, each in enumerate(classes)]
        return ExactComparison(
            FinitePair(
                ExactDistribution(labels, [each.p for each in classes]),
                ExactDistribution(labels, [each.q for each in classes]),
            )
        )


@dataclass(frozen=True)
class _Labelled:
    """The name of a class of outputs."""

    number: int
    parts: tuple[Parts, ...] | None


def _with_rest(weights: Iterable[Exact], totals: Iterable[Exact]) -> tuple[Exact, Exact]:
    weight, total = _product(weights), _product(totals)
    return weight, total - weight


def _product(factors: Iterable[Exact]) -> Exact:
    return reduce(mul, factors, 1)


def _classes(place: int, pair: FinitePair) -> list[RatioClass]:
    """Return the outcomes of one part by their likelihood ratio."""
    grouped: dict[Any, list[int]] = {}
    for i in range(len(pair.outcomes)):
        grouped.setdefault(_ratio_key(*pair.weights(i)), []).append(i)
    return [
        RatioClass(
            exact_sum(pair.p[i] for i in places),
            exact_sum(pair.q[i] for i in places),
            (Parts({place: [pair.outcomes[i] for i in places]}),),
        )
        for places in grouped.values()
    ]


def _multiplied(first: list[RatioClass], second: list[RatioClass]) -> list[RatioClass]:
    """Return the classes of two independent parts together."""
    grouped: dict[Any, list[RatioClass]] = {}
    for a in first:
        for b in second:
            both = RatioClass(a.p * b.p, a.q * b.q, _crossed(a.parts, b.parts))
            grouped.setdefault(_ratio_key(both.p, both.q), []).append(both)
    return [_merged_class(same) for same in grouped.values()]


def _merged_class(same: list[RatioClass]) -> RatioClass:
    parts = [each.parts for each in same]
    known = [found for found in parts if found is not None]
    short = len(known) == len(parts) and sum(map(len, known)) <= _MOST_PARTS
    listed = tuple(each for found in known for each in found) if short else None
    return RatioClass(
        exact_sum(each.p for each in same), exact_sum(each.q for each in same), listed
    )


def _crossed(
    first: tuple[Parts, ...] | None, second: tuple[Parts, ...] | None
) -> tuple[Parts, ...] | None:
    if first is None or second is None or len(first) * len(second) > _MOST_PARTS:
        return None
    return tuple(a.together(b) for a in first for b in second)


def _ratio_key(p: Exact, q: Exact) -> Hashable:
    """Return a name that only equal likelihood ratios share."""
    if not p or not q:
        return bool(p), bool(q)
    if not isinstance(p, Exponentials) and not isinstance(q, Exponentials):
        return Fraction(p) / q
    top, bottom = Exponentials.sum([p]), Exponentials.sum([q])
    found = top.multiple_of(bottom)
    if found is not None:
        return found
    exponent, coefficient = max(bottom.terms.items())
    unit = Exponentials({exponent: coefficient})
    return top / unit, bottom / unit


def _listed(event: WitnessEvent, epsilon: Epsilon) -> WitnessEvent:
    """Return the event with its outputs named, or described where there are too many."""
    found = [label.parts for label in event.outcomes if isinstance(label, _Labelled)]
    known = [parts for parts in found if parts is not None]
    if len(known) < len(found) or sum(map(len, known)) > _MOST_PARTS:
        return WitnessEvent((Likelier(epsilon),), event.p, event.q)
    return WitnessEvent(tuple(each for parts in known for each in parts), event.p, event.q)
