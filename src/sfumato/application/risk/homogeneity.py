"""Looking for homogeneous classes, as a front end asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.risk import homogeneity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk import Homogeneity

__all__ = ["find_homogeneity"]


def find_homogeneity(
    release: str, *, quasi: Sequence[str], sensitive: str, certainty: float = 1
) -> Homogeneity:
    """Find the equivalence classes of a file in which all have one sensitive value.

    Parameters
    ----------
    release
        The path of a file.
    quasi, sensitive, certainty
        Those of :func:`sfumato.risk.homogeneity`.
    """
    return homogeneity(release, quasi=quasi, sensitive=sensitive, certainty=certainty)
