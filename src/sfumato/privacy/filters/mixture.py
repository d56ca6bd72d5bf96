"""The filter for (ε, δ) that takes every kind of event: many Rényi orders at once.

Let L be the privacy loss of what was admitted so far, and R_j the sum of the bounds on its Rényi
divergences of order α_j, where each step may depend on all earlier results.  Given those, the
step's loss l has E[exp((α_j - 1) l)] ≤ exp((α_j - 1) r_j), so exp((α_j - 1)(L - R_j)) is a
supermartingale from 1, and with weights w_j that sum to 1 so is

    M = Σ_j w_j exp((α_j - 1)(L - R_j)).

At any stopping time E[M] ≤ 1, and M reaches 1/δ at all with probability at most δ, which is Ville's
inequality :cite:p:`ville1939`.  The first gives a filter, the second an odometer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import (
    as_ball,
    bracket_threshold,
    cached_property,
    float_below,
    working_precision,
)
from sfumato.privacy import events as ev
from sfumato.privacy.events.base import plain
from sfumato.privacy.filters.amounts import (
    UNBOUNDED,
    Amount,
    decimal_above,
    decimal_below,
    share_above,
    short_below,
)
from sfumato.privacy.filters.base import PrivacyFilter, check_budget
from sfumato.privacy.filters.costs import (
    guaranteed_epsilon,
    own_delta,
    read_reserve,
    renyi_divergences,
)
from sfumato.privacy.filters.renyi import best_order, divergence_ball, log_of_inverse, named_orders
from sfumato.privacy.guarantees import ApproxDP, PureDP
from sfumato.privacy.parameters import above
from sfumato.privacy.theorems.certified import rounded_up
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.events import Event
    from sfumato.privacy.filters.costs import Cost
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import NumberLike

    Terms = list[tuple[arb, arb]]


_BITS = 192
_STEPS = 8
#: How far beyond an approximate root its side is first looked at, as a share of it.
_NUDGE = 2.0**-40
_SLIVER = 1e-9
#: Newton doubles the digits: after a step that takes off less than this, they are all there.
_AS_GOOD = 1 - 2.0**-26


@dataclass(frozen=True)
class MartingaleMixture:
    """Rényi orders with weights that sum to 1.

    Attributes
    ----------
    orders
        Above 1, rising.
    weights
        What share each order has.
    """

    orders: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]

    @classmethod
    def around(cls, order: Fraction, *, octaves: int) -> MartingaleMixture:
        """Return a mixture that is best near one order.

        Others are above 1 by its distance times 2^(j/4), to three digits, with weights in
        proportion to 1/(1 + |j|)²: each of them loses little, and those nearby next to nothing.

        Parameters
        ----------
        order
            Above 1.
        octaves
            How often the distance is doubled, and halved.
        """
        places = range(-4 * octaves, 4 * octaves + 1)
        shares = [Fraction(1, (1 + abs(j)) ** 2) for j in places]
        whole = sum(shares)
        orders = (1 + Fraction(f"{float(order - 1) * 2 ** (j / 4):.3g}") for j in places)
        return cls(tuple(orders), tuple(share / whole for share in shares))

    def divergences(self, step: Event, relation: Relation) -> Cost:
        """Return the bounds on the divergences of a step, one an order."""
        return renyi_divergences(step, self.orders, relation)

    def keeps(self, divergences: Cost, *, epsilon: Epsilon, delta: Fraction) -> bool:
        """Tell whether sums of divergences keep (ε, δ) at any stopping time.

        They do if (1 - e^(ε - x))₊ ≤ δ M(x) for every value x of the loss, since the mean of the
        left side is the least δ, and that of M is at most 1.  With u = x - ε and a_j = α_j - 1,

            f(u) = Σ_j δ w_j exp(a_j (ε - R_j)) exp(a_j u) + exp(-u) - 1

        must not be negative at any u ≥ 0.  It is convex, so at a point v where it does not fall it
        is nowhere less than f(v) - v f'(v); that is computed in balls.
        """
        with working_precision(_BITS):
            terms = self._terms(divergences, as_ball(epsilon), as_ball(delta))
            return _is_never_negative(terms)

    def enough_alone(self, *, epsilon: Epsilon, delta: Fraction) -> tuple[tuple[int, Amount], ...]:
        """Return places of orders, the heaviest first, and a divergence there that is enough.

        If R_j is at most that, ``keeps`` need not be asked: no term of M is negative, so
        M(x) ≥ w_j exp(a_j (x - R_j)), and it suffices that this one alone is great enough,

            1 - e^-u ≤ δ w_j exp(a_j (ε - R_j)) exp(a_j u)  for every u ≥ 0.

        (1 - e^-u) exp(-a_j u) is greatest where e^-u = 1 - 1/α_j, and the condition there is that
        of the best conversion for one order, ``greatest_divergence``, with δ w_j for δ.  A sliver
        is taken off, so that ``keeps`` agrees, which falls short of its limit by less.
        """
        heaviest = sorted(range(len(self.orders)), key=lambda j: -self.weights[j])
        with working_precision(_BITS):
            at, loss = as_ball(epsilon), as_ball(delta)
            limits = [
                divergence_ball(self.orders[j], at, loss * as_ball(self.weights[j])) - _SLIVER
                for j in heaviest
            ]
            found = zip(heaviest, map(float_below, limits), strict=True)
        return tuple((j, Amount(limit)) for j, limit in found if limit >= 0)

    def least_epsilon(self, divergences: Cost, *, delta: Fraction) -> float:
        """Return about the least ε of 0 or more that ``keeps`` takes, in floats; infinity if none.

        With G = δ M, the condition is that ε ≥ x + ln(1 - G(x)) wherever G(x) < 1.  The right side
        is concave, and greatest where G + G' = 1; if that is below 0, then ε = 0 is enough.
        """
        terms = self._float_terms(divergences, -log_of_inverse(delta))
        point = _root([(rate, log + math.log1p(rate)) for rate, log in terms])
        if not 0 < point < math.inf:
            return point
        total = math.fsum(math.exp(rate * point + log) for rate, log in terms)
        return point if total >= 1 else max(0.0, point + math.log1p(-total))

    def always_below(self, divergences: Cost, *, delta: Fraction) -> float:
        """Return an ε that the loss exceeds at some time with probability at most δ, rounded up.

        It is the ε at which M would reach 1/δ; see Ville's inequality.  The loss is compared, at
        every time, with the ε of that time.
        """
        with working_precision(_BITS):
            terms = self._terms(divergences, arb(0), as_ball(delta))
            level = _where(terms, lambda at: _total(terms, at) >= 1)
            return rounded_up(arb(level))

    def _terms(self, divergences: Cost, epsilon: arb, delta: arb) -> Terms:
        """Return a_j and ln(δ w_j) + a_j (ε - R_j) for every order with a bound."""
        found = []
        for order, weight, bound in zip(self.orders, self.weights, divergences, strict=True):
            if bound != UNBOUNDED:
                rate = as_ball(order - 1)
                log = (delta * as_ball(weight)).log() + rate * (epsilon - bound.ball())
                found.append((rate, log))
        return found

    @cached_property
    def _floats(self) -> tuple[tuple[float, float], ...]:
        """By how much each order is above 1, and the logarithm of its weight."""
        return tuple(
            (float(order - 1), math.log(weight))
            for order, weight in zip(self.orders, self.weights, strict=True)
        )

    def _float_terms(self, divergences: Cost, log_delta: float) -> list[tuple[float, float]]:
        """Return a_j and ln(δ w_j) - a_j R_j, in floats, for every order with a bound."""
        found = []
        for (rate, log_weight), bound in zip(self._floats, divergences, strict=True):
            if (divergence := float(bound)) < math.inf:
                found.append((rate, log_delta + log_weight - rate * divergence))
        return found


def _is_never_negative(terms: Terms) -> bool:
    """Tell whether the sum of the exponentials and exp(-u) - 1 is 0 or more at every u ≥ 0."""
    rising = [(rate + 1, log + rate.log()) for rate, log in terms]
    point = _where(rising, lambda at: _total(rising, at) >= 1)
    if math.isinf(point):
        return False
    fallen = (-arb(point)).exp()
    value, slope = _total(terms, point) + fallen - 1, fallen * (_total(rising, point) - 1)
    return bool(value - point * slope >= 0)


def _total(terms: Terms, at: float) -> arb:
    return sum(((rate * at + log).exp() for rate, log in terms), arb(0))


def _where(terms: Terms, beyond: Callable[[float], bool]) -> float:
    """Return a point of 0 or more, close to where a sum of exponentials is 1, and beyond it."""
    point = _root([(float(rate), float(log)) for rate, log in terms])
    gap = point * _NUDGE + _NUDGE**2
    while point < math.inf and not beyond(point):
        point, gap = point + gap, 2 * gap
    return point


def _root(terms: list[tuple[float, float]]) -> float:
    """Return about where a sum of exponentials is 1, or 0 if that is less; infinity if nowhere.

    Where one term alone is 1, the sum is more; from there on Newton's steps on its logarithm, which
    is convex, lead down to the root and never beyond.
    """
    point = min((-log / rate for rate, log in terms), default=math.inf)
    if not 0 < point < math.inf:
        return max(point, 0.0)
    for _ in range(_STEPS):
        sizes = [rate * point + log for rate, log in terms]
        most = max(sizes)
        shares = [math.exp(size - most) for size in sizes]
        slope = sum(rate * share for (rate, _), share in zip(terms, shares, strict=True))
        lower = max(0.0, point - (most + math.log(sum(shares))) * sum(shares) / slope)
        if lower >= point * _AS_GOOD:
            return lower
        point = lower
    return point


_OCTAVES = 2
_TOLERANCE = 1e-9
#: Far more than floats are off by.
_MARGIN = 1 + 2.0**-30


class MixtureFilter(PrivacyFilter):
    """Admits every kind of event that has Rényi bounds, with no order to choose.

    With L the loss so far and R_j the sum of the divergences of order α_j, the mixture
    M = Σ w_j exp((α_j - 1)(L - R_j)) is a supermartingale from 1 for any weights that sum to 1 and
    any choice of events along the way, so E[M] ≤ 1 when it stops.  An event is admitted if
    afterwards (1 - e^(ε - x))₊ ≤ δ M(x) for every value x of the loss; then the mean of the left
    side, which is the least δ at ε, is at most δ.  It is admitted, too, if the ε of all steps add
    up to ε or less, for then the left side is 0.  Proof: :doc:`/proofs/mixture-filter`.

    The orders lie around the one that suits the budget best, and the weights fall off from there;
    both depend on the budget alone.

    Parameters
    ----------
    budget
        The guarantee to keep, with a δ above 0.
    reserve
        The share of δ that is kept for events with a δ of their own, from 0 up to, and without, 1.

    Attributes
    ----------
    mixture
        The orders and their weights.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import MixtureFilter
    >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> sampled = sf.privacy.events.Subsampled(sf.privacy.events.Gaussian(sigma=4), rate=0.01)
    >>> budget.admit(sf.privacy.events.Repeated(sampled, count=1000))
    >>> budget.remaining_count(sf.privacy.events.Laplace(scale=100))
    410
    """

    currency = mark("Rényi bound")
    instead = mark("write Approximate(epsilon=1, delta=1e-9) for what it guarantees, say")

    def __init__(self, budget: ApproxDP, *, reserve: NumberLike = 0) -> None:
        check_budget(budget, "MixtureFilter", ApproxDP)
        self._epsilon = budget.exact_epsilon
        self._limit = Amount.of(self._epsilon)
        self._share = read_reserve(reserve)
        self._reserved = self._share * budget.exact_delta
        self._allowed = Amount(self._reserved)
        self._slack = budget.exact_delta - self._reserved
        self.mixture = MartingaleMixture.around(
            best_order(self._epsilon, self._slack), octaves=_OCTAVES
        )
        self._enough = self.mixture.enough_alone(epsilon=self._epsilon, delta=self._slack)
        super().__init__(budget, amounts=2 + len(self.mixture.orders))

    def used(self) -> Fraction:
        """Return the least ε that would have been enough as a share of ε, rounded up.

        The least ε is that of the mixture, or the sum of the pure ε if that is less; the share is
        that of the reserve if it is greater.  A reading, in floats, where ``spent`` is proved.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Laplace(scale=10))
        >>> budget.used()
        Fraction(1, 10)
        """
        pure, deltas, *divergences = self._spent
        least = self.mixture.least_epsilon(tuple(divergences), delta=self._slack)
        spent = min(pure, Amount(least * _MARGIN), self._limit)
        return max(share_above(spent, self._limit), share_above(deltas, self._allowed))

    def spent(self) -> ApproxDP:
        """Return the least ε that what was admitted would have fitted, with the δ, rounded up.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Laplace(scale=10))
        >>> print(budget.spent())
        (0.1, 1e-06)-DP (add or remove one row)
        """
        pure, deltas, *divergences = self._spent

        def keeps(epsilon: float) -> bool:
            return self.mixture.keeps(
                tuple(divergences), epsilon=Fraction(epsilon), delta=self._slack
            )

        known = [self._epsilon] if pure == UNBOUNDED else [self._epsilon, pure.epsilon()]
        if keeps(high := above(self._epsilon)):
            known.append(decimal_above(Fraction(_least(keeps, high))))
        return ApproxDP(
            epsilon=min(known),
            delta=self._slack + Fraction(deltas.rational),
            relation=self.relation,
        )

    def remaining(self) -> PureDP | ApproxDP:
        """Return the ε of one more step that would be admitted, rounded down.

        It may have a δ of its own, as much as is left of the reserve.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.privacy.filters import MixtureFilter
        >>> budget = MixtureFilter(sf.ApproxDP(epsilon=1, delta=1e-6))
        >>> budget.admit(sf.privacy.events.Gaussian(sigma=10))
        >>> round(budget.remaining().epsilon(delta=0), 6)
        0.522939
        """

        def is_refused(epsilon: float) -> bool:
            return not self.would_admit(ev.Pure(epsilon=Fraction(epsilon)))

        if self.would_admit(ev.Pure(epsilon=self._epsilon)):
            return self._with_the_reserve(self._epsilon)
        high = above(self._epsilon)
        found = bracket_threshold(is_refused, 0.0, high, tolerance=high * _TOLERANCE).low
        return self._with_the_reserve(max(decimal_below(Fraction(found)), self._left_of_the_sum()))

    def _with_the_reserve(self, epsilon: Epsilon) -> PureDP | ApproxDP:
        delta = short_below(self._reserved - Fraction(self._spent[1].rational))
        if delta == 0:
            return PureDP(epsilon=epsilon, relation=self.relation)
        return ApproxDP(epsilon=epsilon, delta=delta, relation=self.relation)

    def _left_of_the_sum(self) -> Fraction:
        """Return how much the sum of the pure ε may still grow, if that is a rational above 0."""
        pure = self._spent[0]
        if pure == UNBOUNDED or not pure.argument == self._limit.argument == 1:
            return Fraction(0)
        left = Fraction(self._limit.rational) - Fraction(pure.rational)
        return max(Fraction(0), short_below(left))

    def _step_cost(self, step: Event) -> Cost:
        epsilon = guaranteed_epsilon(step)
        delta = own_delta(step, self._reserved, "MixtureFilter")
        known = ev.Pure(epsilon=step.epsilon) if isinstance(step, ev.Approximate) else step
        divergences = self.mixture.divergences(known, self.relation)
        if epsilon is None and set(divergences) == {UNBOUNDED}:
            self._known(None, step)
        return UNBOUNDED if epsilon is None else epsilon, delta, *divergences

    def _measured(self) -> str:
        orders = named_orders(self.mixture.orders, self.mixture.weights)
        return (
            f"pure ε, δ with a reserve of {plain(self._share)}, and Rényi divergences at {orders}"
        )

    def _fits(self, spent: Cost) -> bool:
        pure, deltas, *divergences = spent
        if deltas > self._allowed:
            return False
        if pure <= self._limit:
            return True
        return any(divergences[j] <= bound for j, bound in self._enough) or self.mixture.keeps(
            tuple(divergences), epsilon=self._epsilon, delta=self._slack
        )


def _least(holds: Callable[[float], bool], high: float) -> float:
    """Return about the least point, up to one where a condition holds, at which it does."""
    if holds(0.0):
        return 0.0
    return bracket_threshold(holds, 0.0, high, tolerance=high * _TOLERANCE).high
