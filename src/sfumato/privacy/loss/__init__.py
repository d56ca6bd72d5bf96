"""Privacy losses by their moments, one file for each kind of law."""

from sfumato.privacy.loss.base import Atoms, Losses
from sfumato.privacy.loss.body import Body, ExponentialBody, NormalBody
from sfumato.privacy.loss.discrete_laplace import DiscreteLaplaceLosses, discrete_laplace
from sfumato.privacy.loss.finite import FiniteLoss, FiniteLosses
from sfumato.privacy.loss.gaussian import (
    DiscreteGaussianLosses,
    GaussianLosses,
    discrete_gaussian,
)
from sfumato.privacy.loss.gridded import gridded
from sfumato.privacy.loss.labelled import ConcentratedLosses, RenyiLosses
from sfumato.privacy.loss.laplace import BoundedRangeLosses, LaplaceLosses
from sfumato.privacy.loss.lattice import Lattice
from sfumato.privacy.loss.responses import (
    even_choice,
    response,
    sampled_finite,
    sampled_secret,
)
from sfumato.privacy.loss.sampled import Change, SampledLosses
from sfumato.privacy.loss.sampled_gaussian import SampledGaussianLosses
from sfumato.privacy.loss.shuffled import shuffled_loss, unanimous_loss
from sfumato.privacy.loss.tabulated import Bracket, profile_bracket
from sfumato.privacy.loss.tabulated_losses import TabulatedLosses
from sfumato.privacy.loss.total import TotalLosses

__all__ = [
    "Atoms",
    "Body",
    "BoundedRangeLosses",
    "Bracket",
    "Change",
    "ConcentratedLosses",
    "DiscreteGaussianLosses",
    "DiscreteLaplaceLosses",
    "ExponentialBody",
    "FiniteLoss",
    "FiniteLosses",
    "GaussianLosses",
    "LaplaceLosses",
    "Lattice",
    "Losses",
    "NormalBody",
    "RenyiLosses",
    "SampledGaussianLosses",
    "SampledLosses",
    "TabulatedLosses",
    "TotalLosses",
    "discrete_gaussian",
    "discrete_laplace",
    "even_choice",
    "gridded",
    "profile_bracket",
    "response",
    "sampled_finite",
    "sampled_secret",
    "shuffled_loss",
    "unanimous_loss",
]
