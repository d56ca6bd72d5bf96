"""Unbiased shares, of the variance that is known, and how they are shown.

Each statistical test accuses a right estimate with probability at most 1e-6 and misses its twin,
which is wrong, with no more; seeds are fixed.
"""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from html import unescape
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

import sfumato as sf
from sfumato.errors import UnknownNameError
from sfumato.printing.layout import PAGE, places
from sfumato.survey.client.draws import read_loss
from sfumato.survey.client.protocols import Response
from sfumato.survey.client.questions import choose_protocol
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.estimates import ShareEstimates
from sfumato.survey.collector.render import share_lines
from sfumato.survey.collector.shares import (
    estimate_shares,
    made_consistent,
    nearest_shares,
    unbiased_shares,
)
from sfumato.survey.collector.tally import Aside, PairTally, Tally
from tests.pages import pictures
from tests.refusing import raises_code
from tests.survey.drawn import PROTOCOLS, SURVEYS, asked, reports_of, supporters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol

EPSILONS = ("0.5", "1", "2", "4")


# --- Variance: the known figures --------------------------------------------------------------

RESPONSE = {
    2: (3.917698089, 0.9206735942, 0.1810154152, 0.01900545746),
    16: (37.18455418, 5.662430017, 0.5239842301, 0.0238788168),
    128: (303.3194029, 43.5964814, 3.267734749, 0.06286569152),
    1024: (2432.398193, 347.0688925, 25.2177389, 0.3747606893),
}
SUBSET = {
    16: ((13.64987375, 6), (3.110715706, 4), (0.5198318834, 2), (0.0238788168, 1)),
    128: ((15.41143764, 48), (3.609787827, 34), (0.6970967851, 15), (0.05842425538, 2)),
    1024: ((15.6382626, 386), (3.673552357, 275), (0.7206953004, 122), (0.07390769236, 18)),
}
UNARY = (15.67079236, 3.682694377, 0.724061661, 0.07602182984)
HASHING = ((15.81740028, 3), (3.691654617, 4), (0.7245913891, 8), (0.07602285187, 56))
HADAMARD = (16.67079236, 4.682694377, 1.724061661, 1.07602183)

FIGURES = [
    *(("response", k, row) for k, row in RESPONSE.items()),
    *(("subset", k, [variance for variance, _ in row]) for k, row in SUBSET.items()),
    ("unary", 100, UNARY),
    ("hashing", 100, [variance for variance, _ in HASHING]),
    ("hadamard", 100, HADAMARD),
]


@pytest.mark.parametrize(("name", "choices", "figures"), FIGURES)
def test_the_variance_of_a_rare_choice_is_the_known_figure(
    name: str, choices: int, figures: Sequence[float]
) -> None:
    """n times the variance, to all ten digits of the figures."""
    for epsilon, figure in zip(EPSILONS, figures, strict=True):
        found = float(choose_protocol(name, choices, read_loss(epsilon)).variance())
        assert float(f"{found:.10g}") == pytest.approx(figure, rel=1e-12)


def test_sets_and_buckets_have_the_known_sizes() -> None:
    for epsilon, place in zip(EPSILONS, range(4), strict=True):
        loss = read_loss(epsilon)
        hashing = choose_protocol("hashing", 100, loss)
        assert hashing.parameters["buckets"] == HASHING[place][1]
        for choices, row in SUBSET.items():
            assert choose_protocol("subset", choices, loss).parameters["size"] == row[place][1]


# --- Bias and variance: by the exact distribution -------------------------------------------------


@pytest.mark.parametrize("choices", [2, 3, 4])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_one_report_has_the_mean_and_the_variance_that_are_claimed(name: str, choices: int) -> None:
    """Exactly, from the distribution of the client's own code."""
    protocol = asked(name, choices, "ln(3)").protocol
    gap = protocol.hit - protocol.miss
    for answer in range(choices):
        reports = reports_of(protocol, answer)
        for choice in range(choices):
            seen = [(int(each) - protocol.miss) / gap for each in reports.supports[:, choice]]
            distribution = list(zip(seen, reports.chances, strict=True))
            mean = sum((value * chance for value, chance in distribution), Fraction())
            square = sum((value**2 * chance for value, chance in distribution), Fraction())
            assert mean == (answer == choice)
            assert square - mean**2 == protocol.variance(Fraction(int(answer == choice)))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_estimates_are_rounded_once(name: str) -> None:
    protocol = asked(name, 3, "0.1").protocol
    counts = np.array([0, 123_456_789, 999_999_999])
    exact = [
        (Fraction(int(each), 10**9) - protocol.miss) / (protocol.hit - protocol.miss)
        for each in counts
    ]
    assert unbiased_shares(protocol, Tally(10**9, counts)).tolist() == [
        float(each) for each in exact
    ]


