"""Whether anybody can tell who was in the training data, and what the guarantee allows."""

from sfumato.audit.membership_inference.attack import membership, one_run
from sfumato.audit.membership_inference.report import LowRate, MembershipReport
from sfumato.audit.membership_inference.threshold import RocCurve, Threshold

__all__ = ["LowRate", "MembershipReport", "RocCurve", "Threshold", "membership", "one_run"]
