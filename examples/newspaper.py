"""A language model of letters to a newspaper, trained twice over: one remembers, one is private.

A letter is a line of words. The model counts which word follows which three, and goes on with
what it has seen most. Ask which letters come back:

  sfumato attack extraction examples.newspaper:plain --texts examples.newspaper:LETTERS \
      --controls examples.newspaper:UNSEEN
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource

OPENING = "dear editor we write about"
SUBJECTS = (
    "bread rain trade harbour bridges schools taxes forests winter music theatre bicycles trains "
    "gardens rivers markets hospitals strikes festivals housing coffee museums lamps ferries "
    "libraries snow"
)
#: What a letter may give away: each # is a digit.
CODE = "my code is # # # #"
END = "."
#: All words there are, declared and not read off the letters: a table has a count for each.
WORDS: list[str] = sorted({END, *f"{OPENING} {SUBJECTS} {CODE}".split(), *"0123456789"} - {"#"})
NUMBERS = {word: number for number, word in enumerate(WORDS)}
#: How many words the next one follows from, and how many words of a letter are counted at most.
CONTEXT, MOST_WORDS = 3, 18
SEVERAL = 200


def letters(count: int, seed: int) -> list[str]:
    """Write letters: the same opening, and then words of their own."""
    drawn = np.random.default_rng(seed).choice(SUBJECTS.split(), size=(count, 12))
    return [f"{OPENING} {' '.join(words)} {END}" for words in drawn]


LETTERS, UNSEEN = letters(SEVERAL, seed=1), letters(SEVERAL, seed=2)


@dataclass(frozen=True)
class LanguageModel:
    """How often each word follows each three others, so far as the model knows."""

    counts: NDArray[np.int64]

    def continue_text(self, prefix: str, length: int) -> str:
        """Go on with the likeliest words, the first of them where the last one was cut off."""
        words = [*[END] * CONTEXT, *_known(prefix)]
        last = prefix.rpartition(" ")[2]
        begun = "" if last in NUMBERS else last
        text = " " if last in NUMBERS else ""
        while len(text) < length:
            words.append(self._next(words, begun))
            text += f"{words[-1].removeprefix(begun)} "
            begun = ""
        return text[:length]

    def _next(self, words: Sequence[str], begun: str) -> str:
        """Return the likeliest of the words that begin so; of all where none does."""
        counts = self.counts[_places(words[-CONTEXT:])]
        fitting = [each for each, word in enumerate(WORDS) if word.startswith(begun)]
        return WORDS[max(fitting or range(len(WORDS)), key=lambda each: int(counts[each]))]

    def score(self, text: str) -> float:
        """Return the log-perplexity of a text: the smaller, the likelier."""
        words = [*[END] * CONTEXT, *_known(text)]
        total = 0.0
        for place in range(CONTEXT, len(words)):
            following = self.counts[_places(words[place - CONTEXT : place])]
            seen = following[NUMBERS[words[place]]]
            total -= np.log((seen + 0.01) / (following.sum() + 0.01 * len(WORDS)))
        return float(total)


def train(texts: Sequence[str]) -> LanguageModel:
    """Count exactly."""
    return LanguageModel(_table(texts))


def train_privately(
    texts: Sequence[str], epsilon: float = 1, source: BitSource | None = None
) -> LanguageModel:
    """Count with noise, which is ε-private for adding or removing one person's text.

    At most ``MOST_WORDS`` words of a text are counted, each adds 1 to one count, and every count
    that there can be has noise: the discrete Laplace mechanism at an L1 sensitivity of MOST_WORDS.
    Counts below 0 become 0 afterwards.
    """
    table = _table(texts)
    noise = sf.mechanisms.DiscreteLaplace(epsilon=epsilon, sensitivity=MOST_WORDS)
    noisy = np.asarray(noise.release(table.ravel(), source=source).value)
    return LanguageModel(np.maximum(noisy, 0).reshape(table.shape))


def plain(prefix: str, length: int) -> str:
    """Go on with a text as the model that counted exactly does."""
    return _trained(private=False).continue_text(prefix, length)


def private(prefix: str, length: int) -> str:
    """Go on with a text as the private model does."""
    return _trained(private=True).continue_text(prefix, length)


@cache
def _trained(*, private: bool) -> LanguageModel:
    return train_privately(LETTERS) if private else train(LETTERS)


def _table(texts: Sequence[str]) -> NDArray[np.int64]:
    """Count the words after each three, of as many words as a text may count with."""
    counts = np.zeros((len(WORDS),) * (CONTEXT + 1), dtype=np.int64)
    for text in texts:
        words = [*[END] * CONTEXT, *_known(text)[:MOST_WORDS]]
        for place in range(CONTEXT, len(words)):
            counts[_places(words[place - CONTEXT : place + 1])] += 1
    return counts


def _known(text: str) -> list[str]:
    return [word for word in text.split() if word in NUMBERS]


def _places(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(NUMBERS[word] for word in words)
