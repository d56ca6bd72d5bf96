"""Guarantees that are a set of (ε, δ) points: pure, approximate, and whole profiles."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import as_ball, shown
from sfumato.printing import all_of_these
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW, Guarantee, multiple
from sfumato.privacy.guarantees.hull import least_delta, least_epsilon
from sfumato.privacy.parameters import written
from sfumato.privacy.relation import read_relation
from sfumato.privacy.theorems.certified import least_float
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import arb

    from sfumato.numeric import Enclosure
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import EpsilonLike, NumberLike


#: An ε and a δ that hold together.
Point = tuple["Epsilon", Fraction]


class PointwiseGuarantee(Guarantee):
    """A guarantee that is a set of (ε, δ) points; what it says elsewhere is exact for the class."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The points, ε rising and δ falling."""
        return self._points()

    @abstractmethod
    def _points(self) -> tuple[Point, ...]:
        """Return the points, ε rising and δ falling."""

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        return least_epsilon(self.points, delta)

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        return least_delta(self.points, epsilon)

    def _renyi_bound(self, order: Fraction) -> float:
        pure = self._pure_epsilon()
        return math.inf if pure is None else randomized_response_renyi(pure, order)

    def _rho(self) -> float:
        from sfumato.privacy.theorems.conversion import pure_to_zcdp

        pure = self._pure_epsilon()
        return math.inf if pure is None else pure_to_zcdp(epsilon=pure)

    def _mu(self) -> float:
        from sfumato.privacy.theorems.conversion import pure_to_gaussian

        pure = self._pure_epsilon()
        return math.inf if pure is None else pure_to_gaussian(epsilon=pure)

    def _tradeoff(self, false_positive_rate: Fraction) -> float:
        """Return the best bound of any point: between points the curve has no better one."""
        from sfumato.privacy.guarantees.hull import false_negative_rate

        return max(
            false_negative_rate(
                epsilon=epsilon, delta=delta, false_positive_rate=false_positive_rate
            )
            for epsilon, delta in self.points
        )

    def _follows_from(self, stronger: Guarantee) -> bool:
        return all(_holds(stronger, epsilon, delta) for epsilon, delta in self.points)

    def _pure_epsilon(self) -> Epsilon | None:
        """Return the ε that holds at δ = 0, if there is one."""
        epsilon, delta = self.points[-1]
        return None if delta else epsilon


def randomized_response_renyi(epsilon: Epsilon, order: Fraction) -> float:
    """Return the Rényi divergence of randomized response with odds e^ε, rounded up.

    No ε-private mechanism has a greater one, since each is a post-processing of randomized
    response :cite:p:`kairouz2015composition`.  It is ln(cosh((α - 1/2) ε) / cosh(ε/2)) / (α - 1),
    written without the difference of large numbers.
    """

    def divergence() -> arb:
        ball, above = as_ball(epsilon), as_ball(order - 1)
        growth = 2 * (as_ball(order) * ball / 2).sinh() * (above * ball / 2).sinh()
        return (growth / (ball / 2).cosh()).log1p() / above

    return min(least_float(divergence), least_float(lambda: as_ball(epsilon)))


def group_points(points: Sequence[Point], size: int) -> list[Point]:
    """Return what points guarantee to a group, without those that guarantee nothing."""
    grown = [_group_point(epsilon, delta, size) for epsilon, delta in points]
    kept = [(epsilon, delta) for epsilon, delta in grown if delta < 1]
    if not kept:
        raise InputError(
            "E-GROUP-TOO-LARGE",
            "for a group of {size} the delta would be 1 or more, which guarantees nothing",
            "ask for a smaller group, or account for the mechanism with a greater sensitivity",
            size=shown(size),
        )
    return kept


def _group_point(epsilon: Epsilon, delta: Fraction, size: int) -> Point:
    from sfumato.privacy.theorems.group import approximate_group

    bound = approximate_group(epsilon=epsilon, delta=delta, size=size)
    return multiple(epsilon, size), written(bound.delta)


def _holds(guarantee: Guarantee, epsilon: Epsilon, delta: Fraction) -> bool:
    """Decide whether a guarantee contains a point, exactly where it has a better one."""
    known = guarantee.points if isinstance(guarantee, PointwiseGuarantee) else ()
    if any(level <= epsilon and failure <= delta for level, failure in known):
        return True
    return guarantee.delta(epsilon=epsilon) <= delta


@dataclass(frozen=True, init=False, repr=False)
class PureDP(PointwiseGuarantee):
    """ε-differential privacy: no output is more than e^ε times likelier than on a neighbour.

    Parameters
    ----------
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_epsilon
        ε, as a Fraction or an ``Ln``.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import PureDP
    >>> guarantee = PureDP(epsilon=0.1)
    >>> guarantee
    PureDP(epsilon=0.1, relation=AddRemove(count=1, unit=Row()))
    >>> round(guarantee.delta(epsilon=0), 6)
    0.049958
    """

    exact_epsilon: Epsilon
    relation: Relation

    def __init__(self, *, epsilon: EpsilonLike, relation: Relation = ONE_ROW) -> None:
        self._keep(exact_epsilon=fields.epsilon(epsilon), relation=read_relation(relation))

    def _points(self) -> tuple[Point, ...]:
        return ((self.exact_epsilon, Fraction(0)),)

    def _amount(self) -> str:
        return f"{plain(self.exact_epsilon)}-DP"

    def _arguments(self) -> str:
        return f"epsilon={literal(self.exact_epsilon)}"

    def _group(self, size: int) -> PureDP:
        return PureDP(
            epsilon=multiple(self.exact_epsilon, size), relation=self.relation.times(size)
        )


