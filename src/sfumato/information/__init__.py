"""How uncertain is a distribution, and how far apart are two."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.information.channels.blahut_arimoto import Capacity, capacity
    from sfumato.information.channels.bounds import EpsilonBounds, epsilon_bounds
    from sfumato.information.channels.channel import Channel, as_channel, leakage, maximal_leakage
    from sfumato.information.channels.channel_certificate import ChannelCertificate
    from sfumato.information.channels.private import PrivateChannel, private_channel
    from sfumato.information.channels.release_problem import are_consecutive, greatest_ratio
    from sfumato.information.codes.arithmetic import (
        ArithmeticCode,
        arithmetic_code,
        arithmetic_decode,
        arithmetic_length,
    )
    from sfumato.information.codes.huffman import blocks, huffman, shannon_code
    from sfumato.information.codes.kraft import KraftSum, kraft_sum
    from sfumato.information.codes.prefix import PrefixCode
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
    from sfumato.information.joint import Joint
    from sfumato.information.lemmas import (
        BoundedNeighbour,
        BoundedPair,
        KLBounds,
        bounded_neighbour,
        bounded_pair,
        kl_bounds,
    )
    from sfumato.information.likelihood import MaxWitness, StickWitness, align
    from sfumato.information.maxent.constraints import Marginal, Moment, marginal, moment
    from sfumato.information.maxent.solution import MaximumEntropy, maximum_entropy
    from sfumato.information.validate import frame_axes, is_frame

__all__ = [
    "ArithmeticCode",
    "BoundedNeighbour",
    "BoundedPair",
    "Capacity",
    "Channel",
    "ChannelCertificate",
    "Distribution",
    "EpsilonBounds",
    "Joint",
    "KLBounds",
    "KraftSum",
    "Marginal",
    "MaxWitness",
    "MaximumEntropy",
    "Moment",
    "PrefixCode",
    "PrivateChannel",
    "StickWitness",
    "align",
    "arithmetic_code",
    "arithmetic_decode",
    "arithmetic_length",
    "blocks",
    "bounded_neighbour",
    "bounded_pair",
    "capacity",
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "epsilon_bounds",
    "hockey_stick",
    "huffman",
    "information_content",
    "joint_entropy",
    "kl_bounds",
    "kl_divergence",
    "kraft_sum",
    "leakage",
    "marginal",
    "max_divergence",
    "maximal_leakage",
    "maximum_entropy",
    "moment",
    "mutual_information",
    "private_channel",
    "renyi_divergence",
    "shannon_code",
    "statistical_distance",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "channels.blahut_arimoto": "Capacity capacity",
            "channels.bounds": "EpsilonBounds epsilon_bounds",
            "channels.channel": "Channel as_channel leakage maximal_leakage",
            "channels.channel_certificate": "ChannelCertificate",
            "channels.private": "PrivateChannel private_channel",
            "channels.release_problem": "are_consecutive greatest_ratio",
            "codes.arithmetic": (
                "ArithmeticCode arithmetic_code arithmetic_decode arithmetic_length"
            ),
            "codes.huffman": "blocks huffman shannon_code",
            "codes.kraft": "KraftSum kraft_sum",
            "codes.prefix": "PrefixCode",
            "distribution": "Distribution",
            "divergence": (
                "hockey_stick kl_divergence max_divergence renyi_divergence statistical_distance"
            ),
            "entropies": (
                "conditional_entropy cross_entropy entropy information_content joint_entropy "
                "mutual_information"
            ),
            "joint": "Joint",
            "lemmas": (
                "BoundedNeighbour BoundedPair KLBounds bounded_neighbour bounded_pair kl_bounds"
            ),
            "likelihood": "MaxWitness StickWitness align",
            "maxent.constraints": "Marginal Moment marginal moment",
            "maxent.solution": "MaximumEntropy maximum_entropy",
            "validate": "frame_axes is_frame",
        },
    )
