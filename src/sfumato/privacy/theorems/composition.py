"""Basic and advanced composition, of one guarantee repeated or of different ones.

All three hold when each mechanism is chosen after seeing the answers of those before it, with
guarantees fixed in advance.  ``epsilon`` is one number, repeated ``count`` times, or a list of
different ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.numeric import Ln, as_ball, as_fmpq, decide_sign, read_count, shown, working_precision
from sfumato.privacy.parameters import Epsilon, read_delta, read_epsilon
from sfumato.privacy.theorems.certified import (
    EpsilonLike,
    NumberLike,
    least_float,
    read_probability,
    rounded_up,
)
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Bound:
    """An (ε, δ) guarantee that a theorem proves, both numbers rounded up.

    Examples
    --------
    >>> from sfumato.privacy.theorems import Bound
    >>> print(Bound(epsilon=6.3082309, delta=1e-6))
    (6.30823, 1e-06)
    """

    epsilon: float
    delta: float

    def __str__(self) -> str:
        return f"({self.epsilon:.6g}, {self.delta:.6g})"


EpsilonsLike = EpsilonLike | Iterable[EpsilonLike]
NumbersLike = NumberLike | Iterable[NumberLike]


@dataclass(frozen=True)
class StepGuarantees:
    """How often each positive ε, and each δ, occurs among the steps of a composition."""

    epsilons: Mapping[Epsilon, int]
    deltas: Mapping[Fraction, int]

    @classmethod
    def read(cls, epsilon: Any, *, delta: Any, count: Any) -> StepGuarantees:
        """Read one ε or a list of them, with one δ for all or a list as long, ``count`` times."""
        times = read_count(count)
        levels = [read_epsilon(each) for each in read_list(epsilon, "epsilon")]
        failures = [read_delta(each) for each in read_matching(delta, "delta", len(levels))]
        return cls(
            {each: times * occurs for each, occurs in Counter(levels).items() if each != 0},
            {each: times * occurs for each, occurs in Counter(failures).items()},
        )

    def epsilon_sum(self) -> Fraction | arb:
        """Return the sum of all ε, exactly if none is a logarithm, else as a ball."""
        rational, logarithms = Fraction(0), arb(0)
        for each, times in self.epsilons.items():
            if isinstance(each, Ln):
                logarithms += times * each.ball()
            else:
                rational += times * each
        return as_ball(rational) + logarithms if logarithms != 0 else rational

    def sum_is_within(self, level: Epsilon) -> bool:
        """Decide, exactly, whether the sum of all ε is at most a given one."""
        if len({type(each) for each in self.epsilons}) > 1:
            return decide_sign(lambda: as_ball(self.epsilon_sum()) - as_ball(level)) < 0
        parts: list[Any] = [each * times for each, times in self.epsilons.items()]
        return not parts or bool(sum(parts[1:], parts[0]) <= level)

    def sum_of(self, term: Callable[[arb], arb]) -> arb:
        """Return the sum of a function of ε over all steps, as a ball."""
        return sum((times * term(as_ball(each)) for each, times in self.epsilons.items()), arb(0))

    def delta_sum(self) -> Fraction:
        """Return the sum of all δ, exactly."""
        return sum((times * each for each, times in self.deltas.items()), Fraction(0))

    def success(self) -> fmpq:
        """Return the product of all 1 - δ, exactly."""
        product = fmpq(1)
        for each, times in self.deltas.items():
            product *= as_fmpq(1 - each) ** times
        return product


def read_list(value: Any, name: str) -> list[Any]:
    """Return a list of what was given, one number or several."""
    if is_number(value):
        return [value]
    found = _entries(value)
    if found is None:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number or a list of numbers, not {value}",
            "write [1, 2]",
            name=Argument(name),
            value=shown(value),
        )
    if not found:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "{name} is an empty list",
            "give at least one number",
            name=Argument(name),
        )
    return found


def read_matching(value: Any, name: str, length: int) -> list[Any]:
    """Return a list of a given length: one number is repeated."""
    found = read_list(value, name)
    if is_number(value):
        return found * length
    if len(found) != length:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{name} has {count} entries where there are {length} steps",
            "give one number for all steps, or one for each",
            name=Argument(name),
            count=len(found),
            length=length,
        )
    return found


def is_number(value: object) -> bool:
    """Tell whether one number was given, as text or otherwise, and not a list."""
    return isinstance(value, (str, Ln, Real, Decimal))


def _entries(value: Any) -> list[Any] | None:
    if isinstance(value, (bytes, Mapping)):
        return None
    try:
        return list(value)
    except TypeError:
        return None


def basic_composition(*, epsilon: EpsilonsLike, count: int = 1, delta: NumbersLike = 0) -> Bound:
    """Return the sums of all ε and of all δ.

    Theorem 3.16 of :cite:p:`dwork2014`.  Proof: :doc:`/proofs/basic-composition`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import basic_composition
    >>> print(basic_composition(epsilon=0.1, count=100))
    (10, 0)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    with working_precision(128):
        return Bound(rounded_up(steps.epsilon_sum()), _capped(steps.delta_sum()))


