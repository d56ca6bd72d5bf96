"""Rigorous enclosures for distributions that are no finite tables, judged by their form."""

from sfumato.audit.enclosed.compare import compare_distributions
from sfumato.audit.enclosed.forms import is_distribution

__all__ = ["compare_distributions", "is_distribution"]
