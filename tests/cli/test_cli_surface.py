"""Hints of a refusal in the words of Python, of SQL and of the shell."""

from __future__ import annotations

import pytest

from sfumato.cli.surface import (
    in_shell_words,
    in_survey_words,
    in_words_of_the_shell,
    options_named,
)
from sfumato.errors import InputError
from sfumato.refusal import (
    SQL,
    Argument,
    Arguments,
    Bare,
    Call,
    Declaration,
    Either,
    Ends,
    Hint,
    Setting,
    said_in,
    text,
)

EXAMPLE = Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6"))))
LEDGER = Argument("ledger", {"path": "ledger.db", "book": "patients"})


def error_of(hint: Hint) -> InputError:
    return InputError(
        "E-BOUNDS-MISSING", "{name!r:.3} is wrong", "write {hint}", name="age", hint=hint
    )


@pytest.mark.parametrize(
    ("hint", "python", "shell"),
    [
        (Argument("epsilon", 1), "epsilon=1", "--epsilon 1"),
        (Argument("analyst", "ada b"), "analyst='ada b'", "--analyst 'ada b'"),
        (Argument("depth", 3), "depth=3", "depth=3"),
        (Argument("rows"), "rows", "--limit rows"),
        (Argument("rows", 5), "rows=5", "--limit rows=5"),
        (EXAMPLE, "epsilon=1, delta=1e-6", "--epsilon 1 --delta 1e-6"),
        (
            LEDGER,
            "ledger={'path': 'ledger.db', 'book': 'patients'}",
            "--ledger ledger.db --book patients",
        ),
        (
            Declaration("bounds", "blood pressure", (0, 110)),
            "bounds={'blood pressure': (0, 110)}",
            "--bounds 'blood pressure'=0:110",
        ),
        (Declaration("bounds", "age", "auto"), "bounds={'age': 'auto'}", "--bounds age=auto"),
        (Declaration("keys", "sex", ["F", "M"]), "keys={'sex': ['F', 'M']}", "--keys sex=F,M"),
        (Declaration("limits", "groups", 5), "limits={'groups': 5}", "--limit groups=5"),
        (Declaration("weights", "n", 2), "weights={'n': 2}", "--weight n=2"),
        (
            Declaration("tables", "wards", Bare("...")),
            "tables={'wards': ...}",
            "--public wards=FILE.csv, or --with wards=FILE.toml if it is private",
        ),
        (Call("count"), "sf.count()", "COUNT(*)"),
        (
            Call("mean", "age", bounds=(0, 110)),
            "sf.mean('age', bounds=(0, 110))",
            "AVG(CLIP(age, 0, 110))",
        ),
        (Either("None", Call("sum", "x")), "None", "SUM(x)"),
        (text("a or {b}", b=Argument("rho", 1)), "a or rho=1", "a or --rho 1"),
        (Ends(), "bounds = [0, 100]", "bounds = [0, 100]"),
        (Setting("bounds", "[0, 110]"), "bounds = [0, 110]", "--bounds COLUMN=0:110"),
    ],
)
def test_a_hint_is_written_as_each_surface_has_it(hint: Hint, python: str, shell: str) -> None:
    error = error_of(hint)
    assert str(error) == f"'ag is wrong; write {python}"
    with pytest.raises(InputError) as caught, in_shell_words():
        raise error
    assert str(caught.value) == f"'ag is wrong; write {shell}"


@pytest.mark.parametrize(
    ("public", "whose", "shell"),
    [
        ((), "", "--types ward=number"),
        (("cards",), "", "--types ward=number (cards.ward=number if it is of the public table)"),
        (("cards", "b"), "public", "--types NAME.ward=number"),
        (("cards",), "public", "--types cards.ward=number"),
        (("cards",), "private", "--types ward=number"),
    ],
)
def test_a_type_is_declared_of_the_table_that_is_meant(
    public: tuple[str, ...], whose: str, shell: str
) -> None:
    with pytest.raises(InputError) as caught, in_shell_words(public=public):
        raise error_of(Declaration("types", "ward", "number", whose=whose))
    assert str(caught.value).endswith(f"write {shell}")


def test_a_question_in_sql_is_told_sql_and_the_options_of_python() -> None:
    for hint, said in [(Call("mean", "age"), "AVG(age)"), (Argument("epsilon", 1), "epsilon=1")]:
        with pytest.raises(InputError) as caught, said_in(SQL):
            raise error_of(hint)
        assert str(caught.value).endswith(f"write {said}")


def test_what_a_file_says_wrong_is_told_as_the_file_has_it() -> None:
    error = error_of(Setting("bounds", "[0, 110]"))
    error.refusal = error.refusal.at("the column 'age'", column="age")
    in_words_of_the_shell(error)
    assert str(error) == "the column 'age': 'ag is wrong; write --bounds age=0:110"
    error.refusal = error.refusal.at("'patients.toml' [columns.age]", in_file=True)
    assert str(error).endswith("'ag is wrong; write bounds = [0, 110]")


def test_only_the_options_of_a_verb_are_named() -> None:
    for name, said in [("quasi", "--quasi"), ("at_least", "--at-least"), ("k", "k")]:
        with pytest.raises(InputError) as caught, options_named("quasi", "at_least"):
            raise error_of(Argument(name))
        assert str(caught.value).endswith(f"write {said}")


@pytest.mark.parametrize(
    ("hint", "described", "in_a_file"),
    [
        (Setting("choices", '["yes", "no"]'), "--choices yes,no", 'choices = ["yes", "no"]'),
        (Setting("epsilon", "1"), "--epsilon 1", "epsilon = 1"),
        (Ends(), "--bounds 0:100", "bounds = [0, 100]"),
        (Argument("pairs", [("a", "b")]), "--pairs a,b", "--pairs a,b"),
        (Argument("truth"), "--truth", "truth"),
    ],
)
def test_a_survey_is_described_by_options_or_by_a_file(
    hint: Hint, described: str, in_a_file: str
) -> None:
    for by_options, said in [(True, described), (False, in_a_file)]:
        with pytest.raises(InputError) as caught, in_survey_words(described=by_options):
            raise error_of(hint)
        assert str(caught.value).endswith(f"write {said}")
