"""Rigorous enclosures for laws that are no finite tables, judged by their form."""

from sfumato.audit.enclosed.compare import compare_laws
from sfumato.audit.enclosed.forms import is_law

__all__ = ["compare_laws", "is_law"]
