"""Expressions over one row, from the nodes of the parsed text."""

from sfumato.tables.sql.rows.translating import row_expression

__all__ = ["row_expression"]
