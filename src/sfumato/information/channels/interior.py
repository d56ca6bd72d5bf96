"""The best channel for a concave objective: a barrier method, column by column.

Every term is a sum over the outputs, so that the matrix of a Newton step falls apart into one
small block a column; the sums of the rows and the few bounds on sums are added by elimination.
What is found here is only proposed: the certificate proves it by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.information.validate import Floats


_FIRST, _FASTER, _STEPS = 1.0, 6.0, 60
_TO_THE_WALL, _CENTRED, _LEAST_STEP = 0.995, 1e-10, 1e-10


@dataclass(frozen=True)
class Weights:
    """What is made small: loss·E[loss] + information·I(X;Y) - entropy·H(Y|X)."""

    loss: float = 0.0
    information: float = 0.0
    entropy: float = 0.0


@dataclass(frozen=True)
class Ceilings:
    """What may not be exceeded: the expected loss, I(X;Y) in nats, the sum of extra numbers."""

    loss: float = math.inf
    information: float = math.inf
    cap: float = math.inf


@dataclass(frozen=True)
class Centre:
    """A channel well inside of all bounds, and a multiplier for each bound."""

    matrix: Floats
    #: One row for each row of the cone, one entry an output.
    cone: Floats
    loss: float
    information: float


class Barrier:
    """A problem on columns z_y = (p(·|y), extra), as the solver sees it.

    Parameters
    ----------
    prior, costs
        π(x), and π(x)·loss(x, y).
    cone
        Rows whose product with every column is negative inside.
    weights, limits
        What is made small, and within which bounds.
    """

    def __init__(
        self, prior: Floats, costs: Floats, cone: Floats, weights: Weights, limits: Ceilings
    ) -> None:
        self.prior, self.costs, self.weights, self.limits = prior, costs.T, weights, limits
        self.inputs, self.size = len(prior), max(cone.shape[1], len(prior))
        self.cone = cone if cone.size else np.zeros((0, self.size))
        self.bounds = (len(self.cone) + self.size) * len(self.costs) + sum(
            map(math.isfinite, (limits.loss, limits.information, limits.cap))
        )

    def solved(self, start: Floats, tolerance: float) -> Centre:
        """Follow the centres until all multipliers together leave a gap of the tolerance."""
        place, sharpness, last = start, _FIRST, self.bounds / tolerance
        while sharpness < last:
            place = self._centred(place, sharpness)
            sharpness *= _FASTER
        return self._centre(self._centred(place, last), last)

    def _centre(self, place: Floats, sharpness: float) -> Centre:
        slack_loss, slack_information, _ = self._slacks(place)
        return Centre(
            place[:, : self.inputs].T.copy(),
            (-1 / (place @ self.cone.T) / sharpness).T,
            1 / (sharpness * slack_loss),
            1 / (sharpness * slack_information),
        )

    def _slacks(self, place: Floats) -> tuple[float, float, float]:
        own, limits = place[:, : self.inputs], self.limits
        loss = limits.loss - float((own * self.costs).sum())
        known = math.isfinite(limits.information)
        information = limits.information - (self._information(own) if known else 0.0)
        cap = limits.cap - (float(place[:, -1].sum()) if math.isfinite(limits.cap) else 0.0)
        return loss, information, cap

    def _information(self, own: Floats) -> float:
        outputs = own @ self.prior
        return float((own * np.log(own / outputs[:, None])).sum(axis=0) @ self.prior)

    def _value(self, place: Floats, sharpness: float) -> float:
        """Return the objective and all barriers; infinite where a bound is not kept."""
        slacks, inside = self._slacks(place), -(place @ self.cone.T)
        if min(slacks) <= 0 or place.min() <= 0 or (inside.size and inside.min() <= 0):
            return math.inf
        own, weights = place[:, : self.inputs], self.weights
        objective = weights.loss * float((own * self.costs).sum())
        if weights.information:
            objective += weights.information * self._information(own)
        if weights.entropy:
            objective += weights.entropy * float((own * np.log(own)).sum(axis=0) @ self.prior)
        walls = sum(math.log(each) for each in slacks if math.isfinite(each))
        return sharpness * objective - walls - float(np.log(place).sum() + np.log(inside).sum())

    def _centred(self, place: Floats, sharpness: float) -> Floats:
        value = self._value(place, sharpness)
        for _ in range(_STEPS):
            step, decrement = self._newton(place, sharpness)
            if decrement < _CENTRED:
                break
            length = 1.0
            while length > _LEAST_STEP:
                moved = place + length * step
                found = self._value(moved, sharpness)
                if found <= value - 0.1 * length * decrement + 1e-12 * abs(value):
                    break
                length *= 0.5
            else:
                break
            place, value = moved, found
        return place

    def _newton(self, place: Floats, sharpness: float) -> tuple[Floats, float]:
        """Return the Newton step, and by how much it promises to lower the value."""
        gradient, blocks, spikes = self._derivatives(place, sharpness)
        outputs, inputs, size = len(place), self.inputs, self.size
        sums = np.zeros((size, inputs))
        sums[:inputs] = np.eye(inputs)
        right = np.concatenate(
            [
                gradient[:, :, None],
                spikes.transpose(1, 2, 0),
                np.broadcast_to(sums, (outputs, size, inputs)),
            ],
            axis=2,
        )
        solved = np.linalg.solve(blocks, right)
        many = len(spikes)
        # [blocks + spikes·spikesᵀ, sums; sumsᵀ, 0] by elimination of the blocks.
        whole = np.einsum("yik,yil->kl", right[:, :, 1:], solved[:, :, 1:])
        whole[:many, :many] += np.eye(many)
        known = np.einsum("yik,yi->k", right[:, :, 1:], solved[:, :, 0])
        drift = place[:, :inputs].sum(axis=0) - 1
        known[many:] -= drift
        known = -known
        multipliers = np.linalg.solve(whole, known)
        step = -solved[:, :, 0] - solved[:, :, 1:] @ multipliers
        return step, -float((gradient * step).sum())

    def _derivatives(self, place: Floats, sharpness: float) -> tuple[Floats, Floats, Floats]:
        """Return the gradient, a block of second derivatives a column, and rank-one terms."""
        inputs, weights, limits = self.inputs, self.weights, self.limits
        own = place[:, :inputs]
        slack_loss, slack_information, slack_cap = self._slacks(place)
        telling, bending = self._of_information(own)
        factor = sharpness * weights.information
        spikes = []
        gradient = -1 / place
        blocks = np.zeros((len(place), self.size, self.size))
        if math.isfinite(limits.information):
            factor += 1 / slack_information
            spikes.append(self._padded(telling / slack_information))
        gradient[:, :inputs] += factor * telling
        blocks[:, :inputs, :inputs] += factor * bending
        across = sharpness * weights.loss
        if math.isfinite(limits.loss):
            across += 1 / slack_loss
            spikes.append(self._padded(self.costs / slack_loss))
        gradient[:, :inputs] += across * self.costs
        if math.isfinite(limits.cap):
            gradient[:, -1] += 1 / slack_cap
            spike = np.zeros_like(place)
            spike[:, -1] = 1 / slack_cap
            spikes.append(spike)
        pressure = sharpness * weights.entropy
        gradient[:, :inputs] += pressure * self.prior * (np.log(own) + 1)
        diagonal = 1 / place**2
        diagonal[:, :inputs] += pressure * self.prior / own
        blocks[:, np.arange(self.size), np.arange(self.size)] += diagonal
        inside = -(place @ self.cone.T)
        gradient += (1 / inside) @ self.cone
        blocks += np.einsum("ki,yk,kj->yij", self.cone, 1 / inside**2, self.cone, optimize=True)
        return gradient, blocks, np.array(spikes).reshape(-1, *place.shape)

    def _of_information(self, own: Floats) -> tuple[Floats, Floats]:
        outputs = own @ self.prior
        telling = self.prior * np.log(own / outputs[:, None])
        bending = -np.multiply.outer(1 / outputs, np.outer(self.prior, self.prior))
        place = np.arange(self.inputs)
        bending[:, place, place] += self.prior / own
        return telling, bending

    def _padded(self, own: Floats) -> Floats:
        padded = np.zeros((len(own), self.size))
        padded[:, : self.inputs] = own
        return padded
