"""Whether anybody can tell who was in the training data, and what the promise allows."""

from sfumato.audit.membership.attack import membership
from sfumato.audit.membership.curve import RocCurve
from sfumato.audit.membership.one_run import one_run
from sfumato.audit.membership.report import LowRate, MembershipReport
from sfumato.audit.membership.threshold import Threshold

__all__ = [
    "LowRate",
    "MembershipReport",
    "RocCurve",
    "Threshold",
    "membership",
    "one_run",
]
