"""From the moments of a privacy loss to its profile, with proven bounds."""

from sfumato.privacy.inversion.profile import LossProfile

__all__ = ["LossProfile"]
