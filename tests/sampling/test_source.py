"""Where bits come from: never the same twice, in no thread, process or copy."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import random
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InternalError
from sfumato.sampling import (
    BitSource,
    SeededSource,
    SystemSource,
    discrete_gaussian,
    discrete_laplace,
    source,
    system_source,
)
from tests.patience import PATIENCE
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, ScriptEnded, surprise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BLOCK = 16


def in_child(work: Callable[[], bytes]) -> bytes:
    """What a forked child makes; one that fails, or hangs for minutes, fails the test."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork while threads run is the point
        child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(PATIENCE)
            os.write(writing, work())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        made = pipe.read()
    assert os.waitpid(child, 0) == (child, 0)
    return made


def shared_after_fork(draw: Callable[[], bytes]) -> bool:
    """Tell whether a child, its own child and the parent see the same bytes after a fork."""

    def child_and_grandchild() -> bytes:
        grandchild = in_child(draw)
        return draw() + grandchild

    made = in_child(child_and_grandchild)
    child, grandchild = made[: len(made) // 2], made[len(made) // 2 :]
    assert len(child) == len(grandchild) > 0
    return len({child, grandchild, draw()}) < 3


@pytest.mark.parametrize("read_before", [0, 1, 5000])
@pytest.mark.parametrize("make", [SystemSource, system_source])
def test_a_child_process_has_bits_of_its_own(
    make: Callable[[], BitSource], read_before: int
) -> None:
    held = make()
    held.read(read_before)
    assert not shared_after_fork(lambda: held.read(32).tobytes())
    assert not shared_after_fork(lambda: held.read(5000).tobytes()[:1000])


def test_a_generator_that_is_copied_by_a_fork_would_be_seen() -> None:
    """The twin of the test above: child and parent go on from one state."""
    naive = random.Random(1)  # noqa: S311
    assert shared_after_fork(lambda: naive.randbytes(32))


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """Another thread does some work again and again, so that its locks are mostly held."""
    done = threading.Event()

    def work_on() -> None:
        while not done.is_set():
            work()

    worker = threading.Thread(target=work_on)
    worker.start()
    try:
        yield
    finally:
        done.set()
        worker.join()


@pytest.mark.no_cover  # a tracer has locks of its own, which a fork may copy locked
def test_a_fork_while_another_thread_reads_neither_hangs_nor_shares() -> None:
    held = SystemSource()
    with meanwhile(lambda: held.read(1 << 20)):
        made = [in_child(lambda: held.read(32).tobytes()) for _ in range(20)]
        made += [held.read(32).tobytes() for _ in range(20)]
    assert all(len(each) == 32 for each in made)
    assert len(set(made)) == 40


def test_threads_never_get_the_same_bytes() -> None:
    held, together = SystemSource(), threading.Barrier(4)

    def collect() -> list[bytes]:
        together.wait()
        return [held.read(BLOCK * (1 + 100 * (turn % 2))).tobytes() for turn in range(300)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            made = [
                each for job in [pool.submit(collect) for _ in range(4)] for each in job.result()
            ]
    finally:
        sys.setswitchinterval(interval)
    blocks = [each[start : start + BLOCK] for each in made for start in range(0, len(each), BLOCK)]
    assert len(blocks) == len(set(blocks)) == 4 * 150 * 102


def test_bytes_handed_out_twice_would_be_seen() -> None:
    """The twin of the test above: a seeded source made anew gives the same blocks."""
    blocks = [SeededSource(1).read(BLOCK).tobytes() for _ in range(2)]
    assert len(set(blocks)) == 1


def test_a_new_key_is_asked_for_after_the_stated_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    genuine = os.urandom

    def counted(count: int) -> bytes:
        asked.append(count)
        return genuine(count)

    monkeypatch.setattr(os, "urandom", counted)
    monkeypatch.setattr(source, "_BYTES_A_KEY", 10_000)
    held = SystemSource()
    for _ in range(10):
        held.read(5_000)
    assert len(asked) == 2 * 5
    assert sum(asked) == 5 * 2 * BLOCK


def test_another_key_gives_other_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded source too goes on under a new key, and says other things than under the first."""
    monkeypatch.setattr(source, "_BYTES_A_KEY", 10_000)
    rekeyed = SeededSource(5).read
    first, second, third = (rekeyed(5_000).tobytes() for _ in range(3))
    monkeypatch.undo()
    whole = SeededSource(5).read(15_000).tobytes()
    assert whole[:5_000] == first
    assert third not in (whole[10_000:], first, second)


@pytest.mark.parametrize("held", [SystemSource(), SeededSource(1)], ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_sources_are_not_copied(held: BitSource, duplicate: Callable[[Any], Any]) -> None:
    with raises_code("E-NOT-COPIED"):
        duplicate(held)


@given(st.integers(0, 2**200), st.integers(0, 2**200), st.integers(16, 5000))
def test_seeds_decide_everything(seed: int, other: int, count: int) -> None:
    made = SeededSource(seed).read(count)
    assert np.array_equal(made, SeededSource(seed).read(count))
    assert (seed == other) == np.array_equal(made, SeededSource(other).read(count))


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True, np.random.default_rng(1), b"1"])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", match=r"^seed must be a whole number of 0 or more"):
        SeededSource(seed)


def test_only_what_can_be_drawn_again_is_marked() -> None:
    assert SeededSource(1).seeded
    assert not SystemSource().seeded
    assert not system_source().seeded


@given(st.integers(0, 300))
def test_integers_have_as_many_bits_as_asked_for(bits: int) -> None:
    drawn = [SeededSource(seed).integer(bits) for seed in range(40)]
    assert all(0 <= each < 1 << bits for each in drawn)
    assert max(drawn).bit_length() == bits or bits == 0


@pytest.mark.parametrize(
    ("draw", "width"),
    [(BitSource.read, 1), (BitSource.shorts, 2), (BitSource.words, 8)],
    ids=["read", "shorts", "words"],
)
@pytest.mark.parametrize("count", [0, 1, 3, 511, 2048, 100_000])
def test_arrays_belong_to_the_caller(
    draw: Callable[[BitSource, int], Any], width: int, count: int
) -> None:
    made = getattr(SystemSource(), draw.__name__)(count)
    assert made.shape == (count,)
    assert made.itemsize == width
    assert made.flags.writeable


def test_bytes_are_uniform_and_follow_each_other_freely() -> None:
    """False alarm 1e-6, for bytes and for pairs of halves of neighbours; a constant bit fails."""
    made = SeededSource(3).read(1 << 20)
    assert surprise(np.bincount(made, minlength=256), [1 / 256] * 256) > FALSE_ALARM
    pairs = (made[:-1:2] >> 4) * np.uint8(16) + (made[1::2] & 15)
    assert surprise(np.bincount(pairs, minlength=256), [1 / 256] * 256) > FALSE_ALARM
    assert surprise(np.bincount(made | 1, minlength=256), [1 / 256] * 256) < FALSE_ALARM


def test_a_script_is_replayed_and_ends() -> None:
    scripted = ScriptedSource([7, 8], integers=[5], data=b"abc")
    assert scripted.words(2).tolist() == [7, 8]
    assert scripted.integer(3) == 5
    assert scripted.read(3).tobytes() == b"abc"
    for ask in (scripted.words, scripted.integer, scripted.read):
        with pytest.raises(ScriptEnded):
            ask(1)


def test_a_script_goes_on_with_another_source() -> None:
    scripted = ScriptedSource([7], then=SeededSource(1))
    assert scripted.words(3).tolist() == [7, *SeededSource(1).words(2).tolist()]


def test_a_process_that_was_copied_without_a_word_has_bits_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fork below Python runs none of its hooks; the number of the process tells."""
    held = SystemSource()
    held.read(4)
    kept = held._pool.copy()  # noqa: SLF001
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert not np.array_equal(held.read(64), kept[:64])


def test_bits_are_not_handed_out_in_the_middle_of_handing_out_bits() -> None:
    """A signal handler that draws would get bytes that are being given to somebody else."""

    class Interrupted(SystemSource):
        def _start(self) -> tuple[bytes, bytes]:
            self.read(1)
            return super()._start()

    with raises_code("E-BITS-REENTERED", kind=InternalError):
        Interrupted().read(1)


@pytest.mark.no_cover
def test_a_seeded_source_is_not_left_locked_in_a_child() -> None:
    held = SeededSource(5)
    with meanwhile(lambda: held.read(1 << 20)):
        made = [in_child(lambda: held.read(8).tobytes()) for _ in range(5)]
    assert [len(each) for each in made] == [8] * 5


def test_a_fork_in_the_middle_of_a_reading_does_not_share_what_was_read() -> None:
    """A signal handler may fork while bytes are made; the child must not hand those out."""

    class Forked(SystemSource):
        parent = True

        def _stream(self, count: int) -> Any:
            made = super()._stream(count)
            if self.parent:
                self.parent = False
                self.renew()
                os.getpid = lambda: -7  # what a child would see
            return made

    known = os.getpid
    try:
        held = Forked()
        first = held.read(16)
        assert held._process == -7  # noqa: SLF001
        assert len(first) == 16
    finally:
        os.getpid = known


def test_a_seed_may_have_thousands_of_digits() -> None:
    assert SeededSource(10**5000).integer(64) != SeededSource(10**5000 + 1).integer(64)


@pytest.mark.no_cover
def test_a_child_draws_at_a_new_scale_while_the_parent_makes_a_table() -> None:
    """Neither the lock on the precision nor one of a cached value is inherited."""
    scales = itertools.count(5001)
    with meanwhile(lambda: discrete_gaussian(next(scales), 1)):
        made = [in_child(lambda: bytes(discrete_laplace(7777, 1).dtype.itemsize)) for _ in range(5)]
    assert made == [bytes(8)] * 5
