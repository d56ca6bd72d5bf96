"""Pictures of results: one message each, as Altair charts (``pip install 'sfumato[plots]'``).

Every result that has a picture has ``plot()``; these are the same drawings as functions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.charts.accounts.bars import budgets
    from sfumato.charts.accounts.steps import budget
    from sfumato.charts.answers.shapes import release
    from sfumato.charts.audits.found import audit, membership
    from sfumato.charts.clusters import kmeans
    from sfumato.charts.curves.curves import guarantee, guarantees
    from sfumato.charts.exposure_bars import exposure
    from sfumato.charts.noise.densities import laplace_densities
    from sfumato.charts.noise.neighbours import mechanism
    from sfumato.charts.reconstruction_bars import reconstruction
    from sfumato.charts.saving import check_picture, save, to_svg
    from sfumato.charts.scoreboard_bars import scoreboard
    from sfumato.charts.surveys import survey

__all__ = [
    "audit",
    "budget",
    "budgets",
    "check_picture",
    "exposure",
    "guarantee",
    "guarantees",
    "kmeans",
    "laplace_densities",
    "mechanism",
    "membership",
    "reconstruction",
    "release",
    "save",
    "scoreboard",
    "survey",
    "to_svg",
]

#: Where each drawing is; what it takes is loaded when it is first asked for.
_HOMES = {
    "audit": "audits.found",
    "budget": "accounts.steps",
    "budgets": "accounts.bars",
    "check_picture": "saving",
    "exposure": "exposure_bars",
    "guarantee": "curves.curves",
    "guarantees": "curves.curves",
    "kmeans": "clusters",
    "laplace_densities": "noise.densities",
    "mechanism": "noise.neighbours",
    "membership": "audits.found",
    "reconstruction": "reconstruction_bars",
    "release": "answers.shapes",
    "save": "saving",
    "scoreboard": "scoreboard_bars",
    "survey": "surveys",
    "to_svg": "saving",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sfumato.charts.{_HOMES[name]}"), name)
    message = f"module 'sfumato.charts' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
