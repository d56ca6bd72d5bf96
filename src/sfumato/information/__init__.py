"""How uncertain is a distribution, and how far apart are two."""

from sfumato.information.distribution import Distribution

__all__ = ["Distribution"]
