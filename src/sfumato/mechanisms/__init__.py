"""How a value is protected: one file a mechanism."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.mechanisms import sensitivity
    from sfumato.mechanisms.base import Mechanism
    from sfumato.mechanisms.choices.exponential import Exponential
    from sfumato.mechanisms.choices.partition_selection import PartitionSelection
    from sfumato.mechanisms.choices.permute_and_flip import PermuteAndFlip
    from sfumato.mechanisms.choices.randomized_response import RandomizedResponse
    from sfumato.mechanisms.choices.report_noisy_max import ReportNoisyMax
    from sfumato.mechanisms.choices.tabulated import Tabulated
    from sfumato.mechanisms.distributions.grid import GridDistribution
    from sfumato.mechanisms.distributions.integers import IntegerDistribution
    from sfumato.mechanisms.distributions.output import FiniteDistribution, OutputDistribution
    from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
    from sfumato.mechanisms.estimators.exponential_quantile import ExponentialQuantile
    from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
    from sfumato.mechanisms.estimators.public_grid import PublicGrid
    from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
    from sfumato.mechanisms.estimators.sampled import (
        FixedSizeSampled,
        PoissonSampled,
        sampled,
    )
    from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
    from sfumato.mechanisms.noise.discrete_gaussian import DiscreteGaussian
    from sfumato.mechanisms.noise.discrete_laplace import DiscreteLaplace
    from sfumato.mechanisms.noise.gaussian import Gaussian
    from sfumato.mechanisms.noise.laplace import Laplace
    from sfumato.mechanisms.noise.staircase import Staircase
    from sfumato.mechanisms.privtree.private_tree import PrivateTree
    from sfumato.mechanisms.released import Released
    from sfumato.mechanisms.sparse.session import SparseVectorSession
    from sfumato.mechanisms.sparse.vector import SparseVector

__all__ = [
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Exponential",
    "ExponentialMedian",
    "ExponentialQuantile",
    "FiniteDistribution",
    "FixedSizeSampled",
    "Gaussian",
    "Laplace",
    "Mechanism",
    "OutputDistribution",
    "PartitionSelection",
    "PermuteAndFlip",
    "PoissonSampled",
    "PrivateTree",
    "ProposeTestRelease",
    "RandomizedResponse",
    "Released",
    "ReportNoisyMax",
    "SampleAndAggregate",
    "SmoothMedian",
    "SparseVector",
    "SparseVectorSession",
    "Staircase",
    "Tabulated",
    "sampled",
    "sensitivity",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "base": "Mechanism",
            "choices.exponential": "Exponential",
            "choices.partition_selection": "PartitionSelection",
            "choices.permute_and_flip": "PermuteAndFlip",
            "choices.randomized_response": "RandomizedResponse",
            "choices.report_noisy_max": "ReportNoisyMax",
            "choices.tabulated": "Tabulated",
            "distributions.grid": "GridDistribution",
            "distributions.integers": "IntegerDistribution",
            "distributions.output": "FiniteDistribution OutputDistribution",
            "estimators.exponential_median": "ExponentialMedian",
            "estimators.exponential_quantile": "ExponentialQuantile",
            "estimators.propose_test_release": "ProposeTestRelease",
            "estimators.public_grid": "PublicGrid",
            "estimators.sample_aggregate": "SampleAndAggregate",
            "estimators.sampled": "FixedSizeSampled PoissonSampled sampled",
            "estimators.smooth_median": "SmoothMedian",
            "noise.discrete_gaussian": "DiscreteGaussian",
            "noise.discrete_laplace": "DiscreteLaplace",
            "noise.gaussian": "Gaussian",
            "noise.laplace": "Laplace",
            "noise.staircase": "Staircase",
            "released": "Released",
            "sensitivity": "",
            "sparse.session": "SparseVectorSession",
            "sparse.vector": "SparseVector",
            "privtree.private_tree": "PrivateTree",
        },
    )
