"""A mechanism on a secret sample: what samples by a rate and of a fixed size share."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import InputError
from sfumato.mechanisms.base import Mechanism, TakesRows
from sfumato.mechanisms.distributions.mixture import mixture
from sfumato.mechanisms.estimators.sample_function import (
    SampleFunction,
    check_hidden,
    read_default,
)
from sfumato.mechanisms.estimators.unit_rows import UnitRows
from sfumato.mechanisms.noise.additive import Additive
from sfumato.mechanisms.sensitivity.statistic import Statistic
from sfumato.numeric import Ln, read_count, shown
from sfumato.privacy import (
    ApproxDP,
    Epsilon,
    Guarantee,
    PureDP,
    Relation,
    compose,
    events,
)
from sfumato.refusal import Argument, Arguments, Bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from sfumato.mechanisms.distributions.output import OutputDistribution
    from sfumato.mechanisms.released import Released
    from sfumato.privacy.events import Event
    from sfumato.sampling import BitSource

    #: The rank of each unit in a sample, from 0 on; -1 where it is not drawn.
    Ranks = NDArray[np.int64]


#: The distribution of a release is a mixture over at most so many samples.
_MOST_SAMPLES = 1024


class SampledMechanism(Mechanism[Any, Any]):
    """A mechanism on a sample; what it shares is said of its two kinds."""

    mechanism: Mechanism[Any, Any]
    of: Callable[..., Any] | None
    default: Any
    #: What such a sample is called, the relation that the theorem is about, and how a sample for
    #: the other one is asked for.
    called: ClassVar[str]
    holds_for: ClassVar[type[Relation]]
    instead: ClassVar[str]

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between.

        The theorem is about one change.  To more, the event is what was found for one and extended
        to a group; or, where that is no single ε, what is done without regard to sampling.
        """
        if read_count(distance, "distance") == 1:
            return self._on_sample(_single_step(self.mechanism))
        if self._labelled is None:
            return self.mechanism.event_at(distance)
        grown: Any = self._labelled.group(distance)
        return _label(grown)

    def guarantee_at(self, distance: int) -> Guarantee:
        """Return what a release guarantees to tables that so many changes lie between."""
        if self._labelled is not None:
            return self._labelled.group(read_count(distance, "distance"))
        return compose(self.event_at(distance), relation=self.relation.times(distance))

    def distribution(self, value: Any, *, people: Any = None) -> OutputDistribution[Any]:
        """Return the exact output distribution for a few units: a mixture over all samples.

        For a function that always gives the same answer for the same sample.

        Parameters
        ----------
        value
            The rows.
        people
            Whose row each is, where people are sampled.
        """
        table = self._table(value, people)
        if table.units > _MOST_SAMPLES or self._how_many(table.units) > _MOST_SAMPLES:
            raise InputError(
                "E-TOO-LARGE",
                "the distribution is a mixture over all samples, here more than {most_samples:,}",
                "give fewer rows",
                most_samples=_MOST_SAMPLES,
            )
        found: dict[Any, list[Any]] = {}
        for chance, ranks in self._samples(table.units):
            key, distribution = self._told(table, table.places(ranks))
            found.setdefault(key, [Fraction(0), distribution])[0] += chance
        return mixture([(chance, each) for chance, each in found.values() if chance])

    def error(self, *, confidence: Any = 0.95, **asked: Any) -> float:
        """Return how far the output is from the answer on the sample, as the mechanism tells it.

        How far that answer is from the one on all rows is another matter.
        """
        return self.mechanism.error(confidence=confidence, **asked)

    def release(
        self, value: Any, *, people: Any = None, source: BitSource | None = None
    ) -> Released[Any]:
        """Return what the mechanism releases of a fresh sample; one call is one charge.

        Parameters
        ----------
        value
            The rows: a list, an array, a pandas or polars frame or column.
        people
            Whose row each is, where people are sampled: their identifiers, in the order of the
            rows.  Rows of nobody count as those of one person.
        source
            Where random bits come from: the operating system, or a ``SeededSource`` in tests.
        """
        return super().release(self._table(value, people), source=source)

    def __repr__(self) -> str:
        return super().__repr__().replace(", of=None, default=None", "")

    def _draw(self, value: UnitRows, source: BitSource) -> Any:
        places = value.places(self._drawn(value.units, source))
        if self.of is None:
            return self.mechanism.release(value.taken(places), source=source).value
        answer = SampleFunction(self.of, self.default).answer(value, places)
        return self._of_answer(
            lambda each: self.mechanism.release(each, source=source).value, answer
        )

    def _told(
        self, table: UnitRows, places: NDArray[np.int64]
    ) -> tuple[Any, OutputDistribution[Any]]:
        """Return the output distribution for one sample, and what equal ones share."""
        if self.of is None:
            told = self.mechanism.distribution(table.taken(places))
            return told, told
        answer = SampleFunction(self.of, self.default).answer(table, places)
        return repr(answer), self._of_answer(self.mechanism.distribution, answer)

    def _of_answer(self, use: Callable[[Any], Any], answer: Any) -> Any:
        """Use an answer, or the default where the mechanism does not take such an answer.

        It refuses before it draws anything.
        """
        try:
            return use(answer)
        except InputError:
            return use(self.default)

    def _table(self, rows: Any, people: Any) -> UnitRows:
        """Return the rows by unit; what is refused is refused here, before anything is drawn."""
        table = UnitRows.of(rows, people, self.relation.unit)
        if isinstance(self.mechanism, TakesRows):
            self.mechanism.check_rows(rows)
        if isinstance(self.of, Statistic):
            self.of.read(rows)
        return table

    @property
    def _labelled(self) -> PureDP | ApproxDP | None:
        """What is guaranteed for one change as an ε and a δ, where the mechanism has such."""
        own = self.mechanism.guarantee
        if not isinstance(own, (PureDP, ApproxDP)):
            return None
        epsilon = self._amplified(own.exact_epsilon)
        if isinstance(own, PureDP):
            return PureDP(epsilon=epsilon, relation=self.relation)
        delta = own.exact_delta * self.share
        return ApproxDP(epsilon=epsilon, delta=delta, relation=self.relation)

    def _amplified(self, epsilon: Epsilon) -> Epsilon:
        """Return ln(1 + q (e^ε - 1)): exact for a logarithm, else rounded up."""
        if isinstance(epsilon, Ln):
            return Ln(1 + self.share * (epsilon.argument - 1))
        if self.share == 1:
            return epsilon
        amplified = compose(self._on_sample(events.Pure(epsilon=epsilon)), relation=self.relation)
        return PureDP(epsilon=amplified.epsilon(delta=0)).exact_epsilon

    @property
    @abstractmethod
    def share(self) -> Fraction:
        """The probability of each unit to be in the sample: what a total is divided by."""

    @abstractmethod
    def _on_sample(self, event: Event) -> Event:
        """Return the event of doing something to a sample."""

    @abstractmethod
    def _how_many(self, units: int) -> int:
        """Return how many samples of so many units there are."""

    @abstractmethod
    def _samples(self, units: int) -> Iterator[tuple[Fraction, Ranks]]:
        """Yield all samples of so many units, each with its probability."""

    @abstractmethod
    def _drawn(self, units: int, source: BitSource) -> Ranks:
        """Draw a sample of so many units: the rank of each in it."""


