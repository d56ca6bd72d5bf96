"""The texts that a canary is drawn from: a pattern with digits to fill in, or a list."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.refusal import Argument

#: What stands for a digit, and how many of them may.
_DIGIT, _MOST_DIGITS = "#", 18
#: What the draws of canaries, and of texts to rank them among, are seeded with before the seed.
_CANARIES, _OTHERS = 1, 2
_EXAMPLE = "the code is ####"


class CandidateSpace(ABC):
    """Different texts, numbered from 0, of which a canary is one."""

    size: int

    @abstractmethod
    def text(self, number: int) -> str:
        """Return the text of a number."""

    @abstractmethod
    def number(self, text: str) -> int | None:
        """Return the number of a text; None for one that is none of them."""

    def drawn(self, count: int, *seed: int) -> list[str]:
        """Return so many texts, each drawn uniformly and independently of the others."""
        rng = np.random.default_rng(seed)
        return [self.text(number) for number in rng.integers(self.size, size=count).tolist()]

    def others(self, count: int, seed: int, place: int) -> list[str]:
        """Return texts to rank the canary of a place among: other draws than those of canaries."""
        return self.drawn(count, _OTHERS, place, seed)


class DigitSpace(CandidateSpace):
    """All ways to put digits into a pattern."""

    def __init__(self, pattern: str) -> None:
        self._parts = pattern.split(_DIGIT)
        self._digits = len(self._parts) - 1
        if not 1 <= self._digits <= _MOST_DIGITS:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{space} must have 1 to {most} signs {sign}, each for a digit",
                "write {example}, or a list of texts",
                space=Argument("space"),
                most=_MOST_DIGITS,
                sign=_DIGIT,
                example=Argument("space", _EXAMPLE),
            )
        self.size = 10**self._digits
        self._form = re.compile("([0-9])".join(map(re.escape, self._parts)))

    def text(self, number: int) -> str:
        """Return the pattern with the digits of a number."""
        first, *rest = self._parts
        digits = f"{number:0{self._digits}}"
        return first + "".join(digit + part for digit, part in zip(digits, rest, strict=True))

    def number(self, text: str) -> int | None:
        """Return the digits of a text, read as one number."""
        found = self._form.fullmatch(text)
        return int("".join(found.groups())) if found else None


class ListedSpace(CandidateSpace):
    """A list of texts."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._texts = texts
        self._numbers = {text: number for number, text in enumerate(texts)}
        self.size = len(texts)

    def text(self, number: int) -> str:
        """Return the text of a number."""
        return self._texts[number]

    def number(self, text: str) -> int | None:
        """Return the place of a text in the list."""
        return self._numbers.get(text)


def read_space(space: Any) -> CandidateSpace:
    """Return the space of a pattern or of a list of texts."""
    if isinstance(space, str):
        return DigitSpace(space)
    listed = tuple(read_texts(space, "space"))
    if len(listed) == 1 or len(set(listed)) < len(listed):
        raise InputError(
            "E-ARGUMENT-TWICE" if len(listed) > 1 else "E-ARGUMENT-RANGE",
            "{space} must have two texts or more, and none of them twice",
            "write {example}, or a list of texts",
            space=Argument("space"),
            example=Argument("space", _EXAMPLE),
        )
    return ListedSpace(listed)


def read_texts(texts: Any, name: str) -> list[str]:
    """Return a list of texts, of which there is at least one."""
    given = isinstance(texts, Iterable) and not isinstance(texts, str)
    found: list[str] = list(texts) if given else []
    if not given or not all(isinstance(each, str) for each in found):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a list of texts, such as {example}",
            name=Argument(name),
            example='["one text", "another"]',
        )
    if not found:
        raise InputError(
            "E-ARGUMENT-EMPTY", "{name} has no text", "give one or more", name=Argument(name)
        )
    return found


def canaries(space: Any, count: int, *, seed: int = 0) -> list[str]:
    """Draw canaries to put into the training data, so that :func:`exposure` can look for them.

    Each is drawn uniformly and independently of the others, so that one may come twice: what a
    guarantee allows of them is worked out for that.

    Parameters
    ----------
    space
        What they are drawn from: a pattern in which each ``#`` stands for a digit, or a list of
        different texts.
    count
        How many.
    seed
        Makes the draw one that can be repeated; another seed draws others.

    Examples
    --------
    >>> from sfumato.audit import canaries
    >>> canaries("the code is ####", 2)
    ['the code is 4731', 'the code is 5118']
    """
    number = read_count(count, "count")
    return read_space(space).drawn(number, _CANARIES, read_count(seed, "seed", least=0))
