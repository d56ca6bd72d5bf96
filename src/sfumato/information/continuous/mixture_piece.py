"""The log density of a mixture, on a stretch where each of its parts is one formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import acb, arb, fmpq

from sfumato.information.continuous.curves import Curve, Envelope
from sfumato.information.continuous.pieces import slope_gap
from sfumato.numeric.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.information.continuous.pieces import Piece

__all__ = ["MixturePiece"]


@dataclass(frozen=True)
class MixturePiece:
    """The logarithm of a weighted sum of densities."""

    weights: tuple[fmpq, ...]
    parts: tuple[Piece, ...]

    @cached_property
    def _log_weights(self) -> list[arb]:
        return [arb(weight).log() for weight in self.weights]

    def log_density(self, x: acb, *, analytic: bool = False) -> acb:
        """See ``Piece``; the greatest part is factored out, so that the sum stays near one."""
        logs = self._log_parts(x, analytic=analytic)
        top = max(logs, key=lambda each: float(each.real.mid()))
        rest = sum(((each - top).exp() for each in logs if each is not top), acb(1))
        return top + rest.log(analytic=analytic)

    def slope(self, x: arb) -> arb:
        """See ``Piece``: the parts' slopes averaged by their shares."""
        slopes = (part.slope(x) for part in self.parts)
        return _dot(self._shares(x)[1], slopes)

    def curvature(self, x: arb) -> arb:
        """See ``Piece``: the parts' curvatures averaged, and the variance of their slopes."""
        top, shares = self._shares(x)
        leans = [slope_gap(part, self.parts[top], x) for part in self.parts]
        mean = _dot(shares, leans)
        square = _dot(shares, (lean * lean for lean in leans))
        return _dot(shares, (part.curvature(x) for part in self.parts)) + square - mean * mean

    def tail(self, at: fmpq, direction: int) -> Envelope:
        """See ``Piece``; above, all parts at the slowest decay; below, the slowest parts alone."""
        logs = self._log_weights
        tails = [part.tail(at, direction) for part in self.parts]
        bend, fall = min((each.lower.bend, each.lower.fall) for each in tails)
        slowest = [
            log + each.lower.start
            for log, each in zip(logs, tails, strict=True)
            if (each.lower.bend, each.lower.fall) == (bend, fall)
        ]
        uppers = [log + each.upper.start for log, each in zip(logs, tails, strict=True)]
        return Envelope(
            Curve(_log_sum(slowest), fall, bend),
            Curve(
                _log_sum(uppers),
                min(each.upper.fall for each in tails),
                min(each.upper.bend for each in tails),
            ),
        )

    def _log_parts(self, x: acb, *, analytic: bool = False) -> list[acb]:
        return [
            log + part.log_density(x, analytic=analytic)
            for log, part in zip(self._log_weights, self.parts, strict=True)
        ]

    def _shares(self, x: arb) -> tuple[int, list[arb]]:
        """Return the number of the greatest part at the centre, and what share each part has."""
        logs = [each.real for each in self._log_parts(acb(x.mid()))]
        top = max(range(len(logs)), key=lambda i: float(logs[i].mid()))
        sizes = [
            (log - logs[top] + slope_gap(part, self.parts[top], x) * (x - x.mid())).exp()
            for log, part in zip(logs, self.parts, strict=True)
        ]
        total = sum(sizes, arb(0))
        return top, [_as_share(size / total) for size in sizes]


def _as_share(ball: arb) -> arb:
    whole = arb(0.5, 0.5)
    return ball.intersection(whole) if ball.is_finite() else whole


def _dot(shares: Iterable[arb], values: Iterable[arb]) -> arb:
    return sum((a * b for a, b in zip(shares, values, strict=True)), arb(0))


def _log_sum(logs: list[arb]) -> arb:
    top = max(logs, key=lambda each: float(each.mid()))
    rest = sum(((each - top).exp() for each in logs if each is not top), arb(0))
    return top + rest.log1p()
