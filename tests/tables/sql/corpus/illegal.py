"""Queries that are refused, each with the construct that its sentence begins with."""

from __future__ import annotations

from tests.tables.sql.clinic import where
from tests.tables.sql.corpus.mistakes import MISTAKES
from tests.tables.sql.corpus.outside import CONSTRUCTS, EXPRESSIONS
from tests.tables.sql.corpus.structure import ELSEWHERE, STRUCTURE
from tests.tables.sql.corpus.unreadable import UNREADABLE

__all__ = ["ILLEGAL", "OUTSIDE"]

#: Outside the language: the sentence names the construct first.
OUTSIDE = {
    **CONSTRUCTS,
    **{where(text): begins for text, begins in EXPRESSIONS.items()},
    **STRUCTURE,
    **ELSEWHERE,
}
#: All of them.
ILLEGAL = (*OUTSIDE, *MISTAKES, *(text for text in UNREADABLE if isinstance(text, str)))
