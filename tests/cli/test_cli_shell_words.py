"""Hints of the shell: no word of Python is left over, and no form eats a part of another."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
from sfumato.cli.shell_words import shell_words

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What a sentence of the shell has no place for.
PYTHON = re.compile(
    r"\bsf\.|\w=[\[{(\"']|\b(None|True|False|float|datetime|with_columns|per_person)\b"
    r"|\b(filter|join|group_by|declare|rename|is_in|is_null|encode|collect|to_pandas)\("
    r"|(?<!-)\b(tables|table|unit|types|keys|limits|weights|epsilon|delta|rho|frame|values)=\S"
)
#: Sentences that no option and no SQL leads to: the beginnings of what only Python is told.
PYTHONS_OWN = (
    "{} must be a mapping from columns",
    "is_in needs a list",
    "write None, True, False, a number",
    "write what document() gives",
    "a query was given a datetime with a time zone",
    "a query was given {}; write a datetime",
    "join takes a public table",
    "how is {}",
    "give it another name in one of them",
    "it is not said which columns must be alike",
    "on names a column twice",
    "a table cannot be joined with itself",
    "per_person makes one row",
    "{} counts people, and it is not declared",
    "{} is a mean over a public number of rows",
    "sample_aggregate",
    "public.rename(",
    "two private tables are joined by the person's id alone",
    "{} is not installed; pip install {}, or write frame=",
    "a release is not a list",
    "filter takes a condition, not",
    "{} takes at least one aggregate",
    "{} takes aggregates, and",
    "{} takes the name of a column or an expression",
    "rename takes names for names",
    "write tables={'regions': sf.public(",
    "a private table is not pickled",
    "columns must",
    "confidence must lie between 0 and 1, such as 0.95; None",
    "Spark could not compute",
    "{} need not be the same when it is computed again",
    "{}.cast(",
    "{} is a LazyFrame",
    "the table is protected against",
    ".with_columns(",
    "{} is a table, not a policy",
    "tuple[",
)


def said_in(room: str) -> Iterator[str]:
    """The texts of a room that are more than one word, with braces for what is put in."""
    for path in sorted((Path(sfumato.__file__).parent / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        aside = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        whole = [each for each in ast.walk(tree) if isinstance(each, ast.JoinedStr)]
        aside |= {id(part) for each in whole for part in each.values}
        for each in ast.walk(tree):
            if id(each) not in aside and " " in (text := _text(each)):
                yield text


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(each) for each in node.values)
    if isinstance(node, ast.FormattedValue):
        return "'{}'" if node.conversion == ord("r") else "{}"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_no_python_is_left_over() -> None:
    messages = [
        each.replace("sf.{}", "sf.sum").replace("{}", "age")
        for room in ("tables", "data")
        for each in said_in(room)
        if PYTHON.search(each) and not each.replace("'{}'", "{}").startswith(PYTHONS_OWN)
    ]
    assert len(messages) > 20
    said = {each: shell_words(each) for each in messages}
    assert {each: words for each, words in said.items() if PYTHON.search(words)} == {}


SAID = [
    (
        "write tables={'regions': ...} beside the SQL",
        "write --public regions=FILE.csv, or --with regions=FILE.toml if it is private",
    ),
    (
        "there is no table 'cards' (known: 'wings')",
        (
            "there is no table 'cards' (known: 'wings'); one to join is given by "
            "--public cards=FILE.csv, or --with cards=FILE.toml if it is private"
        ),
    ),
    (
        "there is no table 'visit'; did you mean 'visits'? (known: 'visits')",
        "there is no table 'visit'; did you mean 'visits'? (known: 'visits')",
    ),
    (
        "write bounds={'age': (0, 100)} with bounds that you know, or 'auto' to find them",
        "write --bounds age=0:100 with bounds that you know, or age=auto to find them",
    ),
    (
        (
            "filter takes a condition, and urgent is of type text; compare it, as in "
            "sf.col('age') > 60"
        ),
        (
            "WHERE takes a condition, and urgent is of type text; compare it, as in urgent = "
            "'yes', or declare --types urgent=boolean"
        ),
    ),
    (
        (
            "filter takes a condition, and age + 1 is of type number; compare it, as in "
            "sf.col('age') > 60"
        ),
        "WHERE takes a condition, and age + 1 is of type number; compare it, as in age + 1 > 60",
    ),
    (
        "for the ends write sf.minimum('age') or sf.maximum('age')",
        "for the ends write MIN(age) or MAX(age)",
    ),
    (
        "write sf.sum('age + 1', bounds=(0, 1000)) with the least",
        "write SUM(CLIP(age + 1, 0, 1000)) with the least",
    ),
    ("such as sf.col('pay').round(2), and", "such as ROUND(pay, 2), and"),
    (
        'like "visits" or "clinic.visits"; write table="…"',
        ('like "visits" or "clinic.visits"; write --table NAME'),
    ),
    ("write it as a float", "write it with a decimal point or an exponent, as in 1e20"),
    (
        (
            "the column 'age': it is declared to be of type text, and in the table it is of type "
            'integer; write type = "integer", or leave it out'
        ),
        (
            "the column 'age': it is declared to be of type text, and in the table it is of type "
            "integer; write --types age=integer, or leave it out"
        ),
    ),
    ("key = 5 has no value: write another", "key = 5 has no value: write another"),
    ("there is no column 'unit=row'", "there is no column 'unit=row'"),
    (
        "open it by: sfumato init a.csv --bounds unit=0:5",
        ("open it by: sfumato init a.csv --bounds unit=0:5"),
    ),
    ("write {'age': 2}; write weights={'n': 2.5}", "write --weight age=2; write --weight n=2.5"),
    ("'a.toml' [table]: write unit=\"id\"", "'a.toml' [table]: write unit=\"id\""),
]


@pytest.mark.parametrize(("sentence", "said"), SAID)
def test_sentences_are_said_in_the_words_of_the_shell(sentence: str, said: str) -> None:
    assert shell_words(sentence) == said


@pytest.mark.parametrize(
    ("sentence", "public", "said"),
    [
        ("types={'beds': 'integer'} of the public table", ["wings"], "--types wings.beds=integer"),
        ("types={'beds': 'integer'} of the public table", ["a", "b"], "--types NAME.beds=integer"),
        ("types={'beds': 'integer'} of the private table", ["wings"], "--types beds=integer"),
        (
            "if it holds numbers, declare bounds={'beds': (0, 100)}",
            ["wings"],
            (
                "if it holds numbers, declare --bounds beds=0:100; if it is of the public table, "
                "--types wings.beds=number"
            ),
        ),
    ],
)
def test_a_column_of_a_public_table_is_named_by_it(
    sentence: str, public: list[str], said: str
) -> None:
    assert shell_words(sentence, public=public) == said


#: Names that are words of a form, too.
NAMES = st.sampled_from(
    ["unit", "table", "key", "keys", "epsilon", "noise", "bounds", "types", "tables", "age"]
)
FORMS = {
    "bounds={{'{}': (0, 5)}}": "--bounds {}=0:5",
    "keys={{'{}': ['a', 'b']}}": "--keys {}=a,b",
    "types={{'{}': 'integer'}}": "--types {}=integer",
    "limits={{'{}': 5}}": "--limit {}=5",
    "weights={{'{}': 2}}": "--weight {}=2",
    "tables={{'{}': ...}} beside the SQL": (
        "--public {0}=FILE.csv, or --with {0}=FILE.toml if it is private"
    ),
    "unit='{}'": "--unit {}",
    'table="{}"': "--table {}",
    "ledger={{'path': '{}', 'book': 'a'}}": "--ledger {} --book a",
    "epsilon=1, delta=1e-6": "--epsilon 1 --delta 1e-6",
    "'{}=row'": "'{}=row'",
    "sf.maximum('{}')": "MAX({})",
}


@given(st.lists(st.tuples(st.sampled_from(sorted(FORMS)), NAMES), min_size=1, max_size=4))
def test_no_form_eats_a_part_of_another(asked: list[tuple[str, str]]) -> None:
    sentence = "write " + " and ".join(form.format(name) for form, name in asked)
    said = "write " + " and ".join(FORMS[form].format(name) for form, name in asked)
    assert shell_words(sentence) == said
    assert shell_words(said) == said
