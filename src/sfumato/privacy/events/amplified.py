"""Events whose cost shrinks because nobody knows who was in them, or who said what."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.privacy.events import fields
from sfumato.privacy.events.choices import RandomizedResponse
from sfumato.privacy.events.labelled import Pure, Renyi, ZeroConcentrated
from sfumato.privacy.events.structure import Composed, Repeated, Structure, Wrapper, checked
from sfumato.privacy.relation import AddRemove, Substitute
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events.base import Event
    from sfumato.privacy.events.fields import Number

__all__ = ["FixedSizeSubsampled", "Shuffled", "Subsampled", "sample_of"]


@dataclass(frozen=True, repr=False, eq=False)
class Subsampled(Wrapper):
    """Something was done to a Poisson sample: each unit entered by itself with one probability.

    It holds for adding or removing units, and who was in the sample stays secret.  A repetition
    draws a fresh sample each time: ``Repeated(Subsampled(event, rate=0.01), count=1000)``.

    Parameters
    ----------
    event
        What was done to the sample: a single step, or a Poisson sample of the sample.
    rate
        The probability of each unit to enter, above 0 and at most 1.

    Examples
    --------
    >>> from sfumato.privacy.events import Gaussian, Subsampled
    >>> print(Subsampled(Gaussian(sigma=4), rate=0.01))
    Gaussian noise of sigma 4 on sensitivity 1, on a Poisson sample of rate 0.01
    """

    event: Event
    rate: Fraction

    name = "subsampled"
    wording = mark("{inner}, on a Poisson sample of rate {rate}")
    own_relations = (AddRemove,)

    def __init__(self, event: Event, *, rate: Number) -> None:
        if not isinstance(event, Subsampled):
            _check_samplable(event, "Subsampled", "rate=0.01")
        self._keep(event=event, rate=fields.rate(rate))


@dataclass(frozen=True, repr=False, eq=False)
class FixedSizeSubsampled(Wrapper):
    """Something was done to a sample of a fixed size, drawn without replacement.

    It holds for substituting units, which leaves the population's size as it is.

    Parameters
    ----------
    event
        What was done to the sample: a single step.
    size
        How many units were drawn.
    population
        Out of how many.

    Examples
    --------
    >>> from sfumato.privacy.events import FixedSizeSubsampled, Laplace
    >>> print(FixedSizeSubsampled(Laplace(scale=10), size=100, population=10_000))
    Laplace noise of scale 10 on sensitivity 1, on a sample of 100 out of 10,000
    """

    event: Event
    size: int
    population: int

    name = "fixed_size_subsampled"
    wording = mark("{inner}, on a sample of {size} out of {population}")
    own_relations = (Substitute,)

    def __init__(self, event: Event, *, size: int, population: int) -> None:
        _check_samplable(event, "FixedSizeSubsampled", "size=100, population=10_000")
        drawn, everyone = fields.count(size, "size"), fields.count(population, "population")
        if drawn > everyone:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{size} must be at most the population of {everyone:,}, not {drawn:,}",
                "a sample without replacement is no larger",
                everyone=everyone,
                drawn=drawn,
                size=Argument("size"),
            )
        self._keep(event=event, size=drawn, population=everyone)


@dataclass(frozen=True, repr=False, eq=False)
class Shuffled(Wrapper):
    """The randomised reports of many people were shuffled, so that nobody knows whose is whose.

    It holds for substituting what one person reports.

    Parameters
    ----------
    event
        What each person did alone: ``RandomizedResponse``, or ``Pure`` for any other way.
    population
        How many people reported, 2 or more.

    Examples
    --------
    >>> from sfumato.privacy.events import RandomizedResponse, Shuffled
    >>> print(Shuffled(RandomizedResponse(epsilon=1), population=10_000))
    the shuffled reports of 10,000 people, each by randomized response among 2 answers with ε = 1
    """

    event: Event
    population: int

    name = "shuffled"
    wording = mark("the shuffled reports of {population} people, each by {inner}")
    own_relations = (Substitute,)

    def __init__(self, event: Event, *, population: int) -> None:
        if not isinstance(checked(event, "Shuffled"), (RandomizedResponse, Pure)):
            raise InputError(
                "E-EVENT-KIND",
                "Shuffled takes what each person did alone with pure privacy, not {kind}",
                "write RandomizedResponse(epsilon=1) or Pure(epsilon=1)",
                kind=type(event).__name__,
            )
        self._keep(event=event, population=fields.count(population, "population", least=2))


def sample_of(event: Subsampled | FixedSizeSubsampled) -> tuple[Event, Fraction]:
    """Return what was done to a sample, and at what rate; a sample of a sample is one sample."""
    if isinstance(event, FixedSizeSubsampled):
        return event.event, Fraction(event.size, event.population)
    inner: Event = event
    rate = Fraction(1)
    while isinstance(inner, Subsampled):
        rate, inner = rate * inner.rate, inner.event
    return inner, rate


def _check_samplable(event: Event, owner: str, drawn: str) -> None:
    """Refuse what no theorem on samples covers."""
    given = type(checked(event, owner)).__name__
    if isinstance(event, (Composed, Repeated)):
        raise InputError(
            "E-EVENT-KIND",
            "{owner} takes a single step, not {given}, for each step draws its own sample",
            "write Repeated({owner}(event, {drawn}), count=10)",
            owner=owner,
            given=given,
            drawn=drawn,
        )
    if isinstance(event, (Structure, Renyi, ZeroConcentrated)):
        raise InputError(
            "E-EVENT-KIND",
            "{owner} takes a single step, not {given}, which no theorem on samples here covers",
            "write {owner}(Gaussian(sigma=4), {drawn}), say",
            owner=owner,
            given=given,
            drawn=drawn,
        )
