"""Pictures of results: one message each, as Altair charts (``pip install 'sfumato[plots]'``).

Every result that has a picture has ``plot()``; these are the same drawings as functions.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.charts.accounts import budget, budgets
    from sfumato.charts.answers.shapes import beside_the_truth, release
    from sfumato.charts.audits import audit, membership
    from sfumato.charts.clusters import kmeans
    from sfumato.charts.curves.curves import guarantee, guarantees
    from sfumato.charts.exposure_bars import exposure
    from sfumato.charts.noise import laplace_densities, mechanism
    from sfumato.charts.reconstruction_bars import reconstruction
    from sfumato.charts.saving import check_parts, check_picture, save, to_svg
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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "accounts": "budget budgets",
            "answers.shapes": "beside_the_truth release",
            "audits": "audit membership",
            "clusters": "kmeans",
            "curves.curves": "guarantee guarantees",
            "exposure_bars": "exposure",
            "noise": "laplace_densities mechanism",
            "reconstruction_bars": "reconstruction",
            "saving": "check_parts check_picture save to_svg",
            "scoreboard_bars": "scoreboard",
            "surveys": "survey",
        },
    )
