"""What every mechanism answers: its guarantee, output distribution, error and theorem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from sfumato.errors import InputError
from sfumato.mechanisms.released import Released
from sfumato.numeric import Ln, cached_property, read_count, shown
from sfumato.printing import Chart, drawn
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    Epsilon,
    Guarantee,
    PureDP,
    Relation,
    Row,
    Substitute,
    events,
    read_relation,
    usable_epsilon,
)
from sfumato.privacy.events import Event, literal
from sfumato.privacy.events import fields as event_fields
from sfumato.privacy.guarantees import multiple
from sfumato.refusal import Argument, any_of
from sfumato.sampling import BitSource, read_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.mechanisms.distributions.output import OutputDistribution


#: The relation of a mechanism that names none.
ONE_ROW: Relation = AddRemove()
#: The relation of a mechanism for which the number of rows is public.
ONE_SUBSTITUTED: Relation = Substitute()
#: Below nothing can be learnt, and from it on all can be computed.
_LEAST = "1e-12"


def read_monotone(monotone: Any) -> bool:
    """Return whether one change moves all utilities the same way."""
    if not isinstance(monotone, bool):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "monotone must be True or False, not {monotone}",
            "write monotone=True",
            monotone=shown(monotone),
        )
    return monotone


def read_positive_delta(delta: Any) -> Fraction:
    """Return a probability above 0 and below 1, exactly."""
    number = event_fields.delta(delta)
    if number == 0:
        raise InputError(
            "E-DELTA-MISSING",
            "{argument} must be above 0 here, not {delta}",
            "write 1e-6, say",
            delta=shown(delta),
            argument=Argument("delta"),
        )
    return number


def read_row_relation(relation: Any, *kinds: type[Relation]) -> Relation:
    """Return a relation of one row, of a kind for which the mechanism is proved."""
    found = read_relation(relation)
    if not isinstance(found, kinds or (Relation,)) or found.count > 1 or found.unit != Row():
        allowed = any_of(f"{kind.__name__}()" for kind in kinds or (AddRemove,))
        raise InputError(
            "E-RELATION-OTHER",
            "this mechanism is proved for a change of one row, not for “{found}”",
            "write relation={allowed} and give each person one row",
            found=found,
            allowed=allowed,
        )
    return found


Value = TypeVar("Value")
Output = TypeVar("Output")


class Mechanism(ABC, Generic[Value, Output]):
    """A way to release something about private data, with what it guarantees.

    Attributes
    ----------
    relation
        Which tables are neighbours: the mechanism's sensitivity is meant for one such change.

    Examples
    --------
    >>> import sfumato as sf
    >>> isinstance(sf.mechanisms.Laplace(epsilon=1, sensitivity=1), sf.mechanisms.Mechanism)
    True
    """

    #: The theorem that the guarantee rests on, in one sentence.
    theorem: ClassVar[str]
    #: The keys of docs/references.bib in which it is proved.
    citations: ClassVar[tuple[str, ...]]

    relation: Relation

    @property
    def event(self) -> Event:
        """What one release does, by public parameters; give it to ``compose`` or a ledger.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteLaplace(epsilon=0.5).event
        DiscreteLaplace(scale=2, sensitivity=1)
        """
        return self._event

    @property
    def guarantee(self) -> Guarantee:
        """What one release guarantees for one change of the table.

        Examples
        --------
        >>> import sfumato as sf
        >>> print(sf.mechanisms.DiscreteLaplace(epsilon=0.5).guarantee)
        0.5-DP (add or remove one row)
        """
        return self._guarantee

    @cached_property
    def _event(self) -> Event:
        return self.event_at(1)

    @cached_property
    def _guarantee(self) -> Guarantee:
        return self.guarantee_at(1)

    @abstractmethod
    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteLaplace(epsilon=0.5).event_at(3)
        DiscreteLaplace(scale=2, sensitivity=3)
        """

    @abstractmethod
    def guarantee_at(self, distance: int) -> Guarantee:
        """Return what a release guarantees to tables that so many changes lie between.

        The privacy map: distance in, guarantee out.

        Examples
        --------
        >>> import sfumato as sf
        >>> print(sf.mechanisms.DiscreteLaplace(epsilon=0.5).guarantee_at(3))
        1.5-DP (add or remove three rows)
        """

    @abstractmethod
    def distribution(self, value: Value) -> OutputDistribution[Any]:
        """Return the exact output distribution of ``release`` for a private value.

        Examples
        --------
        >>> import sfumato as sf
        >>> distribution = sf.mechanisms.DiscreteLaplace(epsilon=1).distribution(42)
        >>> round(distribution.probability(42).upper, 12)
        0.46211715726
        """

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return private values one change apart on which the guarantee is put to its hardest test.

        None where they depend on what a user's function does with the data.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteLaplace(epsilon=1, sensitivity=3).neighbours()
        [(0, 3)]
        """
        return []

    @abstractmethod
    def error(self, *, confidence: Any = 0.95) -> float:
        """Return a distance that the error of one release exceeds with at most 1 - confidence.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.DiscreteLaplace(epsilon=1).error(confidence=0.95)
        3.0
        """

    def release(self, value: Value, *, source: BitSource | None = None) -> Released[Output]:
        """Return a value protected by the mechanism; one call is one charge.

        Parameters
        ----------
        value
            The private value.  Nothing about it decides whether an error is raised, only its
            type and shape do; no message shows it.
        source
            Where random bits come from: the operating system, or a ``SeededSource`` in tests.

        Examples
        --------
        >>> import sfumato as sf
        >>> released = sf.mechanisms.DiscreteLaplace(epsilon=1).release(42)
        >>> isinstance(released.value, int)
        True
        """
        bits = read_source(source)
        return Released(self._draw(value, bits), self.event, self.guarantee, bits.seeded)

    def plot(
        self,
        value: Any = None,
        neighbour: Any = None,
        *,
        of: Literal["outputs", "loss"] = "outputs",
        to: str | Path | None = None,
    ) -> Chart:
        """Draw how likely each output is, on two neighbours (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        value
            An example, which the picture shows: no private value.  0 for a number, the first
            answer of a survey; a choice needs its utilities.
        neighbour
            What it is after one change of the table; without it as far away as one change leads,
            and none for a choice.
        of
            ``"outputs"``: how likely each is.  ``"loss"``: the privacy loss of each, the logarithm
            of how many times as likely it is on the value as on its neighbour.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.RandomizedResponse(truth="2/3").plot().to_dict()["title"]["text"]
        ['no output is more than 2 times as likely on a neighbour']
        """
        return drawn("mechanism", self, to=to, value=value, neighbour=neighbour, of=of)

    def __repr__(self) -> str:
        declared: Any = self
        values = {each.name: getattr(self, each.name) for each in fields(declared) if each.repr}
        given = [f"{name}={_said(value)}" for name, value in values.items() if value != ONE_ROW]
        return f"{type(self).__name__}({', '.join(given)})"

    def _keep(self, **values: Any) -> None:
        self.__dict__.update(values)

    @abstractmethod
    def _draw(self, value: Value, source: BitSource) -> Output:
        """Return one draw from the output distribution; all checks come before the first bit."""


class TakesRows(ABC):
    """What a mechanism has besides that is given the rows of a table, and not a number of them."""

    @abstractmethod
    def check_rows(self, rows: Any) -> None:
        """Refuse what ``release`` refuses, by types and shapes alone; nothing is drawn.

        Rows that pass have no sample that is refused.
        """


def _said(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_said(each) for each in value)}{',' if len(value) == 1 else ''})"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return literal(value) if isinstance(value, (Fraction, Ln)) else repr(value)


def read_usable_epsilon(epsilon: Any) -> Epsilon:
    """Return an ε that a mechanism of several computed parts can be made for."""
    return usable_epsilon(epsilon, least=_LEAST)


class PureMechanism(Mechanism[Value, Output]):
    """A mechanism that guarantees its ε, and to so many changes that many times as much."""

    epsilon: Epsilon
    #: The event of one release, made from its ε.
    kind: ClassVar[Callable[..., Event]] = events.Pure

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between."""
        return type(self).kind(epsilon=multiple(self.epsilon, read_count(distance, "distance")))

    def guarantee_at(self, distance: int) -> PureDP:
        """Return what a release guarantees to tables that so many changes lie between."""
        times = read_count(distance, "distance")
        return PureDP(epsilon=multiple(self.epsilon, times), relation=self.relation.times(times))


class GuaranteedMechanism(Mechanism[Value, Output]):
    """A mechanism whose event is its (ε, δ): groups get what the guarantee says about groups.

    Attributes
    ----------
    epsilon, delta
        What is guaranteed for one change; δ is None where the guarantee is pure.
    """

    epsilon: Epsilon
    delta: Fraction | None

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between."""
        guaranteed = self.guarantee_at(distance)
        if isinstance(guaranteed, PureDP):
            return events.Pure(epsilon=guaranteed.exact_epsilon)
        return events.Approximate(epsilon=guaranteed.exact_epsilon, delta=guaranteed.exact_delta)

    def guarantee_at(self, distance: int) -> PureDP | ApproxDP:
        """Return what a release guarantees to tables that so many changes lie between."""
        one: Any = (
            PureDP(epsilon=self.epsilon, relation=self.relation)
            if self.delta is None
            else ApproxDP(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
        )
        grown: PureDP | ApproxDP = one.group(read_count(distance, "distance"))
        return grown
