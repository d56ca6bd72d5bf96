"""What raises the codes that no test of a room names: each is met at least once."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.application.auditing import load_callable
from sfumato.application.ledger.receipts import read_answer, verify_receipts
from sfumato.application.ledger.recovery import close_orphan
from sfumato.application.mechanism_tables import read_mechanism
from sfumato.application.tables.policy_book import open_the_book
from sfumato.audit import membership, search_pairs
from sfumato.audit.certificate.document import read_document
from sfumato.audit.certificate.noise import cost_of
from sfumato.audit.enclosed.composite import read_branches
from sfumato.cli import main
from sfumato.cli.arguments import read_source
from sfumato.cli.output import check_apart, once_done, write_picture, written_to
from sfumato.data import open_source
from sfumato.data.opening import open_spark
from sfumato.data.policy import Policy, read_policy
from sfumato.errors import SfumatoError
from sfumato.information import (
    Channel,
    Distribution,
    Joint,
    align,
    entropy,
    kl_divergence,
    maximum_entropy,
    moment,
)
from sfumato.ledger import Book, Entry, Ledger
from sfumato.ledger.entry import canonical
from sfumato.mechanisms.sensitivity import check_sensitivity, clipped_mean, clipped_sum
from sfumato.privacy import PrivacyProfile
from sfumato.risk import anonymize, k_anonymity, reconstruct, scoreboard
from sfumato.survey import collect, simulate
from sfumato.tables.certificate.question import aggregate_document
from sfumato.tables.expressions import Case, type_of
from tests.ledger.tables import change, drop_triggers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Raising = dict[str, Callable[[], Any]]

VISITS = pd.DataFrame({"id": [7, 7, 8], "age": [61, 61, 35], "zip": ["a", "b", "a"]})
HALF = {"yes": 0.5, "no": 0.5}
YES_NO: dict[str, Any] = {"choices": ["yes", "no"], "epsilon": 1}
TWICE = """
[keysets]
one = {columns = ["sex", "age"], rows = [["F", 61]]}
two = {columns = ["age", "sex"], rows = [[61, "F"]]}
"""
TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


def table(**declared: Any) -> sf.tables.PrivateTable:
    return sf.table(VISITS, **{"unit": "id", "limits": {"rows": 2}, **declared})


def survey(**asked: Any) -> sf.Survey:
    return sf.Survey({"cheated": {**YES_NO, **asked}})


def model(**given: Any) -> sf.KMeans:
    return sf.KMeans(n_clusters=1, bounds=(0, 1), **given)


def written(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


@contextmanager
def book() -> Iterator[Book]:
    with Ledger.create("ledger.db", key="key.pem") as ledger:
        yield ledger.add_book("patients", sf.PureDP(epsilon=1))


def shell(*words: str) -> None:
    """Run a verb, and raise what it says in a sentence."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sfumato", *words])
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.__context__, SfumatoError)
    raise ended.value.__context__


def frame_without_polars() -> None:
    release = table().agg(n=sf.count()).release(epsilon=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "polars", None)
        release.to_polars()


def frame_of_spark_connect() -> None:
    far = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})
    open_spark(far())


def spent_for_nothing() -> None:
    with book() as patients:
        patients.spend(sf.privacy.events.Pure(epsilon=0), **ASKED)


def spent_several_at_once() -> None:
    with book() as patients:
        patients.reserve(TENTH, **ASKED)
        *_, charge = patients.entries()
    both = json.loads(sf.privacy.events.to_json(TENTH, TENTH))
    Entry(canonical({**charge.body, "event": both})).check()


def spent_with_delta() -> None:
    place = {"path": "ledger.db", "book": "patients", "analyst": "ada"}
    with book():
        asked = table(unit="row", limits={}, ledger=place).agg(n=sf.count())
        asked.release(epsilon=0.5, delta=1e-6, noise="gaussian")


def released_and_lost() -> None:
    """Somebody took out of the ledger what was released for a key."""
    with book() as patients:
        patients.release(TENTH, **ASKED, key="one", compute=lambda: b"41")
        drop_triggers("ledger.db")
        change("ledger.db", 3, content=None)
        patients.release(TENTH, **ASKED, key="one", compute=lambda: b"41")


def released_elsewhere() -> None:
    with book() as patients:
        receipt = patients.spend(TENTH, **ASKED)
    read_answer("answer.csv", [receipt])


def module_that_fails() -> None:
    written("failing.py", "1 / 0")
    load_callable("failing:release")


def input_closed() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        read_source("-", "a file")


def answer_in_no_folder() -> None:
    with once_done("the charge is made"), written_to("no/answer.csv"):
        written("no/answer.csv", "41")