def advanced_composition(
    *, epsilon: EpsilonsLike, count: int = 1, slack: NumberLike, delta: NumbersLike = 0
) -> Bound:
    """Return the advanced composition theorem: √(2 ln(1/δ') Σ ε²) + Σ ε(e^ε - 1), and Σ δ + δ'.

    Theorem 3.20 of :cite:p:`dwork2014`, first in :cite:p:`dwork2010boosting`.  The losses
    of the steps are bounded by ε and have means of at most ε(e^ε - 1) (lemma 3.18), so Azuma's
    inequality (:func:`azuma_threshold`) bounds their sum but for a probability δ'.
    Proof: :doc:`/proofs/advanced-composition`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    slack
        δ', the probability with which the bound may fail; above 0 and below 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import advanced_composition
    >>> print(advanced_composition(epsilon=0.1, count=100, slack=1e-6))
    (6.30823, 1e-06)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    return _by_azuma(steps, slack, lambda level: level * level.expm1())


def tight_advanced_composition(
    *, epsilon: EpsilonsLike, count: int = 1, slack: NumberLike, delta: NumbersLike = 0
) -> Bound:
    """Return advanced composition with the least drift: √(2 ln(1/δ') Σ ε²) + Σ ε tanh(ε/2).

    By :cite:p:`kairouz2015composition`.  The mean of a privacy loss is a Kullback–Leibler
    divergence, and ε tanh(ε/2) = ε(e^ε - 1)/(e^ε + 1) is the greatest that ε allows; randomized
    response attains it.  Proof: :doc:`/proofs/advanced-composition`.

    Parameters
    ----------
    epsilon
        The guarantee of each step, or a list of guarantees.
    count
        How often it, or the whole list, is repeated.
    slack
        δ', the probability with which the bound may fail; above 0 and below 1.
    delta
        The δ of every step, or a list as long as that of ε.

    Examples
    --------
    >>> from sfumato.privacy.theorems import tight_advanced_composition
    >>> print(tight_advanced_composition(epsilon=0.1, count=1000, slack=1e-6))
    (21.6184, 1e-06)
    """
    steps = StepGuarantees.read(epsilon, delta=delta, count=count)
    return _by_azuma(steps, slack, lambda level: level * (level / 2).tanh())


def _by_azuma(steps: StepGuarantees, slack: NumberLike, drift: Callable[[arb], arb]) -> Bound:
    """Return the drift of all steps and the deviation from it that has probability δ'."""
    chance = read_probability(slack, "slack")

    def epsilon() -> arb:
        squares = steps.sum_of(lambda level: level * level)
        return steps.sum_of(drift) + (-2 * as_ball(chance).log() * squares).sqrt()

    return Bound(least_float(epsilon), _capped(steps.delta_sum() + chance))


def _capped(delta: Fraction) -> float:
    return min(1.0, rounded_up(delta))
