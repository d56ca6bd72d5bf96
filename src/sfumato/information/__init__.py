"""How uncertain is a distribution, and how far apart are two."""

from sfumato.information.distribution import Distribution
from sfumato.information.divergence import (
    hockey_stick,
    kl_divergence,
    max_divergence,
    renyi_divergence,
    statistical_distance,
)
from sfumato.information.entropy import (
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
from sfumato.information.pairs import align

__all__ = [
    "BoundedNeighbour",
    "BoundedPair",
    "Distribution",
    "Joint",
    "KLBounds",
    "MaxWitness",
    "StickWitness",
    "align",
    "bounded_neighbour",
    "bounded_pair",
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "hockey_stick",
    "information_content",
    "joint_entropy",
    "kl_bounds",
    "kl_divergence",
    "max_divergence",
    "mutual_information",
    "renyi_divergence",
    "statistical_distance",
]
