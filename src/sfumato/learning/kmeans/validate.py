"""Reading the parameters of private k-means: each refusal is one sentence, before a row is read."""

from __future__ import annotations

from decimal import Decimal
from math import inf
from numbers import Real
from sys import float_info
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.documents import check_known
from sfumato.errors import InputError, UnknownNameError
from sfumato.learning.kmeans.domain import NARROWEST, WIDEST
from sfumato.learning.kmeans.plan import KMeansRequest
from sfumato.numeric import any_float, read_count
from sfumato.privacy import (
    AddRemove,
    Person,
    Relation,
    Row,
    Substitute,
    check_usable,
    read_ends,
    read_given_delta,
    written,
)
from sfumato.refusal import Argument, Arguments, Bare, Declaration, Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.domain import L1Ball

    Reals = NDArray[np.float64]


METHODS = ("auto", "lloyd", "rounds", "grid", "tree")
_NOISES = ("auto", "laplace", "gaussian")
_INFINITE = ("inf", "infinity", "∞")
_LEAST_EPSILON = "1e-9"
_MOST_CLUSTERS = 10_000


def read_asked(model: Any, dimensions: int, size: int | None = None) -> KMeansRequest:
    """Return what an estimator is asked for.

    Parameters
    ----------
    model
        Whose parameters are read, by the names of ``KMeans``.
    dimensions
        How many coordinates points have.
    size
        How many people there are, where that is public and the caller declared nothing.
    """
    method = _one_of(model.method, METHODS, "method")
    asked = KMeansRequest(
        clusters=_count(model.n_clusters, "n_clusters", most=_MOST_CLUSTERS),
        dimensions=dimensions,
        epsilon=_epsilon(model.epsilon),
        delta=read_given_delta(model.delta),
        size=size if model.size is None else _count(model.size, "size"),
        method=method,
        rounds=_rounds(model.rounds, method),
        noise=_one_of(model.noise, _NOISES, mark("noise")),
    )
    _check_together(asked)
    return asked


def _check_together(asked: KMeansRequest) -> None:
    if asked.epsilon is None and asked.method != "lloyd":
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{epsilon} is the textbook's algorithm without noise, which no other method is",
            "write {method} as well, or {example}",
            epsilon=Argument("epsilon", Bare("inf")),
            method=Argument("method", "lloyd"),
            example=Argument("epsilon", 1),
        )
    if asked.method == "lloyd" and asked.delta is not None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "the textbook's algorithm adds Laplace noise and needs no delta",
            "leave delta out, or write {method}",
            method=Argument("method", "auto"),
        )
    if asked.noise == "gaussian" and asked.delta is None:
        raise InputError(
            "E-DELTA-MISSING",
            "Gaussian noise needs a delta as well",
            "write {example}",
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )


def is_without_noise(epsilon: Any) -> bool:
    """Tell whether ε is infinite, as a number or as text."""
    if isinstance(epsilon, str):
        return epsilon.strip().lower() in _INFINITE
    return isinstance(epsilon, (Real, Decimal)) and any_float(epsilon) == inf and epsilon == inf


def _epsilon(epsilon: Any) -> Fraction | None:
    if epsilon is None:
        raise InputError(
            "E-EPSILON-MISSING",
            "{epsilon} is missing: it says what the centres may cost",
            "write {example}, say",
            epsilon=Argument("epsilon"),
            example=Argument("epsilon", 1),
        )
    if is_without_noise(epsilon):
        return None
    found = written(epsilon, "epsilon")
    check_usable(found, epsilon, least=_LEAST_EPSILON)
    return found


def _rounds(rounds: Any, method: str) -> int | None:
    if rounds is None:
        return None
    least = 1 if method in ("lloyd", "rounds") else 0
    return _count(rounds, "rounds", least=least, most=1000)


def _count(value: Any, name: str, *, least: int = 1, most: int | None = None) -> int:
    example = Argument(name, Bare(str(1000 if name == "size" else max(least, 5))))
    return read_count(value, name, least=least, most=most, write=example)


def _one_of(value: Any, known: Sequence[str], name: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise UnknownNameError(kind=name, name=value, known=known)
    return value


def read_dimensions(dimensions: Any, bounds: Any, columns: Any, ball: L1Ball | None) -> int:
    """Return how many coordinates points have, as is said, or as bounds, columns or a ball tell."""
    told = _told(bounds, columns) if ball is None or columns is not None else ball.dimensions
    if dimensions is None and told is None:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "it is not known how many coordinates points have",
            "write dimensions=2, say",
        )
    given = told if dimensions is None else _count(dimensions, "dimensions")
    if told not in (None, given):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{dimensions} says {given} coordinates, and bounds or columns have {told}",
            "leave {dimensions} out, or write the same number",
            dimensions=Argument("dimensions"),
            given=given,
            told=told,
        )
    return int(given or 1)


def _told(bounds: Any, columns: Any) -> int | None:
    if columns is not None:
        return 1 if isinstance(columns, str) else len(columns)
    if isinstance(bounds, dict):
        return len(bounds)
    many = isinstance(bounds, (list, tuple, np.ndarray))
    return len(bounds) if many and not all(isinstance(each, Real) for each in bounds) else None


