"""Words that the figures of several checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.numeric import Ln
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

__all__ = ["least", "logarithm"]


def logarithm(value: Ln) -> str:
    """Return a logarithm by its name and by its figure."""
    return tr("ln {argument} = {value:.6f}", argument=value.argument, value=float(value))


def least(verdict: Verdict) -> str:
    """Return the least ε of a verdict, by its name where it is known."""
    exact = verdict.epsilon.exact
    return logarithm(exact) if isinstance(exact, Ln) else f"{verdict.epsilon.bounds.upper:g}"
