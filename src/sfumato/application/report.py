"""What every report of exact figures says, and pages that are written whole or not at all."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfumato.charts import check_parts
from sfumato.data import put_in_place
from sfumato.errors import MissingExtraError
from sfumato.printing import NotPrivate, for_json
from sfumato.refusal import Argument
from sfumato.translation import tr


@dataclass(frozen=True, kw_only=True)
class ExactReport(NotPrivate):
    """Exact figures about data: not private, for the data owner only.

    Attributes
    ----------
    columns
        The columns whose combinations are the outcomes.
    order
        The Rényi order.
    base
        Of the logarithm.
    weights
        The column that says how much each row counts; None where each counts one.
    suggested_weights
        A column that was not used but is named as if it held weights.

    Examples
    --------
    >>> from sfumato.application import ExactReport
    >>> report = ExactReport(columns=("age",), order=1.0, base=2.0)
    >>> report.private, report.unit
    (False, 'bits')
    """

    columns: tuple[str, ...]
    order: float
    base: float
    weights: str | None = None
    suggested_weights: str | None = None

    @property
    def unit(self) -> str:
        """The unit of the figures, by the base of the logarithm.

        Examples
        --------
        >>> from sfumato.application import ExactReport
        >>> ExactReport(columns=("age",), order=1.0, base=10.0).unit
        'base 10 units'
        """
        named = {2.0: "bits", math.e: "nats"}
        return named.get(
            self.base, tr("base {base} units", base=repr(self.base).removesuffix(".0"))
        )

    def figures(self) -> dict[str, Any]:
        """Return the figures ready for JSON; an infinity becomes the text "Infinity".

        Examples
        --------
        >>> from sfumato.application import ExactReport
        >>> report = ExactReport(columns=("age",), order=float("inf"), base=2.0).figures()
        >>> report["order"], report["unit"]
        ('Infinity', 'bits')
        """
        found = {"unit": self.unit, **asdict(self)}
        return {name: _for_json(value) for name, value in found.items()}

    def findings(self) -> list[str]:
        """Return the report as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.application import ExactReport
        >>> ExactReport(columns=("age",), order=1.0, base=2.0).findings()
        ['each row is one observation']
        """
        if self.weights is not None:
            return [tr("each row counts as much as {weights} says", weights=self.weights)]
        lines = [tr("each row is one observation")]
        if self.suggested_weights is not None:
            name = self.suggested_weights
            lines.append(
                tr(
                    "hint: if {name} says how often each row occurs, name it as the weights "
                    "({weights})",
                    name=name,
                    weights=Argument("weights", name),
                )
            )
        return lines


def _for_json(value: Any) -> Any:
    if isinstance(value, float):
        return for_json(value)
    return list(value) if isinstance(value, tuple) else value


def put_page(path: str, page: str) -> None:
    """Write a page into a file; what is no file, such as a pipe, is written to as it is."""
    file = Path(path).resolve()
    if file.exists() and not file.is_file():
        file.write_text(page, encoding="utf-8")
        return
    with put_in_place(file) as draft:
        draft.write_text(page, encoding="utf-8")


def without_pictures() -> list[str]:
    """Return how to get the pictures that a report lacks; nothing where it has them all."""
    try:
        check_parts()
    except MissingExtraError as error:
        return [tr("The report lacks pictures: {error}", error=error)]
    return []
