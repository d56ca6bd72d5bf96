"""The working precision is one for the process, and is always given back."""

from __future__ import annotations

import os
import signal
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

from flint import arb, ctx

from sfumato.information import capacity, epsilon_bounds, hockey_stick, kl_bounds
from sfumato.information.continuous import Gaussian
from sfumato.numeric import working_precision
from sfumato.numeric.cached import cached_property
from tests.patience import PATIENCE


def measure(number: int) -> tuple[float, ...]:
    """One of several functions that each ask for a precision of their own."""
    if number % 4 == 0:
        return kl_bounds(1).textbook, kl_bounds(1).tight
    if number % 4 == 1:
        return (epsilon_bounds(1, inputs=5).capacity,)
    if number % 4 == 2:
        found = capacity([[0.9, 0.1], [0.2, 0.8]])
        return found.lower, found.upper
    stick = hockey_stick(Gaussian(0, 1), Gaussian(1, 1), epsilon=0.5)
    return stick.lower, stick.upper


def test_threads_neither_disturb_each_other_nor_leave_a_precision_behind() -> None:
    before, alone = ctx.prec, [measure(number) for number in range(4)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(measure, range(120)))
    assert ctx.prec == before
    assert together == alone * 30


def _child_finds_the_precision_free() -> None:
    """Fork while another thread works with balls; the child must be able to do so as well."""
    inside, go_on = Event(), Event()

    def work() -> None:
        with working_precision(333):
            inside.set()
            go_on.wait(PATIENCE)

    thread = Thread(target=work)
    thread.start()
    inside.wait(PATIENCE)
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        usual = arb(1) / 3
        with working_precision(200):
            fine = arb(1) / 3
        os._exit(0 if float(usual.rad()) > 1e-20 > float(fine.rad()) else 1)
    go_on.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_child_process_does_not_wait_for_threads_it_does_not_have() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        _child_finds_the_precision_free()


def test_a_child_process_keeps_a_precision_that_the_user_set() -> None:
    with ctx.workprec(99):
        child = os.fork()
        if child == 0:
            os._exit(0 if ctx.prec == 99 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_cached_properties_hold_no_lock_while_they_compute() -> None:
    """Two locks to be taken in either order would let two threads wait for each other."""
    first, second = Event(), Event()

    class Slow:
        @cached_property
        def value(self) -> int:
            mine, other = (first, second) if not first.is_set() else (second, first)
            mine.set()
            assert other.wait(PATIENCE)
            return 7

    found: list[int] = []
    threads = [Thread(target=lambda: found.append(Slow().value)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == [7, 7]
