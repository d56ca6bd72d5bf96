"""What a lenient parser passed over: a word of the text that is nowhere in what it made of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.sql.refusals import shortened
from sfumato.tables.sql.shapes import kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlglot.expressions import Expr
    from sqlglot.tokenizer_core import Token

_WORDS = {"VAR", "IDENTIFIER", "STRING", "NUMBER"}
_LEAVES = {"Identifier", "Literal", "Var"}
#: Words of the grammar that the tokenizer takes for names.
_GRAMMAR = {"within"}


def check_all_read(tokens: Sequence[Token], select: Expr) -> None:
    """Refuse a text in which a name, a text or a number does not count."""
    read = Counter(_read(select))
    for each in _words(tokens):
        text = _plain(each)
        if not read[text]:
            raise InputError(
                "E-SQL-UNSUPPORTED",
                "the SQL has {text!r} in line {line}, where it means nothing to a private table",
                "leave it out",
                text=shortened(each.text),
                line=each.line,
            )
        read[text] -= 1


def _read(select: Expr) -> Iterator[str]:
    """Yield the names, texts and numbers of a parsed query."""
    for node in select.walk():
        if kind(node) in _LEAVES and not _is_made(node):
            yield str(node.this).casefold()
        if kind(node) == "Interval":
            yield f"{node.name} {node.text('unit')}".casefold()


def _is_made(node: Expr) -> bool:
    """Tell whether the parser made up a number: the -1 of days that are taken away."""
    above = [each for each in (node.parent, node.parent and node.parent.parent) if each]
    product = above[-1].parent if len(above) == 2 else None
    return [kind(each) for each in (*above, product)] == ["Neg", "Mul", "TsOrDsAdd"]


def _words(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens that should be found again, names of functions left out."""
    before = [None, *tokens]
    for previous, token, following in zip(before, tokens, [*tokens[1:], None], strict=False):
        name = token.token_type.name
        called = name == "VAR" and following is not None and following.text == "("
        fraction = name == "NUMBER" and previous is not None and previous.text == "."
        if name in _WORDS and not called and not fraction and _plain(token) not in _GRAMMAR:
            yield token


def _plain(token: Token) -> str:
    text = token.text.casefold()
    return text.replace("_", "") if token.token_type.name == "NUMBER" else text
