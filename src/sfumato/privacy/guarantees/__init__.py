"""Guarantees, one file a kind: what each says, and how one is turned into another."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.guarantees.approximate import ApproxDP
    from sfumato.privacy.guarantees.base import Guarantee
    from sfumato.privacy.guarantees.concentrated import ZeroConcentratedDP
    from sfumato.privacy.guarantees.conversions import CONVERSIONS, Conversion, convert
    from sfumato.privacy.guarantees.gaussian import GaussianDP
    from sfumato.privacy.guarantees.profile import PrivacyProfile
    from sfumato.privacy.guarantees.pure import PureDP
    from sfumato.privacy.guarantees.renyi import RenyiDP

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

__getattr__, __dir__ = door(
    __name__,
    {
        "approximate": "ApproxDP",
        "base": "Guarantee",
        "concentrated": "ZeroConcentratedDP",
        "conversions": "CONVERSIONS Conversion convert",
        "gaussian": "GaussianDP",
        "profile": "PrivacyProfile",
        "pure": "PureDP",
        "renyi": "RenyiDP",
    },
)
