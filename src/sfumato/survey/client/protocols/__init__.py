"""How one answer is randomised: a file for each protocol."""

from sfumato.survey.client.protocols.frequency_oracles import (
    Hadamard,
    Hashing,
    Response,
    Subset,
    Unary,
)
from sfumato.survey.client.protocols.permanent import Permanent
from sfumato.survey.client.protocols.protocol import Protocol, Report
from sfumato.survey.client.protocols.window import Window

__all__ = [
    "Hadamard",
    "Hashing",
    "Permanent",
    "Protocol",
    "Report",
    "Response",
    "Subset",
    "Unary",
    "Window",
]
