"""Sessions of the sparse vector technique: they end, and cannot be run twice."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from threading import Thread
from typing import Any

import pytest

from sfumato.errors import BudgetError, InputError
from sfumato.mechanisms.sparse.vector import SparseVector
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import NO_VALUES, refuses
from tests.patience import PATIENCE
from tests.refusing import raises_code


def test_a_session_ends_after_its_positive_answers() -> None:
    session = SparseVector(epsilon=1, sensitivity=1, positives=2).start(SeededSource(1))
    assert [session.ask(each) for each in (-1000, 1000, -1000, 1000)] == [False, True, False, True]
    assert session.finished
    with raises_code("E-SESSION-OVER", kind=BudgetError):
        session.ask(-1000)
    assert session.released.value == (False, True, False, True)
    assert session.released.event == session.mechanism.event
    assert session.released.seeded


def test_answers_of_sessions_follow_the_distribution() -> None:
    """Of 4,000 sessions each; a false alarm is 6 deviations, or 2e-9."""
    mechanism, source = SparseVector(epsilon=1, sensitivity=1), SeededSource(2)
    for value in (-3, 2):
        true = sum(mechanism.start(source).ask(value) for _ in range(4000))
        chance = mechanism.distribution([value]).probability((True,)).upper
        assert abs(true - 4000 * chance) < 6 * (4000 * chance * (1 - chance)) ** 0.5


def test_a_value_that_is_refused_leaves_the_session_as_it_was() -> None:
    session = SparseVector(epsilon=1, sensitivity=1).start()
    for value in NO_VALUES:
        with pytest.raises(InputError):
            session.ask(value)
    assert session.released.value == ()


class Interrupting(list[bool]):
    """Answers of which none can be recorded."""

    def append(self, _: bool) -> None:  # noqa: FBT001
        raise KeyboardInterrupt


def test_a_positive_answer_is_counted_before_it_can_be_seen() -> None:
    session = SparseVector(epsilon=1, sensitivity=1).start()
    session._answers = Interrupting()  # noqa: SLF001
    with pytest.raises(KeyboardInterrupt):
        session.ask(1e9)
    assert session.finished


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_session_is_not_copied(duplicate: Any) -> None:
    session = SparseVector(epsilon=1, sensitivity=1).start()
    assert "one threshold" in refuses(lambda: duplicate(session))


def test_a_child_process_cannot_go_on_with_a_session() -> None:
    script = """
import os
from sfumato.errors import BudgetError
from sfumato.mechanisms.sparse.vector import SparseVector
session = SparseVector(epsilon=1, sensitivity=1).start()
if child := os.fork():
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    session.ask(0)
except BudgetError:
    os._exit(7)
os._exit(1)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=PATIENCE)
    assert done.returncode == 7


def test_threads_share_one_count_of_positive_answers() -> None:
    session = SparseVector(epsilon=1, sensitivity=1, positives=5).start()
    given_out: list[bool] = []

    def ask_often() -> None:
        for _ in range(20):
            try:
                given_out.append(session.ask(1e9))
            except BudgetError:
                return

    threads = [Thread(target=ask_often) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given_out == [True] * 5
    assert session.released.value == (True,) * 5
