"""Exposure: ranks of canaries, what a guarantee allows of them, and which ε they prove."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import sfumato as sf
from sfumato.audit import allowed_exposure, canaries, exposure
from sfumato.audit.comparison import Claim, read_claim
from sfumato.audit.memorization.allowance import allowed_rank_share, best_test, mean_allowed
from sfumato.audit.memorization.ranking import exposure_ends
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Substitute
from tests.pages import pictures
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Ranks = Mapping[tuple[int, ...], Fraction]

SPACE = "the code is ####"
#: The chance that a test fails although what it claims is true, or passes by luck.
ALARM = 1e-6


# Ranks.


@pytest.mark.parametrize(
    ("space", "size"), [(SPACE, 10_000), ([f"text {each}" for each in range(64)], 64)]
)
def test_a_model_that_has_kept_its_canary_exposes_it_wholly(space: Any, size: int) -> None:
    (secret,) = canaries(space, 1)
    report = exposure(lambda text: text != secret, [secret], space=space)
    (found,) = report.canaries
    assert (found.rank, found.size, report.space) == (1, size, size)
    assert found.exposure == found.lower == found.upper == report.mean == math.log2(size)


def test_texts_that_are_as_likely_come_before_the_canary() -> None:
    report = exposure(lambda _: 0, canaries(SPACE, 3), space=SPACE)
    assert [each.rank for each in report.canaries] == [10_000] * 3
    assert report.mean == 0


def test_a_rank_counts_the_canary_and_all_that_are_likelier() -> None:
    report = exposure(lambda text: float(text[-1]), ["a 0", "a 3", "a 9"], space="a #")
    assert [each.rank for each in report.canaries] == [1, 4, 10]


def test_infinite_scores_are_ranked() -> None:
    scores = {"a": -math.inf, "b": 1.0, "c": math.inf, "d": math.inf}
    report = exposure(scores.__getitem__, list("abcd"), space=list("abcd"))
    assert [each.rank for each in report.canaries] == [1, 2, 4, 4]


def test_each_model_ranks_its_own_canary() -> None:
    models = [lambda text: -float(text[-1]), lambda text: float(text[-1])]
    report = exposure(models, ["a 9", "a 9"], space="a #")
    assert [each.rank for each in report.canaries] == [1, 10]
    assert not report.together


@pytest.mark.parametrize("samples", [None, pytest.param(500, marks=pytest.mark.full)])
def test_a_model_that_knows_nothing_exposes_what_chance_does(samples: int | None) -> None:
    """Ranks are uniform: 300 exposures have a mean within six standard errors of theirs.

    An exposure is about exponential, so that a sum of 300 is about a gamma variable, which is that
    far off with probability below ALARM.
    """
    rng = np.random.default_rng(5)
    noise = dict(zip(map(str, range(10**4)), rng.random(10**4), strict=True))
    report = exposure(
        lambda text: noise[str(int(text[-4:]))],
        canaries(SPACE, 300, seed=3),
        space=SPACE,
        samples=samples,
        epsilon=0,
        alpha=ALARM,
    )
    bits = np.log2(report.size / np.arange(1, report.size + 1))
    assert abs(report.mean - bits.mean()) < 6 * bits.std() / math.sqrt(300)
    assert not report.violated


def test_canaries_are_drawn_uniformly_and_may_be_repeated() -> None:
    assert canaries(SPACE, 5) == canaries(SPACE, 5) != canaries(SPACE, 5, seed=1)
    drawn = Counter(canaries("a #", 10_000))
    assert sum((each - 1000) ** 2 / 1000 for each in drawn.values()) < stats.chi2.isf(ALARM, 9)
    assert set(canaries(["x", "y"], 100)) == {"x", "y"}


def test_a_pattern_is_only_its_digits() -> None:
    assert exposure(len, ["(1.2)"], space="(#.#)").space == 100
    for text in ("(1,2)", "(12)", "(1.٣)", "(1.2) ", "(1.2)\n"):
        with raises_code("E-ARGUMENT-RANGE", "canaries"):
            exposure(len, [text], space="(#.#)")


# Ranks among texts that are drawn.


def test_others_are_drawn_for_each_canary_and_are_not_the_canaries() -> None:
    asked: list[str] = []

    def score(text: str) -> int:
        asked.append(text)
        return 0

    secrets = canaries("############", 2)
    report = exposure(score, secrets, space="############", samples=5)
    assert [asked[0], asked[6]] == secrets
    assert len(asked) == len(set(asked)) == 12
    assert report.size == 6


def test_the_interval_of_an_exposure_covers_it() -> None:
    """Of 1,000 intervals of 90 %, fewer than 850 cover with probability below ALARM."""
    rng, size, rank = np.random.default_rng(1), 10**6, 300
    before = rng.binomial(2000, rank / size, size=1000)
    exact = math.log2(size / rank)
    ends = [exposure_ends(int(each), 2000, size, Fraction(9, 10)) for each in before]
    assert sum(low <= exact <= high for low, high in ends) >= 850
    assert stats.binom.cdf(849, 1000, 0.9) < ALARM


def test_the_interval_has_the_ends_of_clopper_and_pearson() -> None:
    low, high = exposure_ends(3, 100, 10**4, Fraction(95, 100))
    assert low == pytest.approx(-math.log2(stats.beta.ppf(0.975, 4, 97)), abs=1e-9)
    assert high == pytest.approx(-math.log2(stats.beta.ppf(0.025, 3, 98)), abs=1e-9)
    assert exposure_ends(0, 100, 10**4, Fraction(95, 100))[1] == math.log2(10**4)
    assert exposure_ends(100, 100, 10**4, Fraction(95, 100))[0] == 0


# What a guarantee allows, against mechanisms whose ranks are enumerated.  A mechanism is a table:
# the probability of each way to rank all texts, by the canary that was put in (None: none was).


def by_score(scores: Sequence[float]) -> tuple[int, ...]:
    """The rank of each text by its score: as many as are as likely, or likelier."""
    return tuple(sum(other <= each for other in scores) for each in scores)


def randomised_response(size: int, odds: int) -> dict[int | None, Ranks]:
    """The canary, so many times as likely as another, is ranked first, and all others last."""
    first = [by_score([text != said for text in range(size)]) for said in range(size)]
    whole = odds + size - 1
    return {
        canary: {ranks: Fraction(odds if said == canary else 1, whole) for said, ranks in _(first)}
        for canary in range(size)
    }


def subsets(size: int, chosen: int, odds: int) -> dict[int | None, Ranks]:
    """A set of so many texts is ranked first: one with the canary so many times as likely."""
    found: dict[int | None, Ranks] = {}
    sets = [each for each in product((0, 1), repeat=size) if sum(each) == chosen]
    for canary in range(size):
        weights = [odds if each[canary] else 1 for each in sets]
        found[canary] = {
            by_score([1 - inside for inside in each]): Fraction(weight, sum(weights))
            for each, weight in zip(sets, weights, strict=True)
        }
    return found


def counts(size: int, texts: int, most: int = 3) -> dict[tuple[int, ...], Ranks]:
    """Counts of so many canaries, each with noise that is 1/2 for one more, kept within a range."""
    found: dict[tuple[int, ...], Ranks] = {}
    for inside in product(range(size), repeat=texts):
        true = [inside.count(text) for text in range(size)]
        ranks: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for seen in product(range(most + 1), repeat=size):
            chance = math.prod(map(_noisy, true, seen, [most] * size), start=Fraction(1))
            ranks[by_score([-each for each in seen])] += chance
        found[inside] = ranks
    return found


def _noisy(true: int, seen: int, most: int) -> Fraction:
    """The probability of a count that is kept from 0 to most, with noise that falls by a half."""
    if 0 < seen < most:
        return Fraction(1, 3) * Fraction(1, 2) ** abs(seen - true)
    away = true if seen == 0 else most - true
    return Fraction(2, 3) * Fraction(1, 2) ** away


def _(things: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    return enumerate(things)


def among_the_first(table: Mapping[Any, Ranks], rank: int) -> Fraction:
    """How often the canary has at most a rank, on average over canaries."""
    own = {canary: ranks for canary, ranks in table.items() if canary is not None}
    found = (
        chance
        for canary, ranks in own.items()
        for each, chance in ranks.items()
        if each[canary if isinstance(canary, int) else canary[0]] <= rank
    )
    return sum(found, Fraction(0)) / len(own)


ANIMALS: dict[str, tuple[Mapping[Any, Ranks], int, Any]] = {
    "randomised response": (randomised_response(8, 2), 8, Substitute()),
    "subsets of 3 of 6": (subsets(6, 3, 2), 6, Substitute()),
    "counts": (
        {
            (None if not each else each[0]): ranks
            for n in (0, 1)
            for each, ranks in counts(3, n).items()
        },
        3,
        AddRemove(),
    ),
}


@pytest.mark.parametrize("name", ANIMALS)
def test_what_is_allowed_holds_for_mechanisms_that_are_enumerated(name: str) -> None:
    table, size, relation = ANIMALS[name]
    claim = Claim(Ln(2))
    if isinstance(relation, Substitute):
        pairs = [(one, other) for one in table for other in table if one != other]
    else:
        pairs = [pair for one in table if one is not None for pair in ((one, None), (None, one))]
    outcomes = {
        inside: {str(key): value for key, value in ranks.items()} for inside, ranks in table.items()
    }
    assert sf.verify(outcomes, epsilon=Ln(2), neighbours=pairs)
    assert not sf.verify(outcomes, epsilon="0.69", neighbours=pairs)
    for rank in range(1, size + 1):
        exact = among_the_first(table, rank)
        assert exact <= Fraction(allowed_rank_share(claim, relation, Fraction(rank, size)))


def test_what_is_allowed_is_reached() -> None:
    claim = Claim(Ln(2))
    for table, size, rank in ((randomised_response(8, 2), 8, 1), (subsets(6, 3, 2), 6, 3)):
        most = allowed_rank_share(claim, Substitute(), Fraction(rank, size))
        assert most == pytest.approx(float(among_the_first(table, rank)), abs=1e-12)


@pytest.mark.parametrize(("name", "epsilon"), [*zip(ANIMALS, (0.6, 0.6, 0.1), strict=True)])
def test_twin_less_does_not_allow_it(name: str, epsilon: float) -> None:
    """Counts that are alike rank the canary last of them, so that they show less than ln 2."""
    table, size, relation = ANIMALS[name]
    weak = read_claim(epsilon)
    assert any(
        among_the_first(table, rank)
        > Fraction(allowed_rank_share(weak, relation, Fraction(rank, size)))
        for rank in range(1, size)
    )


def at_least(chance: Fraction, tries: int, hits: int) -> Fraction:
    """The probability that a binomial has so many hits, or more."""
    return sum(
        (
            math.comb(tries, each) * chance**each * (1 - chance) ** (tries - each)
            for each in range(hits, tries + 1)
        ),
        Fraction(0),
    )


def tail_of_one_model(size: int, texts: int, rank: int, hits: int) -> Fraction:
    """How often so many of the canaries of one model of counts are among the first."""
    table = counts(size, texts)
    found = (
        chance
        for inside, ranks in table.items()
        for each, chance in ranks.items()
        if sum(each[text] <= rank for text in inside) >= hits
    )
    return sum(found, Fraction(0)) / len(table)


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("hits", [1, 2])
def test_canaries_of_one_model_are_found_no_more_than_a_binomial(rank: int, hits: int) -> None:
    """The counts are ln 2-private for adding one canary: substituting one costs twice that."""
    chance = Fraction(4 * rank, 4 * rank + 3 - rank)
    assert tail_of_one_model(3, 2, rank, hits) <= at_least(chance, 2, hits)


def test_twin_canaries_of_one_model_are_not_found_as_if_it_knew_nothing() -> None:
    assert tail_of_one_model(3, 2, 1, 1) > at_least(Fraction(1, 3), 2, 1)


# The ε that is proved.


def prove(ranks: Sequence[int], size: int, **options: Any) -> float:
    given = {
        "delta": Fraction(0),
        "relation": Substitute(),
        "together": True,
        "alpha": Fraction(1, 20),
        **options,
    }
    return best_test(ranks, size, **given).epsilon


def responses(rng: Any, size: int, odds: float, count: int) -> list[int]:
    """Ranks by randomised response."""
    first = rng.random(count) < odds / (odds + size - 1)
    return [1 if each else size for each in first]


def alarms(odds: float, claimed: float) -> int:
    rng = np.random.default_rng(7)
    return sum(prove(responses(rng, 16, odds, 100), 16) > claimed for _ in range(400))


def test_the_proof_is_seldom_wrong_and_finds_a_false_claim() -> None:
    """At 0.05 more than 45 of 400 proofs are wrong with probability below ALARM."""
    assert alarms(4, math.log(4)) <= 45
    assert stats.binom.sf(45, 400, 0.05) < ALARM
    assert alarms(8, math.log(2)) > 300


@pytest.mark.parametrize(("hits", "expected"), [(40, 3.9), (100, 7.5)])
def test_the_proof_is_what_its_bounds_give(hits: int, expected: float) -> None:
    """Of 1,024 texts ten ranks are tested, each at a tenth of alpha; 1 of 1,024 proves most."""
    share = stats.beta.ppf(0.005, hits, 101 - hits)
    odds = math.log(share / (1 - share) * 1023)
    ranks = [1] * hits + [1024] * (100 - hits)
    assert prove(ranks, 1024) == pytest.approx(odds, abs=1e-4)
    assert odds > expected
    assert prove(ranks, 1024, relation=AddRemove()) == pytest.approx(odds / 2, abs=1e-4)
    anew = max(math.log(share * 1024), math.log((1 - 1 / 1024) / (1 - share)))
    assert prove(ranks, 1024, relation=AddRemove(), together=False) == pytest.approx(anew, abs=1e-4)
    less = math.log((share - 0.01) * 1024)
    found = prove(ranks, 1024, together=False, delta=Fraction(1, 100))
    assert found == pytest.approx(max(less, math.log((0.99 - 1 / 1024) / (1 - share))), abs=1e-4)


def test_one_canary_or_a_rank_in_the_middle_proves_nothing() -> None:
    """At 1 in 20 one canary that comes first of a million is no accident; at 1 in 1e6 it is."""
    assert prove([1], 10**6, alpha=Fraction(1, 10**6)) == 0
    assert prove([1], 10**6) > 7
    assert prove([501] * 100, 1000) == 0


def test_a_model_that_memorises_refutes_its_claim() -> None:
    secrets = canaries(SPACE, 50)
    kept = set(secrets)
    report = exposure(lambda text: text not in kept, secrets, space=SPACE, epsilon=2)
    assert report.violated
    assert report.findings()[0].startswith("violated: the ranks prove ε ≥ 2.8")
    assert report.allowed is not None
    assert report.mean > report.allowed
    assert not exposure(lambda text: text not in kept, secrets, space=SPACE).violated


# The mean that is allowed.


@pytest.mark.parametrize("relation", [AddRemove(), Substitute()])
@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0), (1, 0), (1, 0.01), (6, 0)])
def test_the_mean_allowed_is_the_sum_rounded_up(
    epsilon: float, delta: float, relation: Any
) -> None:
    size, claim = 1000, read_claim(epsilon, delta)
    exact = sum(
        allowed_rank_share(claim, relation, Fraction(rank, size)) * math.log2((rank + 1) / rank)
        for rank in range(1, size)
    )
    found = allowed_exposure(size, epsilon=epsilon, delta=delta, relation=relation)
    assert 0 <= found - exact <= 0.015
    assert found == mean_allowed(claim, relation, size)


def test_the_mean_allowed_has_its_limits() -> None:
    for size in (2, 50, 10**9):
        uniform = math.log2(math.e) * (1 + 0.02)
        assert allowed_exposure(size, epsilon=0) <= uniform
        assert allowed_exposure(size, epsilon=1000) == pytest.approx(math.log2(size), abs=1e-9)
    for epsilon in (0.5, 2, 5):
        assert allowed_exposure(10**9, epsilon=epsilon) <= math.log2(math.e) * (1 + epsilon) + 0.02
    below = [allowed_exposure(100, epsilon=each) for each in (0, 1, 2, 3)]
    assert below == sorted(below)


@pytest.mark.parametrize("name", ANIMALS)
def test_the_mean_allowed_holds_for_mechanisms_that_are_enumerated(name: str) -> None:
    table, size, relation = ANIMALS[name]
    exact = sum(
        float(among_the_first(table, rank)) * math.log2((rank + 1) / rank)
        for rank in range(1, size)
    )
    assert exact <= allowed_exposure(size, epsilon=Ln(2), relation=relation)


# Reports and refusals.


def report(**options: Any) -> Any:
    return exposure(lambda text: float(text[-1]), ["a 0", "a 3"], space="a #", **options)


def test_a_report_says_what_it_is() -> None:
    found = report(epsilon=1)
    assert found.lines()[-1].startswith("not private: ")
    assert "3.322     1 of 10  a 0" in found.lines()
    figures = json.loads(json.dumps(found.as_dict()))
    assert figures["private"] is False
    assert figures["canaries"][1]["rank"] == 4
    assert figures["relation"] == "add or remove one row"
    assert len(pictures(found._repr_html_())) == 1
    with raises_code("E-REPORT-NOT-BOOLEAN"):
        bool(found)


def test_a_report_of_drawn_texts_has_intervals() -> None:
    lines = "\n".join(report(samples=4).lines())
    assert "95 % interval" in lines
    assert report().findings()[0] == "the ranks prove ε ≥ 0 (add or remove one row)"
    anew = exposure([float] * 2, ["0", "3"], space="#", delta=1e-3)
    assert anew.findings()[0] == "the ranks prove ε ≥ 0 at δ = 0.001 (add or remove one row)"
    assert "trained anew" in anew.findings()[-1]


def raising(_: str) -> float:
    raise ValueError


@pytest.mark.parametrize(
    ("score", "code"),
    [
        (raising, "E-FUNCTION-RAISED"),
        (lambda _: math.nan, "E-FUNCTION-RESULT"),
        (lambda _: "low", "E-FUNCTION-RESULT"),
        (lambda _: None, "E-FUNCTION-RESULT"),
        (lambda _: np.zeros(2), "E-FUNCTION-RESULT"),
        (lambda: 0, "E-FUNCTION-RAISED"),
    ],
)
def test_a_score_that_is_no_number_is_refused(score: Callable[..., Any], code: str) -> None:
    with raises_code(code):
        exposure(score, ["a 1"], space="a #")


@pytest.mark.parametrize(
    ("given", "code", "argument"),
    [
        ({"score": 7}, "E-ARGUMENT-TYPE", "score"),
        ({"score": [len]}, "E-ARGUMENT-TYPE", "score"),
        ({"score": "len"}, "E-ARGUMENT-TYPE", "score"),
        ({"canaries": []}, "E-ARGUMENT-EMPTY", "canaries"),
        ({"canaries": "a 1"}, "E-ARGUMENT-TYPE", "canaries"),
        ({"canaries": [1, 2]}, "E-ARGUMENT-TYPE", "canaries"),
        ({"canaries": ["a 1", "b 1"]}, "E-ARGUMENT-RANGE", "canaries"),
        ({"space": "a 1"}, "E-ARGUMENT-RANGE", "space"),
        ({"space": "#" * 19}, "E-ARGUMENT-RANGE", "space"),
        ({"space": ["a 1"]}, "E-ARGUMENT-RANGE", "space"),
        ({"space": ["a 1", "a 2", "a 1"]}, "E-ARGUMENT-TWICE", "space"),
        ({"space": []}, "E-ARGUMENT-EMPTY", "space"),
        ({"space": 7}, "E-ARGUMENT-TYPE", "space"),
        ({"samples": 10}, "E-ARGUMENT-RANGE", "samples"),
        ({"samples": 0}, "E-ARGUMENT-RANGE", "samples"),
        ({"space": "a #######", "canaries": ["a 0000000"]}, "E-ARGUMENT-MISSING", "space"),
        ({"delta": 1e-6}, "E-ARGUMENT-CONFLICT", "delta"),
        ({"epsilon": -1}, "E-ARGUMENT-RANGE", "epsilon"),
        ({"alpha": 0}, "E-ARGUMENT-RANGE", "alpha"),
        ({"confidence": 1}, "E-ARGUMENT-RANGE", "confidence"),
        ({"seed": -1, "samples": 3}, "E-ARGUMENT-RANGE", "seed"),
        ({"relation": "substitute"}, "E-RELATION-UNKNOWN", "relation"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    given: dict[str, Any], code: str, argument: str
) -> None:
    settings = {"score": len, "canaries": ["a 1", "a 2"], "space": "a #", **given}
    with raises_code(code, argument):
        exposure(**settings)


def test_canaries_need_a_count_and_a_space() -> None:
    for count, space, argument in ((0, "a #", "count"), (True, "a #", "count"), (1, "a", "space")):
        with raises_code("E-ARGUMENT-RANGE", argument):
            canaries(space, count)
    with raises_code("E-ARGUMENT-RANGE", "size"):
        allowed_exposure(1, epsilon=1)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    report(progress=lambda *each: told.append(each))
    assert told == [(each, 10) for each in range(1, 11)]
    told.clear()
    report(samples=3, progress=lambda *each: told.append(each))
    assert told[-1] == (6, 6)
