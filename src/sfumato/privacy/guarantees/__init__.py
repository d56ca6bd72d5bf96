"""Promises, one file a kind: what each says, and how one is turned into another."""

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
