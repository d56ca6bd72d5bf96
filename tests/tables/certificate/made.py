"""Certificates of every kind of question, with fixed noise, and how to tell a lie with one."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import sfumato as sf
from sfumato.ledger.signer import Signer
from sfumato.privacy.certificate import certificate_text, signed_message
from sfumato.sampling import SeededSource
from sfumato.tables.release.answer import ReleasedContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables import PrivateTable, Query, Release

ROWS = {"rows": 10}
BOUNDS = {"age": (0, 110), "cost": (0, 1000)}
KEYS = {"sex": ["F", "M"]}
#: A name that is in the rows, and must not be in anything about them.
SOMEBODY = "patient-4711"


@cache
def visits() -> pd.DataFrame:
    """Visits of 150 people, some with many rows, some without an age."""
    random = np.random.default_rng(5)
    who = random.integers(0, 150, 600)
    age = random.integers(18, 95, 600).astype(float)
    age[::17] = np.nan
    names = [SOMEBODY if each == 0 else f"p{each}" for each in who]
    return pd.DataFrame(
        {
            "id": names,
            "sex": np.where(who % 2 == 0, "F", "M"),
            "ward": random.choice(["a", "b", "c"], 600),
            "age": age,
            "cost": random.integers(0, 900, 600),
            "smoker": who % 3 == 0,
            "day": pd.to_datetime("2026-01-01") + pd.to_timedelta(who % 2, unit="D"),
        }
    )


def table(**declared: Any) -> PrivateTable:
    given: dict[str, Any] = {"unit": "id", "bounds": BOUNDS, "keys": KEYS} | declared
    return sf.table(visits(), **given)


def by_sex(**declared: Any) -> Any:
    return table(**declared).group_by("sex")


def middle(block: pd.DataFrame) -> float:
    return float(block["age"].mean())


def regions() -> Any:
    return sf.public(pd.DataFrame({"ward": ["a", "b"], "region": ["N", "S"], "beds": [3, 5]}))


def people() -> PrivateTable:
    names = sorted(set(visits()["id"]))
    frame = pd.DataFrame({"id": names, "height": np.linspace(150, 200, len(names))})
    return sf.table(frame, unit="id", bounds={"height": (100, 250)}, limits={"rows": 1})


def sampled() -> Query:
    mean, median = (
        sf.tables.sample_aggregate(
            middle, columns=["age"], bounds=(0, 110), blocks=20, aggregate=each
        )
        for each in ("mean", "median")
    )
    return table(limits=ROWS).agg(n=sf.count(), mean=mean, median=median)


def derived() -> Query:
    rows = table().filter(sf.col("age") > 18).with_columns(old=sf.col("age") >= 65)
    asked = rows.group_by("old").agg(
        n=sf.count(),
        share=sf.mean(sf.col("old")),
        cost=sf.sum(sf.col("cost") * 2, bounds=(0, 2000)),
    )
    return asked.nonnegative().sort_by("n", descending=True).having("n", ">=", 3).head(5)


#: Every kind of aggregate, noise, unit, relation and step: the question, and what it may cost.
CASES: dict[str, tuple[Callable[[], Query], dict[str, Any]]] = {
    "rows": (
        lambda: by_sex(unit="row").agg(n=sf.count(), age=sf.mean("age"), s=sf.sum("cost")),
        {"epsilon": 1},
    ),
    "chosen limits": (
        lambda: by_sex().agg(
            n=sf.count(), age=sf.mean("age"), c=sf.sum("cost"), m=sf.median("age")
        ),
        {"epsilon": 1},
    ),
    "declared limits": (
        lambda: by_sex(limits=ROWS).agg(
            n=sf.count(),
            a=sf.count("age"),
            p=sf.people(),
            age=sf.mean("age"),
            s=sf.sum("age"),
            v=sf.variance("age"),
            d=sf.std("cost"),
            cv=sf.tables.covariance("age", "cost"),
        ),
        {"epsilon": "1.5"},
    ),
    "gaussian": (
        lambda: by_sex(limits=ROWS).agg(
            n=sf.count(),
            p=sf.people(),
            age=sf.mean("age"),
            s=sf.sum("cost"),
            v=sf.variance("age"),
            h=sf.histogram("age", [0, 18, 65, 110]),
            q=sf.tables.quantiles("age", [0.25, 0.5, 0.75]),
        ),
        {"rho": 0.1},
    ),
    "gaussian by groups": (
        lambda: by_sex(limits={"groups": 2, "rows_per_group": 5}).agg(
            n=sf.count(), age=sf.mean("age"), t=sf.tables.top_k("ward", 2, values=["a", "b", "c"])
        ),
        {"epsilon": 1, "delta": 1e-6, "noise": "gaussian"},
    ),
    "gaussian and chosen": (
        lambda: by_sex().agg(
            n=sf.count(), p=sf.people(), s=sf.sum("cost"), x=sf.maximum("age"), a=sf.mean("age")
        ),
        {"epsilon": 1, "delta": 1e-6, "noise": "gaussian"},
    ),
    "groups found": (
        lambda: (
            table(keys={}, limits={"groups": 2, "rows": 5})
            .group_by("ward")
            .agg(n=sf.count(), age=sf.mean("age"))
        ),
        {"epsilon": 2, "delta": 1e-4},
    ),
    "groups found, gaussian": (
        lambda: (
            table(keys={}, limits={"groups": 2, "rows": 5})
            .group_by("ward")
            .agg(n=sf.count(), age=sf.mean("age"))
        ),
        {"epsilon": 2, "delta": 1e-4, "noise": "gaussian"},
    ),
    "bounds found": (
        lambda: by_sex(bounds={"age": "auto", "cost": (0, 1000)}).agg(
            n=sf.count(),
            age=sf.mean("age"),
            v=sf.variance("age"),
            q=sf.median("age"),
            x=sf.minimum("age"),
        ),
        {"epsilon": 4},
    ),
    "substitution": (
        lambda: by_sex(relation="substitute", limits=ROWS).agg(
            n=sf.count(),
            age=sf.mean("age"),
            md=sf.tables.mode("ward", values=["a", "b", "c"]),
            t=sf.tables.top_k("ward", 2, values=["a", "b", "c"], method="exponential"),
            h=sf.histogram("age", [0, 18, 65, 110]),
        ),
        {"epsilon": 1},
    ),
    "public rows": (
        lambda: table(unit="row", complete=["age"]).agg(m=sf.mean("age", rows=600)),
        {"epsilon": 1},
    ),
    "complete": (
        lambda: table(unit="row", complete=["age"]).agg(n=sf.count(), m=sf.mean("age")),
        {"epsilon": 1},
    ),
    "functions": (sampled, {"epsilon": 1}),
    "derived": (derived, {"epsilon": 1}),
    "public join": (
        lambda: (
            table(limits=ROWS)
            .join(regions(), on="ward")
            .group_by("region")
            .agg(n=sf.count(), b=sf.mean("beds"))
        ),
        {"epsilon": 1},
    ),
    "people joined": (
        lambda: table(limits=ROWS).join(people()).group_by("sex").agg(h=sf.mean("height")),
        {"epsilon": 1},
    ),
    "one row a person": (
        lambda: (
            table()
            .per_person(n=sf.count(), most=sf.maximum("cost"))
            .agg(n=sf.mean("n", bounds=(0, 20)), m=sf.median("most"))
        ),
        {"epsilon": 1},
    ),
    "by day": (
        lambda: (
            table(keys={"day": ["2026-01-01T00:00:00", "2026-01-02T00:00:00"]})
            .group_by("day")
            .agg(n=sf.count())
            .sort_by("day", descending=True)
        ),
        {"epsilon": 1},
    ),
}


@cache
def signer() -> Signer:
    """A key for tests, made once."""
    with tempfile.TemporaryDirectory() as folder:
        return Signer.at(f"{folder}/key.pem")


@cache
def stranger() -> Signer:
    """Another key."""
    with tempfile.TemporaryDirectory() as folder:
        return Signer.at(f"{folder}/key.pem")


def signed(document: dict[str, Any], key: Signer | None = None) -> str:
    """The text of a document, signed anew."""
    key = key or signer()
    said = {**document, "signer": key.public}
    return certificate_text({**said, "signature": key.sign(signed_message(said))})


@cache
def certified(name: str) -> str:
    """The certificate of a case, with noise that is the same each time but says that it is not."""
    asked, cost = CASES[name]
    release = asked().release(**cost, source=SeededSource(11))
    text: str = certificate_of(unseeded(release)).to_json()
    return signed(json.loads(text))


def unseeded(release: Release) -> Release:
    content = replace(ReleasedContent.from_bytes(release.content), seeded=False)
    return replace(release, content=content.to_bytes())


def certificate_of(release: Release) -> Any:
    """The certificate of a release, signed with a key that is thrown away."""
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, {"SFUMATO_SIGNING_KEY": str(Path(folder) / "key.pem")}),
    ):
        return release.certificate
