"""The question that a receipt was written for, as far as the receipt tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.wording import purpose_in_words
from sfumato.privacy.certified import question_digits

if TYPE_CHECKING:
    from sfumato.ledger import Receipt

__all__ = ["is_for_question", "question_charged"]

#: How the purpose of a charge for an answer ends; one in words of somebody's own does not.
_END = re.compile(r" \(plan [0-9a-f]{16}, question ([0-9a-f]{32})\)\Z")
_SHOWN = 200


def is_for_question(receipt: Receipt, document: dict[str, Any]) -> bool | None:
    """Tell whether a receipt is for the question of a certificate; None if it does not say."""
    end = _END.search(receipt.purpose)
    return None if end is None else end[1] == question_digits(document["query"], document["policy"])


def question_charged(receipt: Receipt) -> str:
    """Return the question that a receipt is for in words, the beginning of a long one."""
    words = purpose_in_words(receipt.purpose)
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
