"""What private k-means found, as a page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.learning.kmeans_wording import cells, meant, notes, receipt_line, warnings
from sfumato.learning.kmeans.found import found_by
from sfumato.printing.page import STYLE, as_text, sentences, table_of, whole_page
from sfumato.printing.plotting import as_svg, pictured
from sfumato.printing.wording import listed
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["centres_svg", "cost_svg", "kmeans_page"]


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
        pictured(lambda: model.plot(names=found.names)),
        f"<p>{tr('No point of the data is drawn.')}</p>",
        f"<h2>{tr('What another ε would cost')}</h2>",
        pictured(lambda: model.plot("cost")),
        f"<h2>{tr('What was done')}</h2>",
        sentences([*how, receipt_line(model)]),
        f"<h2>{tr('What is guaranteed')}</h2>",
        sentences(meant(found)),
    ]
    return whole_page(
        tr("centres of {names}", names=listed(found.names)), "".join(parts), style=STYLE
    )


def centres_svg(model: Any, names: Sequence[str] | None = None) -> list[str]:
    """Return the picture of the centres, as ``model.plot()`` draws it, as SVG.

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
    >>> [drawing[:4] for drawing in centres_svg(model, ["age", "height", "weight"])]
    ['<svg']
    """
    return [as_svg(model.plot(names=names))]


def cost_svg(model: Any) -> str:
    """Return what another ε would cost, as ``model.plot("cost")`` draws it, as SVG.

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
    return as_svg(model.plot("cost"))
