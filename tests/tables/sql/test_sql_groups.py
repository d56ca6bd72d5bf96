"""Groups that nobody declared: what it takes to find them, of rows and of one row a person."""

from __future__ import annotations

import datetime as dt
import re
from ast import literal_eval
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.audit.certificate import check_certificate
from sfumato.errors import InputError
from tests.refusing import raises_code
from tests.tables.certificate.made import certificate_of

if TYPE_CHECKING:
    from sfumato.tables import Query
    from sfumato.tables.private_table import PrivateTable

_BY_VISITS = """
    SELECT visits, COUNT(*) AS n FROM (
        SELECT id, COUNT(*) AS visits FROM t GROUP BY id) AS each
    GROUP BY visits"""
_BUDGET: dict[str, Any] = {"epsilon": 4, "delta": 1e-6}


@cache
def _rows() -> pa.Table:
    """300 people with two rows each."""
    who = [place // 2 for place in range(600)]
    return pa.table({"id": who, "ward": ["AB"[each % 2] for each in who]})


def table(**limits: Any) -> PrivateTable:
    return sf.table(_rows(), unit="id", limits=limits)


def groups_of_one(query: Query) -> int | None:
    """In how many groups a person counts where they are found."""
    search = query.plan(**_BUDGET).search
    return None if search is None else search.groups


@pytest.mark.parametrize("limits", [{}, {"groups": 5}, {"rows": 8}])
def test_one_row_a_person_is_in_one_group(limits: dict[str, int]) -> None:
    query = table(**limits).query(_BY_VISITS)
    assert groups_of_one(query) == 1
    answer = query.release(**_BUDGET)
    assert answer.to_arrow()["visits"].to_pylist() == [2]
    assert check_certificate(certificate_of(answer).to_json()).holds


@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (2, 5)])
def test_what_is_told_to_write_is_enough(rows: int, groups: int) -> None:
    asked = table(rows=rows).group_by("ward").agg(n=sf.count())
    with raises_code("E-KEYS-MISSING"):
        asked.plan(**_BUDGET)
    written = table(rows=rows, groups=groups).group_by("ward").agg(n=sf.count())
    assert groups_of_one(written) == groups


@pytest.mark.parametrize("of", ["ward", "YEAR(day)", "id / 4", "day", "CAST(day AS TIMESTAMP)"])
def test_the_keys_that_are_told_to_write_are_of_their_type(of: str) -> None:
    rows = _rows().append_column("day", pa.array([dt.date(2024, 1, 1)] * 600))
    text = f"SELECT {of} AS k, COUNT(*) AS n FROM t GROUP BY 1"  # noqa: S608
    with pytest.raises(InputError) as caught:
        sf.table(rows, unit="id").query(text).plan(**_BUDGET)
    (written,) = re.findall(r"as in keys=(\{.*\})$", str(caught.value))
    keys = literal_eval(written)
    declared = sf.table(rows, unit="id", limits={"rows": 2}).query(text, keys=keys)
    assert declared.plan(**_BUDGET).keys.count == 2
