"""What a report promises its person, in the words of the rest of sfumato."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.privacy import PureDP
    from sfumato.survey.client.ratios import Loss

__all__ = ["promise_of"]


def promise_of(loss: Loss) -> PureDP:
    """Return the guarantee for one person's answers; loads more than a client needs.

    Examples
    --------
    >>> from sfumato.survey.client.promise import promise_of
    >>> from sfumato.survey.client.ratios import read_loss
    >>> print(promise_of(read_loss("ln(2)")))
    ln(2)-DP (substitute one person)
    """
    from sfumato.privacy import Person, PureDP, Substitute

    return PureDP(epsilon=loss.text, relation=Substitute(unit=Person()))
