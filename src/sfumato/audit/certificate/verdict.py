"""What a check of a certificate found: what was proved, what is trusted, what could be re-run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event

__all__ = ["CertificateVerdict"]


@dataclass(frozen=True)
class CertificateVerdict:
    """What is known of a certificate after it was derived again.

    Attributes
    ----------
    problem
        The first thing that does not hold, in a sentence; empty if all of it does.
    proved, trusted, again
        What was proved, what is taken on trust, and what would have to be done again to know
        more, in sentences.
    guarantee
        What is guaranteed, if that could be read.
    event
        What is charged for all of it, if that could be read.

    Examples
    --------
    >>> from sfumato.audit.certificate import check_certificate
    >>> check_certificate("{}").problem
    'the text is not a certificate of sfumato; give what --certificate or certificate.save wrote'
    """

    problem: str = ""
    proved: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    guarantee: Guarantee | None = field(default=None, repr=False)
    event: Event | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        """Tell whether nothing was found wrong."""
        return self.holds

    @property
    def holds(self) -> bool:
        """Whether nothing was found wrong.

        Examples
        --------
        >>> from sfumato.audit.certificate import CertificateVerdict
        >>> CertificateVerdict().holds
        True
        """
        return not self.problem
