"""What the engine keeps for one answer is used again in it, and forgotten with it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import open_source
from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.errors import InputError
from sfumato.sampling import SeededSource
from sfumato.tables.release.charge import release_plan

ROWS = pd.DataFrame({"who": [1, 1, 1, 2, 3], "x": [1.0, 2.0, 3.0, 4.0, 5.0]})


def _plan() -> Any:
    table = sf.table(ROWS, unit="who", bounds={"x": (0, 5)})
    return table.agg(n=sf.count(), s=sf.sum("x")).plan(epsilon=1)


def _kept(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    forgotten: list[str] = []
    keep, forget = EmbeddedEngine.keep, EmbeddedEngine.forget

    def counted(self: EmbeddedEngine, query: Any, *, complaint: str) -> Any:
        made = keep(self, query, complaint=complaint)
        kept.append(made.get_name())
        return made

    def dropped(self: EmbeddedEngine, table: Any) -> None:
        forgotten.append(table.get_name())
        forget(self, table)

    monkeypatch.setattr(EmbeddedEngine, "keep", counted)
    monkeypatch.setattr(EmbeddedEngine, "forget", dropped)
    return kept, forgotten


def test_sizes_of_people_are_computed_once_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, forgotten = _kept(monkeypatch)
    release_plan(_plan(), source=SeededSource(1))
    assert len(kept) == 1
    assert forgotten == kept


def test_what_is_kept_is_forgotten_when_the_engine_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, forgotten = _kept(monkeypatch)
    fetch, asked = EmbeddedEngine.fetch, []

    def failing(self: EmbeddedEngine, query: Any, *, complaint: str) -> Any:
        asked.append(query)
        if len(asked) > 1:
            raise InputError("E-INTERNAL", "{complaint}", complaint=complaint)
        return fetch(self, query, complaint=complaint)

    monkeypatch.setattr(EmbeddedEngine, "fetch", failing)
    with pytest.raises(InputError):
        release_plan(_plan(), source=SeededSource(1))
    assert kept
    assert forgotten == kept


def test_a_kept_table_is_gone_once_it_is_forgotten() -> None:
    source = open_source(ROWS)
    kept = source.keep(source.table.aggregate(rows=source.table.count()))
    assert source.fetch(kept).to_pydict() == {"rows": [5]}
    source.forget(kept)
    with pytest.raises(InputError):
        source.fetch(kept)


@pytest.mark.full
def test_threads_that_share_a_table_take_turns() -> None:
    """The answers hardly have noise, so that each is seen to be its own."""
    table = sf.table(ROWS, unit="who", bounds={"x": (0, 5)}, keys={"x": [1.0, 5.0]})

    def ask(most: int) -> float:
        chosen = table.filter(sf.col("x") <= most)
        found = chosen.agg(n=sf.count(), s=sf.sum("x", bounds=(0, 5))).release(epsilon=10**6)
        return float(found["n"])

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, [1, 2, 3, 4, 5] * 6)) == [1, 2, 3, 4, 5] * 6


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "uint32", "int64"])
@pytest.mark.parametrize("values", [[0, 7, 120], [0, 120, 2**62], list(range(-300, 300))])
def test_keys_match_integers_of_every_width(kind: str, values: list[int]) -> None:
    rows = pd.DataFrame({"who": range(4), "g": pd.Series([0, 120, 120, 5], dtype=kind)})
    table = sf.table(rows, unit="who", keys={"g": values}, limits={"rows": 1, "groups": 1})
    plan = table.group_by("g").agg(n=sf.count()).plan(epsilon=10**6)
    release = release_plan(plan, source=SeededSource(1))
    found = {int(key): int(n) for key, n in zip(release["g"], release["n"], strict=True) if n}
    assert found == {key: n for key, n in {0: 1, 5: 1, 120: 2}.items() if key in values}
