"""M-RISK-5: the Scoreboard against plain Python, and on ratings that are made up."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from sfumato.risk import scoreboard, sparse_ratings
from tests.charts.drawn_rows import drawn_rows
from tests.pages import pictures

EXAMPLES = Path(__file__).parents[2] / "examples"
COLUMNS: dict[str, Any] = {"person": "user", "item": "film", "rating": "stars", "day": "date"}
#: The chance that a test of rates fails although the rates are as it says.
ALARM = 1e-6
LOOKED_FOR = 200
DAYS = 14
FACTS = ("film", "stars", "date")


def by_hand(records: pd.DataFrame, facts: pd.DataFrame, used: list[str]) -> dict[Any, float]:
    """Return everybody's score, as the paper writes it."""
    raters = records.groupby("film")["user"].nunique()
    scores = dict.fromkeys(records["user"], 0.0)
    for _, fact in facts.iterrows():
        closest: dict[Any, float] = defaultdict(float)
        for _, row in records[records["film"] == fact["film"]].iterrows():
            parts = {
                "stars": lambda row=row, fact=fact: abs(row["stars"] - fact["stars"]) / 1.5,
                "date": lambda row=row, fact=fact: abs(row["date"] - fact["date"]) / 30,
            }
            alike = sum(math.exp(-parts[name]()) for name in used) if used else 1.0
            closest[row["user"]] = max(closest[row["user"]], alike)
        for user, alike in closest.items():
            scores[user] += alike / math.log(1 + raters[fact["film"]])
    return scores


def random_table(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "user": rng.integers(0, 8, rows),
            "film": rng.integers(0, 12, rows),
            "stars": rng.integers(1, 6, rows),
            "date": rng.integers(0, 90, rows),
        }
    )


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("used", [["stars", "date"], ["stars"], ["date"], []])
def test_scores_are_those_of_plain_python(seed: int, used: list[str]) -> None:
    rng = np.random.default_rng(seed)
    records = random_table(rng, 60)
    facts = random_table(rng, 9).drop_duplicates("film")
    options: dict[str, Any] = {
        "rating": "stars" if "stars" in used else None,
        "day": "date" if "date" in used else None,
    }
    found = scoreboard(records, facts, person="user", item="film", candidates=8, **options).match
    wanted = by_hand(records, facts, used)
    assert {each.person for each in found.candidates} == {who for who in wanted if wanted[who] > 0}
    for each in found.candidates:
        assert each.score == pytest.approx(wanted[each.person], abs=1e-8)
    first, second, *_ = sorted(wanted.values(), reverse=True)
    deviation = np.std(list(wanted.values()))
    assert found.deviation == pytest.approx(deviation, abs=1e-8)
    assert found.eccentricity == pytest.approx((first - second) / deviation, abs=1e-6)
    assert found.declared == (found.eccentricity > 1.5 and found.agreement >= 0.5)


def test_several_people_are_looked_for_at_once_as_one_by_one() -> None:
    rng = np.random.default_rng(1)
    records, facts = random_table(rng, 60), random_table(rng, 30)
    facts = facts.rename(columns={"user": "of"}).drop_duplicates(["of", "film"])
    report = scoreboard(records, facts, who="of", **COLUMNS)
    assert [match.who for match in report.matches] == sorted(set(facts["of"]))
    for match in report.matches[:3]:
        alone = scoreboard(records, facts[facts["of"] == match.who], **COLUMNS).match
        assert match.candidates == alone.candidates
        assert match.eccentricity == alone.eccentricity


def test_the_order_of_rows_changes_no_digit() -> None:
    table = sparse_ratings(people=40, items=200, average=20, seed=3).to_pandas()
    facts = table[table["user"] == "u3"].head(6)
    shuffled = table.sample(frac=1, random_state=1)
    assert scoreboard(table, facts, **COLUMNS) == scoreboard(shuffled, facts[::-1], **COLUMNS)


