"""What events cost together."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.accounting.composition import Composition, compose
    from sfumato.privacy.accounting.explanation import Explanation

__all__ = ["Composition", "Explanation", "compose"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "composition": "Composition compose",
            "explanation": "Explanation",
        },
    )
