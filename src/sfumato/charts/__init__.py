"""Pictures of results: one message each, as Altair charts (``pip install 'sfumato[plots]'``).

Every result that has a picture has ``plot()``; these are the same drawings as functions.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.charts.accounts import budget, budgets
    from sfumato.charts.attacks import reconstruction, scoreboard
    from sfumato.charts.audits import audit, membership
    from sfumato.charts.chances import distributions
    from sfumato.charts.channels import channel
    from sfumato.charts.clusters import kmeans
    from sfumato.charts.codes import prefix_code
    from sfumato.charts.curves import guarantee, guarantees
    from sfumato.charts.datasets import neighbours
    from sfumato.charts.entropies import binary_entropy, information_content, joint, two_events
    from sfumato.charts.exposures import exposure
    from sfumato.charts.files import check_parts, check_picture, save, to_svg
    from sfumato.charts.memorization import canaries, extraction
    from sfumato.charts.noise import laplace_densities, mechanism
    from sfumato.charts.releases import beside_the_truth, release
    from sfumato.charts.renyi import orders
    from sfumato.charts.surveys import survey

__all__ = [
    "audit",
    "binary_entropy",
    "budget",
    "budgets",
    "canaries",
    "channel",
    "check_picture",
    "distributions",
    "exposure",
    "extraction",
    "guarantee",
    "guarantees",
    "information_content",
    "joint",
    "kmeans",
    "laplace_densities",
    "mechanism",
    "membership",
    "neighbours",
    "orders",
    "prefix_code",
    "reconstruction",
    "release",
    "save",
    "scoreboard",
    "survey",
    "to_svg",
    "two_events",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "accounts": "budget budgets",
            "attacks": "reconstruction scoreboard",
            "audits": "audit membership",
            "channels": "channel",
            "chances": "distributions",
            "clusters": "kmeans",
            "codes": "prefix_code",
            "curves": "guarantee guarantees",
            "datasets": "neighbours",
            "entropies": "binary_entropy information_content joint two_events",
            "exposures": "exposure",
            "files": "check_parts check_picture save to_svg",
            "memorization": "canaries extraction",
            "noise": "laplace_densities mechanism",
            "releases": "beside_the_truth release",
            "renyi": "orders",
            "surveys": "survey",
        },
    )
