"""Events made of events: composed, repeated, side by side, on samples, shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import Event, kinds_within, walk
from sfumato.privacy.events.labelled import Pure, Renyi, ZeroConcentrated
from sfumato.privacy.events.mechanisms import RandomizedResponse
from sfumato.privacy.relation import AddRemove, Relation, Substitute, read_relation
from sfumato.refusal import Argument, Bare, all_of, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events.fields import Number


class Structure(Event):
    """An event made of others; compared and hashed without recursion, however deep it is."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return _said(self) == _said(other)

    def __hash__(self) -> int:
        return hash(tuple(_said(self)))


class Wrapper(Structure):
    """An event that says something of one other event."""

    event: Event

    @property
    def inner(self) -> tuple[Event, ...]:
        """The one event inside."""
        return (self.event,)


class EventGroup(Structure):
    """An event made of one or more others."""

    events: tuple[Event, ...]

    def __init__(self, *events: Event) -> None:
        owner = type(self).__name__
        if not events:
            raise InputError(
                "E-ARGUMENT-EMPTY",
                "{owner} needs at least one event",
                "write {owner}(Laplace(scale=10)), say",
                owner=owner,
            )
        self._keep(events=tuple(checked(each, owner) for each in events))

    @property
    def inner(self) -> tuple[Event, ...]:
        """The events inside, in order."""
        return self.events


@dataclass(frozen=True, repr=False, eq=False, init=False)
class Composed(EventGroup):
    """All of these were done, each possibly chosen after the results before it were seen.

    Proof: :doc:`/proofs/basic-composition` and :doc:`/proofs/domination`.

    Parameters
    ----------
    events
        One or more, in order.

    Examples
    --------
    >>> from sfumato.privacy.events import Composed, Gaussian, Laplace
    >>> print(Composed(Laplace(scale=10), Gaussian(sigma=4)))
    Laplace noise of scale 10 on sensitivity 1, then Gaussian noise of sigma 4 on sensitivity 1
    """

    events: tuple[Event, ...]

    name = "composed"
    wording = "{inner}"
    separator = ", then "

    @property
    def steps(self) -> tuple[tuple[Event, int], ...]:
        """The events, each once.

        Examples
        --------
        >>> from sfumato.privacy.events import Composed, Laplace
        >>> Composed(Laplace(scale=10)).steps
        ((Laplace(scale=10, sensitivity=1), 1),)
        """
        return tuple((each, 1) for each in self.events)


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Wrapper):
    """The same was done many times, with fresh randomness each time.

    Parameters
    ----------
    event
        What was done.
    count
        How often.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace, Repeated
    >>> print(Repeated(Laplace(scale=10), count=1000))
    1,000 × (Laplace noise of scale 10 on sensitivity 1)
    """

    event: Event
    count: int

    name = "repeated"
    wording = "{count} × ({inner})"

    def __init__(self, event: Event, *, count: int) -> None:
        self._keep(event=checked(event, "Repeated"), count=fields.count(count, "count"))

    @property
    def steps(self) -> tuple[tuple[Event, int], ...]:
        """The event, with how often it was repeated.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace, Repeated
        >>> Repeated(Laplace(scale=10), count=3).steps
        ((Laplace(scale=10, sensitivity=1), 3),)
        """
        return ((self.event, self.count),)


@dataclass(frozen=True, repr=False, eq=False, init=False)
class Parallel(EventGroup):
    """Each of these was done to its own group of units; no unit is in two groups.

    It holds for adding or removing units.  Substituting one could move it between two groups.
    Proof: :doc:`/proofs/parallel-composition`.

    Parameters
    ----------
    events
        One or more, one a group.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace, Parallel
    >>> print(Parallel(Laplace(scale=10), Laplace(scale=20)))
    on disjoint groups (Laplace noise of scale 10 on sensitivity 1; \
Laplace noise of scale 20 on sensitivity 1)
    """

    events: tuple[Event, ...]

    name = "parallel"
    wording = mark("on disjoint groups ({inner})")
    separator = "; "
    own_relations = (AddRemove,)


