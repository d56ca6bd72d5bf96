"""Reading what a sampler is asked for, before a bit is drawn."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import exact, read_count, shown
from sfumato.refusal import Argument
from sfumato.sampling.source import BitSource, system_source

__all__ = ["read_positive", "read_scale", "read_size", "read_source"]

_MOST_DRAWS = 1 << 40
#: The least scale is what the float 1e-6 stores, which is a little less than a millionth.
_LEAST, _GREATEST = Fraction(1e-6), Fraction(10**18)


def read_size(size: Any, name: str = "size") -> int:
    """Return how many draws are asked for: a whole number of 0 or more."""
    return read_count(size, name, least=0, most=_MOST_DRAWS)


def read_source(source: Any) -> BitSource:
    """Return where bits come from: the given source, or the operating system's for None.

    Examples
    --------
    >>> from sfumato.sampling import system_source
    >>> from sfumato.sampling.reading import read_source
    >>> read_source(None) is system_source()
    True
    """
    if source is None:
        return system_source()
    if not isinstance(source, BitSource):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "source must be a source of bits, not {source}",
            "leave it out, or in tests write source=SeededSource(1)",
            source=shown(source),
        )
    return source


def read_scale(scale: Any, name: str = "scale") -> Fraction:
    """Return the scale of whole-number noise, exactly, or refuse what cannot be drawn.

    Examples
    --------
    >>> from sfumato.sampling import read_scale
    >>> read_scale(0.5)
    Fraction(1, 2)
    >>> read_scale(1e20)
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: scale must be from 1e-6 to 1e18, not 1e+20; choose other units
    """
    number = read_positive(scale, name)
    if not _LEAST <= number <= _GREATEST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be from 1e-6 to 1e18, not {scale}",
            "choose other units",
            name=Argument(name),
            scale=shown(scale),
        )
    return number


def read_positive(value: Any, name: str = "scale") -> Fraction:
    """Return a number above 0, exactly: a float is the rational it stores."""
    if isinstance(value, (bool, str)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, not {value}",
            "write 10, say",
            name=Argument(name),
            value=shown(value),
        )
    number = exact(value, name)
    if number.numerator <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "write 10, say",
            name=Argument(name),
            value=shown(value),
        )
    return number