# --- Bias and variance: by experiment ---------------------------------------------------------

PEOPLE = (150, 40, 10, 0)


def mean_is_off(shares: NDArray[np.float64], truth: float, variance: float) -> bool:
    """Return whether a mean is off by more than chance: false alarm 1e-7."""
    return bool(abs(shares.mean() - truth) > norm.isf(5e-8) * (variance / shares.size) ** 0.5)


def variance_is_off(shares: NDArray[np.float64], variance: float) -> bool:
    """Return whether a variance is off by more than chance: false alarm about 1e-7."""
    ratio = (shares.size - 1) * shares.var(ddof=1) / variance
    return bool(min(tail(ratio, shares.size - 1) for tail in (chi2.cdf, chi2.sf)) < 5e-8)


def drawn_shares(protocol: Protocol, seed: int) -> NDArray[np.float64]:
    counts = supporters(protocol, PEOPLE, SURVEYS, seed)
    return np.array([unbiased_shares(protocol, Tally(sum(PEOPLE), row)) for row in counts])


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_thousand_surveys_have_the_mean_and_the_variance(name: str) -> None:
    """The twins are off by four standard errors of a survey's, and by half the variance."""
    protocol = asked(name, 4, 1).protocol
    found = drawn_shares(protocol, seed=7)
    for choice, number in enumerate(PEOPLE):
        truth = number / sum(PEOPLE)
        variance = float(protocol.variance(Fraction(number, sum(PEOPLE)))) / sum(PEOPLE)
        shares = found[:, choice]
        assert not mean_is_off(shares, truth, variance)
        assert not variance_is_off(shares, variance)
        assert mean_is_off(shares + 0.4 * variance**0.5, truth, variance)
        assert variance_is_off(shares, 2 * variance)
        assert variance_is_off(shares, variance / 2)


def test_a_thousand_classes_of_forty() -> None:
    """M-RR-2: 14 of 40 pupils cheated; the estimate is 3 times the share of yes, less 1."""
    coin = Response(2, read_loss("ln(2)"))
    yes = supporters(coin, (14, 26), SURVEYS, seed=40)[:, 0]
    shares = np.array([unbiased_shares(coin, Tally(40, np.array([each]))) for each in yes])[:, 0]
    assert np.allclose(shares, 3 * yes / 40 - 1)
    assert float(coin.variance(Fraction(14, 40))) / 40 == pytest.approx(0.05)
    assert not mean_is_off(shares, 0.35, 0.05)
    assert not variance_is_off(shares, 0.05)


def test_the_standard_error_is_the_root_of_the_exact_variance() -> None:
    question = asked("subset", 6, 1)
    found = estimate_shares(question, Tally(500, np.array([200, 150, 120, 100, 80, 70])))
    for share, error in zip(found.shares, found.standard_errors, strict=True):
        exact = question.protocol.variance(Fraction(min(max(share, 0.0), 1.0))) / 500
        assert error == pytest.approx(float(exact) ** 0.5)


# --- Consistency ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_consistent_shares_are_the_nearest(seed: int) -> None:
    source = np.random.default_rng(seed)
    shares = source.normal(0.2, 0.3, 5)
    found = nearest_shares(shares, np.zeros(5), np.ones(5))
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert (found >= 0).all()
    others = source.dirichlet(np.ones(5), 2000)
    assert ((found - shares) ** 2).sum() <= ((others - shares) ** 2).sum(axis=1).min() + 1e-12


def test_bounds_that_leave_one_way_are_taken() -> None:
    ends = np.array([0.25, 0.75])
    shares = np.array([0.1, 0.1])
    assert nearest_shares(shares, np.zeros(2), ends).tolist() == ends.tolist()
    assert nearest_shares(shares, ends + 1e-15, np.ones(2)).tolist() == (ends + 1e-15).tolist()


@pytest.mark.parametrize("name", PROTOCOLS)
def test_consistent_shares_stay_within_their_intervals(name: str) -> None:
    question = asked(name, 4, 1)
    for row in supporters(question.protocol, (70, 20, 10, 0), 50, seed=5):
        before = estimate_shares(question, Tally(100, row))
        after = made_consistent(before)
        assert after.shares.sum() == pytest.approx(1, abs=1e-9)
        assert (after.shares >= 0).all()
        assert (after.lower >= before.lower).all()
        assert (after.upper <= before.upper).all()
        assert ((after.lower <= after.shares) & (after.shares <= after.upper)).all()


