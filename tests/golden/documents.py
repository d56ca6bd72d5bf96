"""Documents of every kind, as today's version writes them."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.ledger import Ledger
from sfumato.ledger.signer import Signer
from sfumato.privacy import (
    AddRemove,
    GaussianDP,
    Guarantee,
    Person,
    RenyiDP,
    Substitute,
    events,
    guarantee_to_document,
)
from sfumato.survey.client.survey_file import written_survey
from tests.golden.fixed import KEY, fixed
from tests.golden.versions import (
    CERTIFICATES,
    EVENTS,
    GUARANTEES,
    LEDGER,
    POLICIES,
    RECEIPTS,
    SURVEYS,
)
from tests.ledger.filled import TENTH, fill
from tests.privacy.test_event_json import WRITTEN
from tests.survey.drawn import PROTOCOLS
from tests.tables.certificate.made import CASES, certificate_of, signed, unseeded, visits

if TYPE_CHECKING:
    from collections.abc import Callable

PERSON = AddRemove(3, unit=Person("patient_id"))
PROMISES: list[Guarantee] = [
    sf.PureDP(epsilon="ln(2)"),
    sf.ApproxDP(epsilon=0.5, delta=1e-6, relation=PERSON),
    sf.ZeroConcentratedDP(rho="1/3", relation=Substitute(unit=Person(None))),
    GaussianDP(mu=0.25),
    RenyiDP({1.5: 0.25, 8: 1.9}, relation=Substitute(2)),
]
#: Questions of which the certificates are kept: every kind of aggregate, and groups that are found.
CERTIFIED = (
    "rows",
    "declared limits",
    "gaussian",
    "groups found",
    "bounds found",
    "derived",
    "one row a person",
)
FULL = Path(__file__).parents[1] / "data" / "policy"
JOINED = """\
[table]
source = "patients.csv"
unit = "patient_id"
relation = "substitute"

[limits]
rows = "auto"

[public.wings]
source = "regions.csv"
columns = ["region", "ward number"]
types = { "ward number" = "integer" }

[derived.band]
values = ["child", "adult"]

[budget]
rho = 0.5
"""
ANSWERS = [("a", 3), ("b", 7.5), ("c", 10), ("a", 0)]


def documents(folder: Path) -> None:
    """Write all of them into a new folder."""
    _events(folder)
    _policies(folder / POLICIES)
    (folder / CERTIFICATES).mkdir()
    writers: list[Callable[[Path], None]] = [_ledger, _charged, _surveys]
    writers += [partial(_certificate, name=name) for name in CERTIFIED]
    for write in writers:
        with tempfile.TemporaryDirectory() as room, fixed(Path(room)):
            write(folder)


def _events(folder: Path) -> None:
    (folder / EVENTS).write_text(f"{events.to_json(*WRITTEN)}\n", encoding="utf-8")
    kept = json.dumps([guarantee_to_document(each) for each in PROMISES], indent=1)
    (folder / GUARANTEES).write_text(f"{kept}\n", encoding="utf-8")


def _policies(folder: Path) -> None:
    folder.mkdir()
    for path in (FULL / "patients.toml", FULL / "regions.csv", FULL / "sex_band.csv"):
        shutil.copy(path, folder)
    (folder / "joined.toml").write_text(JOINED, encoding="utf-8")


def _ledger(folder: Path) -> None:
    """A ledger of several books, with rules of every kind and entries of every kind."""
    each = sf.PureDP(epsilon=0.5)
    few = sf.ApproxDP(epsilon=2, delta=1e-6)
    with Ledger.create(LEDGER) as ledger:
        receipts = fill(ledger.add_book("patients", sf.PureDP(epsilon=1), each_analyst=each))
        books = {
            "visits": ledger.add_book("visits", few, reserve="0.5", analysts={"ada": few}),
            "staff": ledger.add_book("staff", each, per="year", total=sf.PureDP(epsilon=5)),
            "points": ledger.add_book("points", sf.ZeroConcentratedDP(rho=0.5)),
        }
        asked: dict[str, Any] = {"analyst": "ada", "purpose": "by ward"}
        done: tuple[tuple[str, events.Event], ...] = (
            ("visits", events.Approximate(epsilon=0.25, delta=1e-7)),
            ("staff", events.Laplace(scale=4)),
            ("points", events.Gaussian(sigma=4)),
            ("points", events.DiscreteGaussian(sigma=10)),
        )
        receipts += [books[book].spend(event, **asked) for book, event in done]
        with suppress(ZeroDivisionError):
            books["visits"].release(TENTH, _failing, **asked)
    shutil.copy(LEDGER, folder)
    (folder / RECEIPTS).mkdir()
    for place, receipt in enumerate(receipts):
        (folder / RECEIPTS / f"{place}.json").write_text(receipt.to_json(), encoding="utf-8")


def _failing() -> bytes:
    raise ZeroDivisionError


def _certificate(folder: Path, name: str) -> None:
    asked, cost = CASES[name]
    text = certificate_of(unseeded(asked().release(**cost))).to_json()
    _keep(folder, name, signed(json.loads(text), Signer(KEY)))


def _charged(folder: Path) -> None:
    """The certificate of an answer that was charged, with the receipt inside."""
    visits().to_csv("visits.csv", index=False)
    with Ledger.create(LEDGER) as ledger:
        ledger.add_book("visits", sf.PureDP(epsilon=2, relation=AddRemove(unit=Person("id"))))
    Path("visits.toml").write_text(
        '[table]\nsource = "visits.csv"\nunit = "id"\n[columns.sex]\nvalues = ["F", "M"]\n'
        f'[limits]\nrows = 10\n[ledger]\npath = "{LEDGER}"\nbook = "visits"\nanalyst = "ada"\n',
        encoding="utf-8",
    )
    asked = sf.open("visits.toml").group_by("sex").agg(n=sf.count())
    _keep(folder, "charged", asked.release(epsilon=0.5).certificate.to_json())


def _keep(folder: Path, name: str, text: str) -> None:
    path = folder / CERTIFICATES / f"{name.replace(' ', '-')}.json"
    path.write_text(text, encoding="utf-8")


def _surveys(folder: Path) -> None:
    """A survey with a question of each protocol, its reports, and what one person remembers."""
    (folder / SURVEYS).mkdir()
    survey = sf.Survey(_questions(), name="golden", ids=True)
    (folder / SURVEYS / "survey.toml").write_text(written_survey(survey), encoding="utf-8")
    with (folder / SURVEYS / "reports.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, survey.entries, lineterminator="\n")
        table.writeheader()
        for place in range(60):
            choice, number = ANSWERS[place % len(ANSWERS)]
            answers = {**dict.fromkeys(PROTOCOLS, choice), "hours": number}
            table.writerow(survey.answer(answers, person=f"p{place}", memory="memory.db"))
    shutil.copy("memory.db", folder / SURVEYS)


def _questions() -> dict[str, dict[str, Any]]:
    asked: dict[str, dict[str, Any]] = {
        name: {"choices": ["a", "b", "c"], "epsilon": 1, "protocol": name, "text": f"By {name}?"}
        for name in PROTOCOLS
    }
    asked["permanent"] |= {"lifetime": "3"}
    return {**asked, "hours": {"bounds": (0, 10), "epsilon": "0.5"}}
