"""The privacy problem (§5.1): the two hospitals, and attacks on what is published of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.application.demo.tables import hospital_table
from sfumato.application.risk.reconstruction import allowed_share, attack_bits
from sfumato.application.textbook.figures import figures
from sfumato.audit import extraction, membership
from sfumato.data import open_source
from sfumato.mechanisms import DiscreteLaplace
from sfumato.risk import anonymize, intersect, link, reconstruct, risk, scoreboard, sparse_ratings
from sfumato.sampling import SeededSource
from sfumato.translation import mark

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.application.demo.tables import Name
    from sfumato.risk import ScoreboardReport

_PERSON = ("age", "sex", "zip")
_QUASI = (*_PERSON, "smoker")
_SENSITIVE = "diagnosis"
_TABLE_51: Name = "hospital-a"
_TABLE_52: Name = "hospital-a-generalised"
_TABLE_53: Name = "hospital-b-generalised"


def _rows(name: Name) -> list[tuple[Any, ...]]:
    source = open_source(hospital_table(name).path)
    return _sorted(source.fetch(source.table))


def _sorted(table: pa.Table) -> list[tuple[Any, ...]]:
    """Return what a table says of its people, in an order of its own."""
    columns = (*_QUASI, _SENSITIVE)
    return sorted(tuple(str(row[each]) for each in columns) for row in table.to_pylist())


def _anonymity(name: Name) -> str:
    one = risk(hospital_table(_TABLE_51).path, quasi="age", sensitive=_SENSITIVE)
    found = risk(hospital_table(name).path, quasi=_QUASI, sensitive=_SENSITIVE)
    (diversity,) = found.diversity
    return f"k = {one.k}; k = {found.k}, l = {diversity.distinct}"


K_ANONYMITY = figures(
    name="Tables 5.1, 5.2",
    where=mark("chapter, §5.1"),
    title=mark("k-anonymity"),
    text=mark(
        "Table 5.1 has k = 1 on age; table 5.2, its generalised form, has k = 2 on age, sex, zip "
        "and smoker, and two diagnoses in each equivalence class."
    ),
    printed="k = 1; k = 2, l = 2",
    found=_anonymity,
    instance=_TABLE_52,
    twin=_TABLE_51,
    wrong=mark("table 5.1 in the place of table 5.2"),
)


def _linked(known: tuple[Name, dict[str, Any]]) -> str:
    name, facts = known
    (found,) = link(hospital_table(name).path, facts, sensitive=_SENSITIVE).links
    return f"{found.candidates}: {found.value}, {found.share:.4g}"


LINKAGE = figures(
    name="Table 5.1",
    where=mark("chapter, §5.1"),
    title=mark("linkage by age"),
    text=mark(
        "Who knows that somebody in table 5.1 is 56 finds one row, and the diagnosis for certain."
    ),
    printed="1: AIDS, 1",
    found=_linked,
    instance=(_TABLE_51, {"age": 56}),
    twin=(_TABLE_52, {"age": "50-60"}),
    wrong=mark("the same age asked of table 5.2"),
)


def _generalised(k: int) -> tuple[str, bool]:
    found = anonymize(
        hospital_table(_TABLE_51).path, quasi=_QUASI, sensitive=_SENSITIVE, k=k, remove="name"
    )
    table = found.to_arrow()
    same = _sorted(table) == _rows(_TABLE_52)
    return f"{len(set(zip(*(table[each].to_pylist() for each in _QUASI), strict=True)))}", same


GENERALISATION = figures(
    name="Table 5.2",
    where=mark("chapter, §5.1"),
    title=mark("generalisation with least loss"),
    text=mark(
        "The search that generalises whole columns of table 5.1 until k = 2 with least loss ends "
        "at the rows of table 5.2; counted are its equivalence classes."
    ),
    printed="4",
    found=_generalised,
    instance=2,
    twin=3,
    wrong=mark("k = 3 asked for"),
)


def _intersected(names: tuple[Name, Name]) -> str:
    releases = [hospital_table(name).path for name in names]
    found = intersect(*releases, on=_PERSON, sensitive=_SENSITIVE).pinned
    return "; ".join(f"{each.before} → {each.left}: {each.value}" for each in found) or "0"


INTERSECTION = figures(
    name="Table 5.3",
    where=mark("chapter, §5.1"),
    title=mark("intersection of two releases"),
    text=mark(
        "Women of 50 to 60 in tables 5.2 and 5.3, each of them generalised, share one diagnosis of "
        "two: it is that of whoever was in both hospitals."
    ),
    printed="2 → 1: AIDS",
    found=_intersected,
    instance=(_TABLE_52, _TABLE_53),
    twin=(_TABLE_52, _TABLE_52),
    wrong=mark("the same table twice"),
)

_LOOKED_FOR = 60


@cache
def _ratings() -> pa.Table:
    """Return ratings as sparse as those of the Netflix prize: 1.1 % of all pairs."""
    return sparse_ratings(people=300, items=5000, average=60, seed=1)


def _names(table: pa.Table, column: str) -> Any:
    return table[column].to_numpy(zero_copy_only=False)


def _known(ratings: int, wrong: int) -> pa.Table:
    """Return what is known of some people: ratings with dates ±14 days, some of them wrong."""
    random, table = np.random.default_rng(2), _ratings()
    users = _names(table, "user")
    people = np.unique(users)[:_LOOKED_FOR]
    chosen = np.array(
        [random.choice(np.flatnonzero(users == each), ratings, replace=False) for each in people]
    )
    chosen[:, :wrong] = random.integers(0, len(users), (len(people), wrong))
    facts = table.take(chosen.ravel())
    days = random.integers(-14, 15, len(facts)).astype("timedelta64[D]")
    facts = facts.append_column("of", [np.repeat(people, ratings)])
    facts = facts.set_column(3, "date", [_names(facts, "date").astype("datetime64[D]") + days])
    _, once = np.unique(_names(facts, "of") + " " + _names(facts, "film"), return_index=True)
    return facts.take(once)


def _scoreboard(table: pa.Table, facts: pa.Table) -> ScoreboardReport:
    return scoreboard(
        table, facts, who="of", person="user", item="film", rating="stars", day="date"
    )


def _scored(knows: tuple[int, int]) -> tuple[str, bool]:
    facts, table = _known(*knows), _ratings()
    found = _scoreboard(table, facts)
    right = sum(match.declared and match.person == match.who for match in found.matches)
    others = table.filter(~np.isin(_names(table, "user"), _names(facts, "of")))
    absent = _scoreboard(others, facts)
    share, wrongly = right / _LOOKED_FOR, absent.declared / _LOOKED_FOR
    return f"{100 * share:.1f} %, {100 * wrongly:.1f} %", share >= 0.9 and wrongly <= 0.05


SCOREBOARD = figures(
    name="Netflix prize",
    where=mark("chapter, §5"),
    title=mark("people found by a few ratings"),
    text=mark(
        "On ratings as sparse as those of the Netflix prize the Scoreboard attack finds the great "
        "majority of people of whom eight ratings are known, two of them wrong and dates within 14 "
        "days, and names next to nobody who is not in the table."
    ),
    printed="≥ 90 %, ≤ 5 %",
    found=_scored,
    instance=(8, 2),
    twin=(8, 7),
    wrong=mark("seven of the eight ratings wrong"),
    citation="narayanan2008robust",
)


@dataclass(frozen=True)
class _Asked:
    """A column of fair coins, as many answers about it as twice its people, and their noise."""

    spread: int
    epsilon: float


def _reconstructed(given: _Asked) -> tuple[str, bool]:
    random = np.random.default_rng(1)
    column, asked = random.integers(0, 2, 200), random.integers(0, 2, (400, 200))
    noise = random.integers(-given.spread, given.spread + 1, 400)
    exact = reconstruct(asked, asked @ column + noise, method="least squares", truth=column)
    trial = attack_bits(column, epsilons=[given.epsilon], source=SeededSource(1)).trials[0]
    share, private = exact.share_right or 0.0, trial.right / len(column)
    return f"{100 * share:.1f} %, {100 * private:.1f} %", share >= 0.99 and private <= _most_right(
        len(column)
    )


def _most_right(people: int) -> float:
    """Return the share that 1-DP allows, and six standard deviations more."""
    allowed = allowed_share(1, 0.5)
    return allowed + 6 * math.sqrt(allowed * (1 - allowed) / people)


RECONSTRUCTION = figures(
    name="Totals",
    where=mark("chapter, §5.1"),
    title=mark("a column reconstructed from totals"),
    text=mark(
        "Exact counts of subsets give a column of 0 and 1 away, 99 % of it or more; answers of a "
        "total ε of 1 give away no more than chance and ε allow, 73.1 % of fair coins on average."
    ),
    printed="≥ 99 %, ≤ 73.1 %",
    found=_reconstructed,
    instance=_Asked(0, 1.0),
    twin=_Asked(0, 1000.0),
    wrong=mark("a thousandth of the noise"),
    citation="dinur2003revealing",
)


def _scores(epsilon: float) -> tuple[str, bool]:
    """Attack a model that is a noisy count, with the person and without, trained anew each time."""
    noise, source = DiscreteLaplace(epsilon=epsilon), SeededSource(1)
    with_person, without = (
        np.asarray(noise.release(np.full(20_000, people), source=source).value)
        for people in (10, 9)
    )
    found = membership(with_person, without, epsilon=1, alpha=1e-6)
    return f"{found.epsilon:.3f}", 0 < found.epsilon <= 1


MEMBERSHIP = figures(
    name="Outputs of models",
    where=mark("chapter, §5.1"),
    title=mark("outputs of a model tell who trained it"),
    text=mark(
        "Of a model with a guarantee of ε = 1 an attack on its outputs proves no greater ε (true "
        "positives ≤ e^ε × false positives + δ); of one without, it does."
    ),
    printed="≤ 1",
    found=_scores,
    instance=1.0,
    twin=3.0,
    wrong=mark("a third of the noise"),
    citation="kairouz2015composition",
)


_TEXTS, _LETTERS = 20, 120


def _texts(seed: int) -> list[str]:
    letters = np.random.default_rng(seed).integers(ord("a"), ord("z") + 1, (_TEXTS, _LETTERS))
    return ["".join(map(chr, text)) for text in letters]


def _recited(trained_on: int) -> str:
    """Train a model of characters, the next one after the last eight, and ask it for texts."""
    follows = {
        text[at : at + 8]: text[at + 8] for text in _texts(trained_on) for at in range(_LETTERS - 8)
    }

    def continued(prefix: str, length: int) -> str:
        for _ in range(length):
            prefix += follows.get(prefix[-8:], " ")
        return prefix[-length:]

    found = extraction(continued, _texts(1), controls=_texts(2))
    controls = found.verbatim_controls
    shares = [each.share for each in (found.verbatim, controls) if each is not None]
    return ", ".join(f"{100 * each:.0f} %" for each in shares)


RECITAL = figures(
    name="Newspaper",
    where=mark("chapter, §5.1"),
    title=mark("training texts word for word"),
    text=mark(
        "A model of characters that is told the first 50 of a text: how many of the texts that it "
        "was trained on it goes on with word for word, and how many that it never saw."
    ),
    printed="100 %, 0 %",
    found=_recited,
    instance=1,
    twin=3,
    wrong=mark("a model that was trained on other texts"),
    citation="carlini2021extracting",
)


def _information(name: Name) -> str:
    (found,) = risk(hospital_table(name).path, quasi=_QUASI, sensitive=_SENSITIVE).information
    return f"{found.before:.6f}, {found.after:.6f}, {found.before - found.after:.6f}"


INFORMATION = figures(
    name="Table 5.2, bits",
    where=mark("chapter, §5.1"),
    title=mark("what the others tell of a diagnosis"),
    text=mark(
        "In table 5.2, in bits: the entropy of the diagnosis, that given the quasi-identifiers, "
        "and the mutual information of both."
    ),
    printed="2.947703, 0.972765, 1.974938",
    found=_information,
    instance=_TABLE_52,
    twin=_TABLE_51,
    wrong=mark("table 5.1 in the place of table 5.2"),
)

PROBLEM = (
    K_ANONYMITY,
    LINKAGE,
    GENERALISATION,
    INTERSECTION,
    SCOREBOARD,
    RECONSTRUCTION,
    MEMBERSHIP,
    RECITAL,
    INFORMATION,
)
