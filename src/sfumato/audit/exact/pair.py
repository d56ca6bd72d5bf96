"""Two exact finite distributions: where the first is likelier by a factor, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.exact.weights import SURE, Exact, exact_sum, exactly, logarithms

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from sfumato.audit.exact.distribution import ExactDistribution

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

__all__ = ["ExactPair", "aligned"]


class ExactPair:
    """Two exact distributions over the union of their outcomes; an event is a mask over these.

    Floats settle what lies clearly on one side of a threshold; exact numbers settle the rest.
    """

    def __init__(self, p: ExactDistribution, q: ExactDistribution) -> None:
        self.outcomes, left, right = aligned(p.outcomes, q.outcomes)
        self.p, self.q = _over(p.values, left), _over(q.values, right)
        self.totals = p.total, q.total
        self._logs = _over_logs(p.logs, left), _over_logs(q.logs, right)
        self._possible, self._shared = self._logs[0] > -np.inf, self._logs[1] > -np.inf

    @property
    def possible(self) -> Mask:
        """The event that holds whatever can come out under the first distribution."""
        return self._possible

    @property
    def impossible(self) -> Mask:
        """The event that holds what can come out under the first distribution only."""
        return self._possible & ~self._shared

    def is_equal(self) -> bool:
        """Tell whether the two distributions are the same."""
        if self.impossible.any() or np.ptp(self._gaps()[self._possible]) > 1:
            return False
        pairs, (whole_p, whole_q) = set(zip(self.p, self.q, strict=True)), self.totals
        return all(exactly(p) * whole_q == exactly(q) * whole_p for p, q in pairs)

    def weights(self, place: int) -> tuple[Exact, Exact]:
        """Return the two weights of an outcome."""
        return exactly(self.p[place]), exactly(self.q[place])

    def masses(self, event: Mask) -> tuple[Exact, Exact]:
        """Return the weights of an event under the two distributions."""
        places = np.flatnonzero(event).tolist()
        return exact_sum(self.p[i] for i in places), exact_sum(self.q[i] for i in places)

    def named(self, event: Mask) -> tuple[Hashable, ...]:
        """Return the outcomes in an event."""
        return tuple(self.outcomes[i] for i in np.flatnonzero(event).tolist())

    def beyond(self, top: Exact, bottom: Exact) -> Mask:
        """Return the event p·bottom > top·q, by the weights; top and bottom are positive."""
        threshold = logarithms([top, bottom])
        gap = self._gaps() - (threshold[0] - threshold[1])
        slack = self._slack(float(np.abs(threshold).sum()))
        event: Mask = (gap > slack) | self.impossible
        seen: dict[tuple[Any, Any], bool] = {}
        for i in np.flatnonzero(np.abs(gap) <= slack).tolist():
            key = self.p[i], self.q[i]
            if key not in seen:
                p, q = self.weights(i)
                seen[key] = bool(_is_greater(p * bottom, top * q))
            event[i] = seen[key]
        return event

    def likeliest(self) -> int:
        """Return an outcome at which p/q is greatest; of equal ones the likeliest, roughly."""
        if self.impossible.any():
            return int(np.argmax(np.where(self.impossible, self._logs[0], -np.inf)))
        gap, slack = self._gaps(), self._slack(0.0)
        near = np.flatnonzero(gap + slack >= (gap - slack).max()).tolist()
        return self._greatest_of(sorted(near, key=lambda i: -self._logs[0][i]))

    def floats(self) -> tuple[Floats, Floats]:
        """Return the probabilities, nearly."""
        return _normal(self._logs[0]), _normal(self._logs[1])

    def _greatest_of(self, places: Sequence[int]) -> int:
        best, seen = places[0], {(self.p[places[0]], self.q[places[0]])}
        for i in places[1:]:
            if (self.p[i], self.q[i]) in seen:
                continue
            seen.add((self.p[i], self.q[i]))
            (p, q), (best_p, best_q) = self.weights(i), self.weights(best)
            best = i if _is_greater(p * best_q, best_p * q) else best
        return best

    def _gaps(self) -> Floats:
        """Return log p - log q where both are possible, and -∞ elsewhere."""
        both = self._possible & self._shared
        gaps = np.full(both.shape, -np.inf)
        gaps[both] = self._logs[0][both] - self._logs[1][both]
        return gaps

    def _slack(self, more: float) -> Floats:
        """Return a bound on the error of each gap, and of a threshold with logarithms ``more``."""
        finite = [np.where(np.isfinite(each), np.abs(each), 0.0) for each in self._logs]
        slack: Floats = SURE * (1.0 + finite[0] + finite[1] + more)
        return slack


def aligned(
    left: tuple[Hashable, ...], right: tuple[Hashable, ...]
) -> tuple[tuple[Hashable, ...], NDArray[np.int64] | None, NDArray[np.int64] | None]:
    """Return the union of two lists of outcomes, and the place of each in both; -1 for nowhere.

    None stands for places that are those of the union.
    """
    if left == right:
        return left, None, None
    union = tuple(dict.fromkeys((*left, *right)))
    return union, _places(left, union), _places(right, union)


def _places(outcomes: tuple[Hashable, ...], union: tuple[Hashable, ...]) -> NDArray[np.int64]:
    known = {outcome: place for place, outcome in enumerate(outcomes)}
    return np.array([known.get(each, -1) for each in union], dtype=np.int64)


def _over(values: Sequence[Any], places: NDArray[np.int64] | None) -> Sequence[Any]:
    if places is None:
        return values
    longer = (*values, 0)
    return tuple(longer[i] for i in places.tolist())


def _over_logs(logs: Floats, places: NDArray[np.int64] | None) -> Floats:
    return logs if places is None else np.append(logs, -np.inf)[places]


def _is_greater(left: Exact, right: Exact) -> bool:
    return left > right


def _normal(logs: Floats) -> Floats:
    scaled = np.exp(logs - logs.max())
    probabilities: Floats = scaled / scaled.sum()
    return probabilities
