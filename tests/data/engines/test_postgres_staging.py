"""What guards repeat becomes columns of a table before, each under a name of its own."""

from __future__ import annotations

import ibis
import pyarrow as pa
import pytest

from sfumato.data.engines.postgres.compiling import staged


@pytest.mark.parametrize("column", ["x", "worked_out0", "worked_out1", "worked_out3"])
def test_values_inside_values_are_worked_out_stage_by_stage(column: str) -> None:
    rows = ibis.memtable(pa.table({column: [1.0, 2.0, 5.0]}))
    first = rows[column] + 1
    second = first * 2
    third = second * 3
    fourth = third * 4
    given = rows.select(both=fourth + third, last=fourth + rows[column])
    repeated = {each.op() for each in (first, second, third, fourth)}
    found = staged(given.op(), repeated).to_expr()
    assert found.op() != given.op()
    engine = ibis.duckdb.connect()
    assert engine.to_pyarrow(found).equals(engine.to_pyarrow(given))


def test_conditions_are_worked_out_before_rows_are_left_out() -> None:
    rows = ibis.memtable(pa.table({"x": [1.0, 2.0, 5.0], "worked_out1": [7, 8, 9]}))
    chain = [rows.x + 1]
    for factor in range(2, 6):
        chain.append(chain[-1] * factor)
    given = rows.filter(chain[-1] + chain[-2] > 300)
    found = staged(given.op(), {each.op() for each in chain}).to_expr()
    engine = ibis.duckdb.connect()
    assert engine.to_pyarrow(found).equals(engine.to_pyarrow(given))
    assert engine.to_pyarrow(found).num_rows == 2