# The rates.  Given the table, what is known of one person is drawn independently of what is known
# of another, so the number of those found is a sum of independent indicators.  Its tails beyond
# the mean are lighter than those of the binomial of the same mean (Hoeffding 1956), and a count
# below the ALARM-quantile of that binomial happens with probability ALARM at most.


@dataclass(frozen=True)
class Knowledge:
    """What is known of each person: how many ratings, of which so many wrong."""

    ratings: int = 8
    wrong: int = 2
    shuffled: bool = False


def known_facts(
    table: pd.DataFrame, people: list[str], knows: Knowledge, seed: int
) -> pd.DataFrame:
    """Return noisy facts: a wrong one is about any film, with any stars, on any day."""
    rng = np.random.default_rng(seed)
    parts = []
    for user in people:
        own = table[table["user"] == user].sample(knows.ratings, random_state=rng)
        own = own.assign(date=own["date"] + pd.to_timedelta(_days(rng, knows.ratings), unit="D"))
        wrong = pd.DataFrame(
            {name: table[name].sample(knows.wrong, random_state=rng).array for name in FACTS}
        )
        parts.append(pd.concat([wrong, own.iloc[knows.wrong :]]).assign(user=user))
    facts = pd.concat(parts).drop_duplicates(["user", "film"])
    if knows.shuffled:
        facts["film"] = rng.permutation(facts["film"].to_numpy())
        facts = facts.drop_duplicates(["user", "film"])
    return facts.rename(columns={"user": "of"})


def _days(rng: np.random.Generator, size: int) -> Any:
    return rng.integers(-DAYS, DAYS + 1, size)


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    """600 people and 5,000 films, 1.1 % of all pairs rated: as sparse as the Netflix table."""
    table: pd.DataFrame = sparse_ratings(people=600, items=5000, average=60, seed=1).to_pandas()
    return table.assign(date=pd.to_datetime(table["date"]))


@pytest.fixture(scope="module")
def looked_for(ratings: pd.DataFrame) -> list[str]:
    return sorted(set(ratings["user"]))[:LOOKED_FOR]


def found_and_wrong(table: pd.DataFrame, facts: pd.DataFrame, **options: Any) -> tuple[int, int]:
    """Return how many are declared rightly, and how many wrongly."""
    report = scoreboard(table, facts, who="of", **{**COLUMNS, **options})
    right = [match.declared and match.person == match.who for match in report.matches]
    return sum(right), report.declared - sum(right)


def test_the_generated_ratings_are_as_sparse_as_real_ones(ratings: pd.DataFrame) -> None:
    share = len(ratings) / (600 * 5000)
    assert 0.009 < share < 0.014  # Netflix: 100,480,507 of 480,189 × 17,770, that is 1.18 %
    assert not ratings.duplicated(["user", "film"]).any()


def test_eight_ratings_two_of_them_wrong_find_the_great_majority(
    ratings: pd.DataFrame, looked_for: list[str]
) -> None:
    right, wrong = found_and_wrong(ratings, known_facts(ratings, looked_for, Knowledge(), 2))
    assert right >= binom.ppf(ALARM, LOOKED_FOR, 0.95)
    assert wrong <= binom.isf(ALARM, LOOKED_FOR, 0.01)


def test_the_attack_abstains_when_the_person_is_not_in_the_table(
    ratings: pd.DataFrame, looked_for: list[str]
) -> None:
    facts = known_facts(ratings, looked_for, Knowledge(), 2)
    without = ratings[~ratings["user"].isin(looked_for)]
    assert found_and_wrong(without, facts)[1] <= binom.isf(ALARM, LOOKED_FOR, 0.01)
    # The twin: by the eccentricity alone somebody stands out often, by one rare film.
    assert found_and_wrong(without, facts, agreement=0)[1] > binom.isf(ALARM, LOOKED_FOR, 0.01)


