"""What was found of a column, and how much of it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.printing.not_private import NotPrivate
from sfumato.printing.wording import counted, share
from sfumato.translation import tr

__all__ = ["Reconstruction"]


@dataclass(frozen=True, kw_only=True)
class Reconstruction(NotPrivate):
    """A column that was reconstructed from answers about subsets.

    Attributes
    ----------
    method
        How: "least squares" or "linear program".
    answers
        How many answers were used.
    bits
        The column, 0 or 1 for each person.
    estimates
        The values before they were rounded; one near 1/2 is unsure.
    distance
        How far the answers of this column lie from those given, as a root mean square.
    truth
        The true column, where it was given.

    Examples
    --------
    >>> from sfumato.risk import reconstruct
    >>> reconstruct([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1, 2, 1]).bits
    (0, 1, 1)
    """

    method: str
    answers: int
    bits: tuple[int, ...]
    estimates: tuple[float, ...]
    distance: float
    truth: tuple[int, ...] | None = None

    @property
    def right(self) -> int | None:
        """How many values are right, where the truth was given.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).right
        1
        """
        if self.truth is None:
            return None
        return sum(found == true for found, true in zip(self.bits, self.truth, strict=True))

    @property
    def share_right(self) -> float | None:
        """Which share of the values is right, where the truth was given.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).share_right
        0.5
        """
        return None if self.right is None else self.right / len(self.bits)

    @property
    def share_guessed(self) -> float | None:
        """Which share is right if everybody is given the commoner value, without any answers.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).share_guessed
        1.0
        """
        if self.truth is None:
            return None
        ones = sum(self.truth)
        return max(ones, len(self.truth) - ones) / len(self.truth)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> for line in reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 0]).findings():
        ...     print(line)
        reconstructed: 2 of 2 values (100 %)
        always guessing the commoner value: 50 %
        from 2 answers, by least squares
        the column's own answers lie within 0 of those given (root mean square)
        """
        apart = tr(
            "the column's own answers lie within {distance:.4g} of those given",
            distance=self.distance,
        )
        return [
            *self._answer(),
            tr(
                "from {answers}, by {method}",
                answers=counted(self.answers, "answer"),
                method=self.method,
            ),
            tr("{apart} (root mean square)", apart=apart),
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0]).figures()["bits"]
        [1, 0]
        """
        return {
            "method": self.method,
            "people": len(self.bits),
            "answers": self.answers,
            "right": self.right,
            "share_right": self.share_right,
            "share_guessed": self.share_guessed,
            "distance": self.distance,
            "bits": list(self.bits),
        }

    def _answer(self) -> list[str]:
        if self.share_right is None or self.share_guessed is None:
            size, ones = len(self.bits), sum(self.bits)
            return [
                tr(
                    "a column of {values} was found, of which {ones:,} are 1",
                    values=counted(size, "value"),
                    ones=ones,
                )
            ]
        right = share(self.share_right)
        return [
            tr(
                "reconstructed: {right:,} of {values:,} values ({share})",
                right=self.right,
                values=len(self.bits),
                share=right,
            ),
            tr(
                "always guessing the commoner value: {share}",
                share=share(self.share_guessed),
            ),
        ]