INFORMATION: Raising = {
    "E-CHANNEL-FORM": lambda: Channel([]),
    "E-CONDITION-IMPOSSIBLE": lambda: Joint([[1, 0], [1, 0]]).condition({1: 1}),
    "E-DISTRIBUTION-EMPTY": lambda: entropy([]),
    "E-NUMBERS-TOO-CLOSE": lambda: maximum_entropy("ab", moment("m", [0, 1e-320], at_most=0)),
    "E-OUTCOME-UNKNOWN": lambda: Distribution([1, 1])["x"],
    "E-OUTCOMES-DIFFER": lambda: kl_divergence(HALF, {"yes": 0.5, "maybe": 0.5}),
    "E-OUTCOMES-UNNAMED": lambda: align([0.5, 0.5], [0.5, 0.5]),
}
PRIVACY: Raising = {
    "E-CURVE-FORM": lambda: sf.privacy.events.Renyi({}),
    "E-DELTA-MISSING": lambda: sf.calibrate("gaussian", epsilon=1),
    "E-GUARANTEE-NOT-COMPOSED": lambda: sf.compose(PrivacyProfile({1: 1e-3})),
    "E-GUARANTEE-TOO-WEAK": lambda: sf.privacy.convert(
        sf.ApproxDP(epsilon=1, delta=1e-6), sf.PureDP
    ),
    "E-NOISE-TOO-SMALL": lambda: sf.mechanisms.Laplace(scale=1e-9, sensitivity=1),
    "E-SENSITIVITY-NOT-TAKEN": lambda: sf.calibrate("exponential", epsilon=1, sensitivity=2),
    "E-SENSITIVITY-NOT-WHOLE": lambda: sf.calibrate("discrete_laplace", epsilon=1, sensitivity=1.5),
    "E-UNIT-FORM": lambda: sf.privacy.AddRemove(unit="person"),  # type: ignore[arg-type]
}
MECHANISMS: Raising = {
    "E-DOMAIN-EMPTY": lambda: check_sensitivity(len, sensitivity=1, domain=("1/3", "1/3")),
    "E-SENSITIVITY-UNBOUNDED": lambda: clipped_sum(
        0, 1, relation=sf.privacy.AddRemove(unit=sf.privacy.Person())
    ),
    "E-SENSITIVITY-UNKNOWN": lambda: clipped_mean(0, 1, size=3, relation=sf.privacy.AddRemove()),
}
AUDIT: Raising = {
    "E-CERTIFICATE-CONTENT": lambda: cost_of(sf.privacy.events.Gaussian(sigma=1)),
    "E-CERTIFICATE-FORM": lambda: read_document("{}"),
    "E-DATASET-FORM": lambda: search_pairs(lambda data: 0, [5], epsilon=1),
    "E-DISTRIBUTION-BRANCHES": lambda: read_branches(SimpleNamespace(branches=[0.5, 0.5])),
    "E-FUNCTION-SIGNATURE": lambda: sf.audit(lambda: 0, [1], [2], epsilon=1),
    "E-NEIGHBOURS-NONE": lambda: search_pairs(lambda data: 0, [[]], epsilon=1),
    "E-SCORES-FORM": lambda: membership("high", [0.1, 0.2], epsilon=1),
}
RISK: Raising = {
    "E-COLUMN-NOT-BINARY": lambda: reconstruct([[1, 0]], [1], truth=[1, 2]),
    "E-COLUMNS-DIFFER": lambda: scoreboard(
        pd.DataFrame({"user": [1], "film": ["a"], "stars": [3], "day": ["2026-01-02"]}),
        {"film": ["a"], "stars": [3], "day": ["17"]},
        person="user",
        item="film",
        rating="stars",
        day="day",
    ),
    "E-QUASI-MISSING": lambda: k_anonymity(VISITS, quasi=[]),
    "E-SENSITIVE-MISSING": lambda: anonymize(VISITS, quasi="age", k=2, l=2),
}
LEARNING: Raising = {
    "E-EPSILON-MISSING": lambda: model().fit([[0.5, 1]]),
    "E-POINTS-SHAPE": lambda: model(epsilon=1).fit([0.5, 1]),
    "E-POINTS-TYPE": lambda: model(epsilon=1).fit("customers.csv"),
}
SURVEY: Raising = {
    "E-ANSWER-MISSING": lambda: survey().answer({}),
    "E-QUESTION-FORM": lambda: survey(choices=["yes"]),
    "E-QUESTION-NAME": lambda: sf.Survey({"1st": YES_NO}),
    "E-REPORTS-FORM": lambda: collect(survey(), pd.DataFrame({"cheated": ["yes"]})),
    "E-SHARES-FORM": lambda: simulate(survey(), 10, shares={"cheated": [1]}),
    "E-SURVEY-EMPTY": lambda: sf.Survey({}),
    "E-SURVEY-FORM": lambda: sf.Survey({"cheated": YES_NO}, name=""),
    "E-SURVEY-LIFETIME": lambda: survey(protocol="permanent"),
}
DATA: Raising = {
    "E-ADDRESS-FORM": lambda: sf.table("mysql://127.0.0.1/hospital", table="visits", unit="id"),
    "E-FILE-ENCODING": lambda: read_policy(written("p.toml", b"a = '\xff'")),
    "E-FILE-KIND": lambda: open_source(written("notes.txt", "age\n61\n")),
    "E-FILE-NAME": lambda: read_policy("a\0b"),
    "E-HEADER-FORM": lambda: open_source(written("t.csv", "a" * 200_000 + "\nx\n")),
    "E-KEYS-EMPTY": lambda: Policy.inline(keys={"sex": []}),
    "E-KEYS-FORM": lambda: Policy.inline(keys={("sex", "age"): ["F"]}),
    "E-KEYS-TWICE": lambda: read_policy(written("p.toml", TWICE)),
    "E-LIMITS-WITHOUT-PERSON": lambda: table(unit="row"),
    "E-POLICY-CONFLICT": lambda: read_policy(
        written("p.toml", '[columns.sex]\nvalues = ["F"]\nkeys_from = "k.csv"')
    ),
    "E-SPARK-CONNECT": frame_of_spark_connect,
}
TABLES: Raising = {
    "E-AGGREGATE-UNNAMED": lambda: table().agg(sf.count()),  # type: ignore[arg-type]
    "E-CERTIFICATE-UNABLE": lambda: aggregate_document("n", None),  # type: ignore[arg-type]
    "E-COLUMN-IS-UNIT": lambda: table().with_columns(id=sf.col("age")),
    "E-CONDITION-TYPE": lambda: table().filter(sf.col("age")),
    "E-EXPRESSION-FORM": lambda: Case((), sf.tables.lit(1)),
    "E-EXPRESSION-UNDEFINED": lambda: type_of(sf.col("zip").sqrt(), {"zip": "text"}),
    "E-FRAME-MISSING": frame_without_polars,
    "E-JOIN-COLUMNS": lambda: table().join(sf.public(VISITS)),
    "E-JOIN-TYPES": lambda: table().join(sf.public(VISITS), on={"age": "zip"}),
    "E-POLICY-WITHOUT-TABLE": lambda: sf.open(written("p.toml", "")),
    "E-RELEASE-NOT-A-LIST": lambda: list(table().agg(n=sf.count()).release(epsilon=1)),
    "E-SQL-AMBIGUOUS": lambda: table().query(
        "SELECT COUNT(*) AS n FROM t JOIN other USING (zip) WHERE age > 1",
        tables={"other": sf.public(VISITS)},
    ),
    "E-SQL-NAME-TWICE": lambda: table().query("SELECT COUNT(*) AS n, COUNT(*) AS n FROM t"),
    "E-SQL-PLACE": lambda: table().query("SELECT COUNT(*) AS n FROM t ORDER BY 9"),
}
LEDGER: Raising = {
    "E-BUDGET-WITHOUT-DELTA": spent_with_delta,
    "E-CHARGE-NOTHING": spent_for_nothing,
    "E-CHARGE-SEVERAL": spent_several_at_once,
    "E-LEDGER-NOT-STORED": released_and_lost,
}
APPLICATION: Raising = {
    "E-MECHANISM-FILE": lambda: read_mechanism("none.csv"),
    "E-MODULE-FAILED": module_that_fails,
    "E-MODULE-MISSING": lambda: load_callable("no_such_module:release"),
    "E-MODULE-NAME": lambda: load_callable("release"),
    "E-OPTION-CONFLICT": lambda: read_answer("answer.csv", []),
    "E-OPTION-MISSING": lambda: verify_receipts([]),
    "E-POLICY-INCOMPLETE": lambda: open_the_book(Policy(), "patients", notify=print),
    "E-RECEIPT-NAME": lambda: close_orphan("patients", reason="it crashed"),
    "E-RECEIPT-WITHOUT-DIGEST": released_elsewhere,
}
SHELL: Raising = {
    "E-CHART-FAILED": lambda: write_picture("chart.svg", lambda: 1 / 0),
    "E-INPUT-CLOSED": input_closed,
    "E-OUTPUT-LOST": answer_in_no_folder,
    "E-OUTPUT-TWICE": lambda: check_apart(output="a.json", receipt="a.json"),
    "E-SQL-MISPLACED": lambda: shell("query", "SELECT COUNT(*) AS n FROM patients"),
    "E-SQL-UNQUOTED": lambda: shell("query", "patients.csv", "SELECT"),
}
RAISED = (INFORMATION | PRIVACY | MECHANISMS | AUDIT | RISK | LEARNING | SURVEY) | (
    DATA | TABLES | LEDGER | APPLICATION | SHELL
)


@pytest.mark.parametrize("code", RAISED)
def test_the_code_is_raised(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SfumatoError) as caught:
        RAISED[code]()
    assert caught.value.code == code
