"""A mechanism run on a secret random sample of the rows: amplification by subsampling, drawn."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.base import Mechanism, TakesRows
from sfumato.mechanisms.distributions.mixture import mixture
from sfumato.mechanisms.estimators.blocks import finite_number
from sfumato.mechanisms.estimators.unit_rows import UnitRows
from sfumato.mechanisms.noise.additive import Additive
from sfumato.mechanisms.sensitivity.declared import Norm, plain_sensitivity
from sfumato.mechanisms.sensitivity.statistic import Statistic
from sfumato.numeric import Ln, read_count, shown
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    Epsilon,
    Guarantee,
    PureDP,
    Relation,
    Substitute,
    compose,
    events,
)
from sfumato.refusal import Argument, Arguments, Bare
from sfumato.sampling import BitSource, SeededSource, bernoulli, permutation
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from sfumato.mechanisms.distributions.output import OutputDistribution
    from sfumato.mechanisms.released import Released
    from sfumato.privacy.events import Event

    #: The rank of each unit in a sample, from 0 on; -1 where it is not drawn.
    Ranks = NDArray[np.int64]


#: The distribution of a release is a mixture over at most so many samples.
_MOST_SAMPLES = 1024


@dataclass(frozen=True)
class SampleFunction:
    """A function of a sample made total: a number, or numbers in the form of a default.

    Parameters
    ----------
    function
        Takes the rows of a sample and, where people are sampled, whose they are as ``people``.
    default
        What counts where it raises, or returns anything else than finite numbers in this form.
    """

    function: Callable[..., Any]
    default: Any

    def answer(self, table: UnitRows, places: NDArray[np.int64]) -> Any:
        """Return the answer on the rows at some places."""
        # Whatever a user's function raises must not show that a row is there.
        try:
            rows, people = table.given(places)
            found = plain_numbers(self.function(rows, **people))
            return found if np.shape(found) == np.shape(self.default) else self.default
        except Exception:  # noqa: BLE001
            return self.default


def plain_numbers(answer: Any) -> Any:
    """Return a number or tuples of numbers, each an int or a Fraction whatever it came as.

    So the type of what is released does not tell which answer it was.  What is not finite, and no
    number, raises some error.
    """
    if np.ndim(answer):
        entries = np.asarray(answer, dtype=object)
        return tuple(plain_numbers(each) for each in entries.tolist())
    number = finite_number(answer)
    return int(number) if number.denominator == 1 else number


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


@dataclass(frozen=True, init=False, repr=False)
class PoissonSampled(SampledMechanism):
    """A mechanism on a Poisson sample: each unit is in it with one probability, by itself.

    Made by :func:`sampled` where it is given a ``rate``.

    Parameters
    ----------
    mechanism
        What protects the answer, for adding or removing one unit: of rows, or of what ``of`` says.
    rate
        q, above 0 and at most 1.
    of
        What is computed of the sample, for a mechanism that takes numbers.
    default
        What counts where that fails.

    Notes
    -----
    Let M be ε-private for adding or removing a unit, and x the unit that one table has more.  With
    probability 1 - q it is not drawn: then the sample, by the coins of all others, is distributed
    as that of the table without x.  Else it is that and x.  So the outputs are (1 - q) Q + q P
    against Q, where P is Q but for a factor between e^-ε and e^ε: their ratio is at most
    1 + q (e^ε - 1), and at least 1 + q (e^-ε - 1), the inverse of which is no more.  From (ε, δ)
    follows (ln(1 + q (e^ε - 1)), q δ) :cite:p:`balle2018subsampling`, and the whole privacy
    profile is accounted from the ``event`` :cite:p:`zhu2022`.  No more than one output of the
    mechanism on the sample may be seen: neither who is in it, nor how many are.
    Proof: :doc:`/proofs/poisson-sampling`.

    Coins are exact, and as many are tossed as there are units.  Units are rows, or people with all
    of their rows, as the mechanism's relation says.

    Edge cases

    =====================================  ================================================
    of the function                        what happens
    =====================================  ================================================
    an exception                           the default counts; nothing of it is shown
    NaN, ±inf, text, None, bool            the default counts
    another form than that of the default  the default counts
    what the mechanism does not take       the default counts
    rows that cannot be copied             the default counts
    no row in the sample                   the function is called with no rows
    rows of another type                   are refused before anything is drawn
    =====================================  ================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> count = sf.sampled(sf.mechanisms.DiscreteLaplace(epsilon=1), of=len, rate=0.1)
    >>> count
    PoissonSampled(mechanism=DiscreteLaplace(scale=1, sensitivity=1), rate=0.1, of=len, default=0)
    >>> print(count.guarantee)
    0.15856507874042913-DP (add or remove one row)
    """

    theorem = (
        "A mechanism that is ε-differentially private for adding or removing a unit is "
        "ln(1 + q (e^ε - 1))-differentially private on a Poisson sample of rate q, of which "
        "nothing else is seen; privacy of (ε, δ) has q δ."
    )
    citations = ("balle2018subsampling", "zhu2022")
    called = mark("a Poisson sample")
    holds_for = AddRemove
    instead = "size=100, population=10_000"

    mechanism: Mechanism[Any, Any]
    rate: Fraction
    of: Callable[..., Any] | None
    default: Any
    relation: Relation = field(repr=False)

    def __init__(
        self,
        mechanism: Mechanism[Any, Any],
        *,
        rate: Any,
        of: Callable[..., Any] | None = None,
        default: Any = None,
    ) -> None:
        self._keep(**_read_mechanism(type(self), mechanism, of, default))
        self._keep(rate=events.Subsampled(events.Pure(epsilon=1), rate=rate).rate)
        _check_form(self.of, self.default, 0)
        self._keep(_event=self.event_at(1))

    @property
    def share(self) -> Fraction:
        """The probability of each unit to be in the sample: what a total is divided by.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.sampled(sf.mechanisms.DiscreteLaplace(epsilon=1), of=len, rate=0.1).share
        Fraction(1, 10)
        """
        return self.rate

    def _on_sample(self, event: Event) -> Event:
        return events.Subsampled(event, rate=self.rate)

    def _how_many(self, units: int) -> int:
        return 1 << units

    def _samples(self, units: int) -> Iterator[tuple[Fraction, Ranks]]:
        for coins in product((0, 1), repeat=units):
            heads = sum(coins)
            yield self.rate**heads * (1 - self.rate) ** (units - heads), np.array(coins, int) - 1

    def _drawn(self, units: int, source: BitSource) -> Ranks:
        return bernoulli(self.rate, units, source=source).astype(np.int64) - 1


@dataclass(frozen=True, init=False, repr=False)
class FixedSizeSampled(SampledMechanism):
    """A mechanism on a sample of a fixed size, drawn without replacement.

    Made by :func:`sampled` where it is given a ``size`` and the ``population``.

    Parameters
    ----------
    mechanism
        What protects the answer, for substituting one unit: of rows, or of what ``of`` says.
    size
        m, how many units are drawn.
    population
        n, out of how many: a public number, and that of all tables given to ``release``.
    of
        What is computed of the sample, for a mechanism that takes numbers.
    default
        What counts where that fails.

    Notes
    -----
    Units are drawn one after another without replacement, and handed over in the order in which
    they are drawn, all of which are equally likely.  Let M be ε-private for substituting a unit.
    With probability 1 - m/n the unit that differs is not drawn, and both tables have the same
    sample.  Else the samples are neighbours; and each is a neighbour, too, of the samples in which
    a unit that was not drawn is in its place: it is for them that the order is that of drawing, so
    that nothing else moves.  From that follow ln(1 + (m/n) (e^ε - 1)) for ε, and (m/n) δ for δ
    :cite:p:`balle2018subsampling`.  No more than one output of the mechanism on the sample may be
    seen, and not who is in it.  Proof: :doc:`/proofs/fixed-size-sampling`.

    Edge cases

    =====================================  ================================================
    of the function                        what happens
    =====================================  ================================================
    an exception                           the default counts; nothing of it is shown
    NaN, ±inf, text, None, bool            the default counts
    another form than that of the default  the default counts
    what the mechanism does not take       the default counts
    rows that cannot be copied             the default counts
    another number of units than n         is refused: it is public
    rows of another type                   are refused before anything is drawn
    =====================================  ================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> median = sf.mechanisms.ExponentialMedian(
    ...     epsilon=1, bounds=(0, 120), relation=sf.privacy.Substitute())
    >>> of_some = sf.sampled(median, size=100, population=1_000)
    >>> print(of_some.guarantee)
    0.15856507874042913-DP (substitute one row)
    """

    theorem = (
        "A mechanism that is ε-differentially private for substituting a unit is "
        "ln(1 + (m/n) (e^ε - 1))-differentially private on a uniform sample of m out of n units, "
        "of which nothing else is seen; privacy of (ε, δ) has (m/n) δ."
    )
    citations = ("balle2018subsampling",)
    called = mark("a sample of a fixed size")
    holds_for = Substitute
    instead = "rate=0.01"

    mechanism: Mechanism[Any, Any]
    size: int
    population: int
    of: Callable[..., Any] | None
    default: Any
    relation: Relation = field(repr=False)

    def __init__(
        self,
        mechanism: Mechanism[Any, Any],
        *,
        size: Any,
        population: Any,
        of: Callable[..., Any] | None = None,
        default: Any = None,
    ) -> None:
        self._keep(**_read_mechanism(type(self), mechanism, of, default))
        sample = events.FixedSizeSubsampled(
            events.Pure(epsilon=1), size=size, population=population
        )
        self._keep(size=sample.size, population=sample.population)
        _check_form(self.of, self.default, self.size)
        self._keep(_event=self.event_at(1))

    @property
    def share(self) -> Fraction:
        """The probability of each unit to be in the sample: what a total is divided by.

        Examples
        --------
        >>> import sfumato as sf
        >>> noise = sf.mechanisms.Laplace(
        ...     epsilon=1, sensitivity=1, relation=sf.privacy.Substitute())
        >>> sf.sampled(noise, of=sum, size=100, population=400).share
        Fraction(1, 4)
        """
        return Fraction(self.size, self.population)

    def _on_sample(self, event: Event) -> Event:
        return events.FixedSizeSubsampled(event, size=self.size, population=self.population)

    def _table(self, rows: Any, people: Any) -> UnitRows:
        table = super()._table(rows, people)
        if table.units != self.population:
            raise InputError(
                "E-LENGTHS-DIFFER",
                "the table must have {everyone:,} {units}, as {population} says, not {count:,}",
                "where their number is secret, draw a Poisson sample by {rate}",
                everyone=self.population,
                units=self.relation.unit.nouns,
                count=table.units,
                population=Argument("population"),
                rate=Argument("rate", Bare(f"{float(self.share):.6g}")),
            )
        return table

    def _how_many(self, units: int) -> int:
        return math.perm(units, self.size)

    def _samples(self, units: int) -> Iterator[tuple[Fraction, Ranks]]:
        chance = Fraction(1, self._how_many(units))
        for chosen in permutations(range(units), self.size):
            yield chance, _ranked(chosen, units)

    def _drawn(self, units: int, source: BitSource) -> Ranks:
        return _ranked(permutation(units, source=source)[: self.size], units)


def sampled(
    mechanism: Mechanism[Any, Any],
    *,
    of: Callable[..., Any] | None = None,
    rate: Any = None,
    size: Any = None,
    population: Any = None,
    default: Any = None,
) -> PoissonSampled | FixedSizeSampled:
    """Run a mechanism on a secret random sample of the rows, which makes its guarantee stronger.

    Three steps :cite:p:`balle2018subsampling`: draw a sample; compute a function of it; release the
    answer through a mechanism.  Since nobody knows who was drawn, the ε of the mechanism becomes
    ln(1 + q (e^ε - 1)) for the table, where q is the share that is drawn.

    Parameters
    ----------
    mechanism
        What protects the answer.  One that takes rows is given the sample itself:
        ``ExponentialMedian``, ``SmoothMedian``, ``SampleAndAggregate``, ``ProposeTestRelease``.
        One that takes numbers, such as ``Laplace``, is given what ``of`` computes; its sensitivity
        must hold for samples of every size.  Its relation says what a unit is: for a
        ``Person()`` all rows of a person are drawn together.
    of
        A function of the sample, handed over in the type in which the rows are given to
        ``release``: ``len``, ``sum``, or a statistic of :mod:`sfumato.mechanisms.sensitivity`.
        Where people are sampled it is called with ``people=`` as well, whose row each is.  It must
        look at the sample alone, and keep nothing between two calls.
    rate
        For a Poisson sample: the probability of each unit to be in it.  It takes a mechanism for
        adding or removing a unit.
    size, population
        For a sample of a fixed size: how many units are drawn, and out of how many, a public
        number.  It takes a mechanism for substituting a unit.
    default
        What counts where the function fails: 0 unless said otherwise.  Where the answer is a list
        of numbers the default is one of as many.  The sensitivity must hold with it, too.

    Returns
    -------
    PoissonSampled or FixedSizeSampled
        A mechanism: ``release``, ``guarantee``, ``event``, ``distribution``, ``error``.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> ages = sf.mechanisms.sensitivity.clipped_sum(0, 110)
    >>> noise = sf.mechanisms.Laplace(epsilon=1, sensitivity=ages.sensitivity)
    >>> total = sf.sampled(noise, of=ages, rate=0.1)
    >>> print(total.guarantee)
    0.15856507874042913-DP (add or remove one row)
    >>> released = total.release([35, 61, 48, 70] * 1_000, source=SeededSource(1))
    >>> round(released.map(lambda noisy: noisy / 0.1))
    208607
    >>> round(sf.compose(total.event, count=100).epsilon(delta=1e-6), 3)
    4.662
    """
    if rate is not None and size is None and population is None:
        return PoissonSampled(mechanism, rate=rate, of=of, default=default)
    if rate is None and size is not None and population is not None:
        return FixedSizeSampled(mechanism, size=size, population=population, of=of, default=default)
    raise InputError(
        "E-ARGUMENT-CONFLICT",
        "a sample is drawn by its rate, or by its size and the population, not by both or neither",
        "write {rate}, or {size} and {population}",
        rate=Argument("rate", 0.01),
        size=Argument("size", 100),
        population=Argument("population", Bare("10_000")),
    )


def _ranked(chosen: Any, units: int) -> Ranks:
    """Return the rank of each unit, given those that are drawn in the order in which they were."""
    ranks = np.full(units, -1, dtype=np.int64)
    ranks[np.asarray(chosen, dtype=np.int64)] = np.arange(len(chosen))
    return ranks


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


def _read_mechanism(
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
        _check_hidden(mechanism, of)
    counts = None if takes_rows else _read_default(mechanism, default)
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


def _check_hidden(mechanism: Additive, statistic: Statistic[Any]) -> None:
    """Refuse noise for a sensitivity that is less than what is proved of a statistic."""
    norm: Norm = "l2" if mechanism.measure == "sigma" else "l1"
    needed = plain_sensitivity(statistic.sensitivity, norm=norm, relation=mechanism.relation)
    if needed > mechanism.sensitivity:
        raise InputError(
            "E-SENSITIVITY-WRONG",
            "the statistic has a sensitivity of {needed}, and the noise is made for {sensitivity}",
            "write {example}",
            needed=shown(needed),
            sensitivity=shown(mechanism.sensitivity),
            example=Argument("sensitivity", Bare("….sensitivity")),
        )


def _check_form(function: Any, default: Any, rows: int) -> None:
    """Refuse a statistic that no sample fits, by its answer on rows that are all missing."""
    if not isinstance(function, Statistic) or function.rows_per_person is not None:
        return
    try:
        answer = function.compute([None] * rows)
    except InputError:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{of} is made for tables of another length than that of a sample, {rows:,}",
            "make it with {size}",
            of=Argument("of"),
            rows=rows,
            size=Argument("size", rows),
        ) from None
    except (TypeError, ValueError):
        return
    if np.shape(answer) != np.shape(default):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{of} has answers of another form than the default, {default}",
            "write {example}",
            of=Argument("of"),
            default=shown(default),
            example=Argument("default", np.zeros(np.shape(answer), dtype=int).tolist()),
        )


def _read_default(mechanism: Mechanism[Any, Any], default: Any) -> Any:
    """Return what counts where a function fails: what the mechanism takes, in plain numbers."""
    given = 0 if default is None else default
    try:
        numbers = plain_numbers(given)
        mechanism.release(numbers, source=SeededSource(0))
    except (InputError, TypeError, ValueError):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{default} must be a number or a list of numbers that {mechanism} takes, not {given}",
            "write {example} for answers of three numbers, say",
            default=Argument("default"),
            mechanism=type(mechanism).__name__,
            given=shown(given),
            example=Argument("default", [0, 0, 0]),
        ) from None
    return numbers
