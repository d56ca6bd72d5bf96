"""What each method of accounting keeps of the steps; a sentence where it can keep nothing."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import as_ball, cached_property, working_precision
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.pure import (
    exact_epsilon,
    pure_total,
    squares_in_rho,
    stated_rho,
)
from sfumato.privacy.events.base import walk
from sfumato.privacy.guarantees.hull import least_value
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.certified import rounded_up
from sfumato.privacy.theorems.composition import StepGuarantees
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.privacy.events import Event
    from sfumato.privacy.guarantees import Guarantee
    from sfumato.privacy.parameters import Epsilon

    Label = tuple[Epsilon, Fraction]


#: Of more choices the optimal composition takes too long to be shown beside the others.
_MOST_CHOICES = 300
#: Rényi orders are sought that lie above 1 by powers of two between these.
_LEAST_POWER, _GREATEST_POWER = -20, 60


@dataclass(frozen=True)
class Labels:
    """How often each pair of ε and δ was guaranteed, and an accountant for events."""

    counts: Mapping[Label, int]
    accountant: Callable[[Event], Guarantee]

    @cached_property
    def steps(self) -> StepGuarantees:
        """The guarantees, apart from the steps that made them."""
        epsilons: Counter[Epsilon] = Counter()
        deltas: Counter[Fraction] = Counter()
        for (epsilon, delta), count in self.counts.items():
            deltas[delta] += count
            if epsilon > 0:
                epsilons[epsilon] += count
        return StepGuarantees(epsilons, deltas)

    @cached_property
    def worst(self) -> Guarantee:
        """What the guarantees alone come to, whatever mechanisms keep them."""
        labelled = [
            ev.Repeated(ev.Approximate(epsilon=epsilon, delta=delta), count=count)
            for (epsilon, delta), count in self.counts.items()
        ]
        return self.accountant(ev.Composed(*labelled))


@dataclass(frozen=True)
class Choices:
    """Exponential mechanisms with one ε, so many times."""

    epsilon: Epsilon
    count: int


@dataclass(frozen=True)
class Divergences:
    """Bounds on Rényi divergences, and the orders that labels name."""

    bound: Callable[[float], float]
    named: frozenset[float] = frozenset()

    def best(self, figure: Callable[[float, float], float]) -> float:
        """Return the least figure that an order and its bound give."""

        def value(order: float) -> float:
            bound = self.bound(order)
            return figure(order, bound) if math.isfinite(bound) else math.inf

        return least_value(value, sorted(self.named.union(_near_best(value))))


def _near_best(value: Callable[[float], float]) -> list[float]:
    """Return three orders around the best, walking from 2 for as long as it gets better."""

    def order(power: int) -> float:
        return 1 + 2.0 ** min(max(power, _LEAST_POWER), _GREATEST_POWER)

    power = 0
    for step in (1, -1):
        while value(order(power + step)) < value(order(power)):
            power += step
    return [order(power + step) for step in (-1, 0, 1)]


@dataclass(frozen=True)
class KnownSteps:
    """What is known of a composition: its steps, and what methods of accounting make of them.

    Attributes
    ----------
    guarantee
        What the steps guarantee together.
    counts
        The single steps, with how often each was taken.
    accountant
        From an event to its guarantee.
    """

    guarantee: Guarantee
    counts: Mapping[Event, int]
    accountant: Callable[[Event], Guarantee]

    @cached_property
    def labels(self) -> Labels | str:
        """The ε and δ of each step, and nothing else of it."""
        found: Counter[Label] = Counter()
        for event, count in self.counts.items():
            label = _label(event)
            if label is None:
                return tr("{event} steps have no pure ε", event=_kind(event))
            found[label] += count
        return Labels(found, self.accountant)

    @cached_property
    def rho(self) -> Fraction | str:
        """The sum of the ρ of zero-concentrated privacy, rounded up."""
        with working_precision(128):
            total = arb(0)
            for event, count in self.counts.items():
                each = _rho(event)
                if each is None:
                    return tr("{event} steps have no ρ", event=_kind(event))
                total += count * each
            return written(rounded_up(total))

    @cached_property
    def choices(self) -> Choices | str:
        """The steps as exponential mechanisms with one ε."""
        (event, count), *others = self.counts.items()
        if others or not isinstance(event, ev.Exponential):
            return tr("only for Exponential steps with one ε")
        if count > _MOST_CHOICES:
            return tr("shown for at most {most_choices} steps", most_choices=_MOST_CHOICES)
        return Choices(event.epsilon, count)

    @cached_property
    def divergences(self) -> Divergences | str:
        """The Rényi divergences of all steps together."""
        for event in self.counts:
            if any(isinstance(each, ev.Approximate) and each.delta for each in walk(event)):
                return tr("{event} steps have no Rényi bound", event=_kind(event))
        labelled = [event.curve for event in self.counts if isinstance(event, ev.Renyi)]
        named = frozenset(float(order) for curve in labelled for order, _ in curve)
        return Divergences(lru_cache(maxsize=None)(self.guarantee.renyi), named)


def _label(event: Event) -> Label | None:
    """Return the ε and δ that a step guarantees; an ε that is no short number is rounded up."""
    if isinstance(event, ev.Approximate):
        return event.epsilon, event.delta
    exact = exact_epsilon(event)
    if exact is not None:
        return exact, Fraction(0)
    bounds = pure_total({event: 1})
    return None if bounds is None else (written(bounds.upper), Fraction(0))


def _rho(event: Event) -> arb | None:
    if (stated := stated_rho(event)) is not None:
        return as_ball(stated)
    label = _label(event)
    if label is None or label[1]:
        return None
    return as_ball(label[0]) ** 2 / squares_in_rho(event)


def _kind(event: Event) -> str:
    """Return the name of an event, and of the one inside it where there is one."""
    names = [type(event).__name__]
    while len(event.inner) == 1:
        (event,) = event.inner
        names.append(type(event).__name__)
    return " ".join(names)
