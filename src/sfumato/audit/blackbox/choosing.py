"""Choosing the few events worth testing, for what they are wanted for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.bounds import rough_epsilon
from sfumato.audit.blackbox.candidates import Aim, Candidates, Part, candidates, conjunctions
from sfumato.audit.blackbox.classifier import features_of, fit_score
from sfumato.audit.blackbox.features import ADDED, JOINT, LOW_BITS, SCORE, VALUE, Feature
from sfumato.refusal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import OutputSample, Pool
    from sfumato.audit.blackbox.regions import Region

    Bounds = tuple[NDArray[Any], NDArray[Any]]

#: How many events are tested for the claim, each way, and at which other δ one each.
_BEST = 4
_OTHER_DELTAS = (0.0, 0.01, 0.05, 0.2)
_PER_FEATURE = 2
#: Among how many of the best events ties are broken.
_MOST_TIED = 32
#: The δ at which an event must have much mass, and how many parts a joint event is made of.
_MASS, _MOST_PARTS = 0.2, 30
#: By how much more an event of a score must seem to prove, and one of many entries at once.
_OF_SCORE, _OF_WIDE = 0.05, 0.05
#: How much harder events are to say by what they look at, and if they look at many entries.
_EFFORT = {VALUE: 0, ADDED: 0, LOW_BITS: 10, JOINT: 20, SCORE: 30}
_WIDE = 5
#: Tested in any case: the best plain event, and the best that does without low bits.
_ANYHOW = 2
#: The probability of an error at which events are chosen where none seems to prove anything at
#: less.
_HOPE = 0.01
MOST_CHOSEN = _BEST + len(_OTHER_DELTAS) + _ANYHOW


@dataclass(frozen=True, eq=False)
class ChosenEvent:
    """An event to test: a feature, a region of it, and on which dataset it seems likelier."""

    feature: Feature
    region: Region
    likelier: int

    @property
    def said(self) -> str:
        """The event in words."""
        return printable(self.feature.said(self.region))

    @property
    def effort(self) -> int:
        """How hard the event is to say."""
        wide = _WIDE if self.feature.wide else 0
        return self.region.effort + _EFFORT[self.feature.kind] + wide

    def count(self, sample: OutputSample) -> int:
        """Return how many outputs of a sample are in the event."""
        return int(np.count_nonzero(self.region.holds(self.feature.column(sample))))


@dataclass(frozen=True, eq=False)
class _Scored:
    score: float
    family: Candidates
    index: int
    likelier: int

    def chosen(self) -> ChosenEvent:
        return ChosenEvent(self.family.feature, self.family.region(self.index), self.likelier)


@dataclass(frozen=True, eq=False)
class _Board:
    """Families of events side by side, so that one sum scores them all."""

    families: list[Candidates]
    seen: NDArray[Any]
    handicaps: NDArray[Any]
    ends: list[int]
    known: dict[tuple[int, float], Bounds] = field(default_factory=dict)

    @staticmethod
    def of(families: list[Candidates]) -> _Board:
        sizes = [each.seen.shape[1] for each in families]
        nothing = np.zeros((2, 0), dtype=np.int64)
        return _Board(
            families,
            np.concatenate([nothing, *(each.seen for each in families)], axis=1),
            np.repeat([each.handicap for each in families], sizes),
            np.cumsum(sizes).tolist(),
        )

    def winners(self, aim: Aim) -> list[_Scored]:
        """Return the best event of each family, the best first."""
        return sorted(self.tops(aim, 1), key=lambda each: -each.score)

    def tops(self, aim: Aim, most: int) -> Iterator[_Scored]:
        """Yield the best events of each family, at most so many."""
        scores = rough_epsilon(*self._bounds(aim), aim.delta) - self.handicaps
        for family, start, end in zip(self.families, [0, *self.ends], self.ends, strict=False):
            own = scores[start:end]
            near = np.argpartition(-own, most - 1)[:most] if len(own) > most else range(len(own))
            for i in near:
                yield _Scored(float(own[i]), family, int(i), aim.likelier)

    def _bounds(self, aim: Aim) -> Bounds:
        """Return the rough bounds of all events, which are the same at every δ."""
        key = aim.likelier, aim.alpha
        if key not in self.known:
            self.known[key] = aim.bounds(self.seen)
        return self.known[key]


def choose(
    made_on: Pool,
    counted_on: Pool,
    extra: Iterable[Feature],
    *,
    alpha: float,
    delta: float,
    seed: int = 0,
) -> list[ChosenEvent]:
    """Return the events that seem to prove most, at the claimed δ and at a few others."""
    features = [*extra, *features_of(made_on, seed=seed)]
    families = [each for one in features for each in _candidates(one, made_on, counted_on)]
    families += _of_scores(features, made_on, counted_on)
    aims = [Aim(side, delta, counted_on.first, alpha) for side in (0, 1)]
    if len(made_on.sample.fields) > 1:
        families += conjunctions(_parts(_Board.of(families), aims), counted_on, aims)
    return _picked(_Board.of(families), aims)


def _candidates(feature: Feature, made_on: Pool, counted_on: Pool) -> list[Candidates]:
    """Return the events of a feature, at a handicap where it looks at many entries."""
    handicap = _OF_WIDE if feature.wide else 0.0
    found = candidates(feature, made_on, counted_on)
    return [replace(each, handicap=each.handicap + handicap) for each in found]


def _of_scores(features: list[Feature], made_on: Pool, counted_on: Pool) -> list[Candidates]:
    """Return the events of a score of all features, and of one that does without low bits."""
    plain = [each for each in features if each.kind != LOW_BITS]
    found = _of_score(features, made_on, counted_on)
    return found + (_of_score(plain, made_on, counted_on) if len(plain) < len(features) else [])


def _of_score(features: list[Feature], made_on: Pool, counted_on: Pool) -> list[Candidates]:
    """Return the events of a score fitted to features, at a handicap: they say little."""
    score = fit_score(features, made_on)
    if score is None:
        return []
    return [replace(each, handicap=_OF_SCORE) for each in candidates(score, made_on, counted_on)]


def _picked(board: _Board, aims: list[Aim]) -> list[ChosenEvent]:
    """Return the best events for each aim, and the best one for it at each of a few other δ."""
    found: dict[tuple[int, int, int], _Scored] = {}
    for aim in aims:
        others = [replace(aim, delta=each) for each in _OTHER_DELTAS if each != aim.delta]
        for each, most in [(aim, _BEST), *((other, 1) for other in others)]:
            for one in _best(board, each, most) or _hopeful(board, each):
                found.setdefault((id(one.family), one.index, aim.likelier), one)
        for one in _anyhow(board, aim):
            found.setdefault((id(one.family), one.index, aim.likelier), one)
    return [each.chosen() for each in found.values()]


def _hopeful(board: _Board, aim: Aim) -> list[_Scored]:
    """Return the event that is likeliest to prove something after all, such as a rare one."""
    return _best(board, replace(aim, alpha=max(aim.alpha, _HOPE)), 1)


def _anyhow(board: _Board, aim: Aim) -> list[_Scored]:
    """Return the best plain event, and the best without low bits, little as they may prove."""
    ranked = board.winners(aim)
    plain = [each for each in ranked if each.family.feature.kind == VALUE]
    apart = [each for each in ranked if each.family.feature.kind != LOW_BITS]
    return [*plain[:1], *apart[:1]]


def _parts(board: _Board, aims: list[Aim]) -> list[Part]:
    """Return what joint events are made of: good ones at the claimed δ, and ones of much mass."""
    wider = [*aims, *(replace(aim, delta=_MASS) for aim in aims)]
    found = {
        (id(each.family), each.index): each
        for aim in wider
        for each in board.winners(aim)[:_MOST_PARTS]
    }
    return [(each.family.feature, each.family.region(each.index)) for each in found.values()]


def _best(board: _Board, aim: Aim, most: int) -> list[_Scored]:
    """Return the best events, at most so many, and at most two of one feature."""
    scored = [
        each for each in board.tops(aim, _PER_FEATURE) if each.score + each.family.handicap > 0
    ]
    taken: dict[int, list[_Scored]] = {}
    for each in _easiest_first(sorted(scored, key=lambda each: -each.score)):
        of_feature = taken.setdefault(id(each.family.feature), [])
        if len(of_feature) < _PER_FEATURE and sum(map(len, taken.values())) < most:
            of_feature.append(each)
    return [each for group in taken.values() for each in group]


def _easiest_first(ranked: list[_Scored]) -> list[_Scored]:
    """Return events by what they seem to prove; of those that tie, the easiest to say first."""
    heads = sorted(
        ranked[:_MOST_TIED], key=lambda each: (-round(each.score, 2), each.chosen().effort)
    )
    return heads + ranked[_MOST_TIED:]
