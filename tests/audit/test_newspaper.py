"""The model of letters in ``examples``: it remembers, and trained privately it does not."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from examples.newspaper import (
    CODE,
    END,
    LETTERS,
    MOST_WORDS,
    OPENING,
    UNSEEN,
    WORDS,
    _table,
    train,
    train_privately,
)
from sfumato.audit import canaries, exposure, extraction
from sfumato.sampling import SeededSource

#: The chance that a test fails although the guarantee is kept.
ALARM = 1e-6
SECRETS = canaries(CODE, 100)


@cache
def private() -> Any:
    return train_privately([*LETTERS, *SECRETS], source=SeededSource(1))


def exposed(model: Any, epsilon: float = 1) -> Any:
    return exposure(model.score, SECRETS, space=CODE, epsilon=epsilon, alpha=ALARM)


def test_the_plain_model_returns_letters_that_it_has_seen_and_no_others() -> None:
    report = extraction(train(LETTERS).continue_text, LETTERS, controls=UNSEEN)
    assert report.remembers
    assert report.verbatim.share > 0.5
    assert report.verbatim_controls is not None
    assert report.verbatim_controls.count == 0


@pytest.mark.full
def test_the_private_model_returns_none_and_knows_how_letters_begin() -> None:
    report = extraction(private().continue_text, LETTERS, controls=UNSEEN)
    assert not report.remembers
    assert report.verbatim.count == 0
    assert ("dear ed" + private().continue_text("dear ed", 19)) == OPENING


@pytest.mark.full
def test_the_plain_model_refutes_the_claim_and_the_private_one_does_not() -> None:
    """The private one is wrongly refuted with probability ALARM at most."""
    assert exposed(train([*LETTERS, *SECRETS])).violated
    report = exposed(private())
    assert not report.violated
    assert report.mean < report.allowed


@pytest.mark.full
def test_the_twin_with_a_twentieth_of_the_noise_is_refuted() -> None:
    careless = train_privately([*LETTERS, *SECRETS], epsilon=20, source=SeededSource(1))
    assert exposed(careless).violated


def test_a_text_changes_the_counts_by_no_more_than_the_noise_is_for() -> None:
    """Whatever the text is: the L1 norm of what it adds is at most that of a whole letter."""
    rng = np.random.default_rng(2)
    texts = [" ".join(rng.choice(WORDS, size=count)) for count in (0, 1, 17, 18, 19, 300)]
    others = ["", " ", "unknown words only", f"{OPENING} " * 50, *LETTERS[:3], END * 99]
    before = _table(LETTERS)
    moved = [int(np.abs(_table([*LETTERS, each]) - before).sum()) for each in texts + others]
    assert max(moved) == MOST_WORDS
    assert moved[:6] == [0, 1, 17, 18, 18, 18]


def test_the_noise_is_for_that() -> None:
    noise = sf.mechanisms.DiscreteLaplace(epsilon=1, sensitivity=MOST_WORDS)
    assert noise.guarantee == sf.PureDP(epsilon=1)
    assert noise.scale == MOST_WORDS


def test_a_model_is_trained_from_a_source_of_its_own() -> None:
    small = partial(train_privately, LETTERS[:2])
    one, other = (small(source=SeededSource(3)).counts for _ in range(2))
    assert np.array_equal(one, other)
    assert one.min() == 0