def test_where_no_shares_fit_the_intervals_stay() -> None:
    question = asked("unary", 3, 3)
    before = estimate_shares(question, Tally(10_000, np.array([0, 0, 0])))
    after = made_consistent(before)
    assert after.shares.tolist() == pytest.approx([1 / 3] * 3)
    assert after.upper.tolist() == before.upper.tolist()


def test_consistent_shares_are_biased_near_zero() -> None:
    """Said in the documentation: the price of shares that are never below 0."""
    question = asked("response", 4, 1)
    rows = supporters(question.protocol, (200, 0, 0, 0), 200, seed=9)
    found = [made_consistent(estimate_shares(question, Tally(200, row))).shares for row in rows]
    assert np.mean(found, axis=0)[0] < 0.98


# --- Results ----------------------------------------------------------------------------------

CHOICES = {"choices": ["yes", "no"], "truth": "2/3"}


def collected(**more: Any) -> Collection:
    survey = sf.Survey(
        {
            "cheated": {**CHOICES, "text": "Did you cheat?"},
            "copied": CHOICES,
            "hours": {"bounds": (0, 24), "epsilon": "ln(20)"},
        },
        name="class",
    )
    both = np.array([[120, 60], [100, 120]])
    tallies = {
        "cheated": Tally(400, both.sum(axis=1)),
        "copied": Tally(400, both.sum(axis=0)),
        "hours": Tally(400, np.array([50, 100, 100, 50, 50, 30, 20])),
    }
    pairs = {("cheated", "copied"): PairTally(400, both, both.sum(axis=1), both.sum(axis=0))}
    return Collection(survey, 400, tallies, pairs, **more)


def test_results_say_everything_that_must_be_said() -> None:
    found = collected(aside=Aside(other_survey=3, impossible=1)).estimate(consistent=True)
    text = str(found)
    for words in (
        "class: the reports of 400 people",
        "cheated by copied",
        "mean ",
        "with 95 % confidence",
        "made consistent",
        "set aside: 3 of another survey or no reports at all, 1 that cannot be reports",
        "each person's report: ",
    ):
        assert words in text
    assert str(found.guarantee) in text
    assert max(map(places, text.splitlines())) <= PAGE


def test_results_are_records_frames_and_json() -> None:
    found = collected().estimate()
    records = found.to_records()
    assert len(records) == 2 + 2 + 1 + 4
    assert records[0]["question"] == "cheated"
    assert records[0]["estimate"] == pytest.approx(0.35)
    assert records[-1]["other_choice"] == "no"
    assert found.to_pandas().shape == (9, 8)
    assert json.loads(json.dumps(found.as_dict()))["people"] == 400


def test_without_pandas_there_are_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with raises_code("E-EXTRA-MISSING"):
        collected().estimate().to_pandas()


def test_results_are_found_by_name() -> None:
    found = collected().estimate()
    assert found["cheated"]["yes"].value == pytest.approx(0.35)
    assert found["cheated", "copied"]["yes", "no"].lower >= 0
    assert found["hours"].lower < found["hours"].value < found["hours"].upper
    for wrong in ("cheat", ("cheated", "hours")):
        with pytest.raises(UnknownNameError):
            found[wrong]
    with raises_code("E-ARGUMENT-TYPE", match="a pair has two choices; write 'yes', 'yes', say"):
        found["cheated", "copied"]["yes"]
    with pytest.raises(UnknownNameError):
        found["cheated"]["maybe"]
    with pytest.raises(UnknownNameError):
        found["cheated", "copied"]["yes", "maybe"]


def test_results_are_gone_through_by_name() -> None:
    found = collected().estimate()
    assert list(found) == ["cheated", "copied", "hours", ("cheated", "copied")]
    for each in (found["cheated"], found["cheated", "copied"]):
        assert {choice: each[choice] for choice in each} == dict(each.items())
        assert len(list(each)) == len(each)


def test_a_pair_is_found_in_either_order() -> None:
    found = collected().estimate()
    pair, turned = found["cheated", "copied"], found["copied", "cheated"]
    assert (turned.questions, turned.rows) == (("copied", "cheated"), pair.columns)
    assert all(turned[two, one] == each for (one, two), each in pair.items())


