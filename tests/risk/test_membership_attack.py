"""M-RISK-7: TPR ≤ e^ε·FPR + δ holds for a model trained privately, and not for one that is not."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from examples.models import PEOPLE, counts, noisy_counts
from sfumato.application.risk.membership import attack_model, attack_scores, attack_target
from sfumato.errors import InputError
from sfumato.mechanisms import DiscreteLaplace
from sfumato.sampling import SeededSource
from tests.pages import pictures
from tests.refusing import raises_code

#: The chance that a test fails although the guarantee is kept, or passes a bound by luck.
ALARM = 1e-6


@pytest.mark.full
def test_a_private_model_keeps_its_guarantee() -> None:
    """Wrong with probability ALARM at most, whatever the seed."""
    careful = partial(noisy_counts, source=SeededSource(1))
    attack = attack_model(careful, PEOPLE, epsilon=1, trials=1500, alpha=ALARM)
    assert not attack.violated
    assert attack.report.epsilon <= 1


def test_a_model_that_is_not_private_breaks_it() -> None:
    assert attack_model(counts, PEOPLE, epsilon=1, trials=200, alpha=ALARM).violated


@pytest.mark.full
def test_the_twin_with_a_twentieth_of_the_noise_breaks_it() -> None:
    careless = partial(noisy_counts, epsilon=20, source=SeededSource(1))
    attack = attack_model(careless, PEOPLE, epsilon=1, trials=500, alpha=ALARM)
    assert attack.violated


# The whole distribution.  Of the counts that the model is made of, the person moves three, each by
# 1; the rest of the noise tells nothing.  So the sum of the three is the best that their sum can
# tell.


FAR = 400
SUMS = range(-60, 61)


def rates(scale: float) -> dict[int, tuple[float, float]]:
    """Return by t the exact true and false positive rate of "the sum is t or more"."""
    one = np.exp(-np.abs(np.arange(-FAR, FAR + 1)) / scale)
    one /= one.sum()
    together = np.convolve(np.convolve(one, one), one)
    least = together[::-1].cumsum()[::-1]  # that the noise of three counts is at least so great
    return {t: (float(least[3 * FAR + t - 3]), float(least[3 * FAR + t])) for t in SUMS}


def test_mathematics_says_the_same_of_the_private_model() -> None:
    exact = rates(scale=3).values()
    assert all(true <= math.e * false * (1 + 1e-9) for true, false in exact)
    assert any(true > 2 * false for true, false in exact)


def test_mathematics_says_that_the_twin_breaks_it() -> None:
    assert any(true > math.e * false + 1e-9 for true, false in rates(scale=3 / 20).values())


@pytest.mark.full
def test_the_attack_finds_the_rates_that_mathematics_says() -> None:
    """Six rates, each within six standard deviations: together they fail in less than 1 of 1e6."""
    noise, source, trials = DiscreteLaplace(epsilon=1, sensitivity=3), SeededSource(1), 2000

    def train(people: Any) -> Any:
        ill = [row for row in people if row[-1]]
        sums = [len(ill), *(sum(row[symptom] for row in ill) for symptom in (0, 1))]
        return sum(noise.release(np.array(sums), source=source).value.tolist())

    curve = attack_model(
        train, PEOPLE, epsilon=1, trials=trials, score=lambda model, _: model
    ).report.curve
    exact = rates(scale=3)
    for t in (-5, 0, 5):
        place = int((curve.thresholds >= t).sum()) - 1
        observed = curve.members[place] / trials, curve.others[place] / trials
        for seen, rate in zip(observed, exact[t], strict=True):
            assert abs(seen - rate) <= 6 * math.sqrt(rate * (1 - rate) / trials)


def test_the_person_with_the_rarest_values_is_looked_for() -> None:
    asked = []

    def score(_: Any, row: Any) -> float:
        asked.append(tuple(row))
        return 0.0

    frame = pd.DataFrame({"age": [40, 40, 41], "sex": ["f", "f", "m"]})
    for records in (PEOPLE, np.array(PEOPLE), frame):
        attack_model(len, records, epsilon=1, score=score, trials=2)
    assert asked == [(1, 1, 1)] * 8 + [(41, "m")] * 4


@pytest.mark.parametrize("records", [[5, 6, 7], np.array([5, 6, 7]), pd.Series([5, 6, 7])])
def test_models_are_trained_with_the_person_and_without(records: Any) -> None:
    seen: list[list[int]] = []
    told = []

    def train(rows: Any) -> Any:
        seen.append([int(row) for row in rows])
        return float

    attack_model(
        train,
        records,
        epsilon=1,
        target=1,
        trials=2,
        progress=lambda done, of: told.append((done, of)),
    )
    assert seen == [[5, 6, 7], [5, 7]] * 2
    assert told == [(2, 4), (4, 4)]


def shuffled(rows: Any) -> Any:
    """Train as every epoch of a gradient descent does: on the rows in another order."""
    np.random.default_rng(len(rows)).shuffle(rows)
    return counts(rows)


def emptied(rows: Any) -> Any:
    model = counts([tuple(row) for row in rows])
    for row in rows:
        row[:] = [0] * len(row)
    return model


LISTS = [[*row] for row in PEOPLE]


@pytest.mark.full
@pytest.mark.parametrize(
    ("train", "records"),
    [
        (shuffled, np.array(PEOPLE)),
        (shuffled, LISTS),
        (emptied, np.array(PEOPLE)),
        (emptied, LISTS),
    ],
)
def test_a_training_that_changes_its_rows_changes_nobody(train: Any, records: Any) -> None:
    before = [tuple(row) for row in records]
    attack = attack_model(train, records, epsilon=1, trials=300)
    assert (
        attack.report.epsilon == attack_model(counts, PEOPLE, epsilon=1, trials=300).report.epsilon
    )
    assert [tuple(row) for row in records] == before


def test_a_training_that_changes_a_frame_changes_nobody() -> None:
    def train(rows: pd.DataFrame) -> Any:
        rows.loc[:, "x"] = 0
        return lambda row: float(row["x"]) * len(rows)

    frame = pd.DataFrame({"x": [5, 4, 3]})
    attack_model(train, frame, epsilon=1, trials=3)
    assert frame["x"].tolist() == [5, 4, 3]


def test_a_loss_is_smaller_for_members() -> None:
    def loss(model: Any, row: Any) -> float:
        return -float(model(row))

    settings: dict[str, Any] = {"epsilon": 1, "trials": 200, "score": loss}
    assert not attack_model(counts, PEOPLE, **settings).violated
    assert attack_model(counts, PEOPLE, smaller=True, **settings).violated


def test_a_loss_is_shown_as_it_was_given() -> None:
    table = pd.DataFrame({"loss": [0.0, 0.9] * 100, "in": [1, 0] * 100})
    attack = attack_scores(table, score="loss", member="in", epsilon=1, smaller=True)
    assert "a score of at most 0: 50 of 50 members and 0 of 50 others" in attack.lines()
    assert attack.as_dict()["threshold"] == "0"
    assert attack.report.curve.thresholds.tolist() == [0.0, 0.9]
    losses = pd.DataFrame({"loss": [0.1, 0.1, 0.1, 0.9] * 100, "in": [1, 0, 1, 0] * 100})
    found = attack_scores(losses, score="loss", member="in", epsilon=1, smaller=True)
    assert str(found.report.tested).startswith("a score above 0.1: ")
    assert str(found.report.tested).endswith("of 100 others and 0 of 100 members")


def test_a_loss_that_is_taken_for_a_score_is_asked_about() -> None:
    table = pd.DataFrame({"loss": [0.1, 0.9] * 100, "in": [1, 0] * 100})
    said = " ".join(line.strip() for line in _lines(table, smaller=False))
    assert "the others score higher than the members: are members and others swapped?" in said
    assert "add --smaller (in Python smaller=True) if members score lower, as with a loss" in said
    assert "sfumato.audit.one_run" in said
    swapped = " ".join(
        line.strip() for line in _lines(table.assign(**{"in": [0, 1] * 100}), smaller=True)
    )
    assert "the others score lower than the members: are members and others swapped?" in swapped
    assert "leave out --smaller (in Python smaller=True) if members score higher" in swapped


def _lines(table: pd.DataFrame, *, smaller: bool) -> list[str]:
    return attack_scores(table, score="loss", member="in", epsilon=1, smaller=smaller).lines()


def raising(error: BaseException) -> Any:
    def function(*_: Any) -> Any:
        raise error

    return function


@pytest.mark.parametrize("error", [ValueError("a cell"), SystemExit(0), MemoryError(), KeyError()])
def test_functions_that_raise_are_named_without_what_they_say(error: BaseException) -> None:
    said = f"raised {type(error).__name__}; call it alone"
    for options in ({"score": raising(error)}, {}):
        train = counts if options else raising(error)
        with pytest.raises(InputError, match=said) as caught:
            attack_model(train, PEOPLE, epsilon=1, trials=2, **options)
        assert "cell" not in str(caught.value)
    with raises_code("E-FUNCTION-RAISED"):
        attack_model(lambda _: raising(error), PEOPLE, epsilon=1, trials=2)


def test_a_training_that_is_interrupted_ends() -> None:
    with pytest.raises(KeyboardInterrupt):
        attack_model(raising(KeyboardInterrupt()), PEOPLE, epsilon=1, trials=2)


def test_scores_in_a_table_are_compared_with_the_guarantee() -> None:
    table = pd.DataFrame({"loss": ["0.1", "0.9"] * 100, "in": [" Yes", "no"] * 100})
    attack = attack_scores(table, score="loss", member="in", epsilon=1, smaller=True)
    assert attack.violated
    assert not attack_scores(table, score="loss", member="in", epsilon=5, smaller=True).violated
    assert attack.lines()[-1].startswith("not private: ")
    assert max(map(len, attack.lines())) <= 80
    assert len(pictures(attack.to_html())) == 1
    assert attack.as_dict()["private"] is False


def test_a_training_function_is_found_by_its_name() -> None:
    attack = attack_target(
        "examples.models:counts", data="[[0, 0, 0], [1, 1, 1]]", person=1, epsilon=1, trials=100
    )
    assert attack.violated


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": 99}, "from 0 to 28"),
        ({"target": True}, "from 0 to 28"),
        ({"trials": 0}, "1 or more"),
        ({"trials": 1}, "at least 2"),
        ({"score": lambda model, row: "high"}, "the score must return a number .* of type str"),
        ({"score": lambda model, row: math.nan}, "the score must return a number .* returned NaN"),
        ({"score": lambda model, row: None}, "the score must return a number .* NoneType"),
        ({"score": lambda model, row: np.zeros(1)}, "must return a number .* of type ndarray"),
        ({"score": lambda model, row: 10**400}, "a number that a float can hold; .* of type int"),
        ({"epsilon": -1}, "epsilon"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(options: dict[str, Any], said: str) -> None:
    settings = {"epsilon": 1, "trials": 3, **options}
    with pytest.raises(InputError, match=said):
        attack_model(counts, PEOPLE, **settings)


def test_records_and_models_that_cannot_be_used_are_refused() -> None:
    columns = pa.table({"a": [1, 2, 3], "b": [1, 2, 3]})
    for records in ([], [1], 7, {0: 1, 1: 2}, {1, 2}, "abc", np.array(5), columns, columns["a"]):
        with raises_code("E-ARGUMENT-TYPE", "records"):
            attack_model(counts, records, epsilon=1)
    with raises_code("E-MODEL-NOT-CALLABLE"):
        attack_model(len, PEOPLE, epsilon=1)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"loss": ["a", "1"], "in": [0, 1]}, "no number"),
        ({"loss": [0.1, None], "in": [0, 1]}, "no number"),
        ({"loss": [0.1, 0.2], "in": [0, 2]}, "in or out"),
        ({"loss": [0.1, 0.2], "in": [0, 0]}, "at least 2"),
        ({"los": [0.1, 0.2], "in": [0, 1]}, "did you mean 'los'"),
    ],
)
def test_tables_of_scores_that_cannot_be_used_are_refused(table: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        attack_scores(pd.DataFrame(table), score="loss", member="in", epsilon=1)
