"""From a problem to a certificate: which solver finds the channel, and how it is mended.

A channel in floats is nearly one: its rows sum to nearly 1, and it nearly keeps what it has to.
It is rounded to rationals, and mixed with a channel that keeps everything by a margin, until it
keeps all of it exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from sfumato.errors import InfeasibleError, InternalError
from sfumato.information.channels.channel_certificate import ChannelCertificate
from sfumato.information.channels.interior import Ceilings, Centre, Interior
from sfumato.information.channels.rate_distortion import CurvePoint, RateDistortion
from sfumato.information.channels.ratio_bound import RatioBound
from sfumato.information.channels.requirements import (
    InformationBound,
    LeakageBound,
    LinearRequirement,
)
from sfumato.information.channels.vertex import LeastLoss, near_solution
from sfumato.numeric import any_float, digits_above
from sfumato.refusal import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flint import fmpq

    from sfumato.information.channels.release_problem import ReleaseProblem
    from sfumato.information.validate import Floats


#: Probabilities in floats are rounded to so many bits.
_BITS = 60
#: The expected loss may be bounded by the least one and this share of the way to an even channel.
_ROOM = 1e-4


def solve(problem: ReleaseProblem, tolerance: float) -> ChannelCertificate:
    """Return a channel for a problem, with what proves how good it is."""
    if problem.objective == "loss":
        return _least_loss(_Floats.of(problem))
    floats = _Floats.of(problem)
    least = _least(floats)
    floats.check_room(least)
    if problem.objective == "information":
        return _least_information(floats, least)
    return _greatest_entropy(floats, least, tolerance)


@dataclass(frozen=True)
class _Floats:
    """A problem, and what solvers see of it."""

    problem: ReleaseProblem
    prior: Floats
    losses: Floats

    @classmethod
    def of(cls, problem: ReleaseProblem) -> _Floats:
        prior = np.array([float(each) for each in problem.prior])
        losses = np.array([[any_float(each) for each in row] for row in problem.losses])
        return cls(problem, prior, losses)

    @property
    def even(self) -> Floats:
        """A channel that ignores its input."""
        return np.full(self.losses.shape, 1 / self.losses.shape[1])

    @property
    def sharpest(self) -> Floats:
        """The channel that says the best output for each input, as one without privacy may."""
        found = np.zeros_like(self.losses)
        found[np.arange(len(found)), self.losses.argmin(axis=1)] = 1.0
        return found

    def loss(self, matrix: Floats) -> float:
        """Return the expected loss of a channel."""
        return float(self.prior @ (matrix * self.losses).sum(axis=1))

    def information(self, matrix: Floats) -> float:
        """Return I(X;Y) in nats of a channel whose outputs may have probability zero."""
        outputs = self.prior @ matrix
        seen = (matrix > 0) & (outputs > 0)
        ratio = np.divide(matrix, outputs, out=np.ones_like(matrix), where=seen)
        return float(self.prior @ (matrix * np.log(ratio)).sum(axis=1))

    def check_room(self, least: Floats) -> None:
        """Refuse a bound on the expected loss that no channel, or only a few, can keep."""
        low, even = self.loss(least), self.loss(self.even)
        needed = low + _ROOM * max(even - low, 0.0)
        bound = self.problem.expected_loss
        if bound is not None and (bound < needed or needed == low == bound):
            raise InfeasibleError(
                text(
                    "the least expected loss of a channel that keeps this is {least}, and "
                    "{bound} leaves no room above it; write expected_loss={more}, say",
                    least=digits_above(low, 6),
                    bound=f"{float(bound):g}",
                    more=digits_above(low + 0.1 * (max(even - low, 0.0) or 1.0), 3),
                ),
                conflict=("expected_loss",),
            )

    def inside(self, least: Floats) -> Floats:
        """Return a channel that keeps everything by a margin."""
        low, even = self.loss(least), self.loss(self.even)
        bound = self.problem.expected_loss
        if bound is None or even < bound:
            return self.even
        share = 0.5 * (float(bound) - low) / (even - low)
        return (1 - share) * least + share * self.even

    def bound(self, at: Centre, linear: LinearRequirement | None, bits: float) -> float:
        """Return what the multipliers of a centre prove, as the certificate will, but in floats."""
        forces, outputs = _forces(linear, at.cone), self.prior @ at.matrix
        likely, spread = self.prior > 0, 1 + at.information
        weights = np.where(likely, self.prior, 1.0)[:, None]
        scores = forces / weights - at.loss * self.losses * (self.prior[:, None] / weights)
        scores[likely] += at.information * np.log(outputs)
        top = scores.max(axis=1)
        powers = np.exp((scores - top[:, None]) / spread)
        whole = powers.sum(axis=1)
        total = np.where(likely, self.prior * (top + spread * np.log(whole)), top).sum()
        total += at.loss * any_float(self.problem.expected_loss)
        if at.information:
            ratios = (self.prior @ (powers / whole[:, None])) / outputs
            total += at.information * (ratios.max() - 1 + bits)
        if linear is not None and not _is_by_pairs(linear):
            total -= linear.floor(forces.tolist(), float(linear.ratio))
        return float(total)

    def proved(self, near: Floats, inside: Floats, **multipliers: Any) -> ChannelCertificate:
        """Return a channel near to one in floats that keeps everything exactly."""
        for share in (0.0, *(2.0**-power for power in range(56, 1, -1))):
            rows = self._rounded((1 - share) * near + share * inside)
            found = self._certificate(rows, **multipliers)
            if found.check():
                return found
        raise InternalError("E-INTERNAL", "a channel could not be mended to keep what it has to")

    def _certificate(self, rows: Any, **multipliers: Any) -> ChannelCertificate:
        problem = self.problem
        return ChannelCertificate(
            problem.prior,
            problem.losses,
            problem.requirement,
            problem.objective,
            problem.expected_loss,
            rows,
            **multipliers,
        )

    def exactly(self, rows: Sequence[Sequence[fmpq]], **multipliers: Any) -> ChannelCertificate:
        """Return the certificate of a channel that is exact already."""
        return self._certificate(_fractions(rows), **multipliers)

    def _rounded(self, near: Floats) -> tuple[tuple[Fraction, ...], ...]:
        """Return rationals over one denominator, near to a matrix, with rows that sum to 1.

        What the rows lack goes to one output, and a little more, so that what it gets differs by
        less between two inputs than a ratio bound allows.
        """
        counts = [[round(Fraction(each) * 2**_BITS) for each in row] for row in near.tolist()]
        sums = [sum(row) for row in counts]
        spare = math.ceil((max(sums) - min(sums)) / self._growth()) + 1 if len(set(sums)) > 1 else 0
        total = max(sums) + spare
        place = int(np.argmin(self.prior @ self.losses))
        for row, whole in zip(counts, sums, strict=True):
            row[place] += total - whole
        return tuple(tuple(Fraction(each, total) for each in row) for row in counts)

    def _growth(self) -> Fraction:
        requirement = self.problem.requirement
        if isinstance(requirement, RatioBound):
            return requirement.ratio - 1
        return requirement.cap - 1 if isinstance(requirement, LeakageBound) else Fraction(1)


def _least(floats: _Floats) -> Floats:
    """Return the channel of least expected loss, in floats."""
    problem = floats.problem
    if isinstance(problem.requirement, LinearRequirement | InformationBound):
        best = replace(problem, objective="loss", expected_loss=None)
        rows = _least_loss(_Floats.of(best)).rows
        return np.array([[float(each) for each in row] for row in rows])
    return floats.sharpest


def _least_loss(floats: _Floats) -> ChannelCertificate:
    requirement = floats.problem.requirement
    if isinstance(requirement, InformationBound):
        return _least_loss_by_information(floats, requirement)
    if isinstance(requirement, RatioBound) and not requirement.is_closed:
        return _least_loss_on_cycles(floats, requirement)
    costs = floats.problem.costs
    vertex = LeastLoss(requirement, costs).solved()  # type: ignore[arg-type]
    weights = [
        [cost - price for cost in row] for row, price in zip(costs, vertex.prices, strict=True)
    ]
    exact = floats.exactly(vertex.rows, weights=_fractions(weights))
    if exact.check():
        return exact
    near = np.array([[float(Fraction(int(p.p), int(p.q))) for p in row] for row in vertex.rows])
    return floats.proved(near, floats.even, weights=_fractions(weights))


def _least_loss_on_cycles(floats: _Floats, requirement: RatioBound) -> ChannelCertificate:
    """Solve the linear program in floats: its dual variables bound all channels, exactly."""
    near = near_solution(requirement, floats.prior[:, None] * floats.losses)
    return floats.proved(near.matrix, floats.even, flows=_of_floats(near.multipliers))


def _least_loss_by_information(
    floats: _Floats, requirement: InformationBound
) -> ChannelCertificate:
    most = float(requirement.bits) * math.log(2)
    if floats.information(floats.sharpest) <= most * (1 + 1e-12):
        return floats.proved(floats.sharpest, floats.even)
    first, last = RateDistortion(floats.prior, floats.losses).where(
        lambda matrix: floats.information(matrix) <= most
    )
    near = _between(first, last, floats.information, most)
    return floats.proved(
        near.matrix,
        floats.even,
        information_price=Fraction(1 / near.slope),
        outputs=_shares(near.outputs),
    )


def _least_information(floats: _Floats, least: Floats) -> ChannelCertificate:
    most = any_float(floats.problem.expected_loss)
    if floats.loss(floats.even) <= most or float((floats.prior @ floats.losses).min()) <= most:
        constant = np.zeros_like(floats.even)
        constant[:, np.argmin(floats.prior @ floats.losses)] = 1.0
        return floats.proved(constant, constant, outputs=_shares(np.ones(constant.shape[1])))
    last, first = RateDistortion(floats.prior, floats.losses).where(
        lambda matrix: floats.loss(matrix) > most
    )
    near = _between(first, last, floats.loss, most)
    return floats.proved(
        near.matrix, least, loss_price=Fraction(near.slope), outputs=_shares(near.outputs)
    )


def _between(
    within: CurvePoint, beyond: CurvePoint, measure: Callable[[Floats], float], most: float
) -> CurvePoint:
    """Mix two neighbouring points so that what is measured is what it may be at most."""
    low, high = measure(within.matrix), measure(beyond.matrix)
    if high <= most:
        return beyond
    share = min(max((most - low) / (high - low), 0.0), 1.0) if high > low else 0.0
    matrix = (1 - share) * within.matrix + share * beyond.matrix
    outputs = (1 - share) * within.outputs + share * beyond.outputs
    return CurvePoint(matrix, outputs, within.slope)


def _greatest_entropy(floats: _Floats, least: Floats, tolerance: float) -> ChannelCertificate:
    problem, requirement = floats.problem, floats.problem.requirement
    inside = floats.inside(least)
    linear = requirement if isinstance(requirement, LinearRequirement) else None
    informed = isinstance(requirement, InformationBound)
    cone = linear.cone() if linear else np.zeros((0, 0))
    limits = Ceilings(
        loss=any_float(problem.expected_loss),
        information=float(requirement.bits) * math.log(2) if informed else math.inf,  # type: ignore[attr-defined]
        cap=float(linear.cap) if linear and linear.cap else math.inf,
    )
    method = Interior(floats.prior, floats.prior[:, None] * floats.losses, cone, limits)
    found = list(method.centres(_started(linear, inside), tolerance * math.log(2) / 8))
    # Towards the end the multipliers lose what the channel gains.
    best = min(found, key=lambda each: floats.bound(each, linear, limits.information))
    outputs = floats.prior @ best.matrix
    informing = {"information_price": Fraction(best.information), "outputs": _shares(outputs)}
    return floats.proved(
        min(found, key=lambda each: each.gap).matrix,
        inside,
        loss_price=Fraction(best.loss),
        **_multipliers(linear, best.cone),
        **(informing if informed else {}),
    )


def _started(linear: LinearRequirement | None, inside: Floats) -> Floats:
    """Return the columns of a channel, each with its extra number."""
    if linear is None:
        return inside.T.copy()
    beside = np.array([linear.beside(column) for column in inside.T])
    if linear.cap is not None:
        beside += (float(linear.cap) - beside.sum()) / (2 * len(beside))
    return np.hstack([inside.T, beside])


def _multipliers(linear: LinearRequirement | None, cone: Floats) -> dict[str, Any]:
    """Return what the multipliers of the rows of a cone say, as the certificate holds it."""
    if linear is None:
        return {}
    if _is_by_pairs(linear):
        return {"flows": _of_floats(cone)}
    return {"weights": _of_floats(_forces(linear, cone))}


def _is_by_pairs(linear: LinearRequirement) -> TypeGuard[RatioBound]:
    """Tell whether the rows of the cone are one for each pair of neighbours, both ways."""
    return isinstance(linear, RatioBound) and linear.pairs is not None


def _forces(linear: LinearRequirement | None, cone: Floats) -> Floats:
    """Return the multipliers of the rows of a cone as weights of the probabilities."""
    if linear is None:
        return np.zeros(1)
    if isinstance(linear, LeakageBound):
        sums = cone.sum(axis=0)
        forces: Floats = -cone * (sums.mean() / np.maximum(sums, 1e-300))
        return forces
    if _is_by_pairs(linear):
        return np.array(linear.spread(cone.tolist(), float(linear.ratio)))
    above, below = np.vsplit(cone, 2)
    return above - below


def _shares(weights: Floats) -> tuple[Fraction, ...]:
    held = [Fraction(each) for each in np.maximum(weights, 1e-300).tolist()]
    total = sum(held, Fraction(0))
    return tuple(each / total for each in held)


def _of_floats(matrix: Floats) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(each) for each in row) for row in matrix.tolist())


def _fractions(rows: Sequence[Sequence[fmpq]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(int(p.p), int(p.q)) for p in row) for row in rows)
