"""The language of rows: expressions that have a value, or null, on every row of every table."""

from sfumato.tables.expressions.compile import column_types, compile_expression, type_of
from sfumato.tables.expressions.documents import document, from_document
from sfumato.tables.expressions.nodes import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    When,
    as_expression,
    coalesce,
    col,
    greatest,
    least,
    lit,
    when,
)

__all__ = [
    "Case",
    "Cast",
    "Column",
    "Expression",
    "FunctionCall",
    "Literal",
    "When",
    "as_expression",
    "coalesce",
    "col",
    "column_types",
    "compile_expression",
    "document",
    "from_document",
    "greatest",
    "least",
    "lit",
    "type_of",
    "when",
]
