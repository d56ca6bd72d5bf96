"""What is asked of estimates: how sure they are to be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.survey.client.ratios import read_fraction

__all__ = ["read_confidence"]


def read_confidence(confidence: Any) -> Fraction:
    """Return a confidence as it was written: at least one half, and below 1.

    Examples
    --------
    >>> from sfumato.survey.collector.reading import read_confidence
    >>> read_confidence(0.95)
    Fraction(19, 20)
    """
    level = read_fraction(confidence)
    if level is None or not Fraction(1, 2) <= level < 1:
        message = (
            f"confidence must be from 0.5 to below 1, not {shown(confidence)}; write 0.95, say"
        )
        raise InputError(message)
    return level
