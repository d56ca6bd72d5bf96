"""Sfumato: the picture stays, the person blurs.

For people who hold a table about people: see how exposed it is, answer questions about it under
differential privacy, and let anyone re-check the promise.
"""

from sfumato import information
from sfumato.errors import InputError, InternalError, RefusedError, SfumatoError
from sfumato.numeric import Enclosure, Ln

__version__ = "0.1.0"

__all__ = [
    "Enclosure",
    "InputError",
    "InternalError",
    "Ln",
    "RefusedError",
    "SfumatoError",
    "__version__",
    "information",
]
