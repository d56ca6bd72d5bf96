"""What an event is: something that was done, by its public parameters alone."""

from __future__ import annotations

import math
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from sfumato.errors import InputError
from sfumato.numeric import Ln, any_float
from sfumato.privacy.relation import AddRemove, Relation, Substitute
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


def plain(value: Any) -> str:
    """Return a number as a person would write it: a decimal where it is one, else p/q."""
    if isinstance(value, tuple):
        return ", ".join(
            tr("{bound} at order {order}", bound=plain(bound), order=plain(order))
            for order, bound in value
        )
    if isinstance(value, Ln):
        return f"ln({value.argument})"
    return _decimal(Fraction(value)) or str(value)


def literal(value: Any) -> str:
    """Return a number as Python that an event reads back as the same number."""
    if isinstance(value, tuple):
        pairs = ", ".join(f"{literal(order)}: {literal(bound)}" for order, bound in value)
        return f"{{{pairs}}}"
    if isinstance(value, Ln):
        exact = value.argument
        return f"Ln({exact if exact.denominator == 1 else repr(str(exact))})"
    return _decimal(Fraction(value)) or repr(str(value))


def _decimal(value: Fraction) -> str | None:
    """Return the whole number, or the float whose shortest decimal is this very number."""
    if value.denominator == 1:
        return str(value.numerator)
    number = any_float(value)
    exact = math.isfinite(number) and Fraction(repr(number)) == value
    return repr(number) if exact else None


_MOST_LISTED = 5

Result = TypeVar("Result")


