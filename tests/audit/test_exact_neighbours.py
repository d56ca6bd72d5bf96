"""All neighbouring pairs of a finite domain: none missed, none twice, equal ones judged once."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import Each, Independent, Parts, each
from sfumato.audit.exact.neighbours import neighbouring_pairs
from sfumato.audit.verification import verify
from sfumato.errors import InputError
from sfumato.mechanisms import Laplace
from sfumato.numeric import Exponentials, Ln
from sfumato.privacy import AddRemove, Substitute
from tests.refusing import raises_code

Table = tuple[Any, ...]

SURVEY = {0: {0: 2, 1: 1}, 1: {0: 1, 1: 2}}
COUNTS = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


def longest_common(a: Table, b: Table) -> int:
    """The greatest number of rows that both tables keep in order, by trying all."""
    return max(
        size
        for size in range(min(len(a), len(b)) + 1)
        if set(combinations(a, size)) & set(combinations(b, size))
    )


def steps(a: Table, b: Table, relation: Any, *, ordered: bool) -> float:
    """How many single changes lead from one table to another, by the definition."""
    if isinstance(relation, Substitute):
        if len(a) != len(b):
            return float("inf")
        if ordered:
            return float(sum(x != y for x, y in zip(a, b, strict=True)))
        return sum((Counter(a) - Counter(b)).values())
    if ordered:
        return len(a) + len(b) - 2 * longest_common(a, b)
    return sum(((Counter(a) - Counter(b)) + (Counter(b) - Counter(a))).values())


@pytest.mark.parametrize("order", ["ordered", "unordered"])
@pytest.mark.parametrize("relation", [Substitute(), Substitute(2), AddRemove(), AddRemove(3)])
@pytest.mark.parametrize("rows", [{"size": 3}, {"most": 3}, {"size": 0}])
def test_the_pairs_are_those_of_the_definition(
    order: str, relation: Any, rows: dict[str, int]
) -> None:
    """M-DEF-1."""
    ordered = order == "ordered"
    tables = Datasets("ab", ordered=ordered, **rows)
    wanted = {
        frozenset((a, b))
        for a, b in combinations(tables, 2)
        if steps(a, b, relation, ordered=ordered) <= relation.count
    }
    found = list(neighbouring_pairs(tables, relation).pairs)
    assert {frozenset(pair) for pair in found} == wanted
    assert len(found) == len(wanted)
    if ordered:
        listed = neighbouring_pairs(list(tables), relation).pairs
        assert {frozenset(pair) for pair in listed} == wanted


def test_a_domain_lists_every_table_once() -> None:
    def orders(size: int) -> Any:
        return product("xyz", repeat=size)

    def multisets(size: int) -> Any:
        return combinations_with_replacement("xyz", size)

    for listed, ordered in ((orders, True), (multisets, False)):
        tables = Datasets("xyz", most=3, ordered=ordered)
        wanted = [table for size in range(4) for table in listed(size)]
        assert list(tables) == wanted
        assert len(tables) == len(wanted)


def test_an_input_that_is_no_table_has_one_row() -> None:
    assert list(neighbouring_pairs([1, 2, (1, 2)], Substitute()).pairs) == [(1, 2)]
    assert list(neighbouring_pairs([1, (1, 2)], AddRemove()).pairs) == [(1, (1, 2))]
    assert list(neighbouring_pairs([1, 2], AddRemove()).pairs) == []
    assert list(neighbouring_pairs([1, 2], AddRemove(2)).pairs) == [(1, 2)]


def test_the_scope_says_which_pairs() -> None:
    assert verify(SURVEY, epsilon=1).scope == "the one pair of neighbouring inputs"
    assert verify(SURVEY, epsilon=1, neighbours="all").scope == "the one pair of inputs"
    pairs = [(0, 1), (1, 0)]
    assert verify(SURVEY, epsilon=1, neighbours=pairs).scope == "the 2 given pairs"
    tables = Datasets([0, 1], size=2)
    assert verify(each(SURVEY), epsilon=1, inputs=tables).scope == (
        "all 4 pairs of neighbouring tables of 2 rows"
    )


@pytest.mark.parametrize("arguments", [{}, {"size": 1, "most": 1}, {"size": -1}, {"size": 1.5}])
def test_a_wrong_domain_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"rows|size must be"):
        Datasets([0, 1], **arguments)


@pytest.mark.parametrize("values", [[], [1, 1], 3, [[1]]])
def test_wrong_values_are_refused(values: Any) -> None:
    with pytest.raises(InputError, match="values must"):
        Datasets(values, size=1)


def test_a_domain_that_is_too_large_is_refused_and_counted_all_the_same() -> None:
    vast = Datasets([0, 1], size=100)
    assert vast.count == 2**100
    with raises_code("E-TOO-LARGE", match=r"or each\(\.\.\.\) if each counts by itself"):
        verify(noisy_count, epsilon=1, inputs=vast)
    assert verify(each(SURVEY), epsilon=Ln(2), inputs=vast).pairs == 100 * 2**99
    assert Datasets(range(5), size=3, ordered=False).count == 35


# Theorem 5.1: randomized response


@pytest.mark.parametrize("people", range(1, 21))
def test_theorem_5_1_holds_for_so_many_people_and_fails_just_below(people: int) -> None:
    tables = Datasets([0, 1], size=people)
    verdict = verify(each(SURVEY), epsilon=Ln(2), inputs=tables)
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Ln(2))
    assert verdict.pairs == people * 2 ** (people - 1)
    below = Fraction("0.693147180559945") - Fraction(1, 10**12)
    assert verify(each(SURVEY), epsilon=below, inputs=tables).status == "refuted"


def test_the_witness_is_a_pair_of_tables_and_an_event() -> None:
    verdict = verify(each(SURVEY), epsilon=0.5, inputs=Datasets([0, 1], size=20))
    assert verdict.witness is not None
    first, second = verdict.witness.inputs
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    assert sum(a != b for a, b in zip(first, second, strict=True)) == 1
    event = verdict.witness.event
    assert event is not None
    assert event.outcomes == (Parts({0: [0]}),)
    assert (event.p, event.q) == (Fraction(2, 3), Fraction(1, 3))


def joint(table: Table, rows: dict[int, list[int]]) -> dict[Table, Fraction]:
    """The distribution of a survey, outcome by outcome, without any cancelling."""
    distributions = [[Fraction(w, sum(rows[row])) for w in rows[row]] for row in table]
    return {
        outcome: prod(
            (distribution[i] for distribution, i in zip(distributions, outcome, strict=True)),
            start=Fraction(1),
        )
        for outcome in product(range(3), repeat=len(table))
    }


@given(
    st.tuples(COUNTS, COUNTS),
    st.integers(1, 3),
    st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 4)]),
)
def test_rows_by_themselves_are_judged_as_the_whole_table_would_be(
    distributions: tuple[list[int], list[int]], count: int, delta: Fraction
) -> None:
    """M-GROUP-1: neighbours of up to three rows as well."""
    rows, tables, relation = (
        dict(enumerate(distributions)),
        Datasets([0, 1], size=3),
        Substitute(count),
    )
    claim: dict[str, Any] = {
        "epsilon": Ln(2),
        "delta": delta,
        "inputs": tables,
        "neighbours": relation,
    }
    quick = verify(each(rows), **claim)
    slow = verify(lambda table: joint(table, rows), **claim)
    assert (quick.status, quick.pairs) == (slow.status, slow.pairs)
    assert (quick.epsilon, quick.delta) == (slow.epsilon, slow.delta)


@given(st.tuples(COUNTS, COUNTS), st.sampled_from([2, 3]))
def test_renyi_divergences_add_over_rows(
    distributions: tuple[list[int], list[int]], order: int
) -> None:
    rows, tables = dict(enumerate(distributions)), Datasets([0, 1], size=2)
    claim: dict[str, Any] = {
        "epsilon": 1,
        "order": order,
        "inputs": tables,
        "neighbours": Substitute(2),
    }
    quick, slow = verify(each(rows), **claim), verify(lambda t: joint(t, rows), **claim)
    assert quick.status == slow.status
    assert quick.epsilon.bounds.lower <= slow.epsilon.bounds.upper
    assert slow.epsilon.bounds.lower <= quick.epsilon.bounds.upper


@given(st.tuples(COUNTS, COUNTS), st.integers(1, 2))
def test_the_event_of_a_survey_has_the_stated_probabilities(
    distributions: tuple[list[int], list[int]], count: int
) -> None:
    rows, tables = dict(enumerate(distributions)), Datasets([0, 1], size=2)
    verdict = verify(
        each(rows), epsilon=0.1, delta=0.01, inputs=tables, neighbours=Substitute(count)
    )
    assume(verdict.status == "refuted")
    assert verdict.witness is not None
    event = verdict.witness.event
    assert event is not None
    for table, stated in zip(verdict.witness.inputs, (event.p, event.q), strict=True):
        distribution = joint(table, rows)  # type: ignore[arg-type]
        inside = [o for o in distribution if any(o in part for part in event.outcomes)]  # type: ignore[operator]
        assert sum(distribution[o] for o in inside) == stated


def test_group_privacy_costs_twice_for_two_rows_and_less_is_refuted() -> None:
    """M-GROUP-1, proposition 5.7."""
    tables, two = Datasets([0, 1], size=20), Substitute(2)
    verdict = verify(each(SURVEY), epsilon=Ln(4), inputs=tables, neighbours=two)
    assert (verdict.status, verdict.epsilon.exact) == ("proved", Ln(4))
    assert verdict.pairs == (20 + 190) * 2**19
    assert verify(each(SURVEY), epsilon=Ln(2), inputs=tables, neighbours=two).status == "refuted"


def test_a_large_group_is_described_where_it_cannot_be_listed() -> None:
    verdict = verify(
        each(SURVEY), epsilon=1, delta=0.01, inputs=Datasets([0, 1], size=20),
        neighbours=Substitute(20),
    )  # fmt: skip
    assert verdict.status == "refuted"
    assert verdict.witness is not None
    assert verdict.witness.event is not None
    assert "times likelier on the first input" in repr(verdict.witness.event.outcomes[0])


def test_a_table_of_another_length_is_told_apart_with_certainty() -> None:
    verdict = verify(
        each(SURVEY), epsilon=9, inputs=Datasets([0, 1], size=2), neighbours=[((0,), (0, 1))]
    )
    assert verdict.status == "refuted"
    assert verdict.epsilon.bounds.lower == float("inf")
    tables = Datasets([0, 1], most=2)
    assert not verify(each(SURVEY), epsilon=9, inputs=tables, neighbours=AddRemove())


def test_rows_with_noise_on_the_line_are_judged_by_one_row() -> None:
    noise = Laplace(epsilon=1, sensitivity=1)
    tables = Datasets([0, 1], size=20)
    assert verify(each(noise), epsilon=1, inputs=tables).status == "proved"
    assert verify(each(noise), epsilon=0.99, inputs=tables).status == "refuted"


def test_a_row_that_the_survey_does_not_know_is_refused() -> None:
    with raises_code("E-INPUT-UNKNOWN"):
        verify(each(SURVEY), epsilon=1, inputs=Datasets([0, 2], size=2))


# Sums over multisets


def noisy_count(table: Table) -> dict[int, Exponentials]:
    """The number of ones with clamped discrete Laplace noise of ε = 1/2 for add or remove."""
    return clamped(sum(table), Fraction(1, 2), 4)


def clamped(centre: int, epsilon: Fraction, top: int) -> dict[int, Exponentials]:
    def tail(distance: int) -> Exponentials:
        return Exponentials.exp(-epsilon * distance)

    inner = {j: tail(abs(j - centre)) - tail(abs(j - centre) + 1) for j in range(1, top)}
    return {0: tail(centre), **inner, top: tail(top - centre)}


def test_add_or_remove_on_multisets_and_its_twin() -> None:
    tables = Datasets([0, 1], most=4, ordered=False)
    verdict = verify(noisy_count, epsilon=0.5, inputs=tables, neighbours=AddRemove())
    assert (verdict.status, verdict.epsilon.exact, verdict.pairs) == ("proved", Fraction(1, 2), 20)
    both = verify(noisy_count, epsilon=0.5, inputs=tables, neighbours=AddRemove(2))
    assert (both.status, both.epsilon.exact) == ("refuted", Fraction(1))


def test_an_ordered_domain_gives_the_verdict_of_the_multisets() -> None:
    for relation in (Substitute(), AddRemove()):
        found = [
            verify(noisy_count, epsilon=0.5, inputs=Datasets([0, 1], most=4, ordered=ordered),
                   neighbours=relation).epsilon.exact
            for ordered in (True, False)
        ]  # fmt: skip
        assert found == [Fraction(1, 2)] * 2


@pytest.mark.full
def test_every_distribution_is_asked_for_once() -> None:
    calls: Counter[Table] = Counter()

    def counted(table: Table) -> dict[int, Exponentials]:
        calls[table] += 1
        return noisy_count(table)

    verdict = verify(counted, epsilon=0.5, inputs=Datasets([0, 1], size=12))
    assert set(calls.values()) == {1}
    assert verdict.pairs == 12 * 2**11


# Independent parts


def test_equal_parts_cancel_and_others_add() -> None:
    fair, bent = {"h": 1, "t": 1}, {"h": 2, "t": 1}
    table = {0: Independent([fair, fair, bent]), 1: Independent([bent, bent, bent])}
    assert verify(table, epsilon=Ln("9/4")).epsilon.exact == Ln("9/4")
    same = {0: Independent([fair, bent]), 1: Independent([fair, bent])}
    assert verify(same, epsilon=0).status == "proved"


def test_parts_need_a_distribution_each() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="each takes the distribution of one row"):
        each(3)
    assert isinstance(each(SURVEY), Each)
    with raises_code("E-PROBABILITY-NEGATIVE"):
        verify({0: Independent([[1], [-1]]), 1: Independent([[1], [1]])}, epsilon=1)


# What must finish in seconds


def histogram(table: Table) -> Independent:
    return Independent([clamped(table.count(each), Fraction(1), 5) for each in "abc"])


@pytest.mark.full
def test_a_histogram_with_clamped_discrete_laplace_noise() -> None:
    tables = Datasets("abc", most=5, ordered=False)
    verdict = verify(histogram, epsilon=1, inputs=tables, neighbours=AddRemove())
    assert (verdict.status, verdict.epsilon.exact, verdict.pairs) == ("proved", Fraction(1), 105)
    below = 1 - Fraction(1, 10**12)
    assert not verify(histogram, epsilon=below, inputs=tables, neighbours=AddRemove())
    swapped = verify(histogram, epsilon=2, inputs=Datasets("abc", size=5, ordered=False))
    assert (swapped.status, swapped.epsilon.exact) == ("proved", Fraction(2))


@pytest.mark.full
def test_an_exponential_mechanism_over_a_thousand_candidates() -> None:
    """M-DEF-2: the votes of one person move two counts; monotone where one is added."""
    votes = [(7 * i) % 200 for i in range(1000)]

    def choose(counts: list[int], rate: Fraction) -> dict[int, Exponentials]:
        return {i: Exponentials.exp(rate * count) for i, count in enumerate(counts)}

    swapped = {
        0: choose([3, 4, *votes], Fraction(1, 2)),
        1: choose([4, 3, *votes], Fraction(1, 2)),
    }
    tie = verify(swapped, epsilon=0.5)
    assert (tie.status, tie.epsilon.exact) == ("proved", Fraction(1, 2))
    assert verify(swapped, epsilon=Fraction(1, 2) - Fraction(1, 10**12)).status == "refuted"
    moved = [votes[0] + 1, votes[1] - 1, *votes[2:]]
    table = {0: choose(votes, Fraction(1, 2)), 1: choose(moved, Fraction(1, 2))}
    verdict = verify(table, epsilon=1)
    assert verdict.status == "proved"
    assert verdict.epsilon.bounds.upper < 1
    shifted = {0: choose(votes, Fraction(1, 2)), 1: choose([v + 1 for v in votes], Fraction(1, 2))}
    assert verify(shifted, epsilon=0).status == "proved"
    assert verify(table, epsilon=verdict.epsilon.bounds.lower - 1e-12).status == "refuted"
