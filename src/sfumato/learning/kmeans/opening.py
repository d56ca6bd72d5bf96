"""What is fitted: where the points are, their bounds, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.cells import most_levels
from sfumato.learning.kmeans.intake import is_tensor, people_of
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.base import WEIGHT_BITS, Ball
from sfumato.learning.kmeans.points.people import person_weights
from sfumato.learning.kmeans.reading import coordinate_bounds, read_limit, relation_of_points
from sfumato.privacy import Substitute
from sfumato.refusal import Argument, Bare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.data.measured import Measured
    from sfumato.learning.kmeans.plan.plan import Plan
    from sfumato.learning.kmeans.points.base import Points
    from sfumato.learning.kmeans.points.rows import RowPoints
    from sfumato.learning.kmeans.space import Space
    from sfumato.privacy import Relation

    Reals = NDArray[np.float64]

__all__ = ["Opened", "opened_array", "opened_table"]


@dataclass(frozen=True, eq=False)
class Opened:
    """Points that can be fitted.

    Attributes
    ----------
    low, high
        The bounds of each coordinate.
    relation
        Which tables are neighbours.
    names
        The names of the coordinates; None where they have none.
    weight
        How many points of one person count fully; None where each point is another person's.
    size
        How many people there are, where that is public.
    measured
        The private table, where it is one.
    matrix, people
        The points in memory or on a device, and whose they are.
    """

    low: Reals
    high: Reals
    relation: Relation
    names: list[str] | None = None
    weight: int | None = None
    size: int | None = None
    measured: Measured | None = field(default=None, repr=False)
    matrix: Any = field(default=None, repr=False)
    people: NDArray[Any] | None = field(default=None, repr=False)

    @property
    def dimensions(self) -> int:
        """How many coordinates there are."""
        return len(self.low)

    def points(self, space: Space) -> Points:
        """Return the points in the steps of a space."""
        if self.measured is not None:
            return self._rows(self.measured, space)
        weights = None if self.people is None else person_weights(self.people, self.weight or 1)
        if is_tensor(self.matrix):
            from sfumato.learning.kmeans.points.tensors import tensor_points

            return tensor_points(self.matrix, space, weights)
        return ArrayPoints(space, space.whole(np.asarray(self.matrix, dtype=np.float64)), weights)

    def check(self, plan: Plan, space: Space) -> None:
        """Refuse a plan that the engine has no way to carry out, before it is charged for."""
        if self.measured is not None:
            ball = None if plan.rounds is None else Ball(1, plan.rounds.norm)
            level = None if plan.synopsis is None else most_levels(space)
            self._rows(self.measured, space).check(plan.clusters, ball, level=level)

    def _rows(self, measured: Measured, space: Space) -> RowPoints:
        from sfumato.learning.kmeans.points.rows import RowPoints

        return RowPoints(space, replace(measured, limit=self.weight))

    @property
    def fine(self) -> int:
        """In how many parts a point is weighed."""
        return 1 if self.weight is None else 1 << WEIGHT_BITS


def opened_array(model: Any, matrix: Any, people: Any, names: list[str] | None) -> Opened:
    """Return points in memory, or on a device, by the parameters of an estimator."""
    rows, dimensions = matrix.shape
    relation = relation_of_points(model.relation, model.method, people=people is not None)
    low, high = coordinate_bounds(_of_columns(model, names), dimensions, names)
    known = isinstance(relation, Substitute)
    ids = None if people is None else people_of(people, rows)
    if ids is None and model.points_per_person is not None:
        raise InputError(
            "E-UNIT-MISSING",
            "{points_per_person} is a contribution limit, and the privacy unit is not given",
            "give {people}",
            points_per_person=Argument("points_per_person"),
            people=Argument("people", Bare("ids")),
        )
    size = rows if ids is None else len(np.unique(ids))
    return Opened(
        low,
        high,
        relation,
        names,
        weight=None if people is None else read_limit(model.points_per_person),
        size=max(size, 1) if known else None,
        matrix=matrix,
        people=ids,
    )


def opened_table(model: Any, table: Any, people: Any) -> Opened:
    """Return the columns of a private table, by what is declared of it."""
    for name, given in {
        "bounds": model.bounds,
        "relation": model.relation,
        "people": people,
    }.items():
        if given is not None:
            raise InputError(
                "E-ARGUMENT-CONFLICT",
                "a private table declares its own {name}",
                "leave {name} out",
                name=name,
            )
    measured = table.numbers(model.columns)
    limit = measured.limit if model.points_per_person is None else model.points_per_person
    ranges = list(zip(measured.low, measured.high, strict=True))
    return Opened(
        *coordinate_bounds(ranges, len(ranges), None),
        measured.relation,
        list(measured.names),
        weight=read_limit(limit) if measured.has_people else None,
        measured=measured,
    )


def _of_columns(model: Any, names: list[str] | None) -> Any:
    """Return bounds, by name only those of the columns that were chosen."""
    if model.columns is None or names is None or not isinstance(model.bounds, dict):
        return model.bounds
    return {name: pair for name, pair in model.bounds.items() if name in names}