class Event:
    """Something that was done to private data, said by public parameters alone.

    What it costs is no part of it: accountants compute that, so that a record outlives any one
    way of accounting.  Events are frozen, hashable and equal when they say the same.

    Examples
    --------
    >>> from sfumato.privacy.events import Event, Laplace
    >>> isinstance(Laplace(scale=10), Event)
    True
    >>> Laplace(scale=0.1) == Laplace(scale="1/10")
    True
    """

    #: What the event is called in documents; never changes.
    name: ClassVar[str]
    #: What ``describe`` says: the parameters by name, the events inside as ``inner``.
    wording: ClassVar[str]
    #: What stands between the events inside.
    separator: ClassVar[str] = ""
    #: The relations for which this kind of event has a meaning, whatever is inside.
    own_relations: ClassVar[tuple[type[Relation], ...]] = (AddRemove, Substitute)

    def __init__(self) -> None:
        raise InputError(
            "E-EVENT-KIND",
            "an event says what was done",
            "write one of its kinds, such as Laplace(scale=10)",
        )

    def _keep(self, **values: Any) -> None:
        self.__dict__.update(values)

    @property
    def inner(self) -> tuple[Event, ...]:
        """The events that this one is made of, in order.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace, Repeated
        >>> Repeated(Laplace(scale=10), count=3).inner
        (Laplace(scale=10, sensitivity=1),)
        """
        return ()

    @property
    def steps(self) -> tuple[tuple[Event, int], ...]:
        """The events that run one after another, with how often each; none in a single step.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace, Repeated
        >>> Laplace(scale=10).steps
        ()
        >>> Repeated(Laplace(scale=10), count=3).steps
        ((Laplace(scale=10, sensitivity=1), 3),)
        """
        return ()

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The event's own numbers by name, exactly; those of the events inside are theirs.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace
        >>> Laplace(scale=0.1).parameters
        {'scale': Fraction(1, 10), 'sensitivity': Fraction(1, 1)}
        """
        return {name: getattr(self, name) for name in own_fields(type(self))}

    @property
    def relations(self) -> tuple[type[Relation], ...]:
        """The neighbouring relations for which the event can be accounted; may be none.

        Examples
        --------
        >>> from sfumato.privacy.events import Gaussian, Subsampled
        >>> [each.__name__ for each in Gaussian(sigma=4).relations]
        ['AddRemove', 'Substitute']
        >>> [each.__name__ for each in Subsampled(Gaussian(sigma=4), rate=0.01).relations]
        ['AddRemove']
        """
        kinds = {each.own_relations for each in kinds_within(self)}
        return tuple(each for each in Event.own_relations if all(each in kind for kind in kinds))

    def parts(self) -> Iterator[tuple[Event, int]]:
        """Yield the single steps in order, each with how often it was taken.

        Compositions and repetitions are undone, and nothing else; equal steps are not merged.
        This is the only place in which a repetition is applied.

        Examples
        --------
        >>> from sfumato.privacy.events import Composed, Gaussian, Laplace, Repeated
        >>> both = Composed(Laplace(scale=10), Gaussian(sigma=4))
        >>> list(Repeated(both, count=3).parts())
        [(Laplace(scale=10, sensitivity=1), 3), (Gaussian(sigma=4, sensitivity=1), 3)]
        """
        waiting: list[tuple[Event, int]] = [(self, 1)]
        while waiting:
            event, times = waiting.pop()
            steps = event.steps
            if steps:
                waiting += [(each, count * times) for each, count in reversed(steps)]
            else:
                yield event, times

    @staticmethod
    def in_words(value: Any) -> str:
        """Return a parameter as ``describe`` says it.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.privacy.events import Laplace
        >>> Laplace.in_words(Fraction(1, 10))
        '0.1'
        """
        return f"{value:,}" if isinstance(value, int) else plain(value)

    @staticmethod
    def in_python(value: Any) -> str:
        """Return a parameter as Python that an event reads back as the same.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.privacy.events import Laplace
        >>> Laplace.in_python(Fraction(1, 3))
        "'1/3'"
        """
        return literal(value)

    def describe(self) -> str:
        """Return what was done in one line of words; a long list is cut.

        Examples
        --------
        >>> from sfumato.privacy.events import Laplace, Repeated
        >>> Repeated(Laplace(scale=10), count=1000).describe()
        '1,000 × (Laplace noise of scale 10 on sensitivity 1)'
        """
        return fold(self, _in_words)

    def __repr__(self) -> str:
        return fold(self, _in_python)

    def __str__(self) -> str:
        return self.describe()


class HasEvent(Protocol):
    """A mechanism, a release or a composition: it says what it does, or what was done."""

    @property
    def event(self) -> Event:
        """What it does, by public parameters."""


def event_of(given: object) -> Event | None:
    """Return an event itself, or that of a mechanism, a release or a composition."""
    if isinstance(given, Event):
        return given
    found = getattr(given, "event", None)
    return found if isinstance(found, Event) else None


def own_fields(kind: type[Event]) -> tuple[str, ...]:
    """Return the names of an event's own numbers, in order."""
    declared: Any = kind
    return tuple(each.name for each in fields(declared) if each.name not in {"event", "events"})


def kinds_within(event: Event) -> set[type[Event]]:
    """Return the kinds of an event and of all events inside it."""
    kinds, waiting = {type(event)}, [event]
    while waiting:
        inner = waiting.pop().inner
        kinds.update(map(type, inner))
        waiting.extend([each for each in inner if each.inner])
    return kinds


def walk(event: Event) -> Iterator[Event]:
    """Yield an event and all events inside it, outer before inner, in order."""
    waiting = [event]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(found.inner))


def fold(event: Event, combine: Callable[[Event, Sequence[Result]], Result]) -> Result:
    """Return ``combine(event, results of the events inside)``, innermost first, by a loop."""
    results: list[Result] = []
    for each in reversed(list(walk(event))):
        results.append(combine(each, [results.pop() for _ in each.inner]))
    return results[0]


def _in_words(event: Event, inner: Sequence[str]) -> str:
    listed = event.separator.join(inner[:_MOST_LISTED])
    if len(inner) > _MOST_LISTED:
        listed += tr(
            "{separator}{inner:,} more", separator=event.separator, inner=len(inner) - _MOST_LISTED
        )
    values = {key: event.in_words(value) for key, value in event.parameters.items()}
    return tr(event.wording, inner=listed, **values)


def _in_python(event: Event, inner: Sequence[str]) -> str:
    given = [f"{key}={event.in_python(value)}" for key, value in event.parameters.items()]
    return f"{type(event).__name__}({', '.join([*inner, *given])})"
