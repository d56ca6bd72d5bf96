"""Carrying a plan out: what is released of points, and nothing else of them."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InputError
from sfumato.learning.kmeans.lloyd import (
    centres_of_cells,
    cost_told,
    far_apart,
    noise_of_sums,
    noisy_rounds,
    printed_rounds,
    residual,
)
from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.points.grid import GridPoints, most_levels
from sfumato.learning.kmeans.synopsis import noisy_cells
from sfumato.ledger import check_without_ledger, settle
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sfumato.data import Measured
    from sfumato.learning.kmeans.domain import L1Ball
    from sfumato.learning.kmeans.plan import Plan, Synopsis
    from sfumato.learning.kmeans.source import Opened
    from sfumato.learning.kmeans.space import GridBox
    from sfumato.ledger import Receipt
    from sfumato.sampling import BitSource


#: Of rounds without a synopsis: how much of a centre's fair share of the space counts as near.
_NEAR = 0.8
#: No radius is greater than so many times half the space.
_FARTHEST = 3


def check_drawable(plan: Plan, space: GridBox) -> None:
    """Refuse noise that is too wide to be drawn, before anything is charged for."""
    try:
        if plan.synopsis is not None:
            plan.synopsis.splitting(plan.change, most_levels(space) - plan.synopsis.level)
        if plan.rounds is not None:
            farthest = _FARTHEST * space.radius
            noise_of_sums(plan.rounds, plan.change, farthest, plan.clusters * plan.dimensions)
    except InputError:
        raise InputError(
            "E-EPSILON-TOO-SMALL",
            "{epsilon} is too small for noise that can be drawn, for so many points of a "
            "person and so many columns",
            "write {example}, say",
            epsilon=Argument("epsilon"),
            example=Argument("epsilon", 1),
        ) from None


def fitted(points: GridPoints, plan: Plan, source: BitSource) -> Centres:
    """Return the centres that a plan finds."""
    random = np.random.default_rng(source.integer(128))
    if plan.printed is not None:
        return printed_rounds(points, plan.clusters, plan.printed, plan.change, source, random)
    if plan.synopsis is not None:
        return _from_cells(points, plan, plan.synopsis, source, random)
    start = Centres(
        far_apart(plan.clusters, points.space, random),
        np.zeros(plan.clusters),
        np.full((plan.clusters, plan.dimensions), float(points.space.unit)),
    )
    return _after_rounds(points, start, _public_radii(plan, points.space), plan, source)


def _from_cells(
    points: GridPoints,
    plan: Plan,
    synopsis: Synopsis,
    source: BitSource,
    random: np.random.Generator,
) -> Centres:
    space, kept = points.space, synopsis.kept
    cells = noisy_cells(points, synopsis, plan.change, source)
    found = centres_of_cells(cells, plan.clusters, kept, space, random)
    if plan.rounds is not None:
        radius = residual(cells, found.places, kept, plan.rounds.norm)
        found = _after_rounds(points, found, [radius] * plan.rounds.number, plan, source)
    return replace(found, cost=cost_told(cells, found.places, kept, space))


def _after_rounds(
    points: GridPoints, start: Centres, radii: Iterable[float], plan: Plan, source: BitSource
) -> Centres:
    if plan.rounds is None:
        return start
    return noisy_rounds(points, start, radii, plan.rounds, plan.change, source)


def _public_radii(plan: Plan, space: GridBox) -> Iterator[float]:
    """Yield how far points count in rounds that nothing was released before.

    Half the space first, then what each centre's share of it would be.
    """
    rounds = plan.rounds
    if rounds is None:
        return
    wide = space.radius / space.unit
    half = (wide if rounds.norm == "l1" else wide**0.5) * space.unit
    yield half
    for _ in range(rounds.number - 1):
        yield half * _NEAR / plan.clusters ** (1 / plan.dimensions)


#: How much of what is released is written into a ledger in words.
_LONGEST = 9000
_DIGITS = 16


def charged(
    opened: Opened,
    plan: Plan,
    compute: Callable[[], Centres],
    *,
    analyst: str | None,
    key: str | None,
) -> tuple[Centres, Receipt | None]:
    """Return what is computed, once it is charged for, and the receipt where there is a ledger.

    Parameters
    ----------
    opened, plan
        Of what, and what it costs.
    compute
        What reads the rows.
    analyst, key
        Who gets the answer, and by what a retry is known.
    """
    measured = opened.measured
    if measured is None:
        if analyst is not None or key is not None:
            raise InputError(
                "E-LEDGER-NOT-DECLARED",
                "analyst and key are for the ledger of a private table, and points in memory "
                "have none",
                "leave them out, or charge model.plan().event to a book",
            )
        return compute(), None
    measured.source.check_process()
    return _of_table(measured, plan, compute, analyst, key)


def _of_table(
    measured: Measured,
    plan: Plan,
    compute: Callable[[], Centres],
    analyst: str | None,
    key: str | None,
) -> tuple[Centres, Receipt | None]:
    def computed() -> Centres:
        with measured.source.engine.reading():
            return compute()

    place = measured.ledger
    if place is None:
        check_without_ledger(
            budgeted=measured.budgeted, analyst=analyst, key=key, origin=measured.origin
        )
        return computed(), None
    settled = settle(
        place.path,
        place.book,
        plan.price,
        purpose=_purpose(measured, plan),
        analyst=analyst if analyst is not None else place.analyst,
        key=key,
        compute=lambda: computed().to_bytes(),
    )
    return Centres.from_bytes(settled.content), settled.receipt


def _purpose(measured: Measured, plan: Plan) -> str:
    """Return what is released, in words that differ wherever the centres would."""
    ranges = _ranges(measured, plan.domain)
    how = f"{plan.synopsis!r} {plan.rounds!r} {plan.printed!r} {plan.change.weight}"
    told = f"{plan.clusters} {plan.method} {how} {ranges} {measured.digest}"
    digest = sha256(told.encode()).hexdigest()[:_DIGITS]
    said = f"{plan.clusters} centres of {ranges} by {plan.method}"[:_LONGEST]
    return f"{said} (plan {digest})"


def _ranges(measured: Measured, domain: L1Ball | None) -> str:
    """Return where points lie, in words that stay the same in every language."""
    if domain is not None:
        return f"{', '.join(measured.names)} in {domain!r}"
    return ", ".join(
        f"{name} {low!r}:{high!r}"
        for name, low, high in zip(measured.names, measured.low, measured.high, strict=True)
    )
