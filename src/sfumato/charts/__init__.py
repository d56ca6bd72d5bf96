"""Pictures of results: one message each, as Altair charts (``pip install 'sfumato[plots]'``).

Every result that has a picture has ``plot()``; these are the same drawings as functions.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.charts.accounts import budget, budgets
    from sfumato.charts.attacks import reconstruction, scoreboard
    from sfumato.charts.audits import audit, membership
    from sfumato.charts.channels import channel
    from sfumato.charts.clusters import kmeans
    from sfumato.charts.curves import guarantee, guarantees
    from sfumato.charts.exposures import exposure
    from sfumato.charts.files import check_parts, check_picture, save, to_svg
    from sfumato.charts.noise import laplace_densities, mechanism
    from sfumato.charts.releases import beside_the_truth, release
    from sfumato.charts.surveys import survey

__all__ = [
    "audit",
    "budget",
    "budgets",
    "channel",
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
            "attacks": "reconstruction scoreboard",
            "audits": "audit membership",
            "channels": "channel",
            "clusters": "kmeans",
            "curves": "guarantee guarantees",
            "exposures": "exposure",
            "files": "check_parts check_picture save to_svg",
            "noise": "laplace_densities mechanism",
            "releases": "beside_the_truth release",
            "surveys": "survey",
        },
    )