@pytest.mark.full
@pytest.mark.parametrize(
    "knows", [Knowledge(ratings=2, wrong=1), Knowledge(shuffled=True)], ids=["few", "shuffled"]
)
def test_the_twin_that_knows_next_to_nothing_does_not_find_them(
    ratings: pd.DataFrame, looked_for: list[str], knows: Knowledge
) -> None:
    facts = known_facts(ratings, looked_for, knows, 2)
    right, _ = found_and_wrong(ratings, facts, day=None)
    assert right < binom.ppf(ALARM, LOOKED_FOR, 0.95)


def test_the_example_tables_are_made_by_the_generator() -> None:
    table = sparse_ratings(people=60, items=400, average=25, seed=1)
    with (EXAMPLES / "ratings.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    made = [{name: str(cell) for name, cell in row.items()} for row in table.to_pylist()]
    assert rows == made


def test_a_person_who_shares_no_item_has_no_candidate() -> None:
    records = {"user": [1, 2], "film": ["a", "b"]}
    facts = {"film": ["a", "z"], "of": ["x", "y"]}
    report = scoreboard(pd.DataFrame(records), facts, person="user", item="film", who="of")
    one, other = report.matches
    assert (one.person, other.person) == (1, None)
    assert (other.declared, other.matched, other.facts) == (False, 0, 1)
    assert "abstained on 1" in report.lines()[0]
    (drawing,) = pictures(report.to_html())
    assert drawing == report.svg()
    assert [each["value"] for each in drawn_rows(report.plot(), "label")] == [one.eccentricity, 0]


@pytest.mark.parametrize(("written", "empty"), [("2026-01-02", None), ("17", ""), (17, None)])
def test_days_of_which_none_is_known_are_left_out(written: Any, empty: Any) -> None:
    records = pd.DataFrame({"user": [1, 2], "film": ["a", "b"], "date": [written] * 2})
    facts = {"film": ["a"], "date": [empty]}
    assert scoreboard(records, facts, person="user", item="film", day="date").match.score == 0


def test_an_agreement_below_the_least_is_not_written_as_the_least() -> None:
    records = pd.DataFrame({"user": [1, 2], "film": ["a", "b"], "stars": [0.0, 0.0]})
    facts = {"film": ["a"], "stars": [-1.5 * math.log(0.498)]}
    report = scoreboard(records, facts, person="user", item="film", rating="stars")
    assert not report.match.declared
    assert "it agrees with 49 % of what is known (declared from 50 % on)" in report.lines()


def test_what_json_cannot_write_is_written_as_text() -> None:
    records = pd.DataFrame({"user": [math.inf, 2.0], "film": ["a", "b"]})
    report = scoreboard(records, {"film": ["a"]}, person="user", item="film", candidates=10**30)
    match = report.as_dict()["matches"][0]
    assert (match["who"], match["person"]) == (None, "inf")


def test_a_tie_is_nobody() -> None:
    records = pd.DataFrame({"user": [1, 2, 3], "film": ["a", "a", "b"]})
    report = scoreboard(records, {"film": ["a"]}, person="user", item="film")
    assert report.match.eccentricity == 0
    assert report.lines()[0] == "nobody is declared: user 1 fits best, but not well enough"
    assert report.lines()[-1].startswith("not private: ")


def test_text_and_numbers_are_compared_whatever_the_file_says() -> None:
    text = pd.DataFrame({"user": ["a", "b"], "film": ["7", "8"], "stars": [" 3 ", ""]})
    facts = {"film": [7], "stars": [3]}
    match = scoreboard(text, facts, person="user", item="film", rating="stars").match
    assert match.score == pytest.approx(1 / math.log(2), abs=1e-9)


def test_a_long_name_of_a_person_is_cut_and_steers_nothing() -> None:
    records = pd.DataFrame({"user": ["\x1b[31m" + "x" * 300, "b"], "film": ["a", "b"]})
    report = scoreboard(records, {"film": ["a"]}, person="user", item="film")
    assert max(map(len, report.lines())) <= 80
    assert "\x1b" not in report.to_html() + report.svg()
