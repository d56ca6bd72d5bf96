"""The shell's verbs about kept and broken guarantees, as a newcomer meets them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.errors import InputError
from tests.pages import pictures

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Shell

SURVEY = Path(__file__).parents[2] / "examples" / "randomized-response.csv"

RIGHT, WRONG = "examples.mechanisms:laplace", "examples.mechanisms:half_the_noise"
PAIR = ("--d0", "[0]", "--d1", "[1]", "--epsilon", "1")


def test_verify_proves_randomized_response(shell: Shell) -> None:
    """M-DEF-2: ln 2 is proved."""
    done = shell("verify", SURVEY, "--epsilon", "ln(2)")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("proved: ln(2)-DP holds on ")


def test_verify_refutes_a_hair_less(shell: Shell) -> None:
    """M-DEF-2: six digits of ln 2 are below it, and the witness says so."""
    done = shell("verify", SURVEY, "--epsilon", "0.693147")
    assert (done.code, done.err) == (5, "")
    assert done.out.startswith("refuted: 0.693147-DP does not hold\n")
    assert "the least ε is ln(2) = 0.69314718056" in done.out
    assert "has probability 2/3 on the first and 1/3 on the second" in done.out


def test_verify_as_json(shell: Shell) -> None:
    read = json.loads(shell("verify", SURVEY, "--epsilon", "1", "--json").out)
    assert (read["status"], read["least_epsilon"]["exact"]) == ("proved", "ln(2)")


def test_verify_a_long_table_of_tables(shell: Shell, tmp_path: Path) -> None:
    """A sum of two answers, each turned with probability 1/3; one row is substituted."""
    lines = ["input,output,probability"]
    for table, counts in {"0;0": (4, 4, 1), "0;1": (2, 5, 2), "1;1": (1, 4, 4)}.items():
        lines += [f"{table},{total},{count}/9" for total, count in enumerate(counts)]
    file = tmp_path / "sums.csv"
    file.write_text("\n".join(lines))
    assert shell("verify", file, "--epsilon", "ln(2)").code == 0
    assert shell("verify", file, "--epsilon", "0.69").code == 5
    everyone = shell("verify", file, "--epsilon", "ln(2)", "--relation", "all")
    assert everyone.code == 5
    assert "ln(4)" in everyone.out


def test_verify_tables_that_gain_a_row(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text("table,0,1\n,3,1\nx,1,1\n")
    done = shell("verify", file, "--epsilon", "ln(2)", "--relation", "add-remove")
    assert done.code == 0
    assert "the one pair of neighbouring inputs" in done.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "has no inputs"),
        ("input,a,b\n", "has no inputs"),
        ("input;a;b\nx;1;2\n", "should have commas between its cells"),
        ("input,a,a\nx,1,2\n", "should name each output once"),
        ("input,a,b\nx,1\n", "line 2 of"),
        ("input,a,b\nx,1,2\n\nx,2,1\n", "line 4 of"),
        ("input,output,probability\nx,a\n", "line 2 of"),
        ("input,output,probability\nx,a,1\nx,a,1\n", "line 3 of"),
        ("input,a,b\nx,CANARY,2\ny,1,2\n", "line 2, column 'a' of"),
        ("input,a,b\nx,1,2\ny,-1,2\n", "line 3, column 'a' of"),
        ("input,a,b\nx,nan,2\ny,1,2\n", "line 2, column 'a' of"),
        ("input,a,b\nx,66.7%,33.3%\ny,1,2\n", "line 2, column 'a' of"),
        ("input,a,b\nx,0.5,0.4\ny,0.5,0.5\n", "input 1 of"),
        ("input,a,b\nx,67,33\ny,0.33,0.67\n", "sum to 100, not to 1"),
        ("input,a,b\nx,0,0\ny,1,2\n", "has only zeros"),
        ("input,a,b,total\nx,2,1,3\ny,1,2,3\n", "'total' of"),
    ],
)
def test_verify_refuses_a_bad_table_in_a_sentence(
    shell: Shell, tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    done = shell("verify", file, "--epsilon", "1")
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert "CANARY" not in done.err


def test_verify_claims_at_a_renyi_order(shell: Shell) -> None:
    assert shell("verify", SURVEY, "--epsilon", "ln(3/2)", "--order", "2").code == 0
    assert shell("verify", SURVEY, "--epsilon", "0.4", "--order", "2").code == 5


def test_verify_says_that_it_read_counts(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text("answer,yes,no\nyes,2,1\nno,1,2\n")
    assert shell("verify", file, "--epsilon", "ln(2)").out.endswith("divided by its sum\n")
    assert "counts" not in shell("verify", SURVEY, "--epsilon", "ln(2)").out


def test_verify_names_a_missing_file_and_a_wrong_relation(shell: Shell, tmp_path: Path) -> None:
    assert "there is no file" in shell("verify", tmp_path / "no.csv", "--epsilon", "1").err
    wrong = shell("verify", SURVEY, "--epsilon", "1", "--relation", "substitut")
    assert "did you mean 'substitute'?" in wrong.err
    assert "'all'" in wrong.err
    assert "write 0.5, '1/2' or ln(2)" in shell("verify", SURVEY, "--epsilon", "ln2").err


def test_audit_catches_half_the_noise(shell: Shell, tmp_path: Path) -> None:
    """False alarm at most 1e-6; missed with probability below 1e-100 at so many draws."""
    page = tmp_path / "report.html"
    done = shell("audit", WRONG, *PAIR, "--samples", "20000", "--html", page)
    assert (done.code, done.err) == (5, f"sfumato: {page} is written\n")
    assert len(pictures(page.read_text(encoding="utf-8"))) == 1


def test_audit_does_not_flag_the_right_noise(shell: Shell) -> None:
    """False alarm at most 1e-6."""
    done = shell("audit", RIGHT, *PAIR, "--samples", "20000")
    assert (done.code, done.err) == (0, "")
    assert "no proof" in done.out


def test_audit_as_json(shell: Shell) -> None:
    read = json.loads(shell("audit", WRONG, *PAIR, "--samples", "20000", "--json").out)
    assert read["violated"] is True
    assert 1 < read["epsilon_lower"] <= 2.0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing:here", *PAIR), "there is no module 'nothing'"),
        (("examples.mechanisms:half_the_nois", *PAIR), "did you mean 'half_the_noise'?"),
        ((RIGHT, "--d0", "[1]", "--d1", "[1]", "--epsilon", "1"), "the two datasets are equal"),
        ((WRONG, "--d0", "examples.models:PEOPL", *PAIR[2:]), "did you mean 'PEOPLE'?"),
        (("examples.mechanisms", *PAIR), "module:function"),
        (("math:pi", *PAIR), "is not a function"),
        ((WRONG, "--d0", "zero", *PAIR[2:]), "is no dataset"),
        ((WRONG, "--d0", "no.json", *PAIR[2:]), "there is no file"),
        ((WRONG, "--d0", '{"a":', *PAIR[2:]), "is no dataset"),
        ((WRONG, "--d0", "[" * 9000, *PAIR[2:]), "is no dataset"),
        (("../examples:f", *PAIR), "names no function"),
        (("examples/mechanisms.py:laplace", *PAIR), "names no function"),
        ((WRONG, *PAIR, "--samples", "many"), "--samples takes a whole number"),
        ((WRONG, *PAIR, "--samples", "0"), "samples"),
        ((WRONG, *PAIR, "--alpha", "2"), "alpha"),
        ((WRONG, *PAIR[:-1], "-1"), "--epsilon must"),
    ],
)
def test_audit_refuses_in_a_sentence(
    shell: Shell, arguments: tuple[str, ...], sentence: str
) -> None:
    done = shell("audit", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """A module in the working folder, by the name of it."""

    def write(text: str) -> str:
        name = f"own_{abs(hash(text))}"
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        return name

    return write


def test_what_a_function_prints_stays_out_of_the_answer(
    shell: Shell, own_module: Callable[[str], str]
) -> None:
    name = own_module(
        "print('loading')\ndef release(rows):\n    print('hello')\n    return len(rows)\n"
    )
    done = shell("audit", f"{name}:release", *PAIR, "--samples", "100", "--json")
    assert done.code == 6, "the output is always the same, so there is nothing to test"
    assert json.loads(done.out)["violated"] is False
    assert "hello" in done.err


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("import sys\nsys.exit(0)\n", "cannot be imported (SystemExit)"),
        ("def release(:\n", "cannot be imported (SyntaxError)"),
        ("import no_such_library_at_all\n", "needs 'no_such_library_at_all'"),
    ],
)
def test_a_module_that_fails_is_no_verdict(
    shell: Shell, own_module: Callable[[str], str], text: str, sentence: str
) -> None:
    done = shell("audit", f"{own_module(text)}:release", *PAIR)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_a_function_that_always_fails_shows_why_only_when_asked(
    shell: Shell, own_module: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = own_module("def release(rows):\n    raise KeyError('CANARY')\n")
    done = shell("audit", f"{name}:release", *PAIR, "--samples", "100")
    assert done.code == 2
    assert f"{name}.release raised KeyError at every call" in done.err
    assert "SFUMATO_DEBUG=1" in done.err
    assert "CANARY" not in done.err
    monkeypatch.setenv("SFUMATO_DEBUG", "1")
    with pytest.raises(InputError) as failed:
        shell("audit", f"{name}:release", *PAIR, "--samples", "100")
    assert isinstance(failed.value.__cause__, KeyError)


def test_only_functions_of_the_module_itself_are_offered(
    shell: Shell, own_module: Callable[[str], str]
) -> None:
    name = own_module(
        "import os\nimport numpy as np\nfrom math import sqrt\nROWS = [1]\n"
        "def release(rows):\n    return len(rows)\ndef _hidden(rows):\n    return 0\n"
    )
    wrong = shell("audit", f"{name}:nope", *PAIR).err
    assert wrong == f"sfumato: there is no function 'nope' in {name!r} (known: 'release')\n"
    data = shell("audit", f"{name}:release", "--d0", f"{name}:ROW", *PAIR[2:]).err
    assert "there is no dataset 'ROW'" in data
    assert data.endswith("did you mean 'ROWS'? (known: 'ROWS')\n")
    within = shell("audit", f"{name}:ROWS.nope", *PAIR).err
    assert "which has none; write one there" in within


def test_a_page_that_cannot_be_written_is_said_before_the_work(shell: Shell) -> None:
    done = shell("audit", "nothing:here", *PAIR, "--html", "no/such/folder.html")
    assert done.code == 2
    assert "cannot be written" in done.err


@pytest.mark.full
def test_theorems_are_checked(shell: Shell) -> None:
    done = shell("theorems")
    assert (done.code, done.err) == (0, "")
    for statement in ("Proposition 5.1", "Theorem 5.3", "Lemma 3.19"):
        assert statement in done.out
