"""Windows: a bounded number, hidden so that the mean of many can be estimated."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from sfumato.survey.client.draws import Loss  # noqa: TC001 (a field's type)

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws


Number = TypeVar("Number", Fraction, float)

_POINTS = (2, 3, 4, 5, 6, 8, 11, 16, 23, 32)
_WIDTHS = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Window:
    """A number from 0 to 1, rounded to one of m points, and one of m + w - 1 marks about it.

    The number is rounded up or down by a coin, so that nothing is lost on average.  The w marks
    of a point's window are e^ε times as likely as each other mark, so that the mean mark moves
    straight with the number, and what is computed from it has no bias.  m and w are those of
    least variance in the worst case: two points are Duchi's mechanism, and from ε = 2 on the
    windows have less variance than the piecewise and the hybrid mechanism.

    Attributes
    ----------
    points
        m, to how many points numbers are rounded.
    width
        w, how many marks are likely at each.
    """

    loss: Loss
    points: int = field(init=False)
    width: int = field(init=False)

    name: ClassVar[str] = "window"
    theorem: ClassVar[str] = (
        "One of m + w - 1 marks, those in the answer's window of w marks E times as likely as the "
        "others, is ln(E)-differentially private for substituting one answer."
    )
    citations: ClassVar[tuple[str, ...]] = ("duchi2018minimax", "wang2019collecting")

    def __post_init__(self) -> None:
        points, width = _best(float(self.loss.ratio))
        self.__dict__.update(points=points, width=width)

    @property
    def marks(self) -> int:
        """How many marks there are."""
        return self.points + self.width - 1

    @property
    def parameters(self) -> dict[str, int]:
        """How many points there are, and how wide the windows."""
        return {"points": self.points, "width": self.width}

    @property
    def line(self) -> tuple[Fraction, Fraction]:
        """The mean mark of the number 0, and how much more it is for the number 1."""
        shape = _Shape(self.loss.ratio, self.points, self.width)
        return shape.mean(0), shape.mean(self.points - 1) - shape.mean(0)

    def variance(self, number: Fraction) -> Fraction:
        """Return the variance of what one report says of a number from 0 to 1."""
        return _Shape(self.loss.ratio, self.points, self.width).variance(number)

    def randomize(self, number: Fraction, draws: Draws) -> int:
        """Return one mark for a number from 0 to 1."""
        place = number * (self.points - 1)
        point = floor(place) + draws.chance(place - floor(place))
        likely = self.width * self.loss.ratio
        others = self.marks - self.width
        if draws.chance(likely / (likely + others)):
            return point + draws.below(self.width)
        mark = draws.below(others)
        return mark if mark < point else mark + self.width

    def allows(self, report: object) -> bool:
        """Return whether this is a mark."""
        return isinstance(report, int) and 0 <= report < self.marks


@dataclass(frozen=True)
class _Shape(Generic[Number]):
    """The moments of windows of one width on so many points: exact, or floats for a float ratio."""

    ratio: Number
    points: int
    width: int

    @property
    def _marks(self) -> int:
        return self.points + self.width - 1

    @property
    def _rare(self) -> Number:
        return 1 / (self.ratio * self.width + self.points - 1)

    def mean(self, point: int) -> Number:
        """Return the mean mark at a point."""
        window = self.width * point + self.width * (self.width - 1) // 2
        everywhere = self._marks * (self._marks - 1) // 2
        return self._rare * (everywhere + (self.ratio - 1) * window)

    def square(self, point: int) -> Number:
        """Return the mean square of the mark at a point."""
        window = sum(mark * mark for mark in range(point, point + self.width))
        everywhere = (self._marks - 1) * self._marks * (2 * self._marks - 1) // 6
        return self._rare * (everywhere + (self.ratio - 1) * window)

    def variance(self, number: Number) -> Number:
        """Return the variance of the estimate of a number from 0 to 1."""
        place = number * (self.points - 1)
        point = min(floor(place), self.points - 2)
        up = place - point
        mean = (1 - up) * self.mean(point) + up * self.mean(point + 1)
        square = (1 - up) * self.square(point) + up * self.square(point + 1)
        rise = self.mean(self.points - 1) - self.mean(0)
        return (square - mean * mean) / (rise * rise)

    def worst(self) -> Number:
        """Return the largest variance of all numbers from 0 to 1."""
        return max(self.variance(self._peak(point)) for point in range(self.points - 1))

    def _peak(self, point: int) -> Number:
        """Return the number of largest variance, a parabola, from a point to the next."""
        rise = self.mean(point + 1) - self.mean(point)
        growth = self.square(point + 1) - self.square(point)
        up = growth / (2 * rise * rise) - self.mean(point) / rise
        within = min(max(up, 0 * up), 0 * up + 1)
        return (point + within) / (self.points - 1)


@lru_cache(maxsize=64)
def _best(ratio: float) -> tuple[int, int]:
    """Return the points and the width of least variance; sums of floats are the same everywhere."""
    shapes = [_Shape(ratio, points, width) for points in _POINTS for width in _WIDTHS]
    best = min(shapes, key=_Shape.worst)
    return best.points, best.width
