"""Points as they are given: arrays, frames, tensors or a private table, and their bounds."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.learning.kmeans.domain import read_domain
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import (
    WEIGHT_BITS,
    is_missing,
    most_levels,
    numbered,
    person_weights,
)
from sfumato.learning.kmeans.space import Ball, space_of
from sfumato.learning.kmeans.validate import (
    coordinate_bounds,
    is_without_noise,
    read_limit,
    relation_of_points,
)
from sfumato.privacy import Substitute
from sfumato.refusal import Argument, Bare
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.data import Measured
    from sfumato.learning.kmeans.domain import L1Ball
    from sfumato.learning.kmeans.plan import Plan
    from sfumato.learning.kmeans.points.grid import GridPoints
    from sfumato.learning.kmeans.points.rows import RowPoints
    from sfumato.learning.kmeans.space import GridBox
    from sfumato.privacy import Relation

    Reals = NDArray[np.float64]


_NUMBERS = "biuf"
#: What stands for rows that are not there yet, in polars and in DuckDB.
_PENDING = ("LazyFrame", "DuckDBPyRelation")
_TEXT = "SUT"
_CONVERTED = "Of"
_WORD = 8
_PATH = (
    mark("points are rows of numbers, not the name of a file"),
    (
        mark(
            "open it as a private table, as in sf.table('customers.csv', unit='customer', "
            "bounds={{'orders': (0, 80)}}), or read a frame"
        )
    ),
)
_ROWS = (
    mark("points are given as rows of numbers, all as long"),
    mark("give an array, a frame or a private table"),
)
_NO_NUMBERS = (
    mark("points are rows of numbers, not of text or dates"),
    mark("turn them into numbers"),
)
#: In the words that scikit-learn's own checks look for.
_NO_ARGUMENT = mark(
    "each coordinate argument must be a string or a number; leave other columns out"
)


def is_private_table(data: Any) -> bool:
    """Tell whether something hands over bounded columns, as a private table does."""
    return callable(getattr(type(data), "numbers", None))


def is_tensor(data: Any) -> bool:
    """Tell whether something is a tensor of torch, without loading torch to know it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(data, torch.Tensor)


def column_names(data: Any) -> list[str] | None:
    """Return the names of the columns of a frame; None where there are none."""
    columns = getattr(data, "columns", None)
    return None if columns is None else list(columns)


def as_frame(data: Any) -> Any:
    """Return a table of Arrow, whose columns are cells and not names, as a frame of pandas."""
    if type(data).__name__ in _PENDING:
        raise InputError(
            "E-FRAME-KIND",
            "a {kind} is not computed yet",
            "give a frame, as .collect() or .df() makes it, or a private table: sf.table(…)",
            kind=type(data).__name__,
        )
    is_arrow = hasattr(data, "column_names") and hasattr(data, "to_pandas")
    return data.to_pandas() if is_arrow else data


def with_columns(data: Any, columns: Sequence[str] | None) -> Any:
    """Return a frame with some of its columns; anything else as it is."""
    if columns is None:
        return data
    chosen = [columns] if isinstance(columns, str) else columns
    if not isinstance(chosen, (list, tuple)) or not chosen:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "columns must be names in a list, not {columns!r:.40}",
            "write columns=['age']",
            columns=columns,
        )
    known = column_names(data)
    if known is None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "columns are named, and the points have no names",
            "leave columns out, or give a frame",
        )
    check_known(chosen, known, "column")
    return data[list(chosen)]


def as_matrix(data: Any) -> Any:
    """Return points as something of numbers, one point a row; no message shows a cell."""
    if hasattr(data, "tocsr") or column_names(data) is not None:
        _check_kinds(data)
        return data
    if isinstance(data, (str, PathLike)):
        raise InputError("E-POINTS-TYPE", *_PATH)
    try:
        array = np.asarray(data)
    except ValueError:
        raise InputError("E-POINTS-SHAPE", *_ROWS) from None
    check_table(array.ndim)
    if array.dtype.kind == "c":
        raise InputError(
            "E-POINTS-TYPE", "Complex data not supported: give real numbers, one point a row"
        )
    if array.dtype.kind in _TEXT and array is not data:
        array = np.array(data, dtype=object)
    short = array.dtype.kind in _NUMBERS and array.dtype.itemsize <= _WORD
    return array if short else _floats(array)


def check_table(dimensions: int) -> None:
    """Refuse what is no table of one point a row."""
    if dimensions != 2:
        raise InputError(
            "E-POINTS-SHAPE",
            "points are rows of a table of 2 dimensions, not an array of {dimensions}",
            "Reshape your data, as in X.reshape(-1, 1) for one column or X.reshape(1, -1) "
            "for one point",
            dimensions=dimensions,
        )


def check_tensor(data: Any) -> None:
    """Refuse a tensor that is no table of real numbers."""
    check_table(data.ndim)
    if data.is_complex() or data.is_sparse or not data.shape[1]:
        raise InputError(
            "E-POINTS-TYPE",
            "a tensor of points holds real numbers, in columns, and none is sparse",
            "give one",
        )


