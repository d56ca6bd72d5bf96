"""What an audit found, for a terminal, a notebook and a file."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sfumato.audit.blackbox.figures import (
    ASK_VIOLATED,
    Figures,
    answer,
    doubt,
    evidence,
    spent,
    table,
)
from sfumato.audit.blackbox.page import body, whole_page
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing import drawn, fitted

if TYPE_CHECKING:
    from sfumato.printing import Chart


@dataclass(frozen=True)
class AuditReport(Figures):
    """A lower bound on ε, with the event that shows it.

    Attributes
    ----------
    claim
        What was claimed.
    tested
        The events that were chosen on one half of the draws and tested on the other.
    alpha
        The probability that any bound of the report is wrong, where draws are independent.
    samples
        How many draws were made on each dataset.
    seconds
        How long it took.
    release
        The module and the name of what was audited.
    hints
        What may help to understand what was seen.
    untested
        Why no event was tested, where none was.
    draws_a_call
        How many draws were made for each outcome that was counted: more than one where whole
        calls were compared.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.audit.blackbox import audit
    >>> rng = np.random.default_rng(0)
    >>> def release(data, n):
    ...     return data + rng.laplace(size=n).round()
    >>> report = audit(release, 0, 2, epsilon=1, samples=20_000)
    >>> report.violated, 1 < report.epsilon < 2
    (True, True)
    """

    def lines(self, *, width: int | None = None) -> list[str]:
        """Return the report as sentences, the answer first.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> print(audit(lambda x: x, "a", "b", epsilon=1, samples=1000).lines()[0])
        violated: 1-DP does not hold; ε is at least 3.432
        """
        setting = f"{spent(self)}; {doubt(self.alpha)}"
        lines = [answer(self), *evidence(self), setting, *table(self)]
        return lines if width is None else fitted(lines, width)

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> audit(lambda x: x, "a", "b", epsilon=1, samples=1000).as_dict()["violated"]
        True
        """
        return {
            "release": self.release,
            "sfumato": version("sfumato"),
            "claim": str(self.claim),
            "violated": self.violated,
            "epsilon_lower": self.epsilon,
            "alpha": self.alpha,
            "samples": self.samples,
            "seconds": self.seconds,
            "hints": list(self.hints),
            "untested": self.untested,
            "witness": None if self.witness is None else vars(self.witness).copy(),
            "tested": [vars(each).copy() for each in self.tested],
            "curve": [{"delta": delta, "epsilon_lower": low} for delta, low in self.curve],
        }

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as a page that needs nothing else, and write it where a path is given.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> page = audit(lambda x: x, "a", "b", epsilon=1, samples=1000).to_html()
        >>> page.startswith("<!doctype html>"), "<img" in page
        (True, True)
        """
        page = whole_page(self)
        if path is not None:
            _write(Path(path), page)
        return page

    def plot(
        self, of: Literal["epsilon", "rates"] = "epsilon", *, to: str | Path | None = None
    ) -> Chart:
        """Draw what was proved (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        of
            ``"epsilon"``: the lower bound on ε at several δ, against the claim.  ``"rates"``: how
            well the two datasets were told apart, against what the claim allows.
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.audit.blackbox import audit
        >>> chart = audit(lambda x: x, "a", "b", epsilon=1, samples=1000).plot()
        >>> chart.to_dict()["title"]["text"]
        ['violated: 1-DP does not hold; ε is at least 3.432']
        """
        return drawn("audit", self, to=to, of=of)

    def __bool__(self) -> bool:
        raise InputError("E-REPORT-NOT-BOOLEAN", *ASK_VIOLATED)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return body(self)


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(
            "E-OUTPUT-UNWRITABLE",
            "the report could not be written to {path} ({reason})",
            "give a file in a folder that exists",
            path=shown(str(path)),
            reason=error.strerror,
        ) from error
