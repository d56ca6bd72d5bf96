"""Events that several features share: one and another, built up greedily."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.candidates import Candidates
from sfumato.audit.blackbox.features import JOINT, LOW_BITS, Feature
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.audit.blackbox.aim import Aim
    from sfumato.audit.blackbox.outcomes import Sample
    from sfumato.audit.blackbox.pool import Pool
    from sfumato.audit.blackbox.regions import Region

__all__ = ["Part", "conjunctions"]

#: One feature in one region.
Part = tuple[Feature, "Region"]
#: Some of the parts, by their numbers.
Chosen = tuple[int, ...]

_BEAM = 12
_DEPTH = 4
_TRIED = 6
_HANDICAP = 0.05


@dataclass(frozen=True)
class _All:
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
    def outcomes(self) -> tuple[str, ...]:
        return ()

    @property
    def kind(self) -> str:
        uses_bits = any(feature.kind == LOW_BITS for feature, _ in self.parts)
        return LOW_BITS if uses_bits else JOINT

    def column(self, sample: Sample) -> NDArray[Any]:
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
    return np.stack(
        [
            np.stack(
                [
                    np.bitwise_count(np.bitwise_and.reduce(side[list(chosen)]) & side).sum(axis=1)
                    for chosen in beam
                ]
            )
            for side in held
        ]
    )


def _family(parts: tuple[Part, ...], pool: Pool) -> Candidates:
    region = _All(parts)
    feature = Feature(
        tr("the parts"), region.column, ordered=False, words=str, wide=True, kind=region.kind
    )
    column = region.column(pool.sample)
    seen = np.array([[int(each.sum())] for each in pool.sides(column)])
    return Candidates(feature, seen, lambda _: region, _HANDICAP * (len(parts) - 1))
