"""The tour on a real terminal: an Enter that came too early is no answer to a later question."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full

pty = pytest.importorskip("pty")

#: Three stops, each computed until somebody presses a key, on a terminal that takes control-C.
STOPS = """
import fcntl, select, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from sfumato.application.demo import tour
from sfumato.application.demo.tour.stop import Seen, Stop

def look():
    select.select([sys.stdin], [], [])
    return Seen((), "So it is.")

tour.STOPS = tuple(Stop(f"Stop {each}.", "looking on", look) for each in (1, 2, 3))
sys.argv = ["sfumato", "demo"]
from sfumato.cli import main
main()
"""


def read_until(words: str, terminal: int) -> str:
    """All that the terminal shows up to some words, or to its end, or until nothing comes."""
    shown = b""
    while words.encode() not in shown and select.select([terminal], [], [], PATIENCE)[0]:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    return shown.decode(errors="replace")


@pytest.mark.parametrize(
    ("keys", "code", "end"),
    [
        (b"q\n", 0, "Ended after 1 of 3 stops."),
        (b"\x03", 130, "the tour was ended, and no report was written"),
    ],
)
def test_an_early_enter_skips_no_pause(tmp_path: Path, keys: bytes, code: int, end: str) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", STOPS],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        start_new_session=True,
    ) as tour:
        os.close(theirs)
        try:
            read_until("looking", ours)
            os.write(ours, b"\n")
            assert "2 of 3" in read_until("end here", ours)
            os.write(ours, keys)
            assert end in read_until(end, ours)
            read_until("what is never shown", ours)
            assert tour.wait() == code
        finally:
            tour.kill()
            os.close(ours)