def _single_step(mechanism: Mechanism[Any, Any]) -> Event:
    """Return what a mechanism does as one step: its event, or else what it guarantees."""
    event, guaranteed = mechanism.event, mechanism.guarantee
    if not isinstance(event, (events.Composed, events.Repeated, events.ZeroConcentrated)):
        return event
    if not isinstance(guaranteed, (PureDP, ApproxDP)):
        raise InputError(
            "E-EVENT-KIND",
            "no theorem on samples here covers what is known of this {mechanism}",
            "make it with {example}",
            mechanism=type(mechanism).__name__,
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )
    return _label(guaranteed)


def _label(guaranteed: PureDP | ApproxDP) -> Event:
    if isinstance(guaranteed, PureDP):
        return events.Pure(epsilon=guaranteed.exact_epsilon)
    return events.Approximate(epsilon=guaranteed.exact_epsilon, delta=guaranteed.exact_delta)


def read_mechanism(
    kind: type[SampledMechanism], mechanism: Any, of: Any, default: Any
) -> Mapping[str, Any]:
    """Return the checked parameters that both kinds of samples have."""
    _check_mechanism(mechanism)
    _check_sampled_relation(kind, mechanism.relation)
    takes_rows = isinstance(mechanism, TakesRows)
    if takes_rows and (of is not None or default is not None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{mechanism} takes the rows of a sample itself, and needs no function of them",
            "leave out of= and default=",
            mechanism=type(mechanism).__name__,
        )
    if not takes_rows and not callable(of):
        raise InputError(
            "E-ARGUMENT-MISSING",
            "{mechanism} takes numbers and no rows, so say what is computed of the sample",
            "write {of}, say",
            mechanism=type(mechanism).__name__,
            of=Argument("of", Bare("len")),
        )
    if isinstance(of, Statistic) and isinstance(mechanism, Additive):
        check_hidden(mechanism, of)
    counts = None if takes_rows else read_default(mechanism, default)
    return {"mechanism": mechanism, "of": of, "default": counts, "relation": mechanism.relation}


def _check_mechanism(mechanism: Any) -> None:
    if isinstance(mechanism, SampledMechanism):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a sample is drawn once, not of a sample",
            "give the mechanism itself, and the product of both rates",
        )
    if not isinstance(mechanism, Mechanism):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "sampled takes a mechanism, not {mechanism}",
            "write sf.sampled(sf.mechanisms.DiscreteLaplace(epsilon=1), of=len, rate=0.1), say",
            mechanism=shown(mechanism),
        )


def _check_sampled_relation(kind: type[SampledMechanism], relation: Relation) -> None:
    """Refuse a relation for which the theorem does not hold."""
    if not isinstance(relation, kind.holds_for):
        raise InputError(
            "E-RELATION-OTHER",
            "{sample} holds for {verb} only, and the mechanism is made for “{relation}”",
            "make it with {write}, or draw a sample by {instead}",
            sample=kind.called,
            verb=kind.holds_for.verb,
            relation=relation,
            write=Argument("relation", Bare(f"sf.privacy.{kind.holds_for.__name__}()")),
            instead=kind.instead,
        )
    if relation.count > 1:
        raise InputError(
            "E-RELATION-OTHER",
            "a sample is accounted for one changed unit, not for {relation}",
            "make the mechanism for one, and ask for guarantee_at({count})",
            relation=relation,
            count=relation.count,
        )
