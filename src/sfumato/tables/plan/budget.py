"""The budget of a query: what it may cost, what holds for its table, and how steps divide it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import (
    ApproxDP,
    PureDP,
    ZeroConcentratedDP,
    check_usable,
    read_given_delta,
    written,
)
from sfumato.refusal import Argument, Arguments, Bare
from sfumato.tables.plan.steps import Share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.data.policy import Policy
    from sfumato.ledger import Book
    from sfumato.privacy import Guarantee, Relation
    from sfumato.tables.plan.cells import CellOutput, Look
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outputs import Output


_LEAST = "1e-9"
_NOISES = ("auto", "laplace", "gaussian")

#: What a step that prepares the measurements takes of the whole.
LIMIT_SHARE = Fraction(1, 6)
KEYS_SHARE = Fraction(1, 4)
BOUNDS_SHARE = Fraction(1, 10)
#: What all columns together take whose bounds have to be found.
_MOST_FOR_BOUNDS = Fraction(3, 10)
#: Shares are rounded to thousandths of what is divided, or finer.
_PARTS = 1000
#: Half of δ is for finding groups where Gaussian noise needs the other half.
_KEYS_DELTA = Fraction(1, 2)
_BISECTIONS = 50
#: The share of a ρ that makes up for the rounding of whoever composes it with others.
_ADDING_UP = Fraction(1, 10**6)


@dataclass(frozen=True)
class QueryTarget:
    """What a whole query may cost.

    Parameters
    ----------
    epsilon, delta, rho
        Either ε, with or without δ, or ρ.
    noise
        "laplace" or "gaussian".
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None
    noise: str = "laplace"

    def guarantee(self, relation: Relation) -> PureDP | ApproxDP | ZeroConcentratedDP:
        """Return the guarantee for a relation."""
        if self.rho is not None:
            return ZeroConcentratedDP(rho=self.rho, relation=relation)
        if self.delta is not None:
            return ApproxDP(epsilon=self.epsilon or 0, delta=self.delta, relation=relation)
        return PureDP(epsilon=self.epsilon or 0, relation=relation)

    @property
    def norm(self) -> str:
        """In which norm the noise asks for what a person adds to be limited."""
        return "l2" if self.is_gaussian else "l1"

    @property
    def is_gaussian(self) -> bool:
        """Whether the noise is Gaussian."""
        return self.noise == "gaussian"


def read_target(
    *, epsilon: Any = None, delta: Any = None, rho: Any = None, noise: Any = "auto"
) -> QueryTarget:
    """Return what a query may cost, from what was given."""
    if (epsilon is None) == (rho is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of {one} and {other}, such as {epsilon}",
            one=Argument("epsilon"),
            other=Argument("rho"),
            epsilon=Argument("epsilon", 1),
        )
    if not isinstance(noise, str) or noise not in _NOISES:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "{argument} must be 'auto', 'laplace' or 'gaussian', not {noise!r:.40}",
            noise=noise,
            argument=Argument("noise"),
        )
    if rho is not None:
        return _concentrated(rho, delta, noise)
    level = _read(epsilon, "epsilon")
    return QueryTarget(epsilon=level, delta=read_given_delta(delta), noise=_noise(noise, delta))


def _concentrated(rho: Any, delta: Any, noise: str) -> QueryTarget:
    if delta is not None or noise == "laplace":
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{rho} is kept by Gaussian noise alone and has no delta",
            "write {other_rho} by itself, or {example}",
            rho=Argument("rho"),
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
            other_rho=Argument("rho", Bare("0.1")),
        )
    return QueryTarget(rho=_read(rho, "rho"), noise="gaussian")


def _noise(noise: str, delta: Any) -> str:
    if noise == "gaussian" and delta is None:
        raise InputError(
            "E-DELTA-MISSING",
            "Gaussian noise needs a delta as well",
            "write {example}",
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )
    return "laplace" if noise == "auto" else noise


def _read(value: Any, name: str) -> Fraction:
    found = written(value, name)
    check_usable(found, value, name, least=_LEAST)
    return found


@contextmanager
def book_of(policy: Policy) -> Iterator[Book | None]:
    """Give the book that a table would be charged to; None if it is not open yet."""
    place = policy.ledger
    with ExitStack() as opened:
        book = None
        if place is not None and place.book is not None:
            from sfumato.ledger import Ledger

            with suppress(InputError):
                book = opened.enter_context(Ledger.open(place.path)).book(place.book)
        yield book


def budgets_of(policy: Policy) -> list[Guarantee]:
    """Return the budgets that hold for a table: those of its book, or the one it declares."""
    with book_of(policy) as book:
        if book is not None:
            return [rule.budget for rule in book.rules]
    return [] if policy.budget is None else [policy.budget]