def checked(event: Any, owner: str) -> Event:
    """Return what was given if it is an event."""
    if isinstance(event, Event):
        return event
    hint = f"{owner}(Laplace(scale=10), …)"
    if isinstance(event, (list, tuple)):
        hint = f"{owner}(*events)"
    elif isinstance(getattr(event, "event", None), Event):
        hint = f"{owner}(….event)"
    raise InputError(
        "E-ARGUMENT-TYPE",
        "{owner} takes events, not {event}",
        "write {hint}",
        owner=owner,
        event=shown(event),
        hint=hint,
    )


def _said(event: Event) -> list[tuple[Any, ...]]:
    """Return all that an event says, flat: each event's kind, size and parameters in order."""
    return [(type(each), len(each.inner), *each.parameters.values()) for each in walk(event)]


@dataclass(frozen=True, repr=False, eq=False)
class Subsampled(Wrapper):
    """Something was done to a Poisson sample: each unit entered by itself with one probability.

    It holds for adding or removing units, and who was in the sample stays secret.  A repetition
    draws a fresh sample each time: ``Repeated(Subsampled(event, rate=0.01), count=1000)``.
    Proof: :doc:`/proofs/poisson-sampling`.

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

    It holds for substituting units, which leaves the population's size as it is, where the order of
    the sample is that of drawing or is not looked at.  Proof: :doc:`/proofs/fixed-size-sampling`.

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

    It holds for substituting what one person reports.  Proof: :doc:`/proofs/shuffling`.

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


def check_relation(event: Event, relation: Any) -> None:
    """Refuse an event that has no meaning, or no theorem, under a neighbouring relation.

    Parameters
    ----------
    event
        What was done.
    relation
        Which tables are neighbours.

    Examples
    --------
    >>> from sfumato.privacy import AddRemove, Substitute
    >>> from sfumato.privacy.events import Gaussian, Subsampled, check_relation
    >>> event = Subsampled(Gaussian(sigma=4), rate=0.01)
    >>> check_relation(event, AddRemove())
    >>> check_relation(event, Substitute())
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: Subsampled holds for add or remove only, not for substitute \
one row; write relation=sf.privacy.AddRemove()
    """
    read_relation(relation)
    if not isinstance(relation, checked(event, "check_relation").relations):
        raise _refusal(event, relation)
    if relation.count > 1 and (single := _for_one_unit(event)):
        raise InputError(
            "E-RELATION-OTHER",
            "{single} is accounted for one changed unit, not for {relation}",
            "account for one, and write .group({count}) for the group",
            single=single,
            relation=relation,
            count=relation.count,
        )


def _for_one_unit(event: Event) -> str:
    """Return an event inside whose theorem is about one unit alone; empty where there is none."""
    alone = {"Subsampled", "FixedSizeSubsampled", "Shuffled", "Parallel", "Pair"}
    return next((kind.__name__ for kind in kinds_within(event) if kind.__name__ in alone), "")


def _refusal(event: Event, relation: Relation) -> InputError:
    if not event.relations:
        return _mixture(event)
    (valid,) = event.relations
    culprit = next(each for each in walk(event) if each.own_relations == (valid,))
    return InputError(
        "E-RELATION-OTHER",
        "{kind} holds for {verb} only, not for {relation}",
        "write {write}",
        kind=type(culprit).__name__,
        verb=valid.verb,
        relation=relation,
        write=Argument("relation", Bare(f"sf.privacy.{valid.__name__}()")),
    )


def _mixture(event: Event) -> InputError:
    """Name one event of each kind of those that go with one relation only."""
    bound = {each.own_relations[0]: each for each in walk(event) if len(each.own_relations) == 1}
    sides = (
        text("{kind} ({verb} only)", kind=type(each).__name__, verb=one.verb)
        for one, each in bound.items()
    )
    return InputError(
        "E-RELATION-OTHER",
        "the event mixes {sides}, so no relation suits all of it",
        "account for them apart",
        sides=all_of(sides),
    )
