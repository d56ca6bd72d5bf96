"""Numbers on a command line: what leaves no noise, and what is no number, is refused at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENTS, HOSPITAL = EXAMPLES / "patients.csv", EXAMPLES / "hospital-a.csv"
COUNT = "SELECT COUNT(*) AS n FROM patients"
ROW = ("--unit", "row")
COIN = ("--question", "cheated", "--choices", "yes,no")
#: Verbs that make noise, but for their ε.
NOISY: dict[str, tuple[object, ...]] = {
    "query": ("query", PATIENTS, COUNT, *ROW),
    "plan": ("plan", PATIENTS, COUNT, *ROW),
    "kmeans": ("kmeans", PATIENTS, "--k", "2", "--bounds", "age=0:110", *ROW),
    "calibrate": ("calibrate", "laplace"),
    "calibrate Gaussian noise": ("calibrate", "gaussian", "--delta", "1e-6"),
    "survey simulate": ("survey", "simulate", *COIN, "--people", "10"),
    "survey answer": ("survey", "answer", *COIN, "yes"),
    "attack reconstruct": ("attack", "reconstruct", PATIENTS, "--column", "smoker"),
    "init": ("init", PATIENTS, "--unit", "patient_id"),
}


def refused(done: Finished) -> str:
    """Check that something was refused in one sentence, and return it."""
    assert (done.code, done.out) == (2, ""), done.err
    assert done.err.count("\n") == 1
    return done.err


#: What is refused is the option, of a survey after the question that it is of.
ONE_PLACE = re.compile(r"sfumato: (question '\w+': )?--epsilon must ")


@pytest.mark.parametrize("epsilon", ["1e308", "1e7"])
@pytest.mark.parametrize("words", NOISY.values(), ids=NOISY)
def test_an_epsilon_that_leaves_no_noise_is_refused(
    shell: Shell,
    words: tuple[object, ...],
    epsilon: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused(shell(*words, "--epsilon", epsilon))
    assert ONE_PLACE.match(said)
    assert "epsilon=" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("epsilon", ["１", "1_0", "٣"])
@pytest.mark.parametrize("words", NOISY.values(), ids=NOISY)
def test_an_epsilon_in_other_digits_is_refused(
    shell: Shell,
    words: tuple[object, ...],
    epsilon: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused(shell(*words, "--epsilon", epsilon))
    assert ONE_PLACE.match(said)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("epsilon", ["1e308", "１"])
def test_a_refused_epsilon_costs_nothing(
    shell: Shell, place: Path, monkeypatch: pytest.MonkeyPatch, epsilon: str
) -> None:
    monkeypatch.chdir(place.parent)
    said = ["--unit", "patient_id", "--epsilon", "1", "--ledger", place]
    assert shell("init", PATIENTS, *said).code == 0
    asked = ["patients.toml", COUNT, "--limit", "rows=60", "--analyst", "ada"]
    refused(shell("query", *asked, "--epsilon", epsilon))
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    assert shown["budgets"][0]["spent"]["epsilon"] == "0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("query", PATIENTS, COUNT, *ROW, "--epsilon", "1", "--limit", "rows=５"), "not '５'"),
        (("query", PATIENTS, COUNT, *ROW, "--epsilon", "1", "--weight", "n=1_0"), "'1_0' is not"),
        (("query", PATIENTS, COUNT, *ROW, "--rho", "１"), "--rho must be in the digits 0 to 9"),
        (("query", PATIENTS, COUNT, *ROW, "--epsilon", "1", "--delta", "1e-_6"), "--delta must"),
        (("calibrate", "laplace", "--epsilon", "1", "--count", "１０"), "--count takes a whole"),
        (("calibrate", "laplace", "--epsilon", "1", "--sensitivity", "1_0"), "write 10"),
        (("anonymize", HOSPITAL, "--quasi", "age", "--k", "２"), "--k takes a whole number"),
        (("entropy", HOSPITAL, "--columns", "age", "--order", "２"), "--order takes a number"),
        (("risk", HOSPITAL, "--quasi", "age", "--population", "1_000"), "--population takes"),
        (("survey", "simulate", *COIN, "--epsilon", "1", "--people", "１０"), "--people takes"),
    ],
)
def test_other_options_take_plain_numbers_too(
    shell: Shell, words: tuple[object, ...], said: str
) -> None:
    assert said in refused(shell(*words))
