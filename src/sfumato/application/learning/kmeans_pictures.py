"""Two pictures of private k-means: where the centres are, and what another ε would cost."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from sfumato.learning.kmeans.found import DEVIATIONS, found_by
from sfumato.printing.scatter import Range, Spot, scatter_svg
from sfumato.printing.trend import TrendLabels, trend_svg
from sfumato.printing.wording import counted, setting
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.learning.kmeans.found import Found

__all__ = ["centres_svg", "cost_svg"]

_MOST_PAIRS = 6


def centres_svg(model: Any, names: Sequence[str] | None = None) -> list[str]:
    """Return drawings of the centres in the box of their bounds, for each pair of columns.

    There are six at most, and for one column there is a line.  An ellipse has two standard
    deviations of the noise in its centre as half axes, and the area of a dot goes with the noisy
    count.  No point of the data is drawn: a picture of what was released is as private as the
    centres.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.
    names
        What its coordinates are called, where the points that it was fitted to had no names.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.application.learning import centres_svg
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 3)))
    >>> len(centres_svg(model, ["age", "height", "weight"]))
    3
    """
    found = found_by(model, names)
    if len(found.names) == 1:
        return [_drawn(found, 0, None)]
    pairs = combinations(range(len(found.names)), 2)
    return [_drawn(found, *pair) for pair, _ in zip(pairs, range(_MOST_PAIRS), strict=False)]


def cost_svg(model: Any) -> str:
    """Return a drawing of what the centres would cost in accuracy at another ε, about.

    The cost is the mean square distance of points from their centre, each coordinate scaled to
    [-1, 1]: what the released cells tell (``cost_``), and what the noise of the last step adds,
    which goes as 1/ε².  Where cells do not tell it, it is what that noise adds alone.  Below the ε
    that was used earlier steps miss more too, so that the true cost is higher; there the curve is
    dotted.  It is an estimate from what was released, and reads no row.

    Parameters
    ----------
    model
        An ``sf.KMeans`` that is fitted.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.application.learning import cost_svg
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 3)))
    >>> cost_svg(model)[:4]
    '<svg'
    """
    found = found_by(model)
    return trend_svg(
        found.costs,
        _labels(found),
        marked=(found.epsilon, (found.cost or 0.0) + found.added_at(found.epsilon)),
        most=float(len(found.names)),
        level=found.cost,
    )


def _drawn(found: Found, across: int, up: int | None) -> str:
    ranges = [Range(*each) for each in zip(found.names, *found.bounds, strict=True)]
    centres, errors, shares = found.model.cluster_centers_, found.errors, found.shares
    height = across if up is None else up
    spots = [
        Spot(
            str(number + 1),
            float(place[across]),
            0.0 if up is None else float(place[height]),
            float(errors[number, across]),
            float(errors[number, height]),
            float(shares[number]),
        )
        for number, place in enumerate(centres)
    ]
    shown = found.names[across] if up is None else f"{found.names[across]} and {found.names[up]}"
    bars = f"ellipses show {DEVIATIONS} standard deviations of the noise"
    title = f"{counted(len(spots), 'centre')} by {shown}; {bars}"
    return scatter_svg(spots, ranges[across], None if up is None else ranges[up], title=title)


def _labels(found: Found) -> TrendLabels:
    used = f"ε = {setting(found.epsilon)}"
    return TrendLabels(
        title=tr("{added}; below it, earlier steps add more", added=found.added),
        x="ε",
        y=tr("added mean square distance") if found.cost is None else tr("mean square distance"),
        solid=tr("what noise of the last step adds")
        if found.cost is None
        else tr("with noise of the last step"),
        marked=tr("{used}, which was used", used=used),
        dashed="" if found.cost is None else tr("without noise of the last step"),
        dotted=tr("below {used}: the same, but the true cost is higher", used=used),
    )