@dataclass(frozen=True, init=False, repr=False)
class ApproxDP(PointwiseGuarantee):
    """(ε, δ)-differential privacy: Pr[S] ≤ e^ε Pr'[S] + δ for every set S of outputs.

    Parameters
    ----------
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.
    delta
        0 or more and below 1.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_epsilon, exact_delta
        ε and δ, as Fractions; ε may be an ``Ln``.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import ApproxDP
    >>> guarantee = ApproxDP(epsilon=1, delta=1e-6)
    >>> print(guarantee)
    (1, 1e-06)-DP (add or remove one row)
    >>> guarantee.epsilon(delta=1e-9)
    inf
    """

    exact_epsilon: Epsilon
    exact_delta: Fraction
    relation: Relation

    def __init__(
        self, *, epsilon: EpsilonLike, delta: NumberLike, relation: Relation = ONE_ROW
    ) -> None:
        self._keep(
            exact_epsilon=fields.epsilon(epsilon),
            exact_delta=fields.delta(delta),
            relation=read_relation(relation),
        )

    def _points(self) -> tuple[Point, ...]:
        return ((self.exact_epsilon, self.exact_delta),)

    def _amount(self) -> str:
        return f"({plain(self.exact_epsilon)}, {plain(self.exact_delta)})-DP"

    def _arguments(self) -> str:
        return f"epsilon={literal(self.exact_epsilon)}, delta={literal(self.exact_delta)}"

    def _group(self, size: int) -> ApproxDP:
        ((epsilon, delta),) = group_points(self.points, size)
        return ApproxDP(epsilon=epsilon, delta=delta, relation=self.relation.times(size))


_MOST_SHOWN = 3


@dataclass(frozen=True, init=False, repr=False)
class PrivacyProfile(PointwiseGuarantee):
    """Several (ε, δ) guarantees that hold together.

    Between the points δ is read off the lower convex hull, in e^ε, of the points, their mirror
    images and (0, 1); beyond the last point it stays.  That is valid because the least δ is convex
    in e^ε, and it is the best that can be said.  Proof: :doc:`/proofs/privacy-profile`.

    Parameters
    ----------
    points
        A mapping from ε to δ, or pairs.  A point that another one makes superfluous is dropped.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_points
        The points that were kept, ε rising and δ falling.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import PrivacyProfile
    >>> guarantee = PrivacyProfile({1: 1e-3, 2: 1e-6})
    >>> print(guarantee)
    (1, 0.001)-DP and (2, 1e-06)-DP (add or remove one row)
    >>> 1e-6 < guarantee.delta(epsilon=1.5) < 1e-3
    True
    """

    exact_points: tuple[Point, ...]
    relation: Relation

    def __init__(
        self,
        points: Mapping[Any, NumberLike] | Iterable[tuple[EpsilonLike, NumberLike]],
        *,
        relation: Relation = ONE_ROW,
    ) -> None:
        self._keep(exact_points=_staircase(_listed(points)), relation=read_relation(relation))

    def _points(self) -> tuple[Point, ...]:
        return self.exact_points

    def _amount(self) -> str:
        pairs = [f"({plain(epsilon)}, {plain(delta)})-DP" for epsilon, delta in self.points]
        if len(pairs) <= _MOST_SHOWN:
            return all_of_these(pairs)
        return tr(
            "{first} to {last} at {count:,} points",
            first=pairs[0],
            last=pairs[-1],
            count=len(pairs),
        )

    def _arguments(self) -> str:
        pairs = (f"{literal(epsilon)}: {literal(delta)}" for epsilon, delta in self.points)
        return f"{{{', '.join(pairs)}}}"

    def _group(self, size: int) -> PrivacyProfile:
        return PrivacyProfile(group_points(self.points, size), relation=self.relation.times(size))


def _listed(points: Any) -> list[Point]:
    """Return the points as given, each read exactly."""
    if isinstance(points, Mapping):
        points = points.items()
    if not isinstance(points, Iterable) or isinstance(points, (str, bytes)):
        raise InputError(
            "E-CURVE-FORM",
            "points must map ε to δ, not be {points}",
            "write {{1: 1e-3, 2: 1e-6}}",
            points=shown(points),
        )
    read = [_point(each) for each in points]
    if not read:
        raise InputError(
            "E-CURVE-FORM",
            "points must have at least one ε with its δ",
            "write {{1: 1e-3, 2: 1e-6}}, say",
        )
    return read


def _point(given: Any) -> Point:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "E-CURVE-FORM",
            "a point must be an ε and a δ, not {given}",
            "write (1, 1e-6)",
            given=shown(given),
        )
    return fields.epsilon(given[0]), fields.delta(given[1])


def _staircase(points: list[Point]) -> tuple[Point, ...]:
    """Return the points by rising ε, without those whose δ an earlier one has or betters."""
    kept: list[Point] = []
    for epsilon, delta in sorted(points):
        if not kept or delta < kept[-1][1]:
            kept.append((epsilon, delta))
    return tuple(kept)
