"""What a run computes before any noise, to be compared between engines to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from sfumato.sampling import SeededSource
from sfumato.tables.run import execution
from tests.tables.audits.people import DECLARED, in_columns
from tests.tables.audits.remembering import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.tables import Plan, PrivateTable
    from tests.engines import Engines


def visits_in(engines: Engines, engine: str, rows: list[Any], **declared: Any) -> PrivateTable:
    """The table of visits, in an engine."""
    return engines.held(engine, in_columns(rows), **{**DECLARED, **declared})


def cores(plan: Plan) -> list[tuple[str, Any]]:
    """Everything exact that a run of a plan asks an engine for, in order."""
    found: list[tuple[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        for module, name in EXACT:
            patch.setattr(module, name, _noting(getattr(module, name), name, found))
        execution.run_plan(plan, source=SeededSource(1))
    return found


def _noting(ask: Any, name: str, found: list[tuple[str, Any]]) -> Any:
    def asked(*given: Any, **options: Any) -> Any:
        answer = ask(*given, **options)
        found.append((name, _plain(answer)))
        return answer

    return asked


def _plain(answer: Any) -> Any:
    if isinstance(answer, np.ndarray):
        return answer.tolist()
    if isinstance(answer, dict):
        return sorted(_entries(answer), key=repr)
    assert isinstance(answer.rows, pa.Table)
    return repr(answer.rows.to_pydict()), answer.starts.tolist()


def _entries(answer: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in answer.items():
        yield repr(key), value.tolist() if isinstance(value, np.ndarray) else value