@dataclass(frozen=True)
class Division:
    """What each step may spend.

    Parameters
    ----------
    keys
        For finding groups, with the δ that goes with it.
    bounds
        For finding the bounds of each column.
    limits
        For choosing each limit.
    measurements
        For each measurement, or whatever else is released.
    """

    keys: tuple[Share, Fraction] | None
    bounds: Mapping[str, Share]
    limits: Mapping[str, Share]
    measurements: Mapping[Any, Share]


def divide(
    target: QueryTarget,
    importance: Mapping[Any, float],
    *,
    limits: Sequence[str],
    finds_keys: bool,
    bounds: Sequence[str] = (),
) -> Division:
    """Divide what a query may cost among its steps.

    The variance of Laplace noise is proportional to 1/ε², that of Gaussian noise to 1/ρ.  So the
    sum of importance times variance is least for ε in proportion to the cube root, and for ρ to
    the square root, of the importance.
    """
    keys, whole = _keys_first(target) if finds_keys else (None, _whole(target))
    each_limit = LIMIT_SHARE if len(limits) <= 2 else Fraction(1, 4 * len(limits))
    each_bound = min(BOUNDS_SHARE, _MOST_FOR_BOUNDS / max(len(bounds), 1))
    left = 1 - each_limit * len(limits) - each_bound * len(bounds)
    power = 1 / 2 if whole.rho is not None else 1 / 3
    joint = _together(importance)
    parts = _parts([weight**power for weight in joint.values()])
    shares = dict(zip(joint, (_portion(whole, left * part) for part in parts), strict=True))
    return Division(
        keys=keys,
        bounds={name: _portion(whole, each_bound) for name in bounds},
        limits={name: _portion(whole, each_limit) for name in limits},
        measurements={each: shares[_joint_name(each)] for each in importance},
    )


def importance_of(
    outputs: Sequence[Output | CellOutput], weights: Mapping[str, float]
) -> dict[Measurement | Look, float]:
    """Return how much the variance of each measurement matters to the answers together."""
    found: dict[Measurement | Look, float] = {}
    for output in outputs:
        for each, share in output.importance.items():
            found[each] = found.get(each, 0.0) + weights.get(output.name, 1.0) * share
    least = max(found.values(), default=1.0) * 1e-6
    return {each: max(share, least) for each, share in found.items()}


def _together(importance: Mapping[Any, float]) -> dict[Any, float]:
    """Return what is measured together, and by itself, with the importance of all of it."""
    found: dict[Any, float] = {}
    for each, weight in importance.items():
        found[_joint_name(each)] = found.get(_joint_name(each), 0.0) + weight
    return found


def _joint_name(each: Any) -> Any:
    return getattr(each, "together", "") or each


def _whole(target: QueryTarget) -> Share:
    if target.rho is not None:
        return Share(rho=target.rho)
    if not target.is_gaussian:
        return Share(epsilon=target.epsilon)
    return Share(rho=_rho_for(target.epsilon or Fraction(0), target.delta or Fraction(0)))


def _keys_first(target: QueryTarget) -> tuple[tuple[Share, Fraction], Share]:
    epsilon, delta = target.epsilon or Fraction(0), target.delta or Fraction(0)
    mine, rest = epsilon * KEYS_SHARE, epsilon * (1 - KEYS_SHARE)
    if not target.is_gaussian:
        return (Share(epsilon=mine), delta), Share(epsilon=rest)
    for_keys = delta * _KEYS_DELTA
    return (Share(epsilon=mine), for_keys), Share(rho=_rho_for(rest, delta - for_keys))


def _rho_for(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the greatest ρ that keeps (ε, δ), less a millionth.

    So much may be lost where a ledger adds ρ up and turns the sum into ε and δ.
    """
    low, high = Fraction(0), epsilon
    for _ in range(_BISECTIONS):
        middle = Fraction(float((low + high) / 2)).limit_denominator(10**18)
        if ZeroConcentratedDP(rho=middle).delta(epsilon=epsilon) <= delta:
            low = middle
        else:
            high = middle
    return low * (1 - _ADDING_UP)


def _parts(roots: Sequence[float]) -> list[Fraction]:
    """Return parts of one in proportion to some numbers, in thousandths, none of them 0.

    Many parts are in smaller units, so that the least of them take little from the greatest.
    """
    total, units = sum(roots), _PARTS * len(roots)
    counted = [max(round(units * each / total), 1) for each in roots]
    counted[counted.index(max(counted))] += units - sum(counted)
    return [Fraction(each, units) for each in counted]


def _portion(whole: Share, part: Fraction) -> Share:
    if whole.epsilon is not None:
        return Share(epsilon=whole.epsilon * part)
    return Share(rho=(whole.rho or Fraction(0)) * part)
