"""What is guaranteed, and how guarantees add up. Draws no noise, sees no rows."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy import events, theorems
    from sfumato.privacy.accounting.composition import Composition, compose
    from sfumato.privacy.accounting.explanation import Explanation
    from sfumato.privacy.attacker import (
        Posterior,
        advantage,
        best_true_positive_rate,
        epsilon_for_posterior,
        epsilon_for_true_positive_rate,
        posterior,
        posterior_after_claim,
    )
    from sfumato.privacy.calibration.result import Calibration
    from sfumato.privacy.calibration.search import calibrate
    from sfumato.privacy.certificate import (
        KIND,
        MOST_CHARACTERS,
        VERSION,
        certificate_pieces,
        certificate_text,
        question_digits,
        signed_message,
    )
    from sfumato.privacy.filters.additive import ConcentratedFilter, GaussianFilter, PureFilter
    from sfumato.privacy.filters.advanced import AdvancedFilter
    from sfumato.privacy.filters.base import PrivacyFilter
    from sfumato.privacy.filters.choice import filter_for
    from sfumato.privacy.filters.mixture import MixtureFilter
    from sfumato.privacy.filters.odometer import Odometer
    from sfumato.privacy.filters.renyi import RenyiFilter
    from sfumato.privacy.filters.state import FilterState
    from sfumato.privacy.greatest_epsilon import check_scale, check_usable, usable_epsilon
    from sfumato.privacy.guarantees.base import Guarantee
    from sfumato.privacy.guarantees.conversions import convert
    from sfumato.privacy.guarantees.document import from_document as guarantee_from_document
    from sfumato.privacy.guarantees.document import to_document as guarantee_to_document
    from sfumato.privacy.guarantees.gaussian import GaussianDP
    from sfumato.privacy.guarantees.pointwise import ApproxDP, PrivacyProfile, PureDP
    from sfumato.privacy.guarantees.renyi import RenyiDP, ZeroConcentratedDP
    from sfumato.privacy.parameters import (
        Epsilon,
        below,
        read_confidence,
        read_delta,
        read_ends,
        read_epsilon,
        read_given_delta,
        read_inside,
        read_positive,
        written,
    )
    from sfumato.privacy.relation import (
        AddRemove,
        Person,
        Relation,
        Row,
        Substitute,
        Unit,
        read_relation,
    )
    from sfumato.privacy.sentences import Meaning, allowance, epsilon_at, meaning, secret

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "accounting.composition": "Composition compose",
            "accounting.explanation": "Explanation",
            "attacker": (
                "Posterior advantage best_true_positive_rate epsilon_for_posterior "
                "epsilon_for_true_positive_rate posterior posterior_after_claim"
            ),
            "calibration.result": "Calibration",
            "calibration.search": "calibrate",
            "certificate": (
                "KIND MOST_CHARACTERS VERSION certificate_pieces certificate_text "
                "question_digits signed_message"
            ),
            "events": "",
            "filters.additive": "ConcentratedFilter GaussianFilter PureFilter",
            "filters.advanced": "AdvancedFilter",
            "filters.base": "PrivacyFilter",
            "filters.choice": "filter_for",
            "filters.mixture": "MixtureFilter",
            "filters.odometer": "Odometer",
            "filters.renyi": "RenyiFilter",
            "filters.state": "FilterState",
            "guarantees.base": "Guarantee",
            "guarantees.conversions": "convert",
            "guarantees.document": (
                "guarantee_from_document=from_document guarantee_to_document=to_document"
            ),
            "guarantees.gaussian": "GaussianDP",
            "guarantees.pointwise": "ApproxDP PrivacyProfile PureDP",
            "guarantees.renyi": "RenyiDP ZeroConcentratedDP",
            "parameters": (
                "Epsilon below read_confidence read_delta read_ends read_epsilon read_given_delta "
                "read_inside read_positive written"
            ),
            "relation": "AddRemove Person Relation Row Substitute Unit read_relation",
            "sentences": "Meaning allowance epsilon_at meaning secret",
            "theorems": "",
            "greatest_epsilon": "check_scale check_usable usable_epsilon",
        },
    )