def read_limit(limit: Any) -> int:
    """Return how many points of one person count fully."""
    return 1 if limit is None else _count(limit, "points_per_person", most=10**6)


def relation_of_points(relation: Any, method: str, *, people: bool) -> Relation:
    """Return which tables are neighbours, for arrays.

    Add or remove one is the default, and substitute one, as in the textbook, that of "lloyd".
    """
    unit = Person() if people else Row()
    if relation is None:
        return Substitute(unit=unit) if method == "lloyd" else AddRemove(unit=unit)
    if not isinstance(relation, Relation) or relation.count != 1:
        raise InputError(
            "E-RELATION-UNKNOWN",
            "{argument} must be AddRemove() or Substitute() of one, not {relation!s:.60}",
            "write {example} or {other_relation_example}",
            relation=relation,
            example=Argument("relation", Bare("sf.privacy.AddRemove()")),
            other_relation_example=Argument("relation", Bare("sf.privacy.Substitute()")),
            argument=Argument("relation"),
        )
    if people and not isinstance(relation.unit, Person):
        raise InputError(
            "E-RELATION-OTHER",
            "fit was given the ids of people, and the relation “{relation}” protects rows",
            "leave the ids out, or write a relation of unit=sf.privacy.Person()",
            relation=relation,
        )
    if isinstance(relation.unit, Person) and not people:
        raise InputError(
            "E-RELATION-OTHER",
            "the relation “{relation}” protects people, and fit was not given their ids",
            "give fit(X, {people}), or write a relation of rows",
            relation=relation,
            people=Argument("people", Bare("ids")),
        )
    return relation


def coordinate_bounds(
    bounds: Any, dimensions: int, names: Sequence[str] | None
) -> tuple[Reals, Reals]:
    """Return the bounds of each coordinate.

    Parameters
    ----------
    bounds
        One pair for all coordinates, a pair for each, or a pair by each column's name.
    dimensions
        How many coordinates there are.
    names
        The names of columns, where there are any.
    """
    if bounds is None:
        raise InputError(
            "E-BOUNDS-MISSING",
            "{bounds} are missing: the range of each column, known without looking at the data",
            "write {other_bounds}, one pair for each column, or {example}",
            bounds=Argument("bounds"),
            example=Declaration("bounds", "age", (0, 110)),
            other_bounds=Argument("bounds", (-1, 1)),
        )
    pairs = _pairs(bounds, dimensions, names)
    low, high = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    return low, high


def _pairs(bounds: Any, dimensions: int, names: Sequence[str] | None) -> list[tuple[float, float]]:
    if isinstance(bounds, dict):
        return _named(bounds, dimensions, names)
    if not isinstance(bounds, (list, tuple, np.ndarray)):
        raise InputError(
            "E-BOUNDS-FORM",
            "{argument} must be pairs of numbers, not {bounds!r:.40}",
            "write {bounds_example} for all columns, one pair for each, or {example}",
            bounds=bounds,
            example=Declaration("bounds", "age", (0, 110)),
            bounds_example=Argument("bounds", (-1, 1)),
            argument=Argument("bounds"),
        )
    given = list(bounds)
    if len(given) == 2 and all(isinstance(each, Real) for each in given):
        return [_pair(given, mark("the bounds"))] * dimensions
    if len(given) != dimensions:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "{count} bounds are given for {dimensions} columns",
            "give one pair for all, as in {bounds}, or one for each",
            count=len(given),
            dimensions=dimensions,
            bounds=Argument("bounds", (-1, 1)),
        )
    return [
        _pair(each, text("the bounds of column {place}", place=place))
        for place, each in enumerate(given)
    ]


def _named(
    bounds: dict[Any, Any], dimensions: int, names: Sequence[str] | None
) -> list[tuple[float, float]]:
    if names is None:
        raise InputError(
            "E-BOUNDS-FORM",
            "{bounds} are given by name, and the columns have none",
            "give a frame, or one pair for each of the {dimensions} columns",
            dimensions=dimensions,
            bounds=Argument("bounds"),
        )
    check_known(bounds, names, "column")
    for name in names:
        if name not in bounds:
            raise InputError(
                "E-BOUNDS-MISSING",
                "the column {name!r} has no bounds",
                "write {bounds}, or name the columns that count, as in columns=['age', 'bmi']",
                name=name,
                bounds=Declaration("bounds", name, (0, 100)),
            )
    return [_pair(bounds[name], text("the bounds of {name!r}", name=name)) for name in names]


def _pair(pair: Any, name: Given) -> tuple[float, float]:
    given = pair.tolist() if isinstance(pair, np.ndarray) else pair
    low, high = read_ends(given, name, write="(0, 110)")
    if not NARROWEST <= (high - low) / 2 <= WIDEST or max(-low, high) > float_info.max:
        raise InputError(
            "E-BOUNDS-WIDTH",
            "{name} are too far apart or too close for numbers",
            "choose other units",
            name=name,
        )
    return float(low), float(high)
