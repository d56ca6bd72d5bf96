"""Neighbouring datasets at random: a row removed, or replaced by another."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import Any

import numpy as np

from sfumato.audit.blackbox.values import in_order
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.relation import AddRemove, Relation, Substitute
from sfumato.refusal import Argument


def number_of_rows(data: Any) -> int:
    """Return how many rows a dataset has; refuse what has none."""
    record = isinstance(data, (str, bytes, dict)) or hasattr(data, "_fields")
    if record or not hasattr(data, "__len__"):
        raise _without_rows(data)
    return len(data)


def rows_taken(data: Any, rows: list[int]) -> Any:
    """Return some rows of a table, in a table of the same type."""
    try:
        if isinstance(data, AbstractSet):
            return type(data)(in_order(data)[row] for row in rows)  # type: ignore[call-arg]
        if isinstance(data, (list, tuple)):
            return type(data)([data[row] for row in rows])
        return data.iloc[rows] if hasattr(data, "iloc") else data[rows]
    except Exception as error:
        raise _without_rows(data) from error


def with_row_of(data: Any, row: int, other: Any, place: int) -> Any:
    """Return a table with one row replaced by one of another table.

    Where the two do not go together the row is replaced by one of its own table.
    """
    rows = list(range(number_of_rows(data)))
    if type(other) is type(data) and isinstance(data, (list, tuple, np.ndarray)):
        before, after = rows_taken(data, rows[:row]), rows_taken(data, rows[row + 1 :])
        given = rows_taken(other, [place])
        if not isinstance(data, np.ndarray):
            return before + given + after
        if data.shape[1:] == other.shape[1:]:
            return np.concatenate([before, given, after])
    rows[row] = place % len(rows)
    return rows_taken(data, rows)


def are_equal(data: Any, other: Any) -> bool:
    """Tell whether two tables are the same; False where that cannot be told."""
    try:
        if hasattr(data, "equals"):
            return bool(data.equals(other))
        return np.array_equal(data, other) if hasattr(data, "__array__") else bool(data == other)
    except Exception:  # noqa: BLE001 - whatever they are, they cannot be compared
        return False


def _without_rows(data: Any) -> InputError:
    return InputError(
        "E-DATASET-FORM",
        "a dataset of type {kind} has no rows to remove",
        "give lists, arrays or data frames, or say what the neighbours are: "
        "neighbours=lambda data: [data + 1]",
        kind=type(data).__name__,
    )


#: Datasets one after the other, or a function that makes one from a random generator.
Datasets = Iterable[Any] | Callable[[np.random.Generator], Any]
#: A relation between tables, or a function from a dataset to its neighbours.
Neighbours = Relation | Callable[[Any], Iterable[Any]]

_EACH = 8
#: How often a row is replaced until the result differs, by rows of how many datasets.
_TRIES, _AHEAD = 4, 16
#: After so many datasets without a neighbour there will be none.
_MOST_BARREN = 1_000


def neighbouring_pairs(
    datasets: Datasets, neighbours: Neighbours | None, rng: np.random.Generator
) -> Iterator[tuple[Any, Any]]:
    """Yield datasets with neighbours of theirs, a few of each."""
    relation = AddRemove() if neighbours is None else neighbours
    if not isinstance(relation, Relation) and not callable(relation):
        raise InputError(
            "E-RELATION-UNKNOWN",
            "neighbours must be a relation or a function of a dataset, not {relation}",
            "write sf.privacy.AddRemove(), or lambda data: [data[1:]]",
            relation=shown(relation),
        )
    stream = _datasets(datasets, rng)
    others = list(islice(stream, _AHEAD)) if isinstance(relation, Substitute) else []
    barren = 0
    for data in chain(others, stream):
        near = _near(data, relation, others, rng)
        barren = 0 if near else barren + 1
        if barren == _MOST_BARREN:
            return
        for other in near:
            yield data, other


def _datasets(datasets: Datasets, rng: np.random.Generator) -> Iterator[Any]:
    if callable(datasets):
        _check_maker(datasets)
        while True:
            yield _called(lambda: datasets(rng), "datasets")
    if not isinstance(datasets, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "datasets must be a list of datasets or a function that makes one from a "
            "generator, not a {kind}",
            "write lambda rng: rng.integers(0, 10, {size})",
            kind=type(datasets).__name__,
            size=Argument("size", 5),
        )
    yield from datasets


def _check_maker(datasets: Callable[..., Any]) -> None:
    """Refuse a function that does not take a generator and nothing else."""
    try:
        inspect.signature(datasets).bind(None)
    except TypeError:
        raise InputError(
            "E-FUNCTION-SIGNATURE",
            "datasets, a function, must take a NumPy generator and nothing else",
            "write lambda rng: rng.integers(0, 10, {size})",
            size=Argument("size", 5),
        ) from None
    except ValueError:
        return


def _near(data: Any, relation: Neighbours, others: list[Any], rng: np.random.Generator) -> Any:
    """Return a few neighbours of a dataset."""
    if isinstance(relation, Substitute):
        return list(_substituted(data, relation.count, others, rng))
    if isinstance(relation, Relation):
        return list(_removed(data, relation.count, rng))
    found = _called(lambda: relation(data), "neighbours")
    if not isinstance(found, Iterable):
        raise InputError(
            "E-FUNCTION-RESULT",
            "neighbours must give a list of datasets, not one {kind}",
            "write lambda data: [data + 1]",
            kind=type(found).__name__,
        )
    near = _called(lambda: list(islice(found, _EACH)), "neighbours")
    return [other for other in near if not are_equal(data, other)]


def _removed(data: Any, count: int, rng: np.random.Generator) -> Iterator[Any]:
    """Yield datasets without as many rows as the relation allows, in random order."""
    size = number_of_rows(data)
    for _ in range(min(_EACH, size)):
        gone = set(rng.permutation(size)[:count].tolist())
        yield rows_taken(data, [row for row in range(size) if row not in gone])


def _substituted(
    data: Any, count: int, others: list[Any], rng: np.random.Generator
) -> Iterator[Any]:
    """Yield datasets in which rows are replaced by others of the same or of another dataset."""
    size = number_of_rows(data)
    donors = [each for each in (data, *others) if number_of_rows(each)]
    found = 0
    for _ in range(_TRIES * min(_EACH, size)):
        changed = data
        for row in rng.permutation(size)[:count].tolist():
            donor = donors[int(rng.integers(len(donors)))]
            place = int(rng.integers(number_of_rows(donor)))
            changed = with_row_of(changed, row, donor, place)
        if found < min(_EACH, size) and not are_equal(data, changed):
            found += 1
            yield changed


def _called(call: Callable[[], Any], name: str) -> Any:
    """Return what a function of the caller gives; refuse one that raises."""
    try:
        return call()
    except Exception as error:
        raise InputError(
            "E-FUNCTION-RAISED",
            "{name}, a function, raised {kind}",
            "give one that returns",
            name=name,
            kind=type(error).__name__,
        ) from error