def _floats(array: NDArray[Any]) -> Reals:
    """Return an array of objects as floats: what is refused is the kind, and no value."""
    if array.dtype.kind not in _CONVERTED:
        raise InputError("E-POINTS-TYPE", *_NO_NUMBERS)
    try:
        return np.array([_float(each) for each in array.flat]).reshape(array.shape)
    except TypeError:
        raise TypeError(_NO_ARGUMENT) from None


def _float(each: Any) -> float:
    """Return a cell as a float: infinite if it is too great for one, missing if it is no number."""
    if each is None or is_missing(each):
        return np.nan
    try:
        return float(each)
    except ValueError:
        return np.nan
    except OverflowError:
        return np.inf if each > 0 else -np.inf


def _check_kinds(data: Any) -> None:
    """Refuse columns of a frame that hold no numbers, by their names."""
    names = column_names(data)
    for name in names or ():
        kind = getattr(data[name], "dtype", None)
        if not _is_number(kind):
            raise InputError(
                "E-COLUMN-TYPE",
                "the column {name!r} holds no numbers",
                "leave it out, as in columns=[…], or turn it into numbers",
                name=name,
            )


def _is_number(kind: Any) -> bool:
    if hasattr(kind, "is_numeric"):
        return bool(kind.is_numeric())
    return getattr(kind, "kind", "O") in _NUMBERS


def people_of(people: Any, rows: int) -> NDArray[np.int64]:
    """Return a number for whose each point is, one a point."""
    ids = _ids(people)
    if ids.shape != (rows,):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{people} must be one id for each point, and it is not as long as the points",
            "give the ids themselves, as in people=frame['customer']",
            people=Argument("people"),
        )
    try:
        return numbered(ids)
    except TypeError:
        raise InputError(
            "E-IDS-TYPE",
            "an id of people must be a number, text or a date",
            "give {people}",
            people=Argument("people", Bare("ids")),
        ) from None


def _ids(people: Any) -> NDArray[Any]:
    """Return ids as they are: numbers made one type would make two people one."""
    if is_tensor(people):
        return np.asarray(people.cpu())
    if isinstance(getattr(people, "dtype", None), np.dtype):
        return np.asarray(people)
    ordered = hasattr(people, "__getitem__") and not isinstance(people, (str, dict))
    listed = list(people) if ordered else []
    return np.fromiter(listed, dtype=object, count=len(listed))


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
    domain
        The ball that points lie in; None where bounds say it.
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
    domain: L1Ball | None = None
    weight: int | None = None
    size: int | None = None
    measured: Measured | None = field(default=None, repr=False)
    matrix: Any = field(default=None, repr=False)
    people: NDArray[Any] | None = field(default=None, repr=False)

    @property
    def dimensions(self) -> int:
        """How many coordinates there are."""
        return len(self.low)

    def space(self, *, reach: int) -> GridBox:
        """Return the grid that points lie on, and how far centres may."""
        return space_of(self.low, self.high, reach=reach, domain=self.domain)

    def points(self, space: GridBox) -> GridPoints:
        """Return the points in the steps of a space."""
        if self.measured is not None:
            return self._rows(self.measured, space)
        weights = None if self.people is None else person_weights(self.people, self.weight or 1)
        if is_tensor(self.matrix):
            from sfumato.learning.kmeans.points.tensors import tensor_points

            return tensor_points(self.matrix, space, weights)
        return ArrayPoints(space, space.whole(np.asarray(self.matrix, dtype=np.float64)), weights)

    def check(self, plan: Plan, space: GridBox) -> None:
        """Refuse a plan that the engine has no way to carry out, before it is charged for."""
        if self.measured is not None:
            ball = None if plan.rounds is None else Ball(1, plan.rounds.norm)
            level = None if plan.synopsis is None else most_levels(space)
            self._rows(self.measured, space).check(plan.clusters, ball, level=level)

    def _rows(self, measured: Measured, space: GridBox) -> RowPoints:
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
    domain = read_domain(model.domain, model.bounds)
    if domain is None:
        low, high = coordinate_bounds(_of_columns(model, names), dimensions, names)
    else:
        low, high = domain.ends(dimensions)
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
        domain,
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
    if is_without_noise(model.epsilon):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{epsilon} guarantees nothing, and a private table answers under a guarantee alone",
            "write {example}, say, or give points that you hold",
            epsilon=Argument("epsilon", Bare("inf")),
            example=Argument("epsilon", 1),
        )
    domain = read_domain(model.domain, None)
    measured = table.numbers(model.columns, bounded=domain is None)
    limit = measured.limit if model.points_per_person is None else model.points_per_person
    if domain is None:
        ranges = list(zip(measured.low, measured.high, strict=True))
        low, high = coordinate_bounds(ranges, len(ranges), None)
    else:
        low, high = domain.ends(len(measured.names))
    return Opened(
        low,
        high,
        measured.relation,
        list(measured.names),
        domain,
        weight=read_limit(limit) if measured.has_people else None,
        measured=measured,
    )


def _of_columns(model: Any, names: list[str] | None) -> Any:
    """Return bounds, by name only those of the columns that were chosen."""
    if model.columns is None or names is None or not isinstance(model.bounds, dict):
        return model.bounds
    return {name: pair for name, pair in model.bounds.items() if name in names}
