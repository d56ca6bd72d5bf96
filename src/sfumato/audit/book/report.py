"""The statements of the source in order, run, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sfumato.audit.book import (
    amplification,
    composition,
    definition,
    densities,
    divergences,
    mechanisms,
    renyi,
    sparse_vector,
)
from sfumato.printing import fitted, table, wrapped
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.audit.book.statement import BookStatement

#: Propositions 5.1-5.7 and theorems 5.1-5.3 of the chapter; then, of the part on composition,
#: remark 3.1, lemmas 3.17-3.19 and the theorem they are for, 3.20; then what the
#: source names or leans on and others prove, by their numbers where they have one.
STATEMENTS: tuple[BookStatement, ...] = (
    definition.BOTH_WAYS,
    definition.BY_OUTCOMES,
    densities.BY_DENSITIES,
    composition.TWO_STEPS,
    composition.MANY_STEPS,
    definition.POST_PROCESSING,
    definition.GROUPS,
    mechanisms.RANDOMIZED_RESPONSE,
    densities.LAPLACE,
    mechanisms.LLOYD,
    divergences.BY_DIVERGENCES,
    divergences.NEAR_DISTRIBUTIONS,
    divergences.SMALL_MEAN,
    composition.AZUMA,
    composition.ADVANCED,
    densities.CLASSICAL_GAUSSIAN,
    densities.ANALYTIC_GAUSSIAN,
    mechanisms.EXPONENTIAL,
    mechanisms.BOUNDED_RANGE,
    mechanisms.UTILITY,
    sparse_vector.SPARSE_VECTOR,
    renyi.RENYI_COMPOSITION,
    renyi.RENYI_CONVERSION,
    amplification.POISSON_SAMPLE,
    amplification.FIXED_SIZE_SAMPLE,
)


_WIDTH = 96
_INDENT = "    "
_TITLES = (mark("statement"), mark("result"), mark("instances"), mark("about"))
#: What a narrow terminal can do without, in that order.
_DISPENSABLE = _TITLES[2:]
_FIGURE_TITLES = (mark("statement"), mark("expected"), mark("ours"), mark("result"), mark("about"))
_NOT_NEEDED = tuple(_FIGURE_TITLES[place] for place in (4, 2, 1))
_HEADINGS = (mark("statement"), mark("says"), mark("instances"), mark("result"), mark("seconds"))


@dataclass(frozen=True, kw_only=True)
class BookRow:
    """One statement, what its check saw, and whether its false variant was caught.

    Attributes
    ----------
    name, title, text
        The statement: its number and name, and what it says.
    instances
        On how many instances it was checked.
    figures
        What was seen there.
    wrong
        What is wrong with the twin.
    holds, caught
        Whether the check passed, and whether the same check failed on the twin.
    seconds
        How long both took.
    citation, relation
        Whose theorem it is, where it is not the source's own, and which tables are neighbours.
    where
        Where it stands in the sources, if it is theirs.
    printed, ours
        The figure that the source prints, or that what it says comes to, and what is computed
        here; empty for a statement without a figure.

    Examples
    --------
    >>> from sfumato.audit.book import BookRow
    >>> row = BookRow(name="Theorem 5.1", title="survey", text="…", instances=20,
    ...               figures="ln 2", wrong="ln 3", holds=True, caught=True, seconds=0.1)
    >>> row.result
    'holds; variant caught'
    """

    name: str
    title: str
    text: str
    instances: int
    figures: str
    wrong: str
    holds: bool
    caught: bool
    seconds: float
    citation: str = ""
    relation: str = ""
    where: str = ""
    printed: str = ""
    ours: str = ""

    @property
    def result(self) -> str:
        """Both answers in words.

        Examples
        --------
        >>> from sfumato.audit.book import BookRow
        >>> BookRow(name="Theorem 5.1", title="survey", text="", instances=1, figures="",
        ...         wrong="", holds=False, caught=False, seconds=0.0).result
        'DOES NOT HOLD; VARIANT NOT CAUGHT'
        """
        answer = tr("holds") if self.holds else tr("DOES NOT HOLD")
        caught = tr("variant caught") if self.caught else tr("VARIANT NOT CAUGHT")
        return f"{answer}; {caught}"

    @property
    def cells(self) -> tuple[str, ...]:
        """The row in a table: the answer, on how many instances, and what it is about.

        Examples
        --------
        >>> from sfumato.audit.book import STATEMENTS, run_book
        >>> run_book(STATEMENTS[:1]).rows[0].cells[:3]
        ('Proposition 5.1', 'holds; variant caught', '486')
        """
        return self.name, self.result, f"{self.instances:,}", self.title

    @property
    def figure_cells(self) -> tuple[str, ...]:
        """The row in a table of figures: what is printed, ours, and the answer in a word or two.

        Examples
        --------
        >>> from sfumato.audit.book import BookRow
        >>> BookRow(name="Example 5.1", title="mean", text="", instances=1, figures="1/9", wrong="",
        ...         holds=True, caught=True, seconds=0.1, printed="1/9", ours="1/9").figure_cells
        ('Example 5.1', '1/9', 'the same', 'holds', 'mean')
        """
        ours = tr("the same") if self.ours == self.printed else self.ours
        result = tr("holds") if self.holds and self.caught else self.result
        return self.name, self.printed, ours, result, self.title

    @property
    def comparison(self) -> str:
        """The figure of the source, and ours.

        Examples
        --------
        >>> from sfumato.audit.book import BookRow
        >>> BookRow(name="Example 5.1", title="mean", text="", instances=1, figures="1/9", wrong="",
        ...         holds=True, caught=True, seconds=0.1, printed="1/9", ours="1/9").comparison
        'expected: 1/9; ours: 1/9'
        """
        return tr("expected: {printed}; ours: {ours}", printed=self.printed, ours=self.ours)

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return the row for a terminal: the answer, the statement, and what was looked at.

        Parameters
        ----------
        width
            How wide a line may be.

        Examples
        --------
        >>> from sfumato.audit.book import BookRow
        >>> row = BookRow(name="Theorem 5.1", title="survey", instances=20,
        ...               text="It is ln 2-DP.", figures="20 surveys", wrong="ln 3", holds=True,
        ...               caught=True, seconds=0.1)
        >>> for line in row.lines():
        ...     print(line)
        Theorem 5.1      holds; variant caught
            It is ln 2-DP.
            checked: 20 surveys
            false variant: ln 3
        """
        return [
            f"{self.name:<16} {self.result}",
            *_indented(tr(self.text), width),
            *(_indented(said(self.where), width) if self.where else ()),
            *(_indented(self._cited(), width) if self.citation else ()),
            *(_indented(self.comparison, width) if self.printed else ()),
            *(() if self.printed else _indented(self._checked(), width)),
            *_indented(tr("false variant: {wrong}", wrong=self.wrong), width),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the row ready for JSON.

        Examples
        --------
        >>> from sfumato.audit.book import STATEMENTS, run_book
        >>> run_book(STATEMENTS[:1]).rows[0].as_dict()["id"]
        'Proposition 5.1'
        """
        return {
            "id": self.name,
            "kind": "figure" if self.printed else "statement",
            "title": self.title,
            "statement": self.text,
            "instances": self.instances,
            "checked": self.figures,
            "twin": self.wrong,
            "holds": self.holds,
            "twin_caught": self.caught,
            "seconds": round(self.seconds, 3),
            "citation": self.citation or None,
            "neighbours": self.relation or None,
            "where": self.where or None,
            "printed": self.printed or None,
            "ours": self.ours or None,
        }

    def _checked(self) -> str:
        return tr("checked: {figures}", figures=self.figures)

    def _cited(self) -> str:
        """Return whose theorem it is, and for which neighbours."""
        if self.printed:
            return tr("theorem of {citation}", citation=self.citation)
        return tr(
            "theorem of {citation}; neighbours: {relation}",
            citation=self.citation,
            relation=self.relation,
        )


@dataclass(frozen=True)
class BookReport:
    """Every statement of the book with what came of it.

    Attributes
    ----------
    rows
        One for each statement.

    Examples
    --------
    >>> from sfumato.audit.book import STATEMENTS, run_book
    >>> report = run_book(STATEMENTS[:2])
    >>> report.holds, len(report.rows)
    (True, 2)
    """

    rows: tuple[BookRow, ...]

    @property
    def holds(self) -> bool:
        """Whether every statement held and every false variant was caught.

        Examples
        --------
        >>> from sfumato.audit.book import BookReport
        >>> BookReport(()).holds
        True
        """
        return all(row.holds and row.caught for row in self.rows)

    @property
    def seconds(self) -> float:
        """How long all of it took.

        Examples
        --------
        >>> from sfumato.audit.book import BookReport
        >>> BookReport(()).seconds
        0
        """
        return sum(row.seconds for row in self.rows)

    def __bool__(self) -> bool:
        """Tell whether every statement held and every false variant was caught."""
        return self.holds

    def lines(self, *, details: bool = False, width: int = _WIDTH) -> list[str]:
        """Return the book for a terminal, the answer first: a line a statement, or all of it.

        Parameters
        ----------
        details
            Whether to tell all of it.
        width
            How wide a line may be; columns that do not fit are left out.

        Examples
        --------
        >>> from sfumato.audit.book import STATEMENTS, run_book
        >>> report = run_book(STATEMENTS[:2])
        >>> report.lines()[0].partition(" (")[0]
        '2 of 2 statements hold, 2 of 2 false variants are caught'
        >>> print(report.lines()[2])
        Proposition 5.1  holds; variant caught        486  the ratio is bounded both ways
        """
        width = min(width, _WIDTH)
        answer = fitted([self._answer()], width)
        if details:
            return [*answer, *(line for row in self.rows for line in ["", *row.lines(width=width)])]
        return [*answer, *self._statements(width), *self._figures(width)]

    def as_dict(self) -> dict[str, Any]:
        """Return the book ready for JSON.

        Examples
        --------
        >>> from sfumato.audit.book import STATEMENTS, run_book
        >>> found = run_book(STATEMENTS[:2]).as_dict()
        >>> found["holds"], len(found["statements"])
        (True, 2)
        """
        return {
            "holds": self.holds,
            "seconds": round(self.seconds, 3),
            "statements": [row.as_dict() for row in self.rows],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{said(heading)}</th>" for heading in _HEADINGS)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in self.rows)
        answer = f"<strong>{escape(self._answer())}</strong>"
        return f"{answer}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _statements(self, width: int) -> list[str]:
        found = [row.cells for row in self.rows if not row.printed]
        return _tabled(_TITLES, found, width, _DISPENSABLE)

    def _figures(self, width: int) -> list[str]:
        """Return the rows whose figure is printed, set apart from those before."""
        found = [row.figure_cells for row in self.rows if row.printed]
        apart = [""] if len(found) < len(self.rows) and found else []
        return [*apart, *_tabled(_FIGURE_TITLES, found, width, _NOT_NEEDED)]

    def _answer(self) -> str:
        held, caught = sum(row.holds for row in self.rows), sum(row.caught for row in self.rows)
        total = len(self.rows)
        return tr(
            "{held} of {total} statements hold, {caught} of {total} false variants are "
            "caught ({seconds:.1f} s)",
            held=held,
            total=total,
            caught=caught,
            seconds=self.seconds,
        )


def _tabled(
    titles: tuple[str, ...], rows: list[tuple[str, ...]], width: int, dispensable: tuple[str, ...]
) -> list[str]:
    if not rows:
        return []
    return table([titles, *rows], width, numbers={"instances"}, dispensable=dispensable)


def _indented(text: str, width: int) -> list[str]:
    return wrapped(f"{_INDENT}{text}", width, later=_INDENT)


def _cells(row: BookRow) -> str:
    looked = tr(
        "{text}\nchecked: {figures}\nfalse variant: {wrong}",
        text=row.text,
        figures=row.comparison if row.printed else row.figures,
        wrong=row.wrong,
    )
    cells = (row.name, looked, f"{row.instances:,}", row.result)
    shown = (escape(cell).replace("\n", "<br>") for cell in (*cells, f"{row.seconds:.2f}"))
    return "".join(f"<td>{cell}</td>" for cell in shown)


def run_book(
    statements: Iterable[BookStatement] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> BookReport:
    """Check every statement of the source on concrete instances, and its twin on a wrong one.

    A check that passes is no proof of a theorem; it shows that the statement, as it is used here,
    is the one that holds, and that the check can tell.

    Parameters
    ----------
    statements
        Those to check; all of them unless told.
    progress
        Called with how many are done and how many there are.

    Examples
    --------
    >>> from sfumato.audit.book import STATEMENTS, run_book
    >>> report = run_book(STATEMENTS[:1])
    >>> print(report.rows[0].name, report.rows[0].result, sep=": ")
    Proposition 5.1: holds; variant caught
    """
    chosen = list(STATEMENTS if statements is None else statements)
    rows = []
    for done, statement in enumerate(chosen, start=1):
        rows.append(_row(statement))
        if progress is not None:
            progress(done, len(chosen))
    return BookReport(tuple(rows))


def _row(statement: BookStatement) -> BookRow:
    start = perf_counter()
    found, twin = statement.check(statement.instance), statement.check(statement.twin)
    return BookRow(
        name=statement.name,
        title=statement.title,
        text=statement.text,
        instances=found.instances,
        figures=found.figures,
        wrong=f"{tr(statement.wrong)}: {twin.figures}",
        holds=found.holds,
        caught=not twin.holds,
        seconds=perf_counter() - start,
        citation=statement.citation,
        relation=str(statement.relation),
        where=statement.where,
        printed=statement.printed,
        ours=found.ours,
    )
