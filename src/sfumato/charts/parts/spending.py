"""What was spent of a budget after each charge, read from a book's entries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sfumato.ledger import at_most, budgeted, percent, read_moment
from sfumato.privacy import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from sfumato.ledger import Book, Rule, Standing
    from sfumato.privacy import PrivacyFilter
    from sfumato.privacy.events import Event


#: A screen shows no more steps; those that a period ends with are drawn beside them.
_MOST_STEPS = 400
_EVERYONE = mark("everyone together")


class Charged(NamedTuple):
    """One charge: its number in the book from 1, its moment, its analyst, and its event."""

    number: int
    when: datetime
    analyst: str
    event: Event


class Point(NamedTuple):
    """A place on a line: the number of the charge, its moment, and the share that is spent."""

    number: int
    when: datetime
    share: float


@dataclass(frozen=True)
class Line:
    """One line of a picture: what some charges spend of a budget.

    Attributes
    ----------
    label
        Whose charges they are.
    rule
        The budget.
    charges
        Those that it counts, in order.
    start, end
        When the book was opened, and its last charge, up to which the line is drawn.
    """

    label: str
    rule: Rule
    charges: tuple[Charged, ...]
    start: datetime
    end: Charged | None = None

    def points(self) -> Iterator[Point]:
        """Yield the steps of the line; a budget that is given anew begins at 0 again."""
        last = Point(0, self.start, 0.0)
        yield last
        every, place = math.ceil(len(self.charges) / _MOST_STEPS), 0
        for _, group in groupby(self.charges, lambda each: self.rule.window(each.when)):
            charges, kept = tuple(group), self.rule.filter()
            yield from self._fall(last, charges[0])
            for each in charges:
                kept.replay([each.event])
                place += 1
                if place % every == 0 or each is charges[-1]:
                    last = Point(each.number, each.when, _share(kept))
                    yield last
        yield from self._to_the_end(last)

    def _to_the_end(self, last: Point) -> Iterator[Point]:
        """Yield the rest of a line whose last charge is not the last of the book."""
        end = self.end
        if end is None or end.number == last.number:
            return
        fallen = tuple(self._fall(last, end))
        yield from fallen
        yield Point(end.number, end.when, 0.0 if fallen else last.share)

    def _fall(self, last: Point, charge: Charged) -> Iterator[Point]:
        """Yield where a budget is given anew, if it is between a point and a charge."""
        period = self.rule.period
        if period is not None and period.window(last.when) != period.window(charge.when):
            day = period.next_starts(period.window(last.when))
            yield Point(charge.number, datetime.combine(day, time(), UTC), 0.0)


def charges_of(book: Book) -> tuple[datetime, tuple[Charged, ...]]:
    """Return when a book was opened, and all that was charged to it."""
    entries = book.entries()
    start = read_moment(next(entries).when)
    charged = ((each, each.event) for each in entries)
    found = (
        (read_moment(each.when), str(each.body["analyst"]), event)
        for each, event in charged
        if event is not None
    )
    return start, tuple(Charged(number, *each) for number, each in enumerate(found, start=1))


def lines_of(book: Book, analyst: str | None, most: int) -> list[Line]:
    """Return what to draw of a book: everyone together first, then analysts.

    Parameters
    ----------
    book
        The book.
    analyst
        Whose lines are drawn beside everyone's; None for those who were charged most often.
    most
        How many lines there are at most.
    """
    start, charges = charges_of(book)
    shared = [rule for rule in book.rules if rule.is_shared]
    end = charges[-1] if charges else None
    together = [Line(_shared_label(rule, shared), rule, charges, start, end) for rule in shared]
    if analyst is not None:
        own = _own(book, analyst)
        theirs = _by(charges, analyst)
        alone = [Line(label, rule, theirs, start, end) for label, rule in own]
        return [*alone, *together][:most]
    names = _busiest(charges)
    each = [Line(name, shared[0], _by(charges, name), start, end) for name in names]
    return [*together, *(each if each[1:] else ())][:most]


def measure_of(rules: Sequence[Rule]) -> tuple[str, list[float]]:
    """Return the letter that budgets are counted in, and how much of it each has.

    Budgets of several kinds, at Rényi orders, or with a reserve of δ are shares, in per cent.
    """
    found = [_measure(rule) for rule in rules]
    letters = {letter for letter, _ in found}
    if len(letters) == 1 and letters != {"%"}:
        return letters.pop(), [amount for _, amount in found]
    return "%", [100.0] * len(rules)


def _measure(rule: Rule) -> tuple[str, float]:
    match rule.budget:
        case PureDP():
            return "ε", rule.budget.epsilon(delta=0)
        case ApproxDP() if rule.reserve == 0:
            return "ε", float(PureDP(epsilon=rule.budget.exact_epsilon).epsilon(delta=0))
        case ZeroConcentratedDP():
            return "ρ", float(rule.budget.exact_rho)
        case GaussianDP():
            return "μ", float(rule.budget.exact_mu)
    return "%", 100.0


def _share(kept: PrivacyFilter) -> float:
    """Return the share of a budget that is spent, in the letter that it is counted in."""
    used = float(kept.used())
    return math.sqrt(used) if isinstance(kept.guarantee, GaussianDP) else used


def _own(book: Book, analyst: str) -> Iterator[tuple[str, Rule]]:
    """Yield the budgets of one analyst, each with its label; everyone's where they have none."""
    rules = [rule for rule in book.rules if not rule.is_shared and rule.covers(analyst)]
    for rule in rules or [book.rules[0]]:
        yield f"{analyst}, {_often(rule)}" if rules[1:] else analyst, rule


