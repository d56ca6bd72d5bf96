"""What events cost together."""

from sfumato.privacy.accounting.composition import Composition, compose

__all__ = ["Composition", "compose"]
