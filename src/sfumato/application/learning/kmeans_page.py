"""What private k-means found, as a page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.learning.kmeans_pictures import centres_svg, cost_svg
from sfumato.application.learning.kmeans_wording import cells, meant, notes, receipt_line, warnings
from sfumato.learning.kmeans.found import found_by
from sfumato.printing.page import STYLE, as_text, sentences, table_of, whole_page
from sfumato.printing.wording import listed, setting
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.learning.kmeans.found import Found

__all__ = ["kmeans_page"]

_DRAWN = mark(
    "The light box is what the bounds allow, and the area of a dot goes with its noisy "
    "count. An ellipse that is not seen is larger than the box, or smaller than its dot. "
    "No point of the data is drawn."
)


def kmeans_page(model: Any, names: Sequence[str] | None = None) -> str:
    """Return what a fitted model found as a whole page: sentences, a table, pictures.

    It refers to nothing outside itself, and holds nothing but what was released.

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
    >>> from sfumato.application.learning import kmeans_page
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 2)))
    >>> page = kmeans_page(model, ["age", "height"])
    >>> page[:15], page.count("<table")
    ('<!doctype html>', 1)
    """
    found = found_by(model, names)
    answer, *how = str(model.plan_).splitlines()
    parts = [
        f"<h1>{as_text(tr('Centres of {names}', names=listed(found.names)))}</h1>",
        f"<p><strong>{as_text(answer)}.</strong></p>",
        sentences([*warnings(found), str(model.guarantee_)]),
        table_of(cells(found)),
        sentences(notes(found)),
        f"<h2>{tr('Where the centres are')}</h2>",
        *centres_svg(model, found.names),
        f"<p>{tr(_DRAWN)}</p>",
        f"<h2>{tr('What another ε would cost')}</h2>",
        cost_svg(model),
        f"<p>{as_text(_estimated(found))}</p>",
        f"<h2>{tr('What was done')}</h2>",
        sentences([*how, receipt_line(model)]),
        f"<h2>{tr('What is guaranteed')}</h2>",
        sentences(meant(found)),
    ]
    return whole_page(
        tr("centres of {names}", names=listed(found.names)), "".join(parts), style=STYLE
    )


def _estimated(found: Found) -> str:
    """Return what the curve is, and what it is not."""
    used = setting(found.epsilon)
    few = "" if all(found.seen) else tr(" Centres with too few points are not in it.")
    why = (
        tr(" There is no mean square distance to add it to: {untold}.", untold=found.untold)
        if found.untold
        else ""
    )
    return tr(
        "This is an estimate from what was released, each coordinate scaled to [-1, 1]. "
        "Only the noise of the last step is scaled, as 1/ε. Below ε = {used}, where the "
        "curve is dotted, earlier steps find the centres less well too, and the true cost "
        "is higher than what is drawn.{few}{why} The curve is cut off at {names}, which "
        "one centre in the middle of the box costs at most.",
        used=used,
        few=few,
        why=why,
        names=len(found.names),
    )
