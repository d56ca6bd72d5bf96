"""A mechanism seen as a channel: what its output tells about its input."""

from sfumato.information.channels.blahut_arimoto import Capacity, capacity
from sfumato.information.channels.bounds import EpsilonBounds, epsilon_bounds
from sfumato.information.channels.channel import Channel, leakage, maximal_leakage

__all__ = [
    "Capacity",
    "Channel",
    "EpsilonBounds",
    "capacity",
    "epsilon_bounds",
    "leakage",
    "maximal_leakage",
]
