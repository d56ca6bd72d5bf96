"""A simulated survey: the truth is known, the reports are the client's, memory stays flat."""

from __future__ import annotations

import csv
import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import InputError, UnknownNameError
from sfumato.sampling import SeededSource
from sfumato.survey.collector.decoding import tally_of
from sfumato.survey.collector.forms import parse
from sfumato.survey.crowd.population import read_shares
from sfumato.survey.crowd.simulation import Simulation, simulate
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, surprise

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.survey.client.survey import Survey

PROTOCOLS = ("response", "unary", "subset", "hadamard", "hashing", "permanent")


def of_all_kinds(*, ids: bool = False) -> Survey:
    choices = {"choices": ["red", "green", 'a "b", c', "ü"], "epsilon": 2}
    asked: dict[str, Any] = {name: {**choices, "protocol": name} for name in PROTOCOLS}
    asked["permanent"]["lifetime"] = 4
    return sf.Survey({**asked, "hours": {"bounds": (0, 24), "epsilon": 3}}, ids=ids)


def of_one(epsilon: object = 2, choices: int = 4) -> Survey:
    return sf.Survey(
        {"q": {"choices": [f"c{each}" for each in range(choices)], "epsilon": epsilon}}
    )


def test_people_answer_by_their_shares() -> None:
    """A chi-square test, false alarm 1e-6; the twin has one share 0.01 greater."""
    shares = [0.1, 0.2, 0.3, 0.4]
    done = simulate(of_one(), 100_000, shares={"q": shares}, source=SeededSource(1))
    assert surprise(done.truth["q"], shares) > FALSE_ALARM
    assert surprise(done.truth["q"], [0.11, 0.2, 0.3, 0.39]) < FALSE_ALARM


@pytest.mark.parametrize(
    ("given", "weights"),
    [
        (None, [1, 1, 1, 1]),
        ({"c1": 0.4}, [1, 2, 1, 1]),
        ({"c0": "1/3", "c1": "1/3", "c2": "1/3", "c3": 0}, [1, 1, 1, 0]),
        ([0.25, 0.25, 0.5, 0], [1, 1, 2, 0]),
        (np.array([0.0, 0.0, 1.0, 0.0]), [0, 0, 1, 0]),
    ],
)
def test_shares_become_whole_weights(given: Any, weights: list[int]) -> None:
    (habit,) = read_shares(of_one(), None if given is None else {"q": given})
    assert habit.weights.tolist() == weights  # type: ignore[attr-defined]


def test_shares_of_many_digits_are_nearly_what_they_are() -> None:
    shares = 1 / np.arange(1, 101)
    shares /= shares.sum()
    (habit,) = read_shares(of_one(choices=100), {"q": shares})
    weights = habit.weights  # type: ignore[attr-defined]
    assert abs(weights / weights.sum() - shares).max() < 1e-9
    done = simulate(of_one(choices=100), 50_000, shares={"q": shares}, source=SeededSource(2))
    assert surprise(done.truth["q"], shares.tolist()) > FALSE_ALARM


def test_numbers_are_one_or_spread() -> None:
    survey = sf.Survey({"hours": {"bounds": (4, 24), "epsilon": 3}})
    assert simulate(survey, 100, shares={"hours": 9}).truth["hours"] == pytest.approx(9)
    assert simulate(survey, 100, shares={"hours": 99}).truth["hours"] == pytest.approx(24)
    for given, mean, spread in [(None, 14, 20), ((20, 10), 15, 10)]:
        shares = None if given is None else {"hours": given}
        done = simulate(survey, 100_000, shares=shares, source=SeededSource(3))
        assert abs(done.truth["hours"] - mean) < 6 * spread / (12 * 100_000) ** 0.5


def test_two_questions_can_hang_together() -> None:
    """All who answer c0 answer c1 to the other; without that the twin's cells are all alike."""
    choices = {"choices": ["c0", "c1"], "epsilon": 2}
    survey = sf.Survey({"a": choices, "b": choices, "c": choices})
    done = simulate(survey, 1_000, shares={("b", "a"): [[0, 0.3], [0.7, 0]]}, pairs=[("a", "b")])
    joint = done.joint_truth["a", "b"]
    assert joint[0, 0] == joint[1, 1] == 0
    assert joint.sum() == 1_000
    assert np.array_equal(joint.sum(axis=1), done.truth["a"])
    assert done.pairs["a", "b"].people == 1_000
    apart = simulate(survey, 1_000, pairs=[("a", "b")], source=SeededSource(6))
    assert apart.joint_truth["a", "b"].min() > 150


