"""Reading a law on finitely many outcomes, exactly where it is given exactly."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

from sfumato.audit.exact.weights import Exact, ball_of, exact_sum, exactly, logarithms
from sfumato.errors import InputError
from sfumato.information import Distribution
from sfumato.numeric import Exponentials, any_float, shown
from sfumato.numeric.cached import cached_property
from sfumato.privacy.parameters import written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["BallLaw", "ExactLaw", "FiniteLaw", "is_finite_law", "law_of_table", "read_finite_law"]

_TOLERANCE = Fraction(1, 10**9)
_WANTED = "probabilities and counts are finite and 0 or more"


class ExactLaw:
    """Outcomes and exact weights, which need not sum to one: their total does.

    Attributes
    ----------
    outcomes
        What can come out.
    values
        The weights as they are held: integers, Fractions, Exponentials, and floats that stand
        for the decimal that was written.
    """

    def __init__(self, outcomes: Sequence[Hashable], values: Sequence[Any]) -> None:
        self.outcomes, self.values = tuple(outcomes), tuple(values)

    @cached_property
    def total(self) -> Exact:
        """What the weights sum to."""
        return exact_sum(self.values)

    @cached_property
    def logs(self) -> Floats:
        """The logarithms of the weights, nearly."""
        return logarithms(self.values)

    def balls(self) -> list[arb]:
        """Return a ball around the probability of every outcome."""
        total = ball_of(self.total)
        return [ball_of(exactly(each)) / total for each in self.values]

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        written = any(isinstance(each, float) for each in self.values)
        return written, self.outcomes, self.values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactLaw) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class BallLaw:
    """Outcomes, and balls around their probabilities at the precision in force."""

    def __init__(self, law: Any) -> None:
        self.outcomes: tuple[Hashable, ...] = tuple(law.outcomes)
        self._law = law

    def balls(self) -> list[arb]:
        """Return a ball around the probability of every outcome."""
        return [self._law.ball(each) for each in self.outcomes]


FiniteLaw = ExactLaw | BallLaw


def is_finite_law(value: Any) -> bool:
    """Tell whether something is read as a law on finitely many outcomes."""
    if isinstance(value, (ExactLaw, BallLaw, Distribution, Mapping, list, tuple)):
        return True
    if hasattr(value, "outcomes"):
        return any(callable(getattr(value, name, None)) for name in ("exact", "ball"))
    return hasattr(value, "__array__") or isinstance(value, Iterable)


def read_finite_law(value: Any, where: str) -> FiniteLaw:
    """Return a law from a mapping, a list, a Distribution, or an object with outcomes.

    ``where`` names it in an error.
    """
    if isinstance(value, (ExactLaw, BallLaw)):
        return value
    if hasattr(value, "outcomes"):
        return _law_of_object(value, where)
    if isinstance(value, Distribution):
        value = dict(value.items())
    outcomes, entries = _split(value, where)
    held = entries if _are_plain(entries) else _checked_entries(outcomes, entries, where)
    law = ExactLaw(outcomes, held)
    _check_total(law, where)
    return law


def law_of_table(table: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """Return the function that finds the row of an input in a table."""

    def law(value: Any) -> Any:
        try:
            return table[value]
        except (KeyError, TypeError):
            known = ", ".join(shown(each) for each in list(table)[:6])
            message = f"the table has no row for the input {shown(value)}; it has {known}"
            raise InputError(message) from None

    return law


def _law_of_object(value: Any, where: str) -> FiniteLaw:
    """Return the law of an object: by its weights, by exact probabilities, or else by balls."""
    _check_outcomes(value.outcomes, where)
    weights = getattr(value, "weights", None)
    if isinstance(weights, Mapping):
        return read_finite_law(weights, where)
    if callable(getattr(value, "exact", None)):
        found = [value.exact(each) for each in value.outcomes]
        if None not in found:
            return read_finite_law(dict(zip(value.outcomes, found, strict=True)), where)
    return BallLaw(value)


def _check_outcomes(outcomes: Iterable[Any], where: str) -> None:
    try:
        repeated = len(set(outcomes)) < len(tuple(outcomes))
    except TypeError:
        message = f"the law of {where} has outcomes that cannot be told apart; name them, say"
        raise InputError(message) from None
    if repeated:
        message = f"the law of {where} names an outcome twice; add up its probabilities"
        raise InputError(message)


def _split(value: Any, where: str) -> tuple[Sequence[Hashable], list[Any]]:
    if isinstance(value, Mapping):
        outcomes, entries = tuple(value), list(value.values())
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        listed = value.tolist() if hasattr(value, "tolist") else list(value)
        outcomes, entries = tuple(range(len(listed))), listed
    else:
        message = (
            f"the law of {where} must give outcomes their probabilities, not be {shown(value)}; "
            "write {'yes': '2/3', 'no': '1/3'}, say"
        )
        raise InputError(message)
    if not entries:
        message = f"the law of {where} has no outcomes; give at least one"
        raise InputError(message)
    return outcomes, entries


def _are_plain(entries: list[Any]) -> bool:
    """Tell whether all entries are floats, or all integers, that need no further look."""
    kinds = set(map(type, entries))
    return kinds in ({float}, {int}) and min(entries) >= 0 and math.isfinite(sum(entries))


def _checked_entries(outcomes: Sequence[Hashable], entries: list[Any], where: str) -> list[Any]:
    return [
        _entry(entry, f"the law of {where} at the outcome {shown(outcome)}")
        for outcome, entry in zip(outcomes, entries, strict=True)
    ]


def _entry(value: Any, at: str) -> int | Fraction | Decimal | Exponentials:
    """Return a checked weight; Decimals are kept, as they may be rounded."""
    weight = value if isinstance(value, Exponentials) else _number(value, at)
    if weight < 0:
        message = f"{at} has a negative entry, {shown(value)}; {_WANTED}"
        raise InputError(message)
    return weight


def _number(value: Any, at: str) -> int | Fraction | Decimal:
    if value is None:
        raise InputError(_missing(at))
    if isinstance(value, bool) or not isinstance(value, (str, Decimal, Real)):
        message = f"{at} is {shown(value)}, not a number; write 0.5, Fraction(1, 2) or '1/2'"
        raise InputError(message)
    if isinstance(value, Rational):
        return int(value) if isinstance(value, Integral) else Fraction(value)
    if isinstance(value, str):
        number = written(value, at)
        return number if "/" in value else Decimal(value)
    _check_present(any_float(value), at)
    return value if isinstance(value, Decimal) else Decimal(repr(any_float(value)))


def _check_present(value: float, at: str) -> None:
    if math.isnan(value):
        raise InputError(_missing(at))
    if math.isinf(value):
        message = f"{at} has an infinite entry; {_WANTED}"
        raise InputError(message)


def _missing(at: str) -> str:
    return f"{at} has a missing entry; write 0 for an outcome that cannot occur"


def _check_total(law: ExactLaw, where: str) -> None:
    """Refuse probabilities that do not sum to one; integers are counts, exponentials weights."""
    total, kinds = law.total, {type(each) for each in law.values}
    if not total:
        message = f"the law of {where} holds only zeros; give at least one positive entry"
        raise InputError(message)
    if kinds == {int} or isinstance(total, Exponentials):
        return
    slack = _TOLERANCE if kinds & {float, Decimal} else Fraction(0)
    if not -slack <= total - 1 <= slack:
        message = (
            f"the law of {where} sums to {any_float(total):.10g}, not to 1; "
            "give probabilities that sum to one, or counts as integers"
        )
        raise InputError(message)
