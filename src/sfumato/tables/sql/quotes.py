"""Double quotes in Spark: a text there, where other databases have the name of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.sql.names import matching
from sfumato.tables.sql.refusals import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlglot.tokenizer_core import Token


def double_quoted(text: str, tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the texts, not the names, that are written in double quotes."""
    texts = [each for each in tokens if each.token_type.name == "STRING"]
    return tuple(each.text for each in texts if text[each.start] == '"')


def check_not_columns(texts: Sequence[str], columns: Iterable[str]) -> None:
    """Refuse a text in double quotes that is the name of a column, which was meant."""
    known = list(columns)
    for each in texts:
        name = matching(each, known, quoted=False)
        if name is not None:
            short = shortened(name)
            raise InputError(
                "E-SQL-AMBIGUOUS",
                '"{each}" is a text in Spark, and there is a column of that name',
                "write `{short}` for the column, or '{each}' for the text",
                each=shortened(each),
                short=short,
            )
