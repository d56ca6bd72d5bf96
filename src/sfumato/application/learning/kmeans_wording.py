"""What is said of private k-means: the centres as a table, and what must be known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.learning.kmeans.found import DEVIATIONS, with_errors
from sfumato.printing.wording import counted, listed
from sfumato.privacy import Person
from sfumato.privacy.sentences import meaning
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.learning.kmeans.found import Found

__all__ = ["LEADING", "cells", "meant", "notes", "receipt_line", "warnings"]

#: The columns before those of the data.
LEADING = (mark("centre"), mark("points"), mark("share"))
_UNSEEN = "–"
_MOST_NAMED = 12


def cells(found: Found) -> list[list[str]]:
    """Return the centres as the cells of a table, the header first."""
    columns = [
        [str(number) for number in range(1, len(found.shares) + 1)],
        [f"{count:,.0f}" for count in found.model.counts_.tolist()],
        list(map(_share, found.shares.tolist(), found.seen)),
        *map(with_errors, found.model.cluster_centers_.T, found.errors.T),
    ]
    return [[*LEADING, *found.names], *map(list, zip(*columns, strict=True))]


def notes(found: Found) -> list[str]:
    """Return what must be said with the table."""
    bars = (
        f"± is {DEVIATIONS} standard deviations of the noise of the last step in a centre, about: "
        "neither how spread points are nor what earlier steps missed is in it"
    )
    return [*_unseen(found), bars, _counted(found), _cost(found)]


def _share(share: float, seen: bool) -> str:  # noqa: FBT001, since it is mapped over columns
    return f"{100 * share:.0f} %" if seen else _UNSEEN


def _unseen(found: Found) -> list[str]:
    """Return which centres drown in the noise, and what to do about it."""
    drowned = [str(number) for number, seen in enumerate(found.seen, start=1) if not seen]
    if not drowned:
        return []
    many = len(drowned) > _MOST_NAMED
    one = len(drowned) == 1
    each = f"centre {drowned[0]}" if one else f"centres {listed(drowned)}"
    named = f"{len(drowned)} of {len(found.seen)} centres" if many else each
    have, they = ("has", "it") if one else ("have", "they")
    said = (
        f"{_UNSEEN} {named} {have} too few points to be distinguished from noise, and "
        f"{they} may stand where nobody is; raise ε, or ask for fewer centres"
    )
    return [said]


def _counted(found: Found) -> str:
    change = found.model.plan_.change
    if not isinstance(change.relation.unit, Person):
        return tr("points and shares are noisy counts")
    most = counted(change.weight, "point")
    return tr(
        "points and shares are noisy counts; contributions above {most} of one {noun} are "
        "scaled down, not dropped (contribution bounding)",
        most=most,
        noun=change.relation.unit.noun,
    )


def _cost(found: Found) -> str:
    if found.untold:
        return f"no mean square distance from the centres: {found.untold}"
    return (
        f"mean square distance from the centres {found.cost:.3g}, estimated from noisy cells, each "
        "coordinate scaled to [-1, 1]"
    )


def warnings(found: Found) -> list[str]:
    """Return that nothing is private where noise came from a seed."""
    return [tr("NOT PRIVATE: drawn from a seed")] if found.model.seeded_ else []


def meant(found: Found) -> list[str]:
    """Return the guarantee, and what it means for a person."""
    guarantee = found.model.guarantee_
    return meaning(guarantee, delta=getattr(guarantee, "exact_delta", 0)).lines()


def receipt_line(model: Any) -> str:
    """Return whether it was charged, and the receipt."""
    receipt = model.receipt_
    if receipt is None:
        return tr("charged to no ledger")
    return tr("charged to the ledger: receipt {id}", id=receipt.id)
