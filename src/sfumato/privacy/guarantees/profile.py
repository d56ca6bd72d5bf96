"""A whole privacy profile, given by points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing.wording import all_of_these
from sfumato.privacy.events import fields
from sfumato.privacy.events.wording import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW
from sfumato.privacy.guarantees.pointwise import Point, PointwiseGuarantee, group_points
from sfumato.privacy.relation import read_relation
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["PrivacyProfile"]

_MOST_SHOWN = 3


@dataclass(frozen=True, init=False, repr=False)
class PrivacyProfile(PointwiseGuarantee):
    """Several (ε, δ) guarantees that hold together.

    Between the points δ is read off the lower convex hull, in e^ε, of the points, their mirror
    images and (0, 1); beyond the last point it stays.  That is valid because the least δ is convex
    in e^ε, and it is the best that can be said (see :mod:`sfumato.privacy.guarantees.hull`).

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
