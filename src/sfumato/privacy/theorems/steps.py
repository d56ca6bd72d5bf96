"""The steps of a composition: one guarantee repeated, or a list of different ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.numeric import Ln, as_ball, as_fmpq, decide_sign, shown
from sfumato.privacy.parameters import Epsilon, read_count, read_delta, read_epsilon
from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike
from sfumato.refusal import Argument

__all__ = [
    "EpsilonsLike",
    "NumbersLike",
    "StepGuarantees",
    "is_number",
    "read_list",
    "read_matching",
]

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
