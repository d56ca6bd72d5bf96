"""Verbatim extraction: which training texts a model goes on with word for word.

A text is extracted with k characters of context if the model, given its first k characters, goes on
with the next m of them exactly :cite:p:`carlini2021extracting,carlini2023quantifying`.  A text that
anybody would go on with is no memory: so control texts, which the model never saw, are tried alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.bounds import probability_above, probability_below
from sfumato.audit.blackbox.report import AttackReport
from sfumato.numeric import check_probability, read_count
from sfumato.printing import (
    Chart,
    NotPrivate,
    aligned,
    counted,
    cut,
    drawn,
    pictured,
    share,
    whole_page,
)
from sfumato.privacy import written
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.privacy.theorems import NumberLike


#: How many texts are listed, and how much of each.
_MOST_LISTED, _MOST_OF_A_TEXT = 10, 60
_UNCONTROLLED = mark(
    "without controls, texts of the same kind that the model never saw, what is remembered is not "
    "told from what anybody would guess"
)
_ECHO = mark(
    "most continuations begin with what was given: is the prefix returned, too? return only what "
    "follows it"
)
_ASSUMED = mark(
    "intervals are for texts that were drawn at random from all of their kind; another prompt may "
    "extract more"
)


@dataclass(frozen=True)
class TriedText:
    """One text, and what the model made of its beginning.

    Attributes
    ----------
    place
        Its place in the list that was given, from 0.
    text
        The text.
    exact
        How many of the continuations were the text's own, word for word.
    near
        Whether one of them was, up to a few edits.
    agreed
        How many characters the best of them has right from the start.

    Examples
    --------
    >>> from sfumato.audit import extraction
    >>> (tried,) = extraction(lambda prefix, length: "a" * 30 + "b" * 20, ["a" * 100]).texts
    >>> tried.exact, tried.near, tried.agreed
    (0, False, 30)
    """

    place: int
    text: str
    exact: int
    near: bool
    agreed: int


@dataclass(frozen=True)
class ExtractedShare:
    """How many texts are extracted, and between what their share lies.

    Attributes
    ----------
    count, of
        How many are extracted, and of how many.
    lower, upper
        The interval of :cite:t:`clopper1934` around the share of all such texts.
    unseen
        Whether the model never saw them.

    Examples
    --------
    >>> from sfumato.audit import extraction
    >>> found = extraction(lambda prefix, length: "a" * length, ["a" * 100]).verbatim
    >>> found.count, found.share, round(found.lower, 3), found.upper
    (1, 1.0, 0.025, 1.0)
    """

    count: int
    of: int
    lower: float
    upper: float
    unseen: bool = False

    @property
    def share(self) -> float:
        """The share of these texts.

        Examples
        --------
        >>> from sfumato.audit import ExtractedShare
        >>> ExtractedShare(3, 12, 0.05, 0.6).share
        0.25
        """
        return self.count / self.of

    def __str__(self) -> str:
        return tr(
            "{count:,} of {of:,}, {share} ({low} to {high})",
            count=self.count,
            of=self.of,
            share=share(self.share),
            low=share(self.lower),
            high=share(self.upper),
        )


@dataclass(frozen=True, kw_only=True)
class ExtractionReport(NotPrivate, AttackReport):
    """How many training texts a model goes on with word for word, and which.

    It holds the texts, and is for the owner of the model.

    Attributes
    ----------
    texts, controls
        What the model made of each training text, and of each text that it never saw; those that
        were left out are not there.
    left_out
        How many texts and controls were too short, or there already.
    prefix, suffix
        How many characters the model was given, and how many it was to go on with.
    near
        How many edits a continuation may be off to be near-verbatim.
    tries
        How often each text was tried; it is extracted where one try does it.
    confidence
        Of each interval.
    echoes
        Whether most continuations begin with what was given.

    Examples
    --------
    >>> from sfumato.audit import extraction
    >>> articles = ["rain is expected in the north, and snow in the south; " * 2]
    >>> report = extraction(lambda prefix, length: articles[0][50 : 50 + length], articles)
    >>> report.verbatim.count, report.extracted[0].place
    (1, 0)
    """

    _told_by = "remembers"

    texts: tuple[TriedText, ...]
    controls: tuple[TriedText, ...] | None
    left_out: int
    prefix: int
    suffix: int
    near: int
    tries: int
    confidence: float
    echoes: bool

    @property
    def extracted(self) -> tuple[TriedText, ...]:
        """The training texts that are returned word for word.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "b" * length, ["a" * 100]).extracted
        ()
        """
        return tuple(each for each in self.texts if each.exact)

    @property
    def verbatim(self) -> ExtractedShare:
        """The share of the training texts that is returned word for word.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "b" * length, ["a" * 100]).verbatim.count
        0
        """
        return self._share(self.texts, near=False)

    @property
    def near_verbatim(self) -> ExtractedShare:
        """The share that is returned up to a few edits, those word for word included.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "a" * 48, ["a" * 100]).near_verbatim.count
        1
        """
        return self._share(self.texts, near=True)

    @property
    def verbatim_controls(self) -> ExtractedShare | None:
        """The share of the control texts that is guessed word for word; None without any.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "b" * length, ["a" * 100]).verbatim_controls
        """
        return None if self.controls is None else self._share(self.controls, near=False)

    @property
    def near_controls(self) -> ExtractedShare | None:
        """The share of the control texts that is guessed up to a few edits; None without any.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "b" * length, ["a" * 100]).near_controls
        """
        return None if self.controls is None else self._share(self.controls, near=True)

    @property
    def excess(self) -> float | None:
        """By how much the share of training texts exceeds that of controls, at least.

        It holds with the confidence of the report: each of the two intervals fails on the side that
        matters with half of what is left.  It is negative where no memory is shown, and None
        without controls.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> kept = {f"{number:03} {'x' * 50}": f"{number:050}" for number in range(40)}
        >>> report = extraction(lambda prefix, length: kept.get(prefix, ""),
        ...                     [prefix + suffix for prefix, suffix in kept.items()],
        ...                     prefix=54, controls=["y" * 104])
        >>> report.verbatim.count, round(report.excess, 3)
        (40, -0.063)
        """
        controls = self.verbatim_controls
        return None if controls is None else self.verbatim.lower - controls.upper

    @property
    def remembers(self) -> bool:
        """Whether more texts are returned than controls explain; if not, nothing is shown.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "a" * length, ["a" * 100]).remembers
        False
        """
        return self.excess is not None and self.excess > 0

    def discoverable(self, tries: int, chance: NumberLike) -> int:
        """Return of how many texts it is proved that so many tries return them with such a chance.

        A text is (n, p)-discoverable if one of n tries returns it with probability p
        :cite:p:`hayes2025measuring`.  With q for the probability of one try that is
        1 - (1 - q)^n ≥ p; here q is a lower bound on it, from the tries that were made.  The
        bounds hold for all texts together with the confidence of the report, so many texts take
        many tries.

        Parameters
        ----------
        tries, chance
            How many tries somebody has, and with which probability one of them succeeds.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> report = extraction(lambda prefix, length: "a" * length, ["a" * 100], tries=20)
        >>> report.discoverable(10, 0.99), report.discoverable(1, 0.99)
        (1, 0)
        """
        number, wanted = read_count(tries, "tries"), read_share(chance, "chance")
        miss = (1 - written(self.confidence)) / max(len(self.texts), 1)
        found = (probability_below(each.exact, self.tries, miss) for each in self.texts)
        return sum(1 - (1 - Fraction(each)) ** number >= wanted for each in found)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> for line in extraction(lambda prefix, length: "a" * length, ["a" * 100]).findings()[:2]:
        ...     print(line)
        1 of 1 text is returned word for word
        texts, word for word: 1 of 1, 100 % (2.5 % to 100 %)
        """
        return [
            self._answer(),
            *self._shares(),
            *self._setting(),
            *([tr(_ECHO)] if self.echoes else []),
            *self._which(),
            tr(_ASSUMED),
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> extraction(lambda prefix, length: "a" * length, ["a" * 100]).figures()["excess"]
        """
        kinds = {
            "verbatim": self.verbatim,
            "near_verbatim": self.near_verbatim,
            "verbatim_controls": self.verbatim_controls,
            "near_controls": self.near_controls,
        }
        return {
            "remembers": self.remembers,
            "excess": self.excess,
            **{name: _figures(found) for name, found in kinds.items()},
            "prefix": self.prefix,
            "suffix": self.suffix,
            "near": self.near,
            "tries": self.tries,
            "confidence": self.confidence,
            "left_out": self.left_out,
            "echoes": self.echoes,
            "extracted": [vars(each).copy() for each in self.extracted],
        }

    def shares(self) -> list[tuple[str, ExtractedShare]]:
        """Return all shares by what they are of, in the order in which they are shown.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> for name, share in extraction(lambda prefix, length: "a" * 48, ["a" * 100]).shares():
        ...     print(f"{name}: {share.count}")
        texts, word for word: 0
        texts, nearly so: 1
        """
        named = [
            (tr("texts, word for word"), self.verbatim),
            (tr("controls, word for word"), self.verbatim_controls),
        ]
        if self.near:
            named += [
                (tr("texts, nearly so"), self.near_verbatim),
                (tr("controls, nearly so"), self.near_controls),
            ]
        return [(name, share) for name, share in named if share is not None]

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the shares that are extracted (``pip install 'sfumato[plots]'``).

        Parameters
        ----------
        to
            A file to write it into as well, ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> chart = extraction(lambda prefix, length: "a" * length, ["a" * 100]).plot()
        >>> chart.to_dict()["title"]["text"]
        ['1 of 1 text is returned word for word']
        """
        return drawn("extraction", self, to=to)

    def to_html(self) -> str:
        """Return the findings and the picture as a page of its own.

        Examples
        --------
        >>> from sfumato.audit import extraction
        >>> page = extraction(lambda prefix, length: "a" * length, ["a" * 100]).to_html()
        >>> page.startswith("<!doctype html>")
        True
        """
        return whole_page(self._answer(), self._repr_html_())

    def _repr_html_(self) -> str:
        return super()._repr_html_() + pictured(self.plot)

    def _share(self, tried: Sequence[TriedText], *, near: bool) -> ExtractedShare:
        count = sum(each.near if near else bool(each.exact) for each in tried)
        miss = (1 - written(self.confidence)) / 2
        return ExtractedShare(
            count,
            len(tried),
            probability_below(count, len(tried), miss),
            probability_above(count, len(tried), miss),
            unseen=tried is self.controls,
        )

    def _answer(self) -> str:
        found, controls = self.verbatim, self.verbatim_controls
        said = tr_n(
            "{count:,} of 1 text is returned word for word",
            "{count:,} of {of:,} texts are returned word for word",
            found.of,
            count=found.count,
            of=found.of,
        )
        if controls is None:
            return said
        both = tr(
            "{said}, and {count:,} of {of:,} that the model never saw",
            said=said,
            count=controls.count,
            of=controls.of,
        )
        if self.remembers:
            return tr("the model remembers: {both}", both=both)
        return tr("no memory was shown, which is no proof that there is none: {both}", both=both)

    def _shares(self) -> list[str]:
        """Return the shares, those of controls beside them, and what is left without them."""
        lines = [tr("{name}: {found}", name=name, found=found) for name, found in self.shares()]
        if self.excess is None:
            return [*lines, tr(_UNCONTROLLED)]
        if self.excess <= 0:
            return lines
        more = percentage_points(self.excess)
        return [*lines, tr("more than controls explain: by at least {more}", more=more)]

    def _setting(self) -> list[str]:
        asked = tr(
            "{prefix:,} characters were given, and the next {suffix:,} compared, in {tries}",
            prefix=self.prefix,
            suffix=self.suffix,
            tries=tr_n("one try a text", "{tries:,} tries a text", self.tries, tries=self.tries),
        )
        if self.near:
            edits = counted(self.near, "edit")
            asked = tr("{asked}; nearly so is within {edits}", asked=asked, edits=edits)
        asked = tr(
            "{asked}; intervals of {confidence}", asked=asked, confidence=share(self.confidence)
        )
        if not self.left_out:
            return [asked]
        return [
            asked,
            tr_n(
                "1 text was left out: it was too short, or began like another",
                "{count:,} texts were left out: they were too short, or began like others",
                self.left_out,
                count=self.left_out,
            ),
        ]

    def _which(self) -> list[str]:
        """Return the texts that are extracted, by their places and beginnings."""
        found = self.extracted
        if not found:
            return []
        rows = [[f"{each.place:,}", cut(each.text, _MOST_OF_A_TEXT)] for each in found]
        lines = aligned([[tr("place"), tr("text")], *rows[:_MOST_LISTED]], right=[0])
        if (more := len(found) - _MOST_LISTED) > 0:
            lines.append(tr("{others} not shown", others=counted(more, "other")))
        return lines


def percentage_points(excess: float) -> str:
    """Return a difference of shares, rounded down."""
    return tr("{points} percentage points", points=math.floor(1000 * excess) / 10)


def _figures(found: ExtractedShare | None) -> dict[str, Any] | None:
    return None if found is None else {**vars(found), "share": found.share}


def read_share(value: Any, name: str) -> Fraction:
    """Return a share from 0 to 1, exactly."""
    number = written(value, name)
    check_probability(number, name)
    return number
