"""Budgets that hold although every event is chosen after seeing all earlier results."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.filters.additive import ConcentratedFilter, GaussianFilter, PureFilter
    from sfumato.privacy.filters.advanced import AdvancedFilter
    from sfumato.privacy.filters.amounts import root_above
    from sfumato.privacy.filters.base import PrivacyFilter, charged
    from sfumato.privacy.filters.choice import filter_for
    from sfumato.privacy.filters.costs import read_reserve
    from sfumato.privacy.filters.mixture import MixtureFilter
    from sfumato.privacy.filters.odometer import Odometer
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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "additive": "ConcentratedFilter GaussianFilter PureFilter",
            "advanced": "AdvancedFilter",
            "amounts": "root_above",
            "base": "PrivacyFilter charged",
            "choice": "filter_for",
            "costs": "read_reserve",
            "mixture": "MixtureFilter",
            "odometer": "Odometer",
            "renyi": "RenyiFilter",
            "state": "FilterState",
        },
    )
