"""How exposed a table is, and how that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sfumato.printing.layout import PAGE, fitted
from sfumato.printing.not_private import NOT_PRIVATE
from sfumato.printing.plotting import as_svg, drawn, pictured
from sfumato.risk.exposure.found import Found
from sfumato.risk.exposure.page import exposure_page
from sfumato.risk.exposure.saying import said

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing.plotting import Chart

__all__ = ["Exposure"]


@dataclass(frozen=True, kw_only=True)
class Exposure(Found):
    """How exposed the people of a table are.

    Attributes
    ----------
    classes
        The equivalence classes of the quasi-identifiers.
    at_least
        Rows in equivalence classes below this are called at risk.
    attackers
        The re-identification risk.
    diversity, closeness, information
        What the classes give away of each sensitive column.
    columns
        The quasi-identifiers one by one, the most identifying first.
    combinations
        The most identifying combination of each size.
    at_risk
        The smallest equivalence classes.
    blanks
        The columns in which cells differ from others only by blanks around them, and how many:
        they count as other values, and an attacker takes them for equal.
    population
        How many people of the population would be unique, where its size was given.
    presence
        What a public table tells about who is in this one, where one was given.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> found = risk("examples/hospital-a.csv", quasi="age", sensitive="diagnosis")
    >>> found.k, found.classes.uniques, found.diversity[0].distinct
    (1, 9, 1)
    """

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").findings()[0]
        '9 of 9 rows are unique on age: each is alone in its equivalence class'
        """
        return said(self)

    def lines(self, *, width: int = PAGE) -> list[str]:
        """Return the findings, and that they are not private, on lines that fit a terminal.

        Parameters
        ----------
        width
            How wide a line may be; none is wider than 80.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").lines()[-1]
        'not private: exact figures, for the data owner'
        """
        width = min(width, PAGE)
        return fitted([*said(self, width=width), NOT_PRIVATE], width)

    def svg(self, of: Literal["classes", "columns", "information"] = "classes") -> str:
        """Return a picture of ``plot`` as SVG.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> risk("examples/hospital-a.csv", quasi="age").svg()[:4]
        '<svg'
        """
        return as_svg(self.plot(of))

    def plot(
        self,
        of: Literal["classes", "columns", "information"] = "classes",
        *,
        to: str | Path | None = None,
    ) -> Chart:
        """Draw it as a chart; needs ``sfumato[plots]``.  Exact figures, for the data owner.

        Parameters
        ----------
        of
            ``"classes"``: rows by the size of their equivalence class; ``"columns"``: which columns
            identify people; ``"information"``: how many bits the quasi-identifiers give away.
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> chart = risk("examples/hospital-a.csv", quasi="age").plot()
        >>> chart.to_dict()["title"]["text"]
        ['9 of 9 rows are in equivalence classes below 5 on age']
        """
        return drawn("exposure", self, to=to, of=of)

    def to_html(self) -> str:
        """Return the report as a page of its own: sentences, two pictures and tables.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> page = risk("examples/hospital-a.csv", quasi="age").to_html()
        >>> page[:15], page.count("<img")
        ('<!doctype html>', 2)
        """
        return exposure_page(self)

    def _repr_html_(self) -> str:
        return f"{super()._repr_html_()}{pictured(self.plot)}"
