"""Words that the figures of several checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.numeric import Ln

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

__all__ = ["counted", "least", "logarithm"]


def counted(number: int, noun: str) -> str:
    """Return how many there are of something.

    Examples
    --------
    >>> from sfumato.audit.book.wording import counted
    >>> counted(1, "pair"), counted(12000, "pair")
    ('1 pair', '12,000 pairs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def logarithm(value: Ln) -> str:
    """Return a logarithm by its name and by its figure.

    Examples
    --------
    >>> from sfumato import Ln
    >>> from sfumato.audit.book.wording import logarithm
    >>> logarithm(Ln(6))
    'ln 6 = 1.791759'
    """
    return f"ln {value.argument} = {float(value):.6f}"


def least(verdict: Verdict) -> str:
    """Return the least ε of a verdict, by its name where it is known.

    Examples
    --------
    >>> from sfumato.audit.book.wording import least
    >>> from sfumato.audit.verify import verify
    >>> least(verify({"yes": ["2/3", "1/3"], "no": ["1/3", "2/3"]}, epsilon=1))
    'ln 2 = 0.693147'
    """
    exact = verdict.epsilon.exact
    return logarithm(exact) if isinstance(exact, Ln) else f"{verdict.epsilon.bounds.upper:g}"
