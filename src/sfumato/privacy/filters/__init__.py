"""Budgets that hold although every event is chosen after seeing all earlier results."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.filters.advanced import AdvancedFilter
    from sfumato.privacy.filters.base import PrivacyFilter
    from sfumato.privacy.filters.choice import filter_for
    from sfumato.privacy.filters.concentrated import ConcentratedFilter
    from sfumato.privacy.filters.gaussian import GaussianFilter
    from sfumato.privacy.filters.mixture import MixtureFilter
    from sfumato.privacy.filters.odometer import Odometer
    from sfumato.privacy.filters.pure import PureFilter
    from sfumato.privacy.filters.renyi import RenyiFilter
    from sfumato.privacy.filters.state import FilterState

__all__ = [
    "AdvancedFilter",
    "ConcentratedFilter",
    "FilterState",
    "GaussianFilter",
    "MixtureFilter",
    "Odometer",
    "PrivacyFilter",
    "PureFilter",
    "RenyiFilter",
    "filter_for",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "advanced": "AdvancedFilter",
        "base": "PrivacyFilter",
        "choice": "filter_for",
        "concentrated": "ConcentratedFilter",
        "gaussian": "GaussianFilter",
        "mixture": "MixtureFilter",
        "odometer": "Odometer",
        "pure": "PureFilter",
        "renyi": "RenyiFilter",
        "state": "FilterState",
    },
)
