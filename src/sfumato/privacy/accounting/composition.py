"""The guarantee of many events together: ``compose`` and what it returns."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import (
    Enclosure,
    as_ball,
    cached_property,
    check_tolerance,
    read_count,
    working_precision,
)
from sfumato.privacy.accounting.labels import as_event
from sfumato.privacy.accounting.pure import covers_all, exact_epsilon, pure_total
from sfumato.privacy.events import (
    Composed,
    Event,
    Gaussian,
    Pair,
    Pure,
    Repeated,
    Subsampled,
    check_relation,
)
from sfumato.privacy.events.base import HasEvent, kinds_within
from sfumato.privacy.events.pair import without_known_pairs
from sfumato.privacy.guarantees.base import ONE_ROW, Guarantee
from sfumato.privacy.guarantees.pointwise import PureDP
from sfumato.privacy.parameters import read_delta
from sfumato.privacy.relation import Relation, Substitute, read_relation
from sfumato.privacy.theorems.certified import rounded_up
from sfumato.refusal import all_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.privacy.accounting.explanation import Explanation
    from sfumato.privacy.accounting.profile import StepsProfile
    from sfumato.privacy.loss import Direction
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike

#: How close the two bounds on epsilon are brought, as a share of it.
_TOLERANCE = 1e-6
#: Up to so many parts the sum of pure epsilons is looked at, too.
_FEW_PARTS = 256
#: The deltas at which a composition is turned into points of a profile.
_DELTAS = tuple(10.0**-power for power in range(1, 31))


class Composition(Guarantee):
    """What events guarantee together, each possibly chosen after seeing the others' results.

    Made by :func:`compose`.  Each answer is an interval that certainly holds the least value;
    ``epsilon`` and ``delta`` return its upper end.  The parameters of the events are fixed in
    advance: for parameters chosen along the way use a filter.

    Attributes
    ----------
    event
        All of it as one event.
    relation
        Which tables are neighbours.

    Examples
    --------
    >>> from sfumato.privacy import compose, events
    >>> queries = compose(events.Laplace(scale=10), count=1000)
    >>> round(queries.epsilon(delta=1e-6), 9)
    18.950287368
    >>> print(queries)
    1,000 steps of Laplace noise of scale 10 on sensitivity 1 (add or remove one row)
    """

    event: Event

    def __init__(self, event: Event, *, relation: Relation = ONE_ROW) -> None:
        check_relation(event, read_relation(relation))
        self._keep(event=event, relation=relation)

    @cached_property
    def _parts(self) -> tuple[tuple[Event, int], ...]:
        return tuple(without_known_pairs(self.event).parts())

    @cached_property
    def _steps(self) -> Counter[Event]:
        """Equal steps together, with how often each was taken."""
        return _counted(self._parts)

    @cached_property
    def _directions(self) -> tuple[StepsProfile, ...]:
        """The changes of the table that must be told apart: one where all losses are symmetric."""
        from sfumato.privacy.accounting.profile import directed_profile

        return tuple(directed_profile(self._parts, change) for change in self._changes)

    @cached_property
    def _changes(self) -> tuple[Direction, ...]:
        from sfumato.privacy.loss import Direction

        if isinstance(self.relation, Substitute):
            return (Direction.EXCHANGED,)
        kinds = set().union(*(kinds_within(event) for event, _ in self._parts))
        both = not kinds.isdisjoint({Subsampled, Pair})
        return (Direction.REMOVED, Direction.ADDED) if both else (Direction.REMOVED,)

    def bounds(
        self,
        *,
        delta: NumberLike | None = None,
        epsilon: EpsilonLike | None = None,
        tolerance: float = _TOLERANCE,
    ) -> Enclosure:
        """Return certified bounds on the least ε at a δ, or on the least δ at an ε.

        Parameters
        ----------
        delta, epsilon
            Exactly one of them; the other is bounded.
        tolerance
            How close the bounds on ε are brought, as a share of ε, where that takes no great
            effort; most often they are far closer.

        Examples
        --------
        >>> from sfumato.privacy import compose, events
        >>> found = compose(events.Gaussian(sigma=10), count=100).bounds(delta=1e-5)
        >>> round(found.lower, 9), round(found.upper, 9), found.width < 1e-10
        (4.377178096, 4.377178096, True)
        """
        if epsilon is None and delta is not None:
            return self._epsilon_within(read_delta(delta), check_tolerance(tolerance))
        return super().bounds(delta=delta, epsilon=epsilon)

    def explain(
        self, *, delta: NumberLike | None = None, epsilon: EpsilonLike | None = None
    ) -> Explanation:
        """Return every method's bound on ε at a δ, or on δ at an ε, and why they differ.

        Parameters
        ----------
        delta, epsilon
            Exactly one of them; the other is bounded.

        Examples
        --------
        >>> from sfumato.privacy import compose, events
        >>> answers = compose(events.Gaussian(sigma=10), count=100).explain(delta=1e-5)
        >>> for row in answers.rows[:2]:
        ...     print(f"{row.method}: {row.value:.6f}")
        loss distribution: 4.377178
        zero-concentrated, improved: 4.728387
        """
        from sfumato.privacy.accounting.accumulators import KnownSteps
        from sfumato.privacy.accounting.explanation import explain

        return explain(KnownSteps(self, self._steps, Composition), delta=delta, epsilon=epsilon)

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        return self._epsilon_within(delta, _TOLERANCE)

    def _epsilon_within(self, delta: Fraction, tolerance: float) -> Enclosure:
        if delta == 0:
            pure = [pure_total(self._steps, change) for change in self._changes]
            found = [each for each in pure if each is not None]
            if len(found) < len(pure):
                return Enclosure(math.inf, math.inf)
            return Enclosure(max(each.lower for each in found), max(each.upper for each in found))
        found = [each.epsilon(delta, tolerance) for each in self._directions]
        upper = min(_safe(max(each.upper for each in found)), self._pure_upper())
        return Enclosure(min(max(each.lower for each in found), upper), upper)

    def _pure_upper(self) -> float:
        """Return the sum of pure epsilons, where there is one and it is quickly found."""
        pure = pure_total(self._steps) if len(self._parts) <= _FEW_PARTS else None
        return math.inf if pure is None else pure.upper

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        if covers_all(epsilon, self._steps):
            return Enclosure(0.0, 0.0)
        found = [each.delta(epsilon) for each in self._directions]
        upper = min(_safe(max(each.upper for each in found)), 1.0)
        return Enclosure(min(max(each.lower for each in found), upper), upper)

    def _renyi_bound(self, order: Fraction) -> float:
        return _safe(max(each.renyi(order) for each in self._directions))

    def _rho(self) -> float:
        from sfumato.privacy.accounting.accumulators import KnownSteps

        found = KnownSteps(self, self._steps, compose).rho
        return math.inf if isinstance(found, str) else rounded_up(found)

    def _mu(self) -> float:
        """Return the root of the sum of squares, where all is Gaussian noise."""
        if any(not isinstance(event, Gaussian) for event in self._steps):
            return math.inf
        squares = [
            (step.sensitivity / step.sigma) ** 2 * count
            for step, count in self._steps.items()
            if isinstance(step, Gaussian)
        ]
        with working_precision(128):
            return rounded_up(sum((as_ball(each) for each in squares), arb(0)).sqrt())

    def _group(self, size: int) -> Guarantee:
        from sfumato.privacy.accounting.labels import extended
        from sfumato.privacy.guarantees.pointwise import PrivacyProfile

        event = extended(self.event, size)
        relation = self.relation.times(size)
        if event is not None:
            return Composition(event, relation=relation)
        points = [(self.epsilon(delta=delta), delta) for delta in (*_DELTAS, 0.0)]
        known = [point for point in points if math.isfinite(point[0])]
        return PrivacyProfile(known, relation=self.relation).group(size)

    def _amount(self) -> str:
        said = _counted(self.event.parts())
        total = sum(said.values())
        if len(said) == 1:
            only = next(iter(said)).describe()
            return only if total == 1 else tr("{total:,} steps of {only}", total=total, only=only)
        return tr("{total:,} steps of {steps:,} kinds", total=total, steps=len(said))

    def __str__(self) -> str:
        """Return the steps in words, and the guarantee of all where it is that of pure ones."""
        if self._whole is None:
            return super().__str__()
        return tr("{steps}, together {guarantee}", steps=self._amount(), guarantee=self._whole)

    @cached_property
    def _whole(self) -> PureDP | None:
        """The guarantee of several steps of which nothing but a rational ε is known."""
        pure = {each: count for each, count in self._steps.items() if isinstance(each, Pure)}
        found = [(exact_epsilon(each), count) for each, count in pure.items()]
        rational = [each * count for each, count in found if isinstance(each, Fraction)]
        if len(rational) < len(self._steps) or sum(self._steps.values()) == 1:
            return None
        return PureDP(epsilon=sum(rational), relation=self.relation)

    def _arguments(self) -> str:
        return repr(self.event)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Composition):
            return NotImplemented
        return self.event == other.event and self.relation == other.relation

    def __hash__(self) -> int:
        return hash((self.event, self.relation))

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("_parts", "_steps", "_directions", "_changes", "_whole"):
            message = "a composition cannot be changed; compose anew"
            raise AttributeError(message)
        super().__setattr__(name, value)


def compose(
    *events: Event | Guarantee | HasEvent, count: int = 1, relation: Relation | None = None
) -> Composition:
    """Return what events guarantee together, each possibly chosen after seeing earlier results.

    The answer is the tightest that is known: closed forms where they exist, otherwise the exact
    distribution of the privacy loss, by inverting its moments with proven error bounds.
    Proof: :doc:`/proofs/domination` and :doc:`/proofs/loss-distribution`.

    Parameters
    ----------
    events
        What was done: events; mechanisms, releases and compositions, which bring their relation
        along; or guarantees of which nothing more is known.
    count
        How often all of it was done.
    relation
        Which tables are neighbours; adding or removing one row where nothing is said.

    Examples
    --------
    >>> import sfumato as sf
    >>> sampled = sf.privacy.events.Subsampled(sf.privacy.events.Gaussian(sigma=4), rate=0.01)
    >>> training = sf.compose(sampled, count=10_000)
    >>> round(training.epsilon(delta=1e-5), 9)
    0.946866801
    """
    if not events:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "compose takes at least one event",
            "write compose(sf.privacy.events.Laplace(scale=10))",
        )
    steps = [as_event(each) for each in events]
    whole = steps[0] if len(steps) == 1 else Composed(*steps)
    times = read_count(count)
    return Composition(
        whole if times == 1 else Repeated(whole, count=times),
        relation=_common_relation(events, relation),
    )


def _counted(parts: Iterable[tuple[Event, int]]) -> Counter[Event]:
    """Return equal steps together, with how often each was taken."""
    steps: Counter[Event] = Counter()
    for event, count in parts:
        steps[event] += count
    return steps


def _named_relation(given: Any) -> Relation | None:
    """Return the relation of a guarantee, a mechanism or a release; an event has none."""
    if isinstance(given, Event):
        return None
    found = getattr(getattr(given, "guarantee", given), "relation", None)
    return found if isinstance(found, Relation) else None


def _common_relation(given: tuple[object, ...], relation: Relation | None) -> Relation:
    """Return the relation that was named, or that of the guarantees; refuse two different ones."""
    named = {found for each in given if (found := _named_relation(each)) is not None}
    if relation is not None:
        named.add(read_relation(relation))
    if len(named) > 1:
        listed = all_of(sorted(f"“{each}”" for each in named))
        raise InputError(
            "E-RELATION-OTHER",
            "guarantees for {listed} cannot be added up",
            "make all of them with one relation=, or write guarantee.for_relation(...) first",
            listed=listed,
        )
    return named.pop() if named else ONE_ROW


def _safe(value: float) -> float:
    """Return a float that is not below a bound, neither itself nor as it is printed."""
    return rounded_up(Fraction(value)) if math.isfinite(value) else value
