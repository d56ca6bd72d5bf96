"""HAVING compares a column of the answer with a value of its type, or is refused."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.audit.certificate import certificate_schema, check_certificate
from sfumato.errors import InputError
from tests.refusing import raises_code
from tests.tables.certificate.made import certificate_of

if TYPE_CHECKING:
    from sfumato.tables.private_table import PrivateTable

_MONTHS = [dt.date(2024, month, 1) for month in (1, 2, 3)]
_TIMES = [dt.datetime(2024, month, 1, 12) for month in (1, 2, 3)]


@cache
def table() -> PrivateTable:
    """A row for each month, of a column of each type."""
    rows: dict[str, list[Any]] = {"m": _MONTHS, "at": _TIMES, "year": [2023, 2024, 2025]}
    rows |= {"old": [True, False, True], "sex": ["F", "M", "F"]}
    keys = {name: list(dict.fromkeys(each)) for name, each in rows.items()}
    return sf.table(pa.table(rows), unit="row", keys=keys)


def kept(key: str, having: str) -> list[Any]:
    """The groups that an answer without much noise keeps; its certificate holds."""
    text = "SELECT $, COUNT(*) AS n FROM t GROUP BY $ HAVING ".replace("$", key) + having
    answer = table().sql(text, epsilon=1000)
    certificate = certificate_of(answer).to_json()
    assert check_certificate(certificate).holds
    jsonschema.validate(json.loads(certificate), certificate_schema())
    return list(answer.to_arrow()[key].to_pylist())


@pytest.mark.full
@pytest.mark.parametrize(
    ("key", "having", "groups"),
    [
        ("m", "m >= '2024-02-01'", _MONTHS[1:]),
        ("m", "m >= DATE '2024-02-01'", _MONTHS[1:]),
        ("m", "DATE '2024-02-01' > m", _MONTHS[:1]),
        ("m", "m BETWEEN '2024-02-01' AND '2024-02-29'", _MONTHS[1:2]),
        ("at", "at > '2024-02-01'", _TIMES[1:]),
        ("at", "at > DATE '2024-02-01'", _TIMES[1:]),
        ("at", "at > TIMESTAMP '2024-02-01 12:00:00'", _TIMES[2:]),
        ("at", "at = '2024-02-01 12:00'", _TIMES[1:2]),
        ("year", "year > 2023.5 AND n < 100", [2024, 2025]),
        ("old", "old = TRUE", [True]),
        ("sex", "sex <> 'M'", ["F"]),
    ],
)
def test_a_key_is_compared_with_a_value_of_its_type(
    key: str, having: str, groups: list[Any]
) -> None:
    assert kept(key, having) == groups


@pytest.mark.parametrize(
    ("key", "having", "words"),
    [
        ("m", "n > '5'", "'n' in the answer is of type number and is compared with a value of "),
        ("m", "m > 5", "write a date, such as 2024-01-31"),
        ("m", "m > 'soon'", "write it as DATE '2024-01-31'"),
        ("m", "m > TIMESTAMP '2024-02-01 12:00:00'", "write a date, such as 2024-01-31"),
        ("at", "at > TRUE", "write a timestamp, such as 2024-01-31 12:00:00"),
        ("year", "year = '2024'", "write a number, such as 100"),
        ("sex", "sex > 5", "write a text, such as 'a'"),
        ("old", "old = 'true'", "write true or false"),
    ],
)
def test_another_type_is_refused_before_anything_is_planned(
    key: str, having: str, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        kept(key, having)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"), [("n", "5"), ("n", None), ("m", dt.datetime(2024, 2, 1)), ("n", 1e999)]
)
def test_so_it_is_in_python(name: str, value: Any) -> None:
    query = table().group_by("m").agg(n=sf.count())
    assert str(query.having("m", ">", dt.date(2024, 2, 1))).endswith("having m > 2024-02-01")
    with pytest.raises(InputError, match="write a"):
        query.having(name, ">", value)


def test_a_value_that_is_chosen_is_compared_with_its_type() -> None:
    query = table().agg(who=sf.tables.mode("sex"))
    assert str(query.having("who", "=", "F")).endswith("having who = F")
    with raises_code("E-COMPARISON-TYPE"):
        query.having("who", "=", 5)
