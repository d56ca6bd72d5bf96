"""A model asked to go on with texts, so many times each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.memorization.candidates import read_texts
from sfumato.audit.memorization.verbatim import ExtractionReport, TriedText, read_share
from sfumato.audit.model_calls import called, check_callable
from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.privacy import read_confidence
from sfumato.refusal import Argument, Bare, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sfumato.privacy.theorems import NumberLike

    Continue = Callable[[str, int], str]
    Progress = Callable[[int, int], None]
_MODEL = mark("the model")
_HALF = 2


def extraction(
    continue_text: Continue,
    texts: Iterable[str],
    *,
    prefix: int = 50,
    suffix: int = 50,
    controls: Iterable[str] | None = None,
    near: NumberLike = 0.1,
    tries: int = 1,
    confidence: NumberLike = 0.95,
    progress: Progress | None = None,
) -> ExtractionReport:
    """Count the training texts that a model goes on with word for word.

    Of each text the model is given the first characters, and what it returns is compared with those
    that follow :cite:p:`carlini2023quantifying`.  A model that changes a word here and there is
    asked about, too: a continuation within a few edits is near-verbatim
    :cite:p:`ippolito2023verbatim`.

    Parameters
    ----------
    continue_text
        Takes the beginning of a text and a number of characters, and returns so many characters
        that follow it, without the beginning; of more the first are compared.
    texts
        Texts that the model was trained on: all of them, or some drawn at random.
    prefix, suffix
        How many characters the model is given, and how many it is to go on with.  A text that is
        shorter than both is left out, and one that begins like another.
    controls
        Texts of the same kind that it never saw, to tell what is remembered from what anybody would
        guess.
    near
        Which share of the characters may be edited (inserted, deleted or replaced) for a
        continuation to be near-verbatim.
    tries
        How often each text is tried; more than once makes sense for a model that draws what it
        returns.
    confidence
        Of each interval, and of what exceeds the controls.
    progress
        Called with how many continuations are made, and of how many.

    Examples
    --------
    >>> from sfumato.audit import extraction
    >>> articles = [f"{number:02} " * 40 for number in range(40)]
    >>> def parrot(prefix, length):
    ...     kept = [each for each in articles[:30] if each.startswith(prefix)]
    ...     return kept[0][len(prefix) :] if kept else "?"
    >>> report = extraction(parrot, articles[:30], controls=articles[30:])
    >>> report.verbatim.count, report.verbatim_controls.count, report.remembers
    (30, 0, True)
    """
    check_callable(continue_text, "continue_text", "lambda prefix, length: model(prefix)[:length]")
    given, wanted = read_count(prefix, "prefix"), read_count(suffix, "suffix")
    times, sure = read_count(tries, "tries"), read_confidence(confidence)
    edits = math.floor(read_share(near, "near") * wanted)
    trial = ExtractionTrial(continue_text, given, wanted, edits, times, progress)
    seen, dropped = trial.read(texts, "texts")
    others, shorter = ({}, 0) if controls is None else trial.read(controls, "controls")
    _refuse_shared(len(seen.keys() & others.keys()))
    trial.expect(len(seen) + len(others))
    return ExtractionReport(
        texts=tuple(trial.tried(seen)),
        controls=None if controls is None else tuple(trial.tried(others)),
        left_out=dropped + shorter,
        prefix=given,
        suffix=wanted,
        near=edits,
        tries=times,
        confidence=float(sure),
        echoes=trial.echoes,
    )


class ExtractionTrial:
    """A model that is asked to go on with texts.

    Parameters
    ----------
    model
        Takes the beginning of a text and a number of characters.
    prefix, suffix
        How many characters it is given, and how many it is to go on with.
    near
        How many edits are near.
    tries
        How often each text is tried.
    progress
        Called with how many continuations are made, and of how many.
    """

    def __init__(
        self,
        model: Continue,
        prefix: int,
        suffix: int,
        near: int,
        tries: int,
        progress: Progress | None,
    ) -> None:
        self._model, self._prefix, self._suffix = model, prefix, suffix
        self._near, self._tries, self._progress = near, tries, progress
        self._done = self._total = self._echoes = 0

    @property
    def echoes(self) -> bool:
        """Whether more than half of what was returned begins with what was given."""
        return _HALF * self._echoes > self._done

    def read(self, texts: Any, name: str) -> tuple[dict[str, tuple[int, str]], int]:
        """Return texts and their places by what is looked at of them; and how many are left out."""
        listed, length = read_texts(texts, name), self._prefix + self._suffix
        found: dict[str, tuple[int, str]] = {}
        for place, each in enumerate(listed):
            if len(each) >= length:
                found.setdefault(each[:length], (place, each))
        if not found:
            half = str(max(1, max(map(len, listed)) // 2))
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{name} has no text of {prefix:,} and {suffix:,} characters; the longest has "
                "{longest:,}",
                "write smaller numbers, such as {prefix_example} and {suffix_example}",
                name=Argument(name),
                prefix=self._prefix,
                suffix=self._suffix,
                longest=max(map(len, listed)),
                prefix_example=Argument("prefix", Bare(half)),
                suffix_example=Argument("suffix", Bare(half)),
            )
        return found, len(listed) - len(found)

    def expect(self, count: int) -> None:
        """Say how many texts there will be."""
        self._total = count * self._tries

    def tried(self, texts: dict[str, tuple[int, str]]) -> list[TriedText]:
        """Return what the model makes of each text."""
        return [self._judged(window, *each) for window, each in texts.items()]

    def _judged(self, window: str, place: int, text: str) -> TriedText:
        prefix, wanted = window[: self._prefix], window[self._prefix :]
        found = [self._continued(prefix, wanted) for _ in range(self._tries)]
        return TriedText(
            place=place,
            text=text,
            exact=sum(each == wanted for each in found),
            near=any(self._is_near(each, wanted) for each in found),
            agreed=max(_agreed(each, wanted) for each in found),
        )

    def _is_near(self, given: str, wanted: str) -> bool:
        if given == wanted or not self._near:
            return given == wanted
        return edit_distance(given, wanted) <= self._near

    def _continued(self, prefix: str, wanted: str) -> str:
        returned = called(self._model, prefix, self._suffix, name=_MODEL)
        if not isinstance(returned, str):
            raise InputError(
                "E-FUNCTION-RESULT",
                "{name} must return a text, the continuation",
                "it returned {found}",
                name=_MODEL,
                found=text("a value of type {kind}", kind=type(returned).__name__),
            )
        self._done += 1
        self._echoes += returned.startswith(prefix) and not returned.startswith(wanted)
        if self._progress is not None:
            self._progress(self._done, self._total)
        return returned[: self._suffix]


def edit_distance(first: str, second: str) -> int:
    """Return how many characters have to be inserted, deleted or replaced to turn one into another.

    Row by row of the table of all beginnings :cite:p:`wagner1974correction`: the least over
    insertions is a running minimum once each column's number is taken off.
    """
    letters, places = np.array(list(second)), np.arange(len(second) + 1)
    row = places.copy()
    for letter in first:
        others = np.minimum(row[1:] + 1, row[:-1] + (letters != letter))
        row = np.minimum.accumulate(np.concatenate([row[:1] + 1, others]) - places) + places
    return int(row[-1])


def _agreed(given: str, wanted: str) -> int:
    """Return how many characters agree from the start."""
    pairs = enumerate(zip(given, wanted, strict=False))
    return next(
        (place for place, (one, other) in pairs if one != other), min(len(given), len(wanted))
    )


def _refuse_shared(count: int) -> None:
    if count:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{count} of {controls} begin like training texts",
            "give texts that the model never saw",
            count=f"{count:,}",
            controls=Argument("controls"),
        )
