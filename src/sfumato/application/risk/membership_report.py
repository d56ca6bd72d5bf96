"""What an attack on a model finds, and that it is for the owner of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.printing.layout import fitted
from sfumato.printing.not_private import NotPrivate
from sfumato.printing.page import whole_page
from sfumato.printing.plotting import pictured

if TYPE_CHECKING:
    from sfumato.audit import MembershipReport

__all__ = ["MembershipAttack"]

_WIDTH = 79


@dataclass(frozen=True)
class MembershipAttack(NotPrivate):
    """What an attack on a model finds, against what its guarantee allows.

    Attributes
    ----------
    report
        The curve of the attack, and what it proves about ε.
    """

    report: MembershipReport

    @property
    def violated(self) -> bool:
        """Whether the attack proves more than was claimed; if not, nothing is proved."""
        return self.report.violated

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""
        return fitted(self.report.lines(), _WIDTH)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        return self.report.as_dict()

    def to_html(self) -> str:
        """Return the findings and the curve as a page of its own."""
        return whole_page(self.findings()[0], self._repr_html_())

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.report.plot)
