"""From the text to one parsed SELECT; nothing of the parser's own messages is shown."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.sql.dialect import kind, matching, refusal, refused_node, shortened
from sfumato.tables.sql.names import DEFAULT
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlglot.expressions import Expr
    from sqlglot.tokenizer_core import Token


_WORDS = {"VAR", "IDENTIFIER", "STRING", "NUMBER"}
_LEAVES = {"Identifier", "Literal", "Var"}
#: Words of the grammar that the tokenizer takes for names.
_GRAMMAR = {"within"}
MOST_CHARACTERS = 100_000
MOST_WORDS = 12_000
MOST_NESTED = 25
MOST_SELECTS = 25
#: Joins whose ON is still to come.
MOST_WAITING = 4
#: Brackets behind the name of a type: the parser takes twice as long for each.
MOST_TYPES = 3

_PLAIN = mark("columns, values and functions of them")
_EXAMPLE = mark("write SELECT COUNT(*) FROM patients, say")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_CLOSING = {"L_PAREN": "R_PAREN", "CASE": "END"}
#: Brackets of nothing that is answered; the parser takes long over them.
_OTHER_BRACKETS = {"L_BRACKET", "R_BRACKET", "L_BRACE", "R_BRACE", "BLOCK_START", "BLOCK_END"}
_ENDINGS = "; \t\r\n"
_PREFIXES = {"NOT", "DASH", "PLUS", "TILDE", "PARAMETER"}
#: Names that the parser takes for those of another function.
_SAMPLE_ESTIMATES = {"VAR_SAMP", "VARIANCE_SAMP"}
#: How the parser fails on text that is no SQL, its own oversights included.
_FAILURES = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Parsed:
    """A text of SQL: its one SELECT, the words it was written with, and texts in double quotes."""

    select: Expr
    tokens: Sequence[Token]
    quoted: tuple[str, ...] = ()


def parse_select(text: str, dialect: str = DEFAULT) -> Parsed:
    """Return the SELECT that a text is, or say in one sentence why it is none."""
    _check_text(text)
    text = text.rstrip(_ENDINGS)
    tokens = _tokens(text, dialect)
    _check_statement(tokens)
    _check_brackets(tokens, dialect)
    select = _parsed(text, dialect)
    if kind(select) != "Select":
        raise refused_node(select)
    texts = [each for each in tokens if each.token_type.name == "STRING"]
    quoted = tuple(each.text for each in texts if text[each.start] == '"')
    return Parsed(select, tokens, quoted)


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "the SQL was given as {kind}, not as text",
            "{example}",
            kind=type(text).__name__,
            example=_EXAMPLE,
        )
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the SQL has {count} characters",
            "write a query of at most {most_characters}",
            count=len(text),
            most_characters=MOST_CHARACTERS,
        )
    found = _HIDDEN.search(text)
    if found is not None:
        raise InputError(
            "E-SQL-SYNTAX",
            "the SQL has the hidden character U+{ord:04X} {place}",
            "write it without",
            ord=ord(found.group()),
            place=_place(text, found.start()),
        )


def _place(text: str, index: int) -> str:
    before = text[:index].split("\n")
    return tr("in line {line}, column {column}", line=len(before), column=len(before[-1]) + 1)


def _tokens(text: str, dialect: str) -> Sequence[Token]:
    import sqlglot

    try:
        return sqlglot.tokenize(text, dialect=dialect)
    except (sqlglot.errors.SqlglotError, *_FAILURES):
        raise InputError(
            "E-SQL-SYNTAX",
            "the SQL cannot be split into words",
            "close every quote and every comment",
        ) from None


def _check_statement(tokens: Sequence[Token]) -> None:
    words = [each.token_type.name for each in tokens]
    while words and words[-1] == "SEMICOLON":
        words.pop()
    if not words:
        raise InputError("E-SQL-SYNTAX", "the SQL asks nothing", "{example}", example=_EXAMPLE)
    if words[0] not in {"SELECT", "WITH"}:
        first = shortened(tokens[0].text.upper(), 20)
        raise refusal(
            of=tr("a statement that begins with {first!r}", first=first), write=mark("one SELECT")
        )
    if "SEMICOLON" in words:
        raise refusal(of=mark("a second statement"), write=mark("one SELECT"))
    _check_length(words)
    _check_words(tokens)


def _check_length(words: Sequence[str]) -> None:
    """Refuse a text that would take long to read."""
    if len(words) > MOST_WORDS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the SQL has {count} words and signs",
            "write at most {most_words}",
            count=len(words),
            most_words=MOST_WORDS,
        )
    for word in ("SELECT", "JOIN"):
        count = sum(each.endswith(word) for each in words)
        if count > MOST_SELECTS:
            raise refusal(
                of=tr("a query with {count} times {word}", count=count, word=word),
                write=tr(
                    "{word} at most {most_selects} times", word=word, most_selects=MOST_SELECTS
                ),
            )
    _check_joins(words)


def _check_joins(words: Sequence[str]) -> None:
    """Refuse joins without ON, of which each takes the parser twice as long as the one before."""
    waiting = 0
    for word in words:
        waiting += word.endswith("JOIN")
        waiting -= waiting > 0 and word in {"ON", "USING"}
        if waiting > MOST_WAITING:
            raise refusal(
                of=mark("a join without ON"), write=mark("ON v.zip = r.zip, or USING (zip)")
            )


def _check_words(tokens: Sequence[Token]) -> None:
    """Refuse what the parser would pass over, or take for something else."""
    for each, following in zip(tokens, [*tokens[1:], None], strict=True):
        if each.token_type.name in _OTHER_BRACKETS:
            raise refusal(
                of=tr("a list, a struct or a template ({text})", text=each.text), write=_PLAIN
            )
        if any(comment.startswith("+") for comment in each.comments):
            raise refusal(of=mark("a hint"), write=mark("the query without it"))
        if each.text.upper() in _SAMPLE_ESTIMATES and each.token_type.name == "VAR":
            raise refusal(of=each.text.upper(), write="VAR_POP")
        after = "" if following is None else following.text.upper()
        if each.text.upper() == "NULLS" and after in {"FIRST", "LAST"}:
            raise refusal(
                of=tr("NULLS {text}", text=after),
                write=mark("ORDER BY without it"),
            )


def _check_brackets(tokens: Sequence[Token], dialect: str) -> None:
    """Refuse brackets that the parser would forgive, and those that take it too deep."""
    from sqlglot.dialects.dialect import Dialect

    types = Dialect.get_or_raise(dialect).parser_class.TYPE_TOKENS
    awaited: list[tuple[str, bool]] = []
    run, before = 0, None
    for each in tokens:
        name = each.token_type.name
        run = run + 1 if name in _PREFIXES else 0
        if name in _CLOSING:
            awaited.append((_CLOSING[name], before in types))
        elif name in _CLOSING.values() and (not awaited or awaited.pop()[0] != name):
            raise _unbalanced()
        of_types = sum(is_type for _, is_type in awaited)
        if len(awaited) + run > MOST_NESTED or of_types > MOST_TYPES:
            raise too_deep()
        before = each.token_type
    if awaited:
        raise _unbalanced()


def _unbalanced() -> InputError:
    return InputError(
        "E-SQL-SYNTAX",
        "the SQL has a bracket or a CASE that is not closed, or not opened",
        "write as many ) as ( and an END for each CASE",
    )


def too_deep() -> InputError:
    """Return the error about a text that nests too deep."""
    return InputError(
        "E-QUESTION-TOO-LARGE",
        "the SQL nests too deep",
        "write expressions of at most {most_nested} levels of brackets",
        most_nested=MOST_NESTED,
    )


def _parsed(text: str, dialect: str) -> Expr:
    import sqlglot

    try:
        return sqlglot.parse_one(text, dialect=dialect)
    except sqlglot.errors.ParseError as error:
        place = _reported(error.errors)
    except RecursionError:
        raise too_deep() from None
    except (sqlglot.errors.SqlglotError, *_FAILURES):
        place = ""
    raise InputError(
        "E-SQL-SYNTAX",
        "the SQL cannot be read{place}",
        "check its commas and brackets, or {example}",
        place=place,
        example=_EXAMPLE,
    )


def _reported(errors: Sequence[dict[str, Any]]) -> str:
    where = errors[0] if errors else {}
    line, column = where.get("line"), where.get("col")
    return (
        tr(" near line {line}, column {column}", line=line, column=column)
        if line and column
        else ""
    )


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
