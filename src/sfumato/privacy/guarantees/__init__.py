"""Guarantees, one file a kind: what each says, and how one is turned into another."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.guarantees.base import Guarantee, multiple
    from sfumato.privacy.guarantees.conversions import CONVERSIONS, Conversion, convert
    from sfumato.privacy.guarantees.gaussian import GaussianDP
    from sfumato.privacy.guarantees.pointwise import (
        ApproxDP,
        PointwiseGuarantee,
        PrivacyProfile,
        PureDP,
    )
    from sfumato.privacy.guarantees.renyi import RenyiDP, ZeroConcentratedDP

__all__ = [
    "CONVERSIONS",
    "ApproxDP",
    "Conversion",
    "GaussianDP",
    "Guarantee",
    "PrivacyProfile",
    "PureDP",
    "RenyiDP",
    "ZeroConcentratedDP",
    "convert",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "base": "Guarantee multiple",
            "conversions": "CONVERSIONS Conversion convert",
            "gaussian": "GaussianDP",
            "pointwise": "ApproxDP PointwiseGuarantee PrivacyProfile PureDP",
            "renyi": "RenyiDP ZeroConcentratedDP",
        },
    )
