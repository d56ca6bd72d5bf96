"""Intersecting releases, as a front end asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.risk import intersect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk import Intersection

__all__ = ["intersect_releases"]


def intersect_releases(
    releases: Sequence[str], *, on: Sequence[str], sensitive: str
) -> Intersection:
    """Intersect the releases in some files.

    Parameters
    ----------
    releases
        Paths of files, two or more.
    on, sensitive
        Those of :func:`sfumato.risk.intersect`.
    """
    return intersect(*releases, on=on, sensitive=sensitive)
