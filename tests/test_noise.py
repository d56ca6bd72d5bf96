"""Noise that is the same in every run is still noise, and no other test has it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from sfumato.mechanisms import Laplace
from sfumato.sampling import system_source
from tests.forking import assert_ended_well, forked
from tests.noise import IS_SWEEP, same_noise

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["same_noise"]

SEEN: list[bytes] = []


@pytest.mark.skipif(IS_SWEEP, reason="a sweep has fresh noise")
@pytest.mark.parametrize("_", [1, 2])
def test_each_test_begins_with_the_same_bits(_: int) -> None:
    SEEN.append(system_source().read(16).tobytes())
    assert SEEN[0] == SEEN[-1] != system_source().read(16).tobytes()


def test_what_is_drawn_is_not_said_to_be_seeded() -> None:
    released = Laplace(scale=1, sensitivity=1).release(0.0)
    assert "NOT PRIVATE" not in str(released)


def test_a_child_draws_other_bits(tmp_path: Path) -> None:
    children = [forked(partial(write_bits, tmp_path / name)) for name in ("one", "other")]
    write_bits(tmp_path / "parent")
    for each in children:
        assert_ended_well(each)
    assert len({each.read_bytes() for each in tmp_path.iterdir()}) == 3


def write_bits(path: Path) -> None:
    path.write_bytes(system_source().read(16).tobytes())
