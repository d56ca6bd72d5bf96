"""Counts by public keys: histograms, and linear queries on them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from operator import mul
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW
from sfumato.mechanisms.sensitivity.additive import additive
from sfumato.mechanisms.sensitivity.tables import Lengths, read_cell, read_column, read_table
from sfumato.privacy import Relation, Substitute, written

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from sfumato.mechanisms.sensitivity.statistic import Statistic


_Vector = tuple[Fraction, ...]


def histogram(
    *,
    keys: Any = None,
    edges: Any = None,
    relation: Relation = ONE_ROW,
    rows_per_person: Any = None,
) -> Statistic[tuple[int, ...]]:
    """Return how many rows fall into each of several disjoint bins, as a statistic.

    Parameters
    ----------
    keys
        The public values to count, one bin each.  Rows with another value are counted nowhere.
    edges
        Instead of keys, ascending ends of intervals: a number is counted from the lower end up to,
        and without, the upper one, the last bin with it.  NaN, None and numbers outside are
        counted nowhere.
    relation
        Which tables are neighbours.
    rows_per_person
        How many rows of each person count, where the relation protects people.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms.sensitivity import histogram
    >>> colours = histogram(keys=["red", "blue"], relation=sf.privacy.Substitute())
    >>> colours(["blue", "red", "blue", "green"])
    (1, 2)
    >>> print(colours.sensitivity)
    2 in L1, √2 in L2 (substitute one row), derived: histogram of 2 bins
    >>> histogram(edges=[0, 18, 65])([3, 18, 65, 66])
    (1, 2)
    """
    if (keys is None) == (edges is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a histogram counts keys or intervals",
            "write keys=['a', 'b'] or edges=[0, 18, 65]",
        )
    bin_of, bins = _by_key(keys) if edges is None else _by_interval(edges)
    return additive(
        lambda rows: _counts(rows, bin_of, bins),
        reach=Lengths.of([1]),
        spread=Lengths.of([1, -1] if bins > 1 else [1]),
        relation=relation,
        rows_per_person=rows_per_person,
        basis=f"histogram of {bins} {'bin' if bins == 1 else 'bins'}",
    )


def linear_queries(
    weights: Any,
    *,
    keys: Any,
    relation: Relation = ONE_ROW,
    rows_per_person: Any = None,
) -> Statistic[Any]:
    """Return weighted sums of the counts of several keys, as a statistic.

    One row adds the column of its key, so one more or one less moves the answers by the longest
    column, and a substitution by the greatest distance between two columns, a row with none of
    the keys being a column of zeros.

    Parameters
    ----------
    weights
        One weight a key, for a single answer; or a matrix with a row a query, for a tuple of
        answers.
    keys
        The public values that have weights.  Rows with another value are counted nowhere.
    relation
        Which tables are neighbours.
    rows_per_person
        How many rows of each person count, where the relation protects people.

    Notes
    -----
    Proof: :doc:`/proofs/sensitivity`.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import linear_queries
    >>> below = linear_queries([[1, 0, 0], [1, 1, 0], [1, 1, 1]], keys=["low", "mid", "high"])
    >>> [int(each) for each in below(["mid", "low", "mid"])]
    [1, 3, 3]
    >>> print(below.sensitivity)
    3 in L1, √3 in L2 (add or remove one row), derived: 3 linear queries on 3 keys
    """
    bin_of, bins = _by_key(keys)
    table = read_table(weights, "weights")
    single = not any(hasattr(each, "__len__") for each in table)
    queries = [_read_weights(each, bins) for each in ([table] if single else table)]
    columns = list(zip(*queries, strict=True)) or [()] * bins
    reach = _longest(columns)
    answer = "1 linear query" if len(queries) == 1 else f"{len(queries)} linear queries"
    return additive(
        lambda rows: _answers(queries, _counts(rows, bin_of, bins), single=single),
        reach=reach,
        spread=_greatest_distance(columns) if isinstance(relation, Substitute) else reach,
        relation=relation,
        rows_per_person=rows_per_person,
        basis=f"{answer} on {bins} {'key' if bins == 1 else 'keys'}",
    )


def _by_key(keys: Any) -> tuple[Callable[[Any], int | None], int]:
    listed = read_column(keys, "keys")
    try:
        places = {key: place for place, key in enumerate(listed)}
    except (TypeError, ValueError):  # numpy's spans of no unit raise the latter
        raise InputError(
            "E-ARGUMENT-TYPE", "keys must be numbers or texts", "write keys=['a', 'b']"
        ) from None
    if not listed or len(places) < len(listed):
        raise InputError(
            "E-ARGUMENT-TWICE",
            "keys must be one or more values, none twice",
            "write keys=['a', 'b']",
        )
    return lambda row: _place(places, row), len(listed)


def _place(places: dict[Hashable, int], row: Any) -> int | None:
    try:
        return places.get(row)
    except (TypeError, ValueError):  # a row that cannot be looked up is none of the keys
        return None


def _by_interval(edges: Any) -> tuple[Callable[[Any], int | None], int]:
    ends = [written(each, "edges") for each in read_column(edges, "edges")]
    if len(ends) < 2 or any(low >= high for low, high in pairwise(ends)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "edges must be two or more ascending numbers",
            "write edges=[0, 18, 65]",
        )
    return lambda cell: _interval(ends, cell), len(ends) - 1


def _interval(ends: list[Fraction], cell: Any) -> int | None:
    number = read_cell(cell)
    if isinstance(number, float) or not ends[0] <= number <= ends[-1]:
        return None
    return min(bisect_right(ends, number), len(ends) - 1) - 1


def _counts(rows: list[Any], bin_of: Callable[[Any], int | None], bins: int) -> tuple[int, ...]:
    found = Counter(map(bin_of, rows))
    return tuple(found[each] for each in range(bins))


def _read_weights(row: Any, bins: int) -> _Vector:
    weights = tuple(written(each, "weights") for each in read_column(row, "weights"))
    if len(weights) != bins:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "each query needs {bins} weights, one a key, not {count}",
            bins=bins,
            count=len(weights),
        )
    return weights


def _answers(queries: list[_Vector], counts: tuple[int, ...], *, single: bool) -> Any:
    answers = tuple(sum(map(mul, query, counts), Fraction(0)) for query in queries)
    return answers[0] if single else answers


def _longest(vectors: Sequence[_Vector]) -> Lengths:
    return reduce(Lengths.longest, map(Lengths.of, vectors))


def _greatest_distance(columns: list[_Vector]) -> Lengths:
    apart = [
        tuple(one - other for one, other in zip(*both, strict=True))
        for both in combinations(columns, 2)
    ]
    return _longest([*columns, *apart])
