"""Privacy losses by their moments, one file for each kind of distribution."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.loss.base import Atoms, PrivacyLosses
    from sfumato.privacy.loss.body import Body, ExponentialBody, NormalBody
    from sfumato.privacy.loss.discrete_laplace_losses import DiscreteLaplaceLosses, discrete_laplace
    from sfumato.privacy.loss.finite import FiniteLoss, FiniteLosses
    from sfumato.privacy.loss.gaussian import (
        DiscreteGaussianLosses,
        GaussianLosses,
        discrete_gaussian,
    )
    from sfumato.privacy.loss.grid import gridded
    from sfumato.privacy.loss.labelled import ConcentratedLosses, RenyiLosses
    from sfumato.privacy.loss.laplace import BoundedRangeLosses, LaplaceLosses
    from sfumato.privacy.loss.lattice import LossLattice
    from sfumato.privacy.loss.responses import (
        even_choice,
        response,
        sampled_finite,
        sampled_secret,
    )
    from sfumato.privacy.loss.sampled import Direction, SampledLosses
    from sfumato.privacy.loss.sampled_gaussian import SampledGaussianLosses
    from sfumato.privacy.loss.shuffled import shuffled_loss, unanimous_loss
    from sfumato.privacy.loss.tabulated import LossBracket, profile_bracket
    from sfumato.privacy.loss.tabulated_losses import TabulatedLosses
    from sfumato.privacy.loss.total import TotalLosses

__all__ = [
    "Atoms",
    "Body",
    "BoundedRangeLosses",
    "ConcentratedLosses",
    "Direction",
    "DiscreteGaussianLosses",
    "DiscreteLaplaceLosses",
    "ExponentialBody",
    "FiniteLoss",
    "FiniteLosses",
    "GaussianLosses",
    "LaplaceLosses",
    "LossBracket",
    "LossLattice",
    "NormalBody",
    "PrivacyLosses",
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

__getattr__, __dir__ = door(
    __name__,
    {
        "base": "Atoms PrivacyLosses",
        "body": "Body ExponentialBody NormalBody",
        "discrete_laplace_losses": "DiscreteLaplaceLosses discrete_laplace",
        "finite": "FiniteLoss FiniteLosses",
        "gaussian": "DiscreteGaussianLosses GaussianLosses discrete_gaussian",
        "grid": "gridded",
        "labelled": "ConcentratedLosses RenyiLosses",
        "laplace": "BoundedRangeLosses LaplaceLosses",
        "lattice": "LossLattice",
        "responses": "even_choice response sampled_finite sampled_secret",
        "sampled": "Direction SampledLosses",
        "sampled_gaussian": "SampledGaussianLosses",
        "shuffled": "shuffled_loss unanimous_loss",
        "tabulated": "LossBracket profile_bracket",
        "tabulated_losses": "TabulatedLosses",
        "total": "TotalLosses",
    },
)
