"""How much the quasi-identifiers tell about a sensitive column, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.printing.not_private import NotPrivate
from sfumato.printing.wording import listed, rounded
from sfumato.risk.exposure.classes import entropy_of
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.risk.exposure.cells import Sizes

__all__ = ["Information", "information_of"]

# Differences of entropies are no more exact than that.
_DIGITS = 12


@dataclass(frozen=True)
class Information(NotPrivate):
    """How uncertain a sensitive column is before and after the quasi-identifiers are known.

    Attributes
    ----------
    sensitive, quasi
        The columns.
    before, after
        The entropy of the sensitive column, and what is left of it: H(S) and H(S | Q), in bits.

    Examples
    --------
    >>> from sfumato.risk import risk
    >>> quasi = ["age", "sex", "zip", "smoker"]
    >>> found = risk("examples/hospital-a-generalised.csv", quasi=quasi, sensitive="diagnosis")
    >>> (told,) = found.information
    >>> round(told.before, 6), round(told.after, 6), round(told.learned, 6)
    (2.947703, 0.972765, 1.974938)
    """

    sensitive: str
    quasi: tuple[str, ...]
    before: float
    after: float

    @property
    def learned(self) -> float:
        """What the quasi-identifiers tell: the mutual information I(S; Q), in bits.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> told = risk("examples/hospital-a.csv", quasi="sex", sensitive="smoker").information[0]
        >>> round(told.learned, 6)
        0.991076
        """
        return round(max(0.0, self.before - self.after), _DIGITS)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> print(risk("examples/hospital-a.csv", quasi="age", sensitive="smoker").information[0])
        age tells 0.9911 of the 0.9911 bits of smoker; 0 are left
        not private: exact figures, for the data owner
        """
        tells = tr("tells") if len(self.quasi) == 1 else tr("tell")
        return [
            (
                tr(
                    "{quasi} {tells} {learned} of the {before} bits of {sensitive}; {after} "
                    "are left",
                    quasi=listed(self.quasi),
                    tells=tells,
                    learned=rounded(self.learned),
                    before=rounded(self.before),
                    sensitive=self.sensitive,
                    after=rounded(self.after),
                )
            )
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import risk
        >>> told = risk("examples/hospital-a.csv", quasi="age", sensitive="smoker").information[0]
        >>> told.figures()["bits_left"]
        0.0
        """
        return {
            "sensitive": self.sensitive,
            "quasi": list(self.quasi),
            "bits": self.before,
            "bits_left": self.after,
            "bits_learned": self.learned,
        }


def information_of(
    sensitive: str, quasi: tuple[str, ...], *, value: Sizes, both: Sizes, known: Sizes
) -> Information:
    """Return the entropies from how often values, classes and both together occur."""
    left = round(max(0.0, entropy_of(both) - entropy_of(known)), _DIGITS)
    return Information(sensitive, quasi, entropy_of(value), left)
