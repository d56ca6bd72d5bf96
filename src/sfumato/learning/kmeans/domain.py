"""Where points lie, known without looking at them: an L1 ball, as the textbook has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import any_float, shown
from sfumato.printing import setting
from sfumato.privacy import read_positive, written
from sfumato.refusal import Argument, Arguments, Bare
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.events import Number

    Reals = NDArray[np.float64]


#: Half the width of a range, so that steps and what noise makes of them are numbers.
NARROWEST, WIDEST = 2.0**-900, 2.0**900


@dataclass(frozen=True)
class L1Ball:
    """Points whose coordinates differ from those of a centre by at most the radius, all together.

    The textbook's domain is the unit ball around 0.  A point outside is brought in: each
    coordinate is clamped to the radius around the centre and rounded to the grid, and if the whole
    is still too far out, it is scaled towards the centre, in whole steps of the grid.  So no point
    adds more to a sum than the radius, in the L1 norm, for certain.  A missing value counts as that
    of the centre.

    Parameters
    ----------
    radius
        The greatest sum of absolute differences, above 0.
    center
        A number for all coordinates, or one for each.

    Attributes
    ----------
    radius
        As a float.
    center
        As a float, or a tuple of them.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> ball = sf.learning.L1Ball(radius=1)
    >>> points = np.repeat([[0.5, 0.2], [-0.2, -0.5]], 5000, axis=0)
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, domain=ball).fit(points)
    >>> sorted(model.cluster_centers_.round(1).tolist())
    [[-0.2, -0.5], [0.5, 0.2]]
    >>> print(ball)
    the L1 ball of radius 1 around 0
    """

    radius: float
    center: float | tuple[float, ...]

    def __init__(self, radius: Number = 1, center: Any = 0) -> None:
        object.__setattr__(self, "radius", any_float(read_positive(radius, "radius")))
        object.__setattr__(self, "center", _center(center))
        self._check()

    @property
    def dimensions(self) -> int | None:
        """How many coordinates the centre has; None where one number stands for all.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.learning.L1Ball(center=[0, 1]).dimensions
        2
        """
        return len(self.center) if isinstance(self.center, tuple) else None

    def middle(self, dimensions: int) -> Reals:
        """Return the centre of a ball of so many coordinates.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.learning.L1Ball(center=5).middle(2).tolist()
        [5.0, 5.0]
        """
        if self.dimensions not in (None, dimensions):
            raise InputError(
                "E-LENGTHS-DIFFER",
                "the centre of the ball has {count} coordinates, and there are {dimensions} "
                "columns",
                "give one number for all, as in {example}, or one for each",
                count=self.dimensions,
                dimensions=dimensions,
                example=Argument("center", 0),
            )
        return np.full(dimensions, self.center)

    def ends(self, dimensions: int) -> tuple[Reals, Reals]:
        """Return the bounds of the box around a ball of so many coordinates.

        Examples
        --------
        >>> import sfumato as sf
        >>> [each.tolist() for each in sf.learning.L1Ball(radius=2).ends(2)]
        [[-2.0, -2.0], [2.0, 2.0]]
        """
        middle = self.middle(dimensions)
        return middle - self.radius, middle + self.radius

    def as_dict(self) -> dict[str, Any]:
        """Return what it is, ready for JSON.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.learning.L1Ball(radius=2).as_dict()
        {'kind': 'l1-ball', 'radius': 2.0, 'center': 0.0}
        """
        center = list(self.center) if isinstance(self.center, tuple) else self.center
        return {"kind": "l1-ball", "radius": self.radius, "center": center}

    def __str__(self) -> str:
        return tr(
            "the L1 ball of radius {radius} around {center}",
            radius=setting(self.radius),
            center=_told(self.center),
        )

    def _check(self) -> None:
        """Refuse a ball whose ends are no numbers, or one with its centre."""
        center = np.atleast_1d(self.center)
        with np.errstate(over="ignore"):
            apart = (center - self.radius < center) & (center < center + self.radius)
        ends = np.abs(center) + self.radius
        if NARROWEST <= self.radius <= WIDEST and (apart & np.isfinite(ends)).all():
            return
        raise InputError(
            "E-BOUNDS-WIDTH",
            "{radius} is too great, too small or too small beside {center} for numbers",
            "choose other units",
            radius=Argument("radius"),
            center=Argument("center"),
        )


def read_domain(domain: Any, bounds: Any) -> L1Ball | None:
    """Return the ball that an estimator is told of; None where it is told of bounds, or nothing."""
    if domain is None:
        return None
    if bounds is not None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{bounds} and {domain} both say where points lie",
            "leave one of them out",
            bounds=Argument("bounds"),
            domain=Argument("domain"),
        )
    if not isinstance(domain, L1Ball):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{domain} must be an L1 ball, not {given}",
            "write {example}, or {bounds} for a box",
            domain=Argument("domain"),
            given=shown(domain),
            example=Argument("domain", Bare("sf.learning.L1Ball(radius=1)")),
            bounds=Argument("bounds", (-1, 1)),
        )
    return domain


def _center(center: Any) -> float | tuple[float, ...]:
    given = center.tolist() if isinstance(center, np.ndarray) else center
    if not isinstance(given, (list, tuple)):
        return any_float(written(given, "center"))
    if not given:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "{center} has no coordinates",
            "write one number for all, as in {example}, or one for each",
            center=Argument("center"),
            example=Arguments((Argument("radius", 1), Argument("center", 0))),
        )
    return tuple(any_float(written(each, "center")) for each in given)


def _told(center: float | tuple[float, ...]) -> str:
    if isinstance(center, tuple):
        return f"({', '.join(map(setting, center))})"
    return setting(center)
