"""Each mistake in a policy file is one sentence: the file, the place, what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sfumato.data.policy import read_policy
from sfumato.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

MISTAKES = {
    # names
    "[tabel]": "there is no table 'tabel' in 'p.toml'; did you mean 'table'?",
    "[table]\nunits = 1": "there is no entry 'units' in 'p.toml' [table]; did you mean 'unit'?",
    "[table]\nsize = 9": "there is no entry 'size' in 'p.toml' [table]",
    "[limits]\nrow = 1": "there is no entry 'row' in 'p.toml' [limits]; did you mean 'rows'?",
    "[columns.age]\nbound = 1": "'p.toml' [columns.age]; did you mean 'bounds'?",
    '[columns."a.b"]\nbound = 1': "'p.toml' [columns.\"a.b\"]; did you mean 'bounds'?",
    "[keysets.k]\ncolumn = 1": "'p.toml' [keysets.k]; did you mean 'columns'?",
    '[derived.band]\ntype = "text"': "there is no entry 'type' in 'p.toml' [derived.band]",
    "[derived.band]\nvalues = []": "'p.toml' [derived.band]: values is an empty list",
    "[budget]\neps = 1": "there is no entry 'eps' in 'p.toml' [budget]",
    "[ledger]\nfile = 1": "there is no entry 'file' in 'p.toml' [ledger]",
    # shapes
    "limits = 5": "'p.toml': limits must be a table, not 5; write [limits], say",
    "[columns]\nage = [0, 1]": "columns.age must be a table, not [0, 1]; write [columns.age], say",
    "[[table]]": "'p.toml': table must be a table, not [{…}]; write [table], say",
    "[table\n": "'p.toml' is not TOML at line 1, column 7: ",
    "a = 1\na = 2\n": "'p.toml' is not TOML at line 2, column 6: Cannot overwrite a value",
    "a = ": "'p.toml' is not TOML at end of document: ",
    f"[limits]\nrows = {'9' * 5000}": "'p.toml' has a number of too many digits",
    "[columns.x]\nbounds = [0, 1e99999999999999999999]": "has a number of too many digits",
    f"a = {'[' * 50_000}": "'p.toml' has lists within lists, too deep to read",
    # the table
    "[table]\nsource = 3": "[table]: source must be the path of a file, not 3",
    "[table]\nunit = 3": '[table]: unit must be the column of the person\'s id, or "row"',
    "[table]\nunit = {columns = 3}": "[table]: unit must be the column of the person's id",
    '[table]\nrelation = "swap"': "[table]: there is no relation",
    "[table]\nrelation = true": "[table]: relation must be add_remove or substitute, not True",
    '[table]\nunit = "row"\n[limits]\nrows = 5': "leave the limits out, or name the column",
    # the limits
    "[limits]\nrows = 0": "[limits]: rows must be a whole number from 1 to 1,000,000,000, or",
    "[limits]\nrows = true": "[limits]: rows must be a whole number",
    "[limits]\ngroups = -1": "[limits]: groups must be a whole number from 1 to 1,000,000,000, not",
    '[limits]\ngroups = "auto"': "[limits]: groups must be a whole number",
    "[limits]\nrows_per_group = 1.0": "[limits]: rows_per_group must be a whole number",
    # bounds
    "[columns.age]\nbounds = [110, 0]": "[columns.age]: bounds are [110, 0], the greater one first",
    "[columns.age]\nbounds = [5, 5.0]": "bounds are [5, 5.0], the same value twice; write the",
    "[columns.age]\nbounds = [nan, 1]": "bounds must be two finite numbers, two dates or two",
    "[columns.age]\nbounds = [0, inf]": "not [0, Infinity]; write bounds = [0, 110], say",
    "[columns.age]\nbounds = [false, true]": "bounds must be two finite numbers",
    "[columns.age]\nbounds = [0, 1, 2]": "bounds must be a lower and an upper bound",
    "[columns.age]\nbounds = []": "bounds must be a lower and an upper bound",
    '[columns.age]\nbounds = "all"': "not 'all'; write bounds = [0, 110]",
    '[columns.age]\nbounds = ["a", "b"]': "bounds must be two finite numbers",
    "[columns.age]\nbounds = [0, 1e301]": "bounds must be numbers between -1e300 and 1e300",
    "[columns.age]\nbounds = [0, 1e9999999]": "bounds must be two finite numbers",
    "[columns.age]\nbounds = [0, 2020-01-01]": "bounds must be two finite numbers",
    "[columns.age]\nbounds = [2021-01-01, 2020-01-01]": "the greater one first",
    "[columns.age]\nbounds = [10:00:00, 11:00:00]": "bounds must be two finite numbers",
    # types
    '[columns.age]\ntype = "int"': "[columns.age]: there is no type 'int'; did you mean 'integer'?",
    "[columns.age]\ntype = 5": "[columns.age]: type must be one of integer, number, text, boolean",
    '[columns.x]\ntype = "text"\nbounds = [0, 1]': "a column of type text has no bounds",
    '[columns.x]\ntype = "boolean"\nbounds = "auto"': "a column of type boolean has no bounds",
    '[columns.x]\ntype = "date"\nbounds = [0, 1]': "bounds are of type number, and the column is",
    '[columns.x]\ntype = "integer"\nbounds = [0, 0.5]': "must be whole numbers, not [0, 1/2]",
    "[columns.x]\ncomplete = 1": "[columns.x]: complete must be true or false, not 1",
    # values
    "[columns.x]\nvalues = []": "[columns.x]: values is an empty list; write the values that occur",
    '[columns.x]\nvalues = "F"': "values must be a list of values, not 'F'; write ['F'],",
    "[columns.x]\nvalues = {a = 1}": "values must be a list of values, not a table",
    '[columns.x]\nvalues = ["F", "F"]': "[columns.x]: values names a value twice; write each once",
    "[columns.x]\nvalues = [1, 1.0]": "values names a value twice",
    '[columns.x]\nvalues = ["F", 1]': "values mixes text and integer; write values of one type",
    "[columns.x]\nvalues = [1, true]": "values mixes integer and boolean",
    "[columns.x]\nvalues = [[1]]": "number 1 of values is of type list",
    "[columns.x]\nvalues = [1.5, nan]": "number 2 of values is not a number that is finite",
    "[columns.x]\nvalues = [9223372036854775808]": "number 1 of values is not an integer of 64",
    '[columns.x]\ntype = "integer"\nvalues = ["a"]': "number 1 of values is not an integer",
    '[columns.x]\ntype = "date"\nvalues = ["2020-13-01"]': "number 1 of values is not a date",
    '[columns.x]\nvalues = ["F"]\nkeys_from = "k.csv"': "values and keys_from both say which",
    "[columns.x]\nkeys_from = 3": "keys_from must be the path of a public table, not 3",
    '[columns.x]\nkeys_from = "no.csv"': "[columns.x]: there is no file 'no.csv'",
    '[columns.x]\nkeys_from = "k.csv"': "[columns.x]: there is no column 'x' in 'k.csv'",
    '[columns.x]\nkeys_from = "k.csv:codes"': "there is no column 'codes' in 'k.csv'; did you mean",
    '[columns.empty]\nkeys_from = "k.csv"': "'k.csv' has a missing value among its keys",
    '[columns.x]\nkeys_from = "none.csv"': "'none.csv' has no rows, so no keys",
    # key sets
    '[keysets.k]\ncolumns = ["sex"]\nrows = [["F"]]': "columns must be two or more names",
    '[keysets.k]\ncolumns = ["a", "a"]\nrows = [[1, 1]]': "two or more names, each once",
    "[keysets.k]\nrows = [[1, 2]]": "[keysets.k]: columns takes the name of a column, or several",
    '[keysets.k]\ncolumns = ["a", 1]\nrows = [[1, 2]]': "int is not the type of a name",
    '[keysets.k]\ncolumns = ["a", "b"]': "write either rows = ",
    '[keysets.k]\ncolumns = ["a", "b"]\nrows = []': "rows must be a list of combinations, not []",
    '[keysets.k]\ncolumns = ["a", "b"]\nrows = [[1]]': "not one value of each of a, b",
    '[keysets.k]\ncolumns = ["a", "b"]\nrows = [[1, [2]]]': "number 1 of the keys of 'b' is of",
    '[keysets.k]\ncolumns = ["a", "b"]\nrows = [[1, 2], [1, 2]]': "name a combination twice",
    '[keysets.k]\ncolumns = ["a", "b"]\nrows = [[1, 2], ["x", 3]]': "the keys of 'a' mixes",
    '[keysets.k]\ncolumns = ["a", "b"]\nsource = "no.csv"': "there is no file 'no.csv'",
    '[keysets]\nk = {columns = ["a", "b"], rows = [[1, 2]]}\n'
    'l = {columns = ["b", "a"], rows = [[1, 2]]}': "two sets of keys are of the same columns",
    # the budget
    "[budget]\nepsilon = 1\nrho = 1": "[budget]: a budget has both epsilon and rho; write",
    "[budget]\ndelta = 1e-6": "[budget]: a budget has neither epsilon nor rho; write",
    "[budget]\nrho = 1\ndelta = 1e-6": "[budget]: a budget of rho has no delta of its own",
    "[budget]\nepsilon = 0": "[budget]: epsilon must be above 0, not 0",
    "[budget]\nepsilon = nan": "[budget]: epsilon is not a finite number",
    "[budget]\nepsilon = true": "[budget]: epsilon must be a number, not True",
    "[budget]\nepsilon = 1e308": "[budget]: epsilon must be at most 1,000,000, not 1E+308, which",
    "[budget]\nrho = 1e7": "[budget]: rho must be at most 1,000,000, not 1E+7, which hides",
    "[budget]\nepsilon = '１'": "[budget]: epsilon must be in the digits 0 to 9, not '１'; write 1",
    "[budget]\nepsilon = [1]": "[budget]: epsilon must be a number, not [1]",
    "[budget]\nepsilon = 1\ndelta = 1": "[budget]: delta must be 0 or more and below 1",
    "[budget]\nrho = -1": "[budget]: rho must be above 0",
    # the ledger
    "[ledger]\nbook = 3": '[ledger]: book must be text, not 3; write "patients", say',
    '[ledger]\nanalyst = " "': "[ledger]: analyst must be text, not ' '; write \"ada\", say",
    '[ledger]\npath = "postgresql://u:secret@host/db"': "[ledger]: path has a password in it",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "k.csv").write_text("code,empty\nnorth,\nsouth,1\n", encoding="utf-8")
    (tmp_path / "none.csv").write_text("x,y\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(path: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_policy(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_sentence_with_its_place(folder: Path, text: str) -> None:
    (folder / "p.toml").write_text(text, encoding="utf-8")
    said = refusal("p.toml")
    assert MISTAKES[text] in said
    assert "'p.toml'" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = '\xff'", "'p.toml' is not text in UTF-8; save it again as UTF-8"),
        (b"#" * 4_000_001, "'p.toml' has more than 4,000,000 bytes"),
        (b"a = \0", "'p.toml' is not TOML at line 1, column 5"),
    ],
)
def test_a_file_that_is_no_policy(folder: Path, content: bytes, said: str) -> None:
    (folder / "p.toml").write_bytes(content)
    assert said in refusal("p.toml")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("no.toml", "there is no file 'no.toml'; check the spelling and the folder"),
        ("k.csv/p.toml", "'k.csv/p.toml' cannot be read (Not a directory)"),
        (".", "'.' is a folder; name one file in it"),
        ("a\0b", "cannot be the name of a file"),
        ("x" * 5000, "cannot be read (File name too long)"),
        (None, 'the policy must be the path of a TOML file, not None; write "patients.toml", say'),
        (3, "the policy must be the path of a TOML file, not 3"),
    ],
)
def test_a_path_that_names_no_policy(folder: Path, path: Any, said: str) -> None:
    assert said in refusal(path)


def test_an_unknown_name_is_an_unknown_name_wherever_it_stands(folder: Path) -> None:
    (folder / "p.toml").write_text('[columns.x]\nkeys_from = "k.csv:codes"', encoding="utf-8")
    with pytest.raises(UnknownNameError):
        read_policy("p.toml")
