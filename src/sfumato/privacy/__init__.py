"""What is guaranteed, and how guarantees add up. Draws no noise, sees no rows."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy import events, theorems
    from sfumato.privacy.accounting import Composition, Explanation, compose
    from sfumato.privacy.attacker import (
        Posterior,
        advantage,
        best_true_positive_rate,
        epsilon_for_posterior,
        epsilon_for_true_positive_rate,
        posterior,
        posterior_after_claim,
    )
    from sfumato.privacy.calibration import Calibration, calibrate
    from sfumato.privacy.filters import (
        AdvancedFilter,
        ConcentratedFilter,
        FilterState,
        GaussianFilter,
        MixtureFilter,
        Odometer,
        PrivacyFilter,
        PureFilter,
        RenyiFilter,
        filter_for,
    )
    from sfumato.privacy.guarantees import (
        ApproxDP,
        GaussianDP,
        Guarantee,
        PrivacyProfile,
        PureDP,
        RenyiDP,
        ZeroConcentratedDP,
        convert,
    )
    from sfumato.privacy.guarantees.document import from_document as guarantee_from_document
    from sfumato.privacy.guarantees.document import to_document as guarantee_to_document
    from sfumato.privacy.parameters import written
    from sfumato.privacy.relation import AddRemove, Person, Relation, Row, Substitute, Unit
    from sfumato.privacy.sentences import Meaning, meaning

__all__ = [
    "AddRemove",
    "AdvancedFilter",
    "ApproxDP",
    "Calibration",
    "Composition",
    "ConcentratedFilter",
    "Explanation",
    "FilterState",
    "GaussianDP",
    "GaussianFilter",
    "Guarantee",
    "Meaning",
    "MixtureFilter",
    "Odometer",
    "Person",
    "Posterior",
    "PrivacyFilter",
    "PrivacyProfile",
    "PureDP",
    "PureFilter",
    "Relation",
    "RenyiDP",
    "RenyiFilter",
    "Row",
    "Substitute",
    "Unit",
    "ZeroConcentratedDP",
    "advantage",
    "best_true_positive_rate",
    "calibrate",
    "compose",
    "convert",
    "epsilon_for_posterior",
    "epsilon_for_true_positive_rate",
    "events",
    "filter_for",
    "guarantee_from_document",
    "guarantee_to_document",
    "meaning",
    "posterior",
    "posterior_after_claim",
    "theorems",
    "written",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "events": "",
        "theorems": "",
        "accounting": "Composition Explanation compose",
        "attacker": (
            "Posterior advantage best_true_positive_rate epsilon_for_posterior "
            "epsilon_for_true_positive_rate posterior posterior_after_claim"
        ),
        "calibration": "Calibration calibrate",
        "filters": (
            "AdvancedFilter ConcentratedFilter FilterState GaussianFilter MixtureFilter "
            "Odometer PrivacyFilter PureFilter RenyiFilter filter_for"
        ),
        "guarantees": (
            "ApproxDP GaussianDP Guarantee PrivacyProfile PureDP RenyiDP ZeroConcentratedDP convert"
        ),
        "guarantees.document": (
            "guarantee_from_document=from_document guarantee_to_document=to_document"
        ),
        "parameters": "written",
        "relation": "AddRemove Person Relation Row Substitute Unit",
        "sentences": "Meaning meaning",
    },
)
