"""What is signed, hashed or kept is the same in every language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.language import using
from sfumato.privacy.events.document import to_json
from sfumato.sampling import SeededSource, system_source
from sfumato.tables.release.charge import fingerprint
from tests.tables.certificate.made import CASES, certificate_of
from tests.tables.certificate.made import table as visits

if TYPE_CHECKING:
    from pathlib import Path

#: What an entry says that is not drawn by chance.
SAID = {"kind", "rules", "event", "analyst", "purpose", "request", "relation", "sequence"}
#: The cases of the first ring: what is chosen, both kinds of noise, and a table beside it.
FIRST = {"chosen limits", "gaussian", "groups found", "public join"}
#: Of each certificate alone, whatever is spoken: its key is thrown away.
OWN = {"signature", "signer"}


def released(name: str) -> dict[str, Any]:
    """What a release leaves for good, of the same noise."""
    asked, cost = CASES[name]
    query = asked()
    release = query.release(**cost, source=SeededSource(11))
    certificate = certificate_of(release).document
    return {
        "content": release.content,
        "fingerprint": fingerprint(query.plan(**cost)),
        "certificate": {part: each for part, each in certificate.items() if part not in OWN},
    }


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in FIRST else pytest.mark.full) for each in CASES]
)
@pytest.mark.usefixtures("bracketed")
def test_a_release_and_its_certificate(name: str) -> None:
    with using("en"):
        english = released(name)
    assert released(name) == english
    asked, cost = CASES[name]
    assert "⟦" in str(asked().plan(**cost))


@pytest.mark.usefixtures("bracketed")
def test_entries_of_a_ledger(tmp_path: Path) -> None:
    with using("en"):
        english = spent(tmp_path / "english.db")
    assert spent(tmp_path / "bracketed.db") == english


def spent(place: Path) -> list[dict[str, Any]]:
    """What a ledger holds of a table that is asked a question, but for names drawn by chance."""
    unit = sf.privacy.Person("id")
    with sf.Ledger.at(str(place)) as ledger:
        ledger.add_book("visits", sf.PureDP(epsilon=9, relation=sf.privacy.AddRemove(unit=unit)))
    told = {"path": str(place), "book": "visits", "analyst": "ada"}
    asked = visits(ledger=told).filter(sf.col("age") > 30).group_by("sex")
    asked.agg(n=sf.count(), age=sf.mean("age")).release(epsilon=1)
    with sf.Ledger.at(str(place)) as ledger:
        return [stable(entry.body) for entry in ledger.book("visits").entries()]


def stable(body: Any) -> dict[str, Any]:
    return {name: each for name, each in body.items() if name in SAID}


@pytest.mark.usefixtures("bracketed")
def test_the_digest_of_a_survey() -> None:
    described = {"cheated": {"choices": ["yes", "no"], "epsilon": 1}}
    spoken = sf.Survey(described).digest
    with using("en"):
        assert sf.Survey(described).digest == spoken


@pytest.mark.usefixtures("bracketed")
def test_centres() -> None:
    with using("en"):
        english = fitted()
    assert fitted() == english


def fitted() -> tuple[Any, ...]:
    points = np.random.default_rng(5).uniform(0, 1, (500, 2))
    system_source().renew()  # type: ignore[attr-defined]
    model = sf.KMeans(n_clusters=2, epsilon=5, bounds=(0, 1)).fit(points)
    assert model.event_ is not None
    return model.cluster_centers_.tolist(), to_json(model.event_)