@pytest.mark.parametrize("chunk", [None, 1, 7, 10**9])
def test_however_people_are_drawn_all_are_counted(chunk: int | None) -> None:
    told: list[float] = []
    done = simulate(of_all_kinds(), 50, chunk=chunk, progress=told.append)
    assert isinstance(done, Simulation)
    assert done.people == 50
    assert {each.people for each in done.tallies.values()} == {50}
    assert all(done.truth[name].sum() == 50 for name in PROTOCOLS)
    assert told[-1] == 1
    assert told == sorted(told)
    assert len(told) == {None: 1, 1: 50, 7: 8, 10**9: 1}[chunk]


def test_estimates_are_about_the_truth() -> None:
    """Within 6 standard errors for every protocol and choice: false alarm 1e-6 for all 25."""
    shares = {name: [0.1, 0.2, 0.3, 0.4] for name in PROTOCOLS}
    done = simulate(of_all_kinds(), 30_000, shares=shares, source=SeededSource(4))
    results = done.estimate()
    for name in PROTOCOLS:
        question = done.survey.questions[name]
        true = done.truth[name] / 30_000
        for share, choice in zip(true, question.choices, strict=True):  # type: ignore[union-attr]
            error = (float(question.protocol.variance(share)) / 30_000) ** 0.5
            assert abs(results[name][choice].value - share) < 6 * error
    assert abs(results["hours"].value - done.truth["hours"]) < 1


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("end", [".csv", ".parquet"])
def test_the_file_has_the_reports_that_were_counted(tmp_path: Path, end: str, *, ids: bool) -> None:
    survey, path = of_all_kinds(ids=ids), tmp_path / f"reports{end}"
    done = simulate(survey, 300, chunk=70, out=path)
    rows = read_rows(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert tuple(rows[0]) == survey.entries
    assert {row["survey"] for row in rows} == {survey.digest}
    for name, question in survey.questions.items():
        reports, fine = parse(question, [row[name] for row in rows])
        assert fine.all()
        assert np.array_equal(tally_of(question, reports).counts, done.tallies[name].counts)
    if ids:
        assert [row["person"] for row in rows] == [str(each + 1) for each in range(300)]
        assert len({row["tag"] for row in rows}) == 300  # two of 64 bits are equal: 3e-15
        assert all(len(row["tag"]) == 17 and int(row["tag"][1:], 16) >= 0 for row in rows)


def read_rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_no_report_in_csv_is_a_formula(tmp_path: Path) -> None:
    """The choice of a report is a word of the survey's file, and would be run as it stands."""
    asked = {"choices": ["=cmd|' /c calc'!A0", "-1"], "epsilon": 1}
    words, bits = (sf.Survey({"q": {**asked, "protocol": name}}) for name in ("response", "unary"))
    with raises_code("E-CHOICE-IS-FORMULA") as told:
        simulate(words, 10, out=tmp_path / "reports.csv")
    assert "\n" not in str(told.value)
    assert not list(tmp_path.iterdir())
    simulate(words, 10, out=tmp_path / "reports.parquet")
    simulate(bits, 10, out=tmp_path / "reports.csv")


@pytest.mark.parametrize("end", [".csv", ".parquet"])
def test_no_file_is_left_half_written(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"reports{end}"
    path.write_text("as it was")

    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(of_one(), 300, chunk=70, out=path, progress=stop)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["as it was"]


def test_memory_does_not_grow_with_people() -> None:
    """Ten times the people, no more memory; the twin keeps all that it is told, and grows."""

    def peak(people: int, told: list[Any]) -> int:
        tracemalloc.start()
        simulate(of_one(choices=16), people, chunk=1_000, progress=lambda _: told.append([0] * 999))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    class Nothing(list[Any]):
        def append(self, _: Any) -> None:
            pass

    peak(1_000, Nothing())
    assert peak(150_000, Nothing()) < 1.2 * peak(15_000, Nothing())
    assert peak(150_000, []) > 1.2 * peak(15_000, Nothing())


BAD_SHARES: list[tuple[Any, str]] = [
    ([0.5, 0.5], r"the shares of 'q' must be 4, one for each choice"),
    ("abcd", r"the shares of 'q' must be 4"),
    (0.5, r"the shares of 'q' must be 4"),
    ([0.5, 0.5, 0.5, 0.5], r"the shares of 'q' must sum to 1"),
    ({"c0": 0.7, "c1": 0.7}, r"the shares of 'q' must sum to 1"),
    ({"c0": 0.1, "c1": 0.1, "c2": 0.1, "c3": 0.1}, r"the shares of 'q' must sum to 1"),
    ([1.5, -0.5, 0, 0], "a share of 'q' must"),
    ({"c0": float("nan")}, "a share of 'q' must"),
    ({"c9": 0.5}, r"that is no answer to 'q'"),
]


@pytest.mark.parametrize(("given", "said"), BAD_SHARES, ids=str)
def test_shares_that_are_none_are_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        simulate(of_one(), 10, shares={"q": given})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"shares": [0.5]}, "shares are given by question"),
        ({"shares": {"hours": "many"}}, "write shares=\\{'hours': \\(2, 8\\)\\}, say"),
        ({"shares": {"hours": (1, 2, 3)}}, "write shares=\\{'hours': \\(2, 8\\)\\}, say"),
        ({"shares": {("unary", "hours"): [[1]]}}, "a pair is of two questions with choices"),
        ({"shares": {("unary", "subset"): 0.5}}, "the shares of 'unary and subset' must be 16"),
        (
            {"shares": {("unary", "subset"): [[1 / 16] * 4] * 4, "unary": [1, 0, 0, 0]}},
            "how people answer 'unary' is given twice",
        ),
        ({"people": 0}, "people must be a whole number from 1"),
        ({"people": 1.5}, "people must"),
        ({"people": True}, "people must"),
        ({"chunk": 0}, "chunk must"),
        ({"out": "reports.txt"}, r"written as .csv or .parquet, not as .txt"),
        ({"out": "reports"}, r"written as .csv or .parquet"),
        ({"out": "no/such/folder/reports.csv"}, "in a folder"),
        ({"source": 7}, "source must be a source of bits"),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused(more: dict[str, Any], said: str) -> None:
    people = more.pop("people", 10)
    with pytest.raises(InputError, match=said):
        simulate(of_all_kinds(), people, **more)


