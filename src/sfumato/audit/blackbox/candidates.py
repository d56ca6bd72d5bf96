"""Candidate events of one feature: made on some draws, counted on others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.regions import Among, Between, Outside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sfumato.audit.blackbox.features import Feature
    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.pool import Pool
    from sfumato.audit.blackbox.regions import Region

__all__ = ["Candidates", "candidates"]

_BODY = 24
_MANY_KEYS, _MOST_KEYS = 2_000, 20_000
_MOST_ALONE = 64
_HANDICAP = 0.02


@dataclass(frozen=True, eq=False)
class Candidates:
    """Events of one feature with how often each was seen on the two datasets.

    Attributes
    ----------
    feature
        What the events are about.
    seen
        Two rows of counts: on the first dataset and on the second.
    region
        From the number of an event to its region.
    handicap
        By how much more than simpler events they must seem to prove.
    """

    feature: Feature
    seen: NDArray[Any]
    region: Callable[[int], Region]
    handicap: float = 0.0


def candidates(feature: Feature, made_on: Pool, counted_on: Pool) -> list[Candidates]:
    """Return the candidate events of a feature."""
    made, counted = feature.column(made_on.sample), feature.column(counted_on.sample)
    if feature.ordered:
        return list(_intervals(feature, made_on.sides(made), counted_on.sides(counted)))
    return list(_unions(feature, made_on, made, counted_on.sides(counted)))


def _intervals(feature: Feature, made: Any, counted: Any) -> Iterator[Candidates]:
    """Yield intervals between cuts, and what lies outside them."""
    cuts = _cuts(*made)
    if not len(cuts):
        return
    edges = np.concatenate([[-math.inf], cuts, [math.inf]])
    below = np.stack([_up_to(cuts, each) for each in counted])
    upto = below[:, 1:]
    yield Candidates(feature, upto, lambda i: Between(-math.inf, edges[i + 1].item()))
    above = below[:, -1:] - below[:, 1:-1]
    yield Candidates(feature, above, lambda i: Between(edges[i + 1].item(), math.inf))
    low, high = np.triu_indices(len(edges) - 2, 1)
    inside = below[:, high + 1] - below[:, low + 1]

    def ends(i: int) -> tuple[float, float]:
        return cuts[low[i]].item(), cuts[high[i]].item()

    yield Candidates(feature, inside, lambda i: Between(*ends(i)), _HANDICAP)
    yield Candidates(feature, below[:, -1:] - inside, lambda i: Outside(*ends(i)), _HANDICAP)


def _up_to(cuts: NDArray[Any], column: NDArray[Any]) -> NDArray[Any]:
    """Return how many numbers are at most each cut, with none before and all after them."""
    numbers = np.sort(column[~np.isnan(column)])
    found = np.searchsorted(numbers, cuts, side="right")
    return np.concatenate([[0], found, [len(numbers)]])


def _cuts(*sides: NDArray[Any]) -> NDArray[Any]:
    """Return where to cut: even shares of each side, and its tails by powers of two."""
    found = []
    for column in sides:
        numbers = np.sort(column[np.isfinite(column)])
        if len(numbers):
            found.append(numbers[_ranks(len(numbers))])
    cuts = np.unique(np.concatenate(found)) if found else np.array([])
    return np.unique(_rounded(cuts))


def _ranks(size: int) -> NDArray[Any]:
    tails = 2 ** np.arange(int(math.log2(size)) + 1) - 1
    body = np.linspace(0, size - 1, _BODY).astype(np.int64)
    return np.unique(np.concatenate([tails, size - 1 - tails, body]))


def _rounded(cuts: NDArray[Any]) -> NDArray[Any]:
    """Return cuts with no more digits than tell them apart, for people to read."""
    if len(cuts) < 3:
        return cuts
    spread = float(np.quantile(cuts, 0.75) - np.quantile(cuts, 0.25))
    if not 1e-100 < spread < 1e100:
        return cuts
    digits = 3 - math.floor(math.log10(spread))
    return np.asarray(np.round(cuts, digits)) if digits < 300 else cuts


def _unions(feature: Feature, pool: Pool, made: NDArray[Any], counted: Any) -> Iterator[Candidates]:
    """Yield single keys, and unions of keys by how much likelier they are on one side."""
    keys, place = _known_keys(made)
    if not len(keys):
        return
    order = np.argsort(_ratios(keys, *pool.sides(made)), kind="stable")
    keys, place = keys[order], place[order]
    alone = np.stack([_count(keys, each) for each in counted])
    names = _Names(feature, pool.sample, keys, place)
    few = _most_frequent(alone)
    sizes = np.array([[len(each)] for each in counted])
    yield Candidates(feature, alone[:, few], lambda i: names.among(few[i : i + 1]))
    yield Candidates(feature, sizes - alone[:, few], lambda i: names.but(few[i : i + 1]))
    grown = np.cumsum(alone, axis=1)
    every = np.arange(len(keys))
    yield Candidates(feature, grown, lambda i: names.among(every[: i + 1]), _HANDICAP)
    shrunk, last = grown[:, -1:] - grown, every[::-1]
    yield Candidates(feature, shrunk, lambda i: names.among(last[: len(last) - i - 1]), _HANDICAP)
    yield Candidates(feature, sizes - grown, lambda i: names.but(every[: i + 1]), _HANDICAP)


def _known_keys(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return keys with a place of each; where they are many, those seen more than once."""
    keys, place, total = np.unique(column, return_index=True, return_counts=True)
    if len(keys) <= _MANY_KEYS:
        return keys, place
    kept = np.argsort(-total, kind="stable")[: min(_MOST_KEYS, np.count_nonzero(total > 1))]
    return keys[kept], place[kept]


@dataclass(frozen=True, eq=False)
class _Names:
    """Keys with a draw of each, which names it."""

    feature: Feature
    sample: Sample
    keys: NDArray[Any]
    place: NDArray[Any]

    def among(self, chosen: NDArray[Any], *, inside: bool = True) -> Among:
        named = _Named(self.feature, self.sample, self.place[chosen].tolist())
        return Among(tuple(self.keys[chosen].tolist()), named, inside=inside)

    def but(self, chosen: NDArray[Any]) -> Among:
        return self.among(chosen, inside=False)


class _Named(Sequence[str]):
    """The names of some draws of a sample, found when they are asked for."""

    def __init__(self, feature: Feature, sample: Sample, places: list[int]) -> None:
        self._feature, self._sample, self._places = feature, sample, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return self._feature.named(self._sample, self._places[index])


def _ratios(keys: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Return how much likelier each key is on the second side, as a logarithm."""
    ones, others = _count(keys, first) + 0.5, _count(keys, second) + 0.5
    return np.asarray(np.log(others) - np.log(ones))


def _count(keys: NDArray[Any], column: NDArray[Any]) -> NDArray[Any]:
    """Return how often each key occurs in a column."""
    sorter = np.argsort(keys, kind="stable")
    known = keys[sorter]
    place = np.searchsorted(known, column)
    place[place == len(known)] = 0
    hits = place[known[place] == column]
    found = np.zeros(len(keys), dtype=np.int64)
    found[sorter] = np.bincount(hits, minlength=len(known))
    return found


def _most_frequent(alone: NDArray[Any]) -> NDArray[Any]:
    return np.argsort(-alone.max(axis=0), kind="stable")[:_MOST_ALONE]
