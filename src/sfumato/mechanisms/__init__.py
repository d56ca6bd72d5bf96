"""How a value is protected: one file a mechanism."""

from sfumato.mechanisms import sensitivity
from sfumato.mechanisms.base import Mechanism
from sfumato.mechanisms.discrete_gaussian import DiscreteGaussian
from sfumato.mechanisms.discrete_laplace import DiscreteLaplace
from sfumato.mechanisms.exponential import Exponential
from sfumato.mechanisms.gaussian import Gaussian
from sfumato.mechanisms.laplace import Laplace
from sfumato.mechanisms.laws import FiniteLaw, Law
from sfumato.mechanisms.partition_selection import PartitionSelection
from sfumato.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.mechanisms.randomized_response import RandomizedResponse
from sfumato.mechanisms.released import Released
from sfumato.mechanisms.report_noisy_max import ReportNoisyMax
from sfumato.mechanisms.staircase import Staircase

__all__ = [
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Exponential",
    "FiniteLaw",
    "Gaussian",
    "Laplace",
    "Law",
    "Mechanism",
    "PartitionSelection",
    "PermuteAndFlip",
    "RandomizedResponse",
    "Released",
    "ReportNoisyMax",
    "Staircase",
    "sensitivity",
]
