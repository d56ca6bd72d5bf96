"""The verb anonymize: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital-a.csv"
ASKED = ("anonymize", HOSPITAL, "--quasi", "age,sex,zip,smoker", "--k", "2", "--remove", "name")


def test_it_says_what_was_done_and_writes_it(shell: Shell, tmp_path: Path) -> None:
    output = tmp_path / "safer.csv"
    done = shell(*ASKED, "--sensitive", "diagnosis", "--output", output)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "k = 2 reached on age, sex, zip, smoker: 9 rows, none suppressed"
    assert "  zip     first 4 characters  level 2 of 2" in lines
    assert "k-anonymity does not compose: intersected with another release it may break" in lines
    assert lines[-1].startswith("not private: ")
    assert done.err == f"sfumato: the generalised table is in {output}\n"
    assert output.read_text(encoding="utf-8").splitlines()[1] == "*,50-60,female,1901**,no,AIDS"
    assert max(map(len, lines)) <= 80


def test_without_output_nothing_is_written(shell: Shell) -> None:
    done = shell(*ASKED, "--json")
    assert json.loads(done.out)["private"] is False
    assert "nothing was written" in done.err


def test_hierarchies_are_told_in_the_shell(shell: Shell, tmp_path: Path) -> None:
    sexes = tmp_path / "sex.csv"
    sexes.write_text("male;person\nfemale;person\n", encoding="utf-8")
    told = ("--hierarchy", f"sex={sexes}", "--bands", "age=20:40", "--prefixes", "zip")
    done = shell(*ASKED, *told, "--json")
    figures = json.loads(done.out)
    assert [each["made"] for each in figures["columns"]] == [False, False, False, True]
    assert figures["columns"][0]["how"] == "bands of 20"
    assert "does not cover the value '52'" in shell(*ASKED, "--hierarchy", f"age={sexes}").err


def test_dates_and_rows_left_out(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "born.csv"
    file.write_text("born\n" + "1987-03-05\n1987-03-06\n" * 9 + "2001-01-01\n", encoding="utf-8")
    asked = ("anonymize", file, "--quasi", "born", "--k", "10", "--dates", "born=month:year")
    done = shell(*asked, "--suppression", "0.1", "--output", tmp_path / "safer.csv")
    assert done.out.startswith("k = 10 reached on born: 19 rows, 1 suppressed")
    assert (tmp_path / "safer.csv").read_text(encoding="utf-8") == "born\n" + "1987-03\n" * 18


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--bands", "age"), "--bands takes age=10, say; 'age' is not of this form"),
        (("--bands", "56"), "--bands takes age=10, say; '56' is not of this form"),
        (("--hierarchy", "sub/sex.csv"), "--hierarchy takes age=sub/sex.csv, say; 'sub/sex.csv'"),
        (("--hierarchy", "sex=no/such.csv"), "there is no file 'no/such.csv'; check the spelling"),
        (("--dates", "diagnosis=year"), "sfumato: --quasi lacks 'diagnosis', which is given a"),
        (("--dates", "diagnose=year"), "there is no quasi-identifier 'diagnose'"),
        (
            ("--method", "mondrian", "--suppression", "0.1"),
            "sfumato: --suppression is 0.1, and mondrian",
        ),
        (("--suppression", "1"), "sfumato: --suppression is the share of rows"),
        (("--k", "0"), "sfumato: --k counts the rows"),
        (("--l", "2"), "sfumato: --l is about a sensitive column"),
        (("--bands", "age=2", "--prefixes", "age"), "'age' is given two hierarchies"),
        (("--k", "two"), "--k takes a whole number"),
        (("--l", "many"), "--l takes a number of 1 or more; 'many' is not"),
        (("--suppression", "all"), "--suppression takes a share"),
        (("--replace",), "--replace goes with --output"),
        (("--output", HOSPITAL), "is what would be read; name another file"),
        (("--output", "safer.xlsx"), "let it end in .csv, .tsv or .parquet"),
        (("--output", "nowhere/safer.csv"), "in a folder"),
        (("--sensitive", "age"), "both as a quasi-identifier and as sensitive"),
        (("--hierarchy", f"age={HOSPITAL}"), "hospital-a.csv' is no hierarchy: 'male' on level 2"),
    ],
)
def test_mistakes_are_one_sentence(shell: Shell, options: tuple[str, ...], sentence: str) -> None:
    done = shell(*ASKED, *options)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_an_earlier_table_is_replaced_only_if_told(shell: Shell, tmp_path: Path) -> None:
    output = tmp_path / "safer.csv"
    output.write_text("mine", encoding="utf-8")
    assert "already" in shell(*ASKED, "--output", output).err
    assert output.read_text(encoding="utf-8") == "mine"
    assert shell(*ASKED, "--output", output, "--replace").code == 0
    assert output.read_text(encoding="utf-8").startswith("name,age")
    assert [each.name for each in tmp_path.iterdir()] == ["safer.csv"]


def test_columns_that_tell_who_is_who_come_with_the_option_to_write(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "people.csv"
    file.write_text("a,编号,cost\nx,p,1\nx,q,1\nx,r,3\n", encoding="utf-8")
    asked = ("anonymize", file, "--quasi", "a", "--k", "2")
    first, second, third, fourth, fifth, *_ = shell(*asked).out.splitlines()
    assert first == "k = 2 reached on a: 3 rows, none suppressed"
    assert second == "WARNING: 编号 differs in every row and names people"
    assert f"{third} {fourth.strip()}" == (
        "WARNING: many rows are unique on one kept column alone: cost (1 of 3); name such "
        "columns too, or remove them"
    )
    assert fifth == "to remove all of these, write --remove '编号,cost'"
    assert "WARNING" not in shell(*asked, "--remove", "编号,cost").out
    telling = shell(*asked, "--remove", "编号").out
    assert "name such columns too, or write --remove cost" in " ".join(telling.split())
    file.write_text('a,"b, c"\nx,1\nx,2\n', encoding="utf-8")
    assert "write --remove '\"b, c\"'" in shell(*asked).out
    assert "WARNING" not in shell(*asked, "--remove", '"b, c"').out
