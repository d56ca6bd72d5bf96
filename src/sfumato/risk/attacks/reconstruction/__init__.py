"""A column of 0 and 1, reconstructed from many answers about subsets of the people."""

from sfumato.risk.attacks.reconstruction.attack import reconstruct
from sfumato.risk.attacks.reconstruction.report import Reconstruction

__all__ = ["Reconstruction", "reconstruct"]
