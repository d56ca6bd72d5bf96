"""How one answer is randomised: a file for each protocol."""

from sfumato.survey.client.protocols.base import Protocol, Report
from sfumato.survey.client.protocols.hadamard import Hadamard
from sfumato.survey.client.protocols.hashing import Hashing
from sfumato.survey.client.protocols.permanent import Permanent
from sfumato.survey.client.protocols.response import Response
from sfumato.survey.client.protocols.subset import Subset
from sfumato.survey.client.protocols.unary import Unary
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
