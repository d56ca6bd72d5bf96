"""How long a text may be that an expression takes.

A cell may hold a gigabyte, and functions of texts fail long before: PostgreSQL's need up to eight
bytes for each of it, of one gigabyte in all, and Spark's some dozens.  So a longer text is null
where an expression takes it; ids of people are told apart as they are.
"""

from __future__ import annotations

__all__ = ["LONGEST_TEXT"]

#: In bytes.
LONGEST_TEXT = 1_000_000