def test_a_picture_of_all_questions() -> None:
    found = collected().estimate()
    page = found.to_html()
    (drawing,) = pictures(page)
    for said in ("Did you cheat?", "copied", "mean of hours", "cheated"):
        assert said in drawing
    assert str(found) in unescape(page)
    assert found.svg() == found.svg("cheated")
    assert "<script" not in page


def test_what_could_steer_a_page_is_written_out() -> None:
    choices = {"choices": ["<b>yes</b>", "no & never"], "truth": "2/3", "text": "<i>?</i>"}
    survey = sf.Survey({"cheated": choices}, name="<u>class</u>")
    page = Collection(survey, 9, {"cheated": Tally(9, np.array([5, 4]))}).estimate().to_html()
    assert not re.search("<[biu]>", "".join([page, *pictures(page)]))


@pytest.mark.parametrize("people", [60, 10**9])
def test_many_long_choices_fit_a_terminal(people: int) -> None:
    choices = [f"a rather long choice, and its number is {place:,}" for place in range(60)]
    survey = sf.Survey({"asked": {"choices": choices, "epsilon": 1, "protocol": "response"}})
    tallies = {"asked": Tally(people, np.full(60, people // 60))}
    found = Collection(survey, people, tallies).estimate()
    lines = found.lines()
    more = "and 20 more with smaller shares; --json and to_records() have all"
    assert f"  {more}" in lines
    assert found.to_html().count(more) == 1
    assert max(map(places, lines)) <= PAGE


@pytest.mark.parametrize(("most", "edge"), [(500, ""), (300, " 50 %"), (2, " 0.5 %")])
def test_a_bar_says_where_it_ends_unless_at_all(most: int, edge: str) -> None:
    shares = np.array([most, 0.0]) / 1000
    ends = shares * 0, shares * 0, shares + 0.001
    lines = share_lines(ShareEstimates("asked", ("a", "b"), shares, *ends))
    assert all(re.search(f"[█▒┃·]{{28}}{edge}$", line) for line in lines[1:])


def test_many_pairs_are_a_list() -> None:
    choices = {"choices": [f"choice {place}" for place in range(12)], "epsilon": 2}
    survey = sf.Survey({"first": choices, "second": choices})
    single, both = Tally(600, np.full(12, 50)), np.full((12, 12), 4)
    both[3, 4] = 40
    pair = PairTally(600, both, single.counts, single.counts)
    tallies = {"first": single, "second": single}
    lines = Collection(survey, 600, tallies, {("first", "second"): pair}).estimate().lines()
    assert lines[lines.index("first by second") + 1].startswith("  choice 3, choice 4  ")
    assert any(line.startswith("  and 104 more with smaller shares") for line in lines)
    assert max(map(places, lines)) <= PAGE


def test_reports_set_aside_add_up() -> None:
    both = Aside(other_survey=1, impossible=2) + Aside(impossible=3, duplicates=4)
    assert (both.other_survey, both.impossible, both.duplicates, both.total) == (1, 5, 4, 10)


def test_doubtful_reports_are_said() -> None:
    survey = sf.Survey({"cheated": CHOICES})
    found = Collection(survey, 400, {"cheated": Tally(400, np.array([399, 1]))}).estimate()
    assert any("no answers explain: cheated" in line for line in found.notes())


def test_nobody_is_one_sentence() -> None:
    survey = sf.Survey({"cheated": CHOICES}, name="class")
    nobody = {"cheated": Tally(0, np.array([0, 0]))}
    with raises_code("E-REPORTS-NONE"):
        Collection(survey, 0, nobody).estimate()
    with raises_code("E-REPORTS-NONE"):
        Collection(survey, 0, nobody, aside=Aside(other_survey=2)).estimate()


def test_one_person_is_enough() -> None:
    survey = sf.Survey({"cheated": CHOICES, "hours": {"bounds": (0, 9), "epsilon": 3}})
    marks = survey.questions["hours"].protocol.marks  # type: ignore[union-attr]
    tallies = {
        "cheated": Tally(1, np.array([1, 0])),
        "hours": Tally(1, np.eye(marks, dtype=np.int64)[2]),
    }
    found = Collection(survey, 1, tallies).estimate()
    assert (found["cheated"]["yes"].lower, found["cheated"]["yes"].upper) == (0, 1)
    assert (found["hours"].lower, found["hours"].upper) == (0, 9)
    assert "the reports of 1 person" in str(found)
