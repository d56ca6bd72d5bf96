"""What a report guarantees its person, in the words of the rest of sfumato."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.privacy import PureDP
    from sfumato.survey.client.ratios import Loss

__all__ = ["guarantee_of"]


def guarantee_of(loss: Loss) -> PureDP:
    """Return the guarantee for one person's answers; loads more than a client needs."""
    from sfumato.privacy import Person, PureDP, Substitute

    return PureDP(epsilon=loss.text, relation=Substitute(unit=Person()))