def _often(rule: Rule) -> str:
    return tr("in all") if rule.period is None else tr("per {name}", name=rule.period.noun)


def _shared_label(rule: Rule, shared: Sequence[Rule]) -> str:
    if len(shared) == 1:
        return tr(_EVERYONE)
    return f"{tr(_EVERYONE)}, {_often(rule)}"


def _busiest(charges: Sequence[Charged]) -> list[str]:
    """Return those who were charged, the most often first."""
    often: dict[str, int] = {}
    for each in charges:
        often[each.analyst] = often.get(each.analyst, 0) + 1
    return sorted(often, key=lambda name: (-often[name], name))


def _by(charges: Sequence[Charged], analyst: str) -> tuple[Charged, ...]:
    return tuple(each for each in charges if each.analyst == analyst)


def spent_of(standing: Standing) -> str:
    """Return what of a budget is spent: in its letter, in percent where that is not its share."""
    whole, spent = standing.rule.budget, standing.spent
    if not standing.used:
        return tr("nothing of {whole}", whole=budgeted(whole))
    match whole, spent:
        case PureDP(), PureDP():
            return _of_epsilon(whole, spent)
        case ApproxDP(), ApproxDP() if standing.rule.reserve:
            return f"{percent(standing.used)} ({_of_both(whole, spent, standing.rule.reserve)})"
        case ApproxDP(), ApproxDP():
            at = tr(" at δ = {exact_delta}", exact_delta=at_most(whole.exact_delta))
            return tr(
                "ε = {spent} of {whole}{at}",
                spent=at_most(spent.exact_epsilon),
                whole=at_most(whole.exact_epsilon),
                at=at,
            )
        case ZeroConcentratedDP(), ZeroConcentratedDP():
            return tr(
                "ρ = {spent} of {whole}",
                spent=at_most(spent.exact_rho),
                whole=at_most(whole.exact_rho),
            )
        case GaussianDP(), GaussianDP():
            share = tr("{used} of μ²", used=percent(standing.used))
            return tr(
                "μ = {spent} of {whole} ({share})",
                spent=at_most(spent.exact_mu),
                whole=at_most(whole.exact_mu),
                share=share,
            )
    return tr("{used} of {whole}", used=percent(standing.used), whole=budgeted(whole))


def _of_both(whole: ApproxDP, spent: ApproxDP, reserve: Fraction) -> str:
    """Return the ε that is spent, and what events with a δ of their own spent of its reserve."""
    reserved = reserve * whole.exact_delta
    own = spent.exact_delta - (whole.exact_delta - reserved)
    return tr(
        "{epsilon}, δ = {own} of {reserved} in reserve",
        epsilon=_of_epsilon(whole, spent),
        own=at_most(own),
        reserved=at_most(reserved),
    )


def _of_epsilon(whole: PureDP | ApproxDP, spent: PureDP | ApproxDP) -> str:
    return tr(
        "ε = {spent} of {whole}",
        spent=at_most(spent.exact_epsilon),
        whole=at_most(whole.exact_epsilon),
    )
