"""The best channel for a concave objective: a primal-dual interior-point method, by columns.

Every term is a sum over the outputs, so that the matrix of a Newton step falls apart into one
small block a column; the sums of the rows and the few bounds on sums are added by elimination.
The multipliers have steps of their own: read off slacks of 1e-12 they would have few digits.
What is found here is only proposed: the certificate proves it by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.information.validate import Floats


#: Where a step was short, the next one goes back to the middle before it goes on.
_BOLD, _CAREFUL, _LONG = 0.15, 0.7, 0.5
_STEPS, _TO_THE_WALL, _LEAST_STEP = 150, 0.95, 1e-12
#: A curved ceiling comes nearer by this share in one step at most.
_NEARER = 0.7
_FIRST = 1e-2


@dataclass(frozen=True)
class Ceilings:
    """What may not be exceeded: the expected loss, I(X;Y) in nats, the sum of extra numbers."""

    loss: float = math.inf
    information: float = math.inf
    cap: float = math.inf


@dataclass(frozen=True)
class Centre:
    """A channel inside of all bounds, and a multiplier for each bound.

    Attributes
    ----------
    matrix
        p(y|x).
    cone
        One row for each row of the cone, one entry an output.
    loss, information
        Of the ceilings.
    gap
        The sum of all products of a slack with its multiplier.
    """

    matrix: Floats
    cone: Floats
    loss: float
    information: float
    gap: float


@dataclass(frozen=True)
class _Place:
    """Columns z_y = (p(·|y), extra), and multipliers of the cone, of z ≥ 0, and of the ceilings."""

    columns: Floats
    cone: Floats
    signs: Floats
    ceilings: Floats

    def moved(self, step: _Place, length: float) -> _Place:
        return _Place(
            self.columns + length * step.columns,
            self.cone + length * step.cone,
            self.signs + length * step.signs,
            self.ceilings + length * step.ceilings,
        )


class Interior:
    """The greatest H(Y|X) on columns z_y = (p(·|y), extra).

    Parameters
    ----------
    prior, costs
        π(x), and π(x)·loss(x, y).
    cone
        Rows whose product with every column is negative inside.
    ceilings
        What may not be exceeded.
    """

    def __init__(self, prior: Floats, costs: Floats, cone: Floats, ceilings: Ceilings) -> None:
        self.prior, self.costs, self.most = prior, costs.T, ceilings
        self.inputs, self.size = len(prior), max(cone.shape[1], len(prior))
        self.cone = cone if cone.size else np.zeros((0, self.size))
        given = ceilings.loss, ceilings.information, ceilings.cap
        self.bounded = [place for place, each in enumerate(given) if math.isfinite(each)]

    def centres(self, start: Floats, tolerance: float) -> Iterator[Centre]:
        """Go towards the optimum until slacks and multipliers leave a gap of the tolerance."""
        place, centring = self._first(start), _CAREFUL
        for _ in range(_STEPS):
            gap = self._gap(place)
            yield self._centre(place, gap)
            if gap <= tolerance:
                return
            target = centring * gap / self._count(place)
            step = self._newton(place, target)
            length = self._room(place, step)
            if length < _LEAST_STEP:
                return
            place = place.moved(step, length)
            centring = _BOLD if length > _LONG else _CAREFUL

    def _first(self, start: Floats) -> _Place:
        slacks = self._slacks(start)
        return _Place(
            start,
            _FIRST / -(start @ self.cone.T),
            _FIRST / start,
            _FIRST / slacks,
        )

    def _centre(self, place: _Place, gap: float) -> Centre:
        prices = [0.0, 0.0, 0.0]
        for kind, price in zip(self.bounded, place.ceilings.tolist(), strict=True):
            prices[kind] = price
        matrix = place.columns[:, : self.inputs].T.copy()
        return Centre(matrix, place.cone.T.copy(), prices[0], prices[1], gap)

    def _slacks(self, columns: Floats) -> Floats:
        """Return what is left below each ceiling."""
        own = columns[:, : self.inputs]
        found: list[float] = []
        for kind in self.bounded:
            if kind == 0:
                found.append(self.most.loss - float((own * self.costs).sum()))
            elif kind == 1:
                found.append(self.most.information - self._information(own))
            else:
                found.append(self.most.cap - float(columns[:, -1].sum()))
        return np.array(found)

    def _information(self, own: Floats) -> float:
        outputs = own @ self.prior
        return float((own * np.log(own / outputs[:, None])).sum(axis=0) @ self.prior)

    def _count(self, place: _Place) -> int:
        return place.cone.size + place.signs.size + place.ceilings.size

    def _gap(self, place: _Place) -> float:
        """Return the sum of all products of a slack with its multiplier."""
        inside = -(place.columns @ self.cone.T)
        return float(
            (place.cone * inside).sum()
            + (place.signs * place.columns).sum()
            + place.ceilings @ self._slacks(place.columns)
        )

    def _newton(self, place: _Place, target: float) -> _Place:
        """Return the step to where each product is the target and the Lagrangian is level."""
        columns, size, inputs = place.columns, self.size, self.inputs
        inside, slacks = -(columns @ self.cone.T), self._slacks(columns)
        slopes, blocks = self._curved(place)
        gradient = self._of_entropy(columns) + (target / inside) @ self.cone - target / columns
        gradient += np.tensordot(target / slacks, slopes, axes=1)
        stiff = np.einsum("ki,yk,kj->yij", self.cone, place.cone / inside, self.cone, optimize=True)
        blocks += stiff
        blocks[:, np.arange(size), np.arange(size)] += place.signs / columns
        spikes = np.sqrt(place.ceilings / slacks)[:, None, None] * slopes
        sums = np.broadcast_to(np.eye(size, inputs), (len(columns), size, inputs))
        drift = columns[:, :inputs].sum(axis=0) - 1
        change = _eliminated(blocks, gradient, spikes, sums, drift)
        ceiling = np.tensordot(slopes, change, axes=2)
        return _Place(
            change,
            target / inside - place.cone + place.cone / inside * (change @ self.cone.T),
            target / columns - place.signs - place.signs / columns * change,
            target / slacks - place.ceilings + place.ceilings / slacks * ceiling,
        )

    def _of_entropy(self, columns: Floats) -> Floats:
        found = np.zeros_like(columns)
        found[:, : self.inputs] = self.prior * (np.log(columns[:, : self.inputs]) + 1)
        return found

    def _curved(self, place: _Place) -> tuple[Floats, Floats]:
        """Return the gradient of each ceiling, and second derivatives of the Lagrangian."""
        columns, inputs = place.columns, self.inputs
        own, among = columns[:, :inputs], np.arange(inputs)
        slopes = np.zeros((len(self.bounded), *columns.shape))
        blocks = np.zeros((len(columns), self.size, self.size))
        blocks[:, among, among] += self.prior / own
        for number, kind in enumerate(self.bounded):
            if kind == 0:
                slopes[number][:, :inputs] = self.costs
            elif kind == 1:
                outputs = own @ self.prior
                slopes[number][:, :inputs] = self.prior * np.log(own / outputs[:, None])
                bend = -np.multiply.outer(1 / outputs, np.outer(self.prior, self.prior))
                bend[:, among, among] += self.prior / own
                blocks[:, :inputs, :inputs] += place.ceilings[number] * bend
            else:
                slopes[number][:, -1] = 1.0
        return slopes, blocks

    def _room(self, place: _Place, step: _Place) -> float:
        """Return how far one may go so that slacks and multipliers stay positive."""
        pairs = [
            (place.columns, step.columns),
            (-(place.columns @ self.cone.T), -(step.columns @ self.cone.T)),
            (place.cone, step.cone),
            (place.signs, step.signs),
            (place.ceilings, step.ceilings),
        ]
        length = min(1.0, _farthest(pairs))
        slacks = self._slacks(place.columns)
        while length > _LEAST_STEP:
            left = self._slacks(place.columns + length * step.columns)
            if (left > (1 - _NEARER) * slacks).all():
                break
            length *= 0.7
        return length


def _farthest(pairs: Sequence[tuple[Floats, Floats]]) -> float:
    found = math.inf
    for values, change in pairs:
        falling = change < 0
        shares = -values[falling] / change[falling]
        found = min(found, _TO_THE_WALL * float(np.min(shares, initial=math.inf)))
    return found


def _eliminated(
    blocks: Floats, gradient: Floats, spikes: Floats, sums: Floats, drift: Floats
) -> Floats:
    """Solve [blocks + spikesᵀ·spikes, sums; sumsᵀ, 0] for the change of the columns."""
    right = np.concatenate([gradient[:, :, None], spikes.transpose(1, 2, 0), sums], axis=2)
    solved = np.linalg.solve(blocks, right)
    many = len(spikes)
    whole = np.einsum("yik,yil->kl", right[:, :, 1:], solved[:, :, 1:])
    whole[:many, :many] += np.eye(many)
    known = -np.einsum("yik,yi->k", right[:, :, 1:], solved[:, :, 0])
    known[many:] += drift
    change: Floats = -solved[:, :, 0] - solved[:, :, 1:] @ np.linalg.solve(whole, known)
    return change
