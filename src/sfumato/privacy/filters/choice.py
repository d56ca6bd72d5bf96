"""Which filter keeps which budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.privacy.filters.base import check_budget
from sfumato.privacy.filters.concentrated import ConcentratedFilter
from sfumato.privacy.filters.gaussian import GaussianFilter
from sfumato.privacy.filters.mixture import MixtureFilter
from sfumato.privacy.filters.pure import PureFilter
from sfumato.privacy.filters.renyi import RenyiFilter
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.filters.base import PrivacyFilter

__all__ = ["filter_for"]

_FILTERS: dict[type[Guarantee], Callable[[Any], PrivacyFilter]] = {
    PureDP: PureFilter,
    ApproxDP: MixtureFilter,
    ZeroConcentratedDP: ConcentratedFilter,
    GaussianDP: GaussianFilter,
    RenyiDP: RenyiFilter,
}


def filter_for(budget: Guarantee) -> PrivacyFilter:
    """Return the filter that keeps a budget.

    Parameters
    ----------
    budget
        Pure, approximate, zero-concentrated, Gaussian or Rényi privacy.  An approximate budget is
        kept by ``MixtureFilter``, which takes every kind of event.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.privacy.filters import filter_for
    >>> budget = filter_for(sf.ApproxDP(epsilon=1, delta=1e-6))
    >>> budget.remaining_count(sf.events.Gaussian(sigma=40))
    75
    """
    check_budget(budget, "filter_for", *_FILTERS)
    return next(make(budget) for kind, make in _FILTERS.items() if isinstance(budget, kind))
