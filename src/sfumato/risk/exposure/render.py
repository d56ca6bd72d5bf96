"""The sentences of an exposure report, the answer first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any

from sfumato.printing import (
    PAGE,
    NotPrivate,
    counted,
    cut,
    named,
    places,
    printable,
    rounded,
    share,
    wrapped,
)
from sfumato.risk.exposed import blanks_in_words
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes
    from sfumato.risk.exposure.closeness import Closeness
    from sfumato.risk.exposure.combinations import Combination, Information
    from sfumato.risk.exposure.diversity import Diversity
    from sfumato.risk.exposure.people import AtRisk
    from sfumato.risk.exposure.uniqueness import Uniqueness


_LABEL, _LONGEST_LABEL = 13, 28


def said(report: Found, *, width: int = PAGE) -> list[str]:
    """Return a report as lines: the answer, then a label and a figure each."""
    lines = [headline(report), *_in_columns(list(labelled(report)), width)]
    lines += _listed(
        tr("most identifying columns"), [each.findings()[0] for each in report.combinations]
    )
    small = [each.findings()[0] for each in report.at_risk]
    return lines + _listed(
        tr("the smallest equivalence classes below {at_least:,}", at_least=report.at_least), small
    )


def headline(report: Found) -> str:
    """Return the answer in one sentence."""
    classes, columns = report.classes, named(report.classes.columns)
    if classes.uniques:
        return tr_n(
            "{uniques:,} of {rows} is unique on {columns}: it is alone in its equivalence class",
            "{uniques:,} of {rows} are unique on {columns}: each is alone in its equivalence class",
            classes.uniques,
            uniques=classes.uniques,
            rows=counted(classes.rows, "row"),
            columns=columns,
        )
    return tr(
        "no row is unique on {columns}: every equivalence class has {k:,} rows or more",
        columns=columns,
        k=classes.k,
    )


def _in_columns(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return labels with sentences beside them, which stay there over several lines."""
    labels = [cut(label, _LONGEST_LABEL) for label, _ in rows]
    taken = max(_LABEL, *map(places, labels))
    lines = []
    for label, (_, sentence) in zip(labels, rows, strict=True):
        first, *later = wrapped(printable(sentence), width - taken - 1, later="")
        lines.append(f"{label}{' ' * (taken - places(label))} {first}")
        lines += [f"{' ' * taken} {each}" for each in later]
    return lines


def labelled(report: Found) -> Iterator[tuple[str, str]]:
    """Return the figures with a word for each."""
    for sentence in blanks_in_words(report.blanks):
        yield tr("WARNING"), sentence
    yield tr("k-anonymity"), _classes(report)
    yield tr("at risk"), _at_risk(report)
    yield from _under(tr("attacker"), report.attackers)
    yield from _under(tr("population"), report.population)
    yield from _under(tr("presence"), report.presence)
    yield tr("identity"), _identity(report)
    yield from _secrets(report)


def _under(label: str, part: NotPrivate | None) -> Iterator[tuple[str, str]]:
    """Return the findings of a part, the first with its label."""
    for number, sentence in enumerate([] if part is None else part.findings()):
        yield label if number == 0 else "", sentence


def _classes(report: Found) -> str:
    classes = report.classes
    number = counted(classes.total, "equivalence class")
    return tr(
        "k = {k:,}: {rows} in {number}",
        k=classes.k,
        rows=counted(classes.rows, "row"),
        number=number,
    )


def _at_risk(report: Found) -> str:
    few, rows = report.classes.rows_below(report.at_least), report.rows
    few_of_all = tr(
        "{few:,} of {rows} ({percent})",
        few=few,
        rows=counted(rows, "row"),
        percent=share(few / rows),
    )
    return tr(
        "{share} in equivalence classes below {at_least:,}",
        share=few_of_all,
        at_least=report.at_least,
    )


def _identity(report: Found) -> str:
    told, most = report.classes.entropy, math.log2(report.rows)
    return tr(
        "{told} of the {most} bits that identify a person", told=rounded(told), most=rounded(most)
    )


def _secrets(report: Found) -> Iterator[tuple[str, str]]:
    for diversity, closeness, told in zip(
        report.diversity, report.closeness, report.information, strict=True
    ):
        many = tr(
            "l = {distinct:,} distinct, {entropy} by entropy",
            distinct=diversity.distinct,
            entropy=rounded(diversity.entropy, ROUND_FLOOR),
        )
        yield diversity.sensitive, f"{many}; t = {rounded(closeness.t, ROUND_CEILING)}"
        yield "", diversity.recursive
        for sentence in diversity.findings()[2:]:
            yield "", sentence
        yield "", tr("{before} bits: {told}", before=rounded(told.before), told=_left(told))


def _left(told: Information) -> str:
    return tr(
        "{learned} learned from the others, {after} left",
        learned=rounded(told.learned),
        after=rounded(told.after),
    )


def _listed(title: str, lines: list[str]) -> list[str]:
    return [f"{title}:", *(f"  {line}" for line in lines)] if lines else []


@dataclass(frozen=True, kw_only=True)
class Found(NotPrivate):
    """The figures of a table, as ``Exposure`` describes them."""

    classes: Classes
    at_least: int
    attackers: AttackerRisks
    diversity: tuple[Diversity, ...]
    closeness: tuple[Closeness, ...]
    information: tuple[Information, ...]
    columns: tuple[Combination, ...]
    combinations: tuple[Combination, ...]
    at_risk: tuple[AtRisk, ...]
    blanks: Mapping[str, int]
    population: Uniqueness | None = None
    presence: Presence | None = None

    @property
    def k(self) -> int:
        """The size of the smallest equivalence class."""
        return self.classes.k

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.classes.rows

    @property
    def sets(self) -> tuple[Combination, ...]:
        """The columns one by one, then the most identifying combinations of more."""
        several = (each for each in self.combinations if len(each.columns) > 1)
        return (*self.columns, *several)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        return {
            "classes": self.classes.figures(),
            "at_least": self.at_least,
            "rows_at_risk": self.classes.rows_below(self.at_least),
            "attackers": self.attackers.figures(),
            "diversity": [each.figures() for each in self.diversity],
            "closeness": [each.figures() for each in self.closeness],
            "information": [each.figures() for each in self.information],
            "columns": [each.figures() for each in self.columns],
            "combinations": [each.figures() for each in self.combinations],
            "at_risk": [each.figures() for each in self.at_risk],
            "blanks": dict(self.blanks),
            "population": None if self.population is None else self.population.figures(),
            "presence": None if self.presence is None else self.presence.figures(),
        }
