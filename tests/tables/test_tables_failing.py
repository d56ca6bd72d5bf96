"""An engine that fails once the charge is made: one sentence, which says that it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

UNIT = sf.AddRemove(unit=sf.Person("id"))


def test_a_file_that_is_gone_when_it_is_read(tmp_path: Path) -> None:
    file, place = tmp_path / "visits.csv", tmp_path / "ledger.db"
    pd.DataFrame({"id": [1, 2]}).to_csv(file, index=False)
    with sf.Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("visits", sf.PureDP(epsilon=1, relation=UNIT))
    book = {"path": place, "book": "visits", "analyst": "ada"}
    table = sf.table(file, unit="id", limits={"rows": 1}, ledger=book)
    file.unlink()
    with pytest.raises(InputError) as failed:
        table.agg(n=sf.count()).release(epsilon=1)
    said = str(failed.value)
    assert said.endswith("; the charge was made before a row was read, and stays")
    with sf.Ledger.open(place) as ledger:
        assert [each.kind for each in ledger.book("visits").entries()] == ["opening", "charge"]
