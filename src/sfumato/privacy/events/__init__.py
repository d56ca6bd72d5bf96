"""What was done, by public parameters alone; what it costs is computed elsewhere."""

from sfumato.privacy.events.amplified import FixedSizeSubsampled, Shuffled, Subsampled
from sfumato.privacy.events.base import Event
from sfumato.privacy.events.choices import (
    Exponential,
    PermuteAndFlip,
    RandomizedResponse,
    SparseVector,
)
from sfumato.privacy.events.document import from_json, to_json
from sfumato.privacy.events.labelled import Approximate, Pure, Renyi, ZeroConcentrated
from sfumato.privacy.events.noise import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from sfumato.privacy.events.relations import check_relation
from sfumato.privacy.events.structure import Composed, Parallel, Repeated

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
