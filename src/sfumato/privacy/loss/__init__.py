"""Privacy losses by their moments, one file for each kind of distribution."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.loss.base import Atoms, LossLattice, PrivacyLosses, TotalLosses
    from sfumato.privacy.loss.finite import (
        ConcentratedLosses,
        FiniteLoss,
        FiniteLosses,
        RenyiLosses,
    )
    from sfumato.privacy.loss.gaussian import (
        DiscreteGaussianLosses,
        GaussianLosses,
        SampledGaussianLosses,
        discrete_gaussian,
    )
    from sfumato.privacy.loss.laplace import (
        BoundedRangeLosses,
        DiscreteLaplaceLosses,
        LaplaceLosses,
        discrete_laplace,
    )
    from sfumato.privacy.loss.responses import even_choice, response, sampled_finite, sampled_secret
    from sfumato.privacy.loss.sampled import (
        Body,
        Direction,
        ExponentialBody,
        NormalBody,
        SampledLosses,
    )
    from sfumato.privacy.loss.shuffled import shuffled_loss, unanimous_loss
    from sfumato.privacy.loss.tabulated import (
        LossBracket,
        TabulatedLosses,
        gridded,
        profile_bracket,
    )

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "base": "Atoms LossLattice PrivacyLosses TotalLosses",
            "finite": "ConcentratedLosses FiniteLoss FiniteLosses RenyiLosses",
            "gaussian": (
                "DiscreteGaussianLosses GaussianLosses SampledGaussianLosses discrete_gaussian"
            ),
            "laplace": "BoundedRangeLosses DiscreteLaplaceLosses LaplaceLosses discrete_laplace",
            "responses": "even_choice response sampled_finite sampled_secret",
            "sampled": "Body Direction ExponentialBody NormalBody SampledLosses",
            "shuffled": "shuffled_loss unanimous_loss",
            "tabulated": "LossBracket TabulatedLosses gridded profile_bracket",
        },
    )
