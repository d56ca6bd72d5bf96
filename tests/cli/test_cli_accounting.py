"""The shell's verbs about guarantees, as a newcomer meets them."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLE = Path(__file__).parents[2] / "examples" / "events.json"
PURE = '{"version": 1, "events": [{"event": "pure", "epsilon": "0.1", "count": 10}]}'


def test_account_says_epsilon_and_what_it_means(shell: Shell) -> None:
    done = shell("account", EXAMPLE, "--delta", "1e-6")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "ε = 2.288624 at δ = 1e-06 (add or remove one row)"
    assert lines[2] == "1,025 steps:"
    assert lines[-1] == "a guess at even odds is right at most 60.5 % of the time"


def test_account_says_delta(shell: Shell) -> None:
    done = shell("account", EXAMPLE, "--epsilon", "1")
    assert done.out.startswith("δ = 0.009159853 at ε = 1 (add or remove one row)\n")


def test_account_explains(shell: Shell) -> None:
    shown = shell("account", EXAMPLE, "--delta", "1e-6", "--explain").out
    assert "\nloss distribution" in shown
    assert "\nRényi, classical" in shown
    assert "loss distribution" not in shell("account", EXAMPLE, "--delta", "1e-6").out


def test_account_as_json_in_a_pipe() -> None:
    command = [sys.executable, "-m", "sfumato", "account", "-", "--delta", "0", "--json"]
    done = subprocess.run(command, input=PURE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    read = json.loads(done.stdout)
    assert (read["epsilon"], read["delta"], read["bounds"]) == (1.0, 0.0, [1.0, 1.0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([EXAMPLE], "give a delta at which to find epsilon, or an epsilon"),
        ([EXAMPLE, "--delta", "1e-6", "--epsilon", "1"], "give a delta at which to find epsilon"),
        ([EXAMPLE, "--delta", "2"], "--delta must"),
        ([EXAMPLE, "--delta", "small"], "--delta must"),
        ([EXAMPLE, "--delta", "0.1", "--relation", "swap"], "'swap'"),
        ([EXAMPLE, "--delta", "0.1", "--relation", "substitute"], "name add-remove, or none"),
        (["nothing.json", "--delta", "0"], "there is no file 'nothing.json'"),
        ([EXAMPLE.parent, "--delta", "0"], "is a folder; name one file in it"),
        ([EXAMPLE.parent / "hospital-a.csv", "--delta", "0"], "hospital-a.csv': the document is"),
    ],
)
def test_account_refuses_in_one_sentence(
    shell: Shell, arguments: list[object], sentence: str
) -> None:
    done = shell("account", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1


def test_account_reads_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(PURE))
    assert shell("account", "-", "--delta", "0").out.startswith("ε = 1 at δ = 0 ")


@pytest.mark.parametrize(
    ("redirected", "sentence"),
    [
        ("<&-", "sfumato: standard input is closed; name a JSON file of events\n"),
        ("</dev/null", "sfumato: standard input: the document is not JSON"),
    ],
)
def test_account_says_what_is_wrong_with_standard_input(redirected: str, sentence: str) -> None:
    command = f"'{sys.executable}' -m sfumato account - --delta 0 {redirected}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_a_document_cannot_steer_the_terminal(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "steering.json"
    path.write_text('{"version": 1, "events": [{"event": "\\u001b[31mred"}]}', encoding="utf-8")
    done = shell("account", path, "--delta", "0")
    assert done.code == 2
    assert "\x1b" not in done.err


def test_m_gauss_1_calibrate_says_what_to_use(shell: Shell) -> None:
    done = shell("calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:2] == [
        "use Gaussian noise of sigma 4.22467888933 on sensitivity 1",
        "it keeps (1, 1e-06)-DP (add or remove one row), spending all of it",
    ]


@pytest.mark.parametrize(
    ("arguments", "headline"),
    [
        ("laplace --epsilon 1 --sensitivity 2 --count 5", "use Laplace noise of scale 10 on"),
        ("discrete-laplace --epsilon 1/2 --sensitivity 3", "use discrete Laplace noise of scale 6"),
        ("randomized-response --epsilon ln(2)", "use randomized response among 2 answers with ε ="),
        (
            "exponential --epsilon 1 --count 4",
            "use a choice by the exponential mechanism with ε",
        ),
        ("laplace --epsilon 1 --rate 0.5", "use Laplace noise of scale 0.671"),
    ],
)
def test_calibrate_by_every_option(shell: Shell, arguments: str, headline: str) -> None:
    done = shell("calibrate", *arguments.split())
    assert done.code == 0
    assert done.out.startswith(headline)


def test_what_calibrate_writes_account_reads(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--epsilon", "1", "--delta", "1e-6", "--count", "20", "--json"]
    found = json.loads(shell("calibrate", "laplace", *options).out)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(found["document"])))
    again = json.loads(shell("account", "-", "--delta", "1e-6", "--json").out)
    assert again["epsilon"] == found["spent"] <= 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("gauss --epsilon 1", "did you mean 'gaussian'"),
        ("gaussian --epsilon 1", "no Gaussian noise keeps delta = 0"),
        ("laplace --epsilon 0", "--epsilon must"),
        ("laplace --epsilon one", "--epsilon must"),
        ("laplace --epsilon 1 --count 1.5", "--count takes a whole number of 1 or more; '1.5'"),
        ("laplace --epsilon 1 --count 0", "count must"),
        ("laplace --epsilon 1 --rate 2", "rate must"),
        ("laplace --epsilon 1 --relation swap", "'swap'"),
        ("discrete-laplace --epsilon 1 --sensitivity 1.5", "a whole number of grid steps"),
    ],
)
def test_calibrate_refuses_in_one_sentence(shell: Shell, arguments: str, sentence: str) -> None:
    done = shell("calibrate", *arguments.split())
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_wrong_usage_is_exit_2(shell: Shell) -> None:
    for arguments in (["account"], ["calibrate"], ["calibrate", "laplace"]):
        done = shell(*arguments)
        assert done.code == 2
        assert "Usage: sfumato" in done.err
