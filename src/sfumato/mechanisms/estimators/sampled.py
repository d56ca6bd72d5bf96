"""A mechanism run on a secret random sample of the rows: amplification by subsampling, drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.estimators.sample_function import (
    check_form,
)
from sfumato.mechanisms.estimators.sampled_mechanism import SampledMechanism, read_mechanism
from sfumato.privacy import (
    AddRemove,
    Relation,
    Substitute,
    events,
)
from sfumato.refusal import Argument, Bare
from sfumato.sampling import BitSource, bernoulli, permutation
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.mechanisms.base import Mechanism
    from sfumato.mechanisms.estimators.sampled_mechanism import Ranks
    from sfumato.mechanisms.estimators.unit_rows import UnitRows
    from sfumato.privacy.events import Event


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
        self._keep(**read_mechanism(type(self), mechanism, of, default))
        self._keep(rate=events.Subsampled(events.Pure(epsilon=1), rate=rate).rate)
        check_form(self.of, self.default, 0)
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
        self._keep(**read_mechanism(type(self), mechanism, of, default))
        sample = events.FixedSizeSubsampled(
            events.Pure(epsilon=1), size=size, population=population
        )
        self._keep(size=sample.size, population=sample.population)
        check_form(self.of, self.default, self.size)
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
