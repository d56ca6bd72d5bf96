"""Neighbouring datasets at random: a row removed, or replaced by another."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.relation import AddRemove, Relation, Substitute

__all__ = ["Datasets", "Neighbours", "neighbouring_pairs"]

#: Datasets one after the other, or a function that makes one from a random generator.
Datasets = Iterable[Any] | Callable[[np.random.Generator], Any]
#: A relation between tables, or a function from a dataset to its neighbours.
Neighbours = Relation | Callable[[Any], Iterable[Any]]

_EACH = 8


def neighbouring_pairs(
    datasets: Datasets, neighbours: Neighbours | None, rng: np.random.Generator
) -> Iterator[tuple[Any, Any]]:
    """Yield datasets with neighbours of theirs, a few of each.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox.neighbours import neighbouring_pairs
    >>> pairs = neighbouring_pairs([[1, 2], [3]], None, np.random.default_rng(0))
    >>> sorted((data, len(other)) for data, other in pairs)
    [([1, 2], 1), ([1, 2], 1), ([3], 0)]
    """
    relation = AddRemove() if neighbours is None else neighbours
    if not isinstance(relation, Relation) and not callable(relation):
        message = (
            f"neighbours must be a relation or a function of a dataset, not {shown(relation)}; "
            "write sf.AddRemove(), or lambda data: [data[1:]]"
        )
        raise InputError(message)
    for data in _datasets(datasets, rng):
        near = _related(data, relation, rng) if isinstance(relation, Relation) else relation(data)
        for other in islice(near, _EACH):
            yield data, other


def _datasets(datasets: Datasets, rng: np.random.Generator) -> Iterator[Any]:
    if callable(datasets):
        _check_maker(datasets)
        while True:
            yield datasets(rng)
    if not isinstance(datasets, Iterable):
        message = (
            f"datasets must be a list of datasets or a function that makes one from a generator, "
            f"not a {type(datasets).__name__}; write lambda rng: rng.integers(0, 10, size=5)"
        )
        raise InputError(message)
    yield from datasets


def _check_maker(datasets: Callable[..., Any]) -> None:
    """Refuse a function that does not take a generator and nothing else."""
    try:
        inspect.signature(datasets).bind(None)
    except TypeError:
        message = (
            "datasets, a function, must take a NumPy generator and nothing else; "
            "write lambda rng: rng.integers(0, 10, size=5)"
        )
        raise InputError(message) from None
    except ValueError:
        return


def _related(data: Any, relation: Relation, rng: np.random.Generator) -> Iterator[Any]:
    """Yield datasets that differ by as many rows as the relation allows, in random order."""
    size = _size(data)
    count = min(relation.count, size)
    for _ in range(min(_EACH, size)):
        rows = list(range(size))
        changed = rng.permutation(size)[:count]
        if isinstance(relation, Substitute):
            for row in changed:
                rows[row] = int(rng.integers(size))
        else:
            rows = [row for row in rows if row not in set(changed.tolist())]
        yield _taken(data, rows)


def _size(data: Any) -> int:
    if isinstance(data, (str, bytes, dict)) or not hasattr(data, "__len__"):
        message = (
            f"a dataset of type {type(data).__name__} has no rows to remove; give lists, arrays or "
            "data frames, or say what the neighbours are: neighbours=lambda data: [data + 1]"
        )
        raise InputError(message)
    return len(data)


def _taken(data: Any, rows: list[int]) -> Any:
    """Return some rows of a table, in a table of the same type."""
    if isinstance(data, (list, tuple)):
        return type(data)([data[row] for row in rows])
    return data.iloc[rows] if hasattr(data, "iloc") else data[rows]