def test_records_have_the_truth() -> None:
    choices = {"choices": ["yes", "no"], "epsilon": 2}
    survey = sf.Survey({"one": choices, "two": choices, "n": {"bounds": (0, 9), "epsilon": 1}})
    shares = {("one", "two"): [[1, 0], [0, 0]], "n": 9}
    found = simulate(survey, 40, shares=shares, pairs=[("one", "two")]).estimate()
    truth = [each["truth"] for each in found.to_records()]
    assert truth == [1, 0, 1, 0, pytest.approx(9), 1, 0, 0, 0]
    assert found.to_pandas()["truth"].tolist() == truth
    assert json.loads(json.dumps(found.as_dict()))["estimates"][0]["truth"] == 1


def test_a_simulation_is_shown_short() -> None:
    assert repr(simulate(of_one(), 1200)) == "<Simulation of 'survey': 1,200 reports>"


def test_the_path_of_a_survey_is_none() -> None:
    with raises_code("E-ARGUMENT-TYPE", match=r"write sf\.survey\.read_survey\('class\.toml'\)"):
        simulate("class.toml", 10)  # type: ignore[arg-type]


def test_questions_that_are_not_there_are_refused() -> None:
    with raises_code("E-NAME-UNKNOWN", match="coat", kind=UnknownNameError):
        simulate(of_one(), 10, shares={"coat": [1]})
    with raises_code("E-NAME-UNKNOWN", match="coat", kind=UnknownNameError):
        simulate(of_one(), 10, pairs=[("q", "coat")])
