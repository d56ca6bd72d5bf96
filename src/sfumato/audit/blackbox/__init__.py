"""Black-box audits: what draws alone prove about a release, with a stated false positive rate."""

from sfumato.audit.blackbox.audit import audit
from sfumato.audit.blackbox.pairs import PairSearch, search_pairs
from sfumato.audit.blackbox.report import AuditReport

__all__ = ["AuditReport", "PairSearch", "audit", "search_pairs"]
