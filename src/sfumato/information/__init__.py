"""How uncertain is a distribution, and how far apart are two."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.information.channels import (
        Capacity,
        Channel,
        EpsilonBounds,
        capacity,
        epsilon_bounds,
        leakage,
        maximal_leakage,
    )
    from sfumato.information.distribution import Distribution
    from sfumato.information.divergence import (
        hockey_stick,
        kl_divergence,
        max_divergence,
        renyi_divergence,
        statistical_distance,
    )
    from sfumato.information.entropies import (
        conditional_entropy,
        cross_entropy,
        entropy,
        information_content,
        joint_entropy,
        mutual_information,
    )
    from sfumato.information.events import MaxWitness, StickWitness
    from sfumato.information.joint import Joint
    from sfumato.information.lemmas import (
        BoundedNeighbour,
        BoundedPair,
        KLBounds,
        bounded_neighbour,
        bounded_pair,
        kl_bounds,
    )
    from sfumato.information.maxent import (
        Marginal,
        MaximumEntropy,
        Moment,
        marginal,
        maximum_entropy,
        moment,
    )
    from sfumato.information.pairs import align

__all__ = [
    "BoundedNeighbour",
    "BoundedPair",
    "Capacity",
    "Channel",
    "Distribution",
    "EpsilonBounds",
    "Joint",
    "KLBounds",
    "Marginal",
    "MaxWitness",
    "MaximumEntropy",
    "Moment",
    "StickWitness",
    "align",
    "bounded_neighbour",
    "bounded_pair",
    "capacity",
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "epsilon_bounds",
    "hockey_stick",
    "information_content",
    "joint_entropy",
    "kl_bounds",
    "kl_divergence",
    "leakage",
    "marginal",
    "max_divergence",
    "maximal_leakage",
    "maximum_entropy",
    "moment",
    "mutual_information",
    "renyi_divergence",
    "statistical_distance",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "channels": (
            "Capacity Channel EpsilonBounds capacity epsilon_bounds leakage maximal_leakage"
        ),
        "distribution": "Distribution",
        "divergence": (
            "hockey_stick kl_divergence max_divergence renyi_divergence statistical_distance"
        ),
        "entropies": (
            "conditional_entropy cross_entropy entropy information_content joint_entropy "
            "mutual_information"
        ),
        "events": "MaxWitness StickWitness",
        "joint": "Joint",
        "lemmas": "BoundedNeighbour BoundedPair KLBounds bounded_neighbour bounded_pair kl_bounds",
        "maxent": "Marginal MaximumEntropy Moment marginal maximum_entropy moment",
        "pairs": "align",
    },
)
