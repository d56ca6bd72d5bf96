"""Candidate events, of one feature or of several: made on some draws, counted on others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.bounds import rough_bounds, rough_epsilon
from sfumato.audit.blackbox.features import JOINT, LOW_BITS, Feature
from sfumato.audit.blackbox.regions import AmongKeys, Between, Outside, Region
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import OutputSample, Pool

_BODY = 24
_MANY_KEYS, _MOST_KEYS = 2_000, 20_000
_MOST_ALONE = 64
_HANDICAP = 0.02
_BEAM = 12
_DEPTH = 4
_TRIED = 6
_JOINT_HANDICAP = 0.05


@dataclass(frozen=True)
class Aim:
    """To show, at a δ, that one dataset makes an event likelier than the other.

    Attributes
    ----------
    likelier
        The dataset on which the event is to be likelier: 0 or 1.
    delta
        At which δ.
    trials
        In how many draws on each dataset events were counted.
    alpha
        The probability at which each bound is to hold.
    """

    likelier: int
    delta: float
    trials: int
    alpha: float

    def scores(self, seen: NDArray[Any]) -> NDArray[Any]:
        """Return about which ε events would prove, from their counts on the two datasets."""
        return rough_epsilon(*self.bounds(seen), self.delta)

    def bounds(self, seen: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return about how likely events are at least on the one dataset, at most on the other."""
        hits, others = seen[self.likelier], seen[1 - self.likelier]
        return rough_bounds(hits, others, self.trials, self.alpha)


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
    few = np.argsort(-alone.max(axis=0), kind="stable")[:_MOST_ALONE]
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
    sample: OutputSample
    keys: NDArray[Any]
    place: NDArray[Any]

    def among(self, chosen: NDArray[Any], *, inside: bool = True) -> AmongKeys:
        places = self.place[chosen].tolist()
        return AmongKeys(
            tuple(self.keys[chosen].tolist()),
            lambda i: self.feature.named(self.sample, places[i]),
            inside=inside,
        )

    def but(self, chosen: NDArray[Any]) -> AmongKeys:
        return self.among(chosen, inside=False)


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


#: One feature in one region.
Part = tuple[Feature, Region]
#: Some of the parts, by their numbers.
Chosen = tuple[int, ...]


@dataclass(frozen=True)
class _All(Region):
    """All of several parts, as a region of the feature that looks at all of them."""

    parts: tuple[Part, ...]

    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(column == 1)

    def said_of(self, subject: str) -> str:
        return f"{subject}: {self}"

    def __str__(self) -> str:
        said = (feature.said(region) for feature, region in self.parts)
        return reduce(
            lambda others, last: tr("{others}, and {last}", others=others, last=last), said
        )

    @property
    def effort(self) -> int:
        return sum(region.effort for _, region in self.parts)

    @property
    def kind(self) -> str:
        uses_bits = any(feature.kind == LOW_BITS for feature, _ in self.parts)
        return LOW_BITS if uses_bits else JOINT

    def column(self, sample: OutputSample) -> NDArray[Any]:
        held = [region.holds(feature.column(sample)) for feature, region in self.parts]
        return np.asarray(np.logical_and.reduce(held), dtype=np.int64)


def conjunctions(parts: Sequence[Part], pool: Pool, aims: Sequence[Aim]) -> list[Candidates]:
    """Return events that hold where two or more parts do: for each aim, those that seem best."""
    if len(parts) < 2:
        return []
    held = _held(parts, pool)
    found = dict.fromkeys(chosen for aim in aims for chosen in _grown(held, aim))
    return [_family(tuple(parts[i] for i in chosen), pool) for chosen in found]


def _held(parts: Sequence[Part], pool: Pool) -> NDArray[Any]:
    """Return which parts hold for which draws: for each side, a row of bits for each part."""
    every = [pool.sides(region.holds(feature.column(pool.sample))) for feature, region in parts]
    return np.stack([_packed(np.stack([each[which] for each in every])) for which in (0, 1)])


def _packed(rows: NDArray[Any]) -> NDArray[Any]:
    """Return rows of truth values as bits, 64 to a number."""
    spare = -rows.shape[1] % 64
    return np.packbits(np.pad(rows, ((0, 0), (0, spare))), axis=1).view(np.uint64)


def _grown(held: NDArray[Any], aim: Aim) -> list[Chosen]:
    """Return sets of parts, each grown from the best smaller ones by one more part."""
    beam: list[Chosen] = [(i,) for i in range(held.shape[1])]
    found: dict[Chosen, float] = {}
    for _ in range(_DEPTH - 1):
        grown = _one_more(beam, held, aim)
        found |= grown
        beam = list(grown)
    return sorted(found, key=lambda chosen: (-found[chosen], len(chosen)))[:_BEAM]


def _one_more(beam: list[Chosen], held: NDArray[Any], aim: Aim) -> dict[Chosen, float]:
    """Return the best sets that have one part more than those of the beam, with their scores."""
    if not beam:
        return {}
    scores = aim.scores(_counts(beam, held))
    grown: dict[Chosen, float] = {}
    for place in np.argsort(-scores, axis=None, kind="stable")[: _TRIED * _BEAM].tolist():
        row, extra = divmod(place, scores.shape[1])
        if extra not in beam[row] and len(grown) < _BEAM:
            grown.setdefault(tuple(sorted((*beam[row], extra))), float(scores[row, extra]))
    return grown


def _counts(beam: list[Chosen], held: NDArray[Any]) -> NDArray[Any]:
    """Return how often each set of the beam holds together with each further part, on each side."""

    def counts(side: NDArray[Any]) -> list[NDArray[Any]]:
        together = (np.bitwise_and.reduce(side[list(chosen)]) & side for chosen in beam)
        return [np.bitwise_count(each).sum(axis=1) for each in together]

    return np.stack([counts(side) for side in held])


def _family(parts: tuple[Part, ...], pool: Pool) -> Candidates:
    region = _All(parts)
    feature = Feature(
        tr("the parts"), region.column, ordered=False, words=str, wide=True, kind=region.kind
    )
    column = region.column(pool.sample)
    seen = np.array([[int(each.sum())] for each in pool.sides(column)])
    return Candidates(feature, seen, lambda _: region, _JOINT_HANDICAP * (len(parts) - 1))
