"""A newer engine is allowed when `make totality` has passed on it, and not before."""

from __future__ import annotations

from importlib.metadata import requires, version

import pytest
from packaging.requirements import Requirement

#: What reads the rows, whose newer versions may fold, cast or raise otherwise.
ENGINES = ("duckdb", "ibis-framework", "psycopg", pytest.param("pyspark", marks=pytest.mark.full))


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_have_upper_bounds_and_those_installed_lie_within(engine: str) -> None:
    named = [Requirement(each) for each in requires("sfumato") or []]
    own = [each for each in named if each.name == engine]
    assert own
    for each in own:
        assert any(bound.operator == "<" for bound in each.specifier), each
        assert each.specifier.contains(version(engine)), each
