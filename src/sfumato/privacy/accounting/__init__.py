"""What events cost together."""

from sfumato.privacy.accounting.composition import Composition, compose
from sfumato.privacy.accounting.explanation import Explanation

__all__ = ["Composition", "Explanation", "compose"]
