"""What was done, by public parameters alone; what it costs is computed elsewhere."""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.privacy.events.base import Event
from sfumato.privacy.events.document import from_json, to_json
from sfumato.privacy.events.labelled import Approximate, Pure, Renyi, ZeroConcentrated
from sfumato.privacy.events.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    RandomizedResponse,
    SparseVector,
)
from sfumato.privacy.events.pair import Pair
from sfumato.privacy.events.structure import (
    Composed,
    FixedSizeSubsampled,
    Parallel,
    Repeated,
    Shuffled,
    Subsampled,
    check_relation,
)

__all__ = [
    "Approximate",
    "Composed",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Event",
    "Exponential",
    "FixedSizeSubsampled",
    "Gaussian",
    "Laplace",
    "Pair",
    "Parallel",
    "PermuteAndFlip",
    "Pure",
    "RandomizedResponse",
    "Renyi",
    "Repeated",
    "Shuffled",
    "SparseVector",
    "Subsampled",
    "ZeroConcentrated",
    "check_relation",
    "from_json",
    "to_json",
]

if TYPE_CHECKING:
    from sfumato.privacy.events.base import HasEvent, kinds_within, literal, plain, walk
    from sfumato.privacy.events.fields import Number, positive, rational_epsilon

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "base": "HasEvent kinds_within literal plain walk",
            "fields": "Number positive rational_epsilon",
        },
    )
