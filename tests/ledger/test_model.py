"""A book and a simple model of it are put through the same steps, and never differ."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

import sfumato as sf
from sfumato.errors import BudgetError, PendingError, RefusedError
from sfumato.ledger import Charge, Ledger, Settled
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Book, Receipt
    from tests.postgres import Cluster

CAP, EACH, ADA = Fraction(1), Fraction(3, 5), Fraction(4, 5)
#: To what shares of a budget are rounded up.
UNIT = Fraction(1, 10**18)
ANALYSTS = st.sampled_from(["ada", "grace", "Zoë"])
AMOUNTS = st.sampled_from(["0.1", "0.05", "1/3", "0.25", "1/7", "0.6"])
KEYS = st.sampled_from(["monday", "tuesday"])
ANSWERS = st.binary(max_size=8)
PURPOSE = "patients by sex"


@dataclass
class Asked:
    """A request that carried a key: how it was made, and what became of it."""

    amount: str
    way: str
    answer: bytes | None = None
    receipt: str | None = None
    closed: bool = False


@dataclass
class Model:
    """What a book should hold: sums of fractions, and what was asked for by key."""

    spent: Counter[str] = field(default_factory=Counter)
    kinds: list[str] = field(default_factory=lambda: ["opening"])
    open: list[str] = field(default_factory=list)
    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)

    def left(self, analyst: str) -> Fraction:
        own = (ADA if analyst == "ada" else EACH) - Fraction(self.spent[analyst])
        return min(own, CAP - sum(self.spent.values(), Fraction()))

    def fits(self, analyst: str, amount: str) -> bool:
        return Fraction(amount) <= self.left(analyst)

    def charge(self, analyst: str, amount: str, kind: str) -> None:
        self.spent[analyst] += Fraction(amount)  # type: ignore[assignment]
        self.kinds.append(kind)


class Books(RuleBasedStateMachine):
    """Steps that several analysts take, in two processes' views of the same book."""

    create: ClassVar[Callable[[str], str]]

    charges = Bundle("charges")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.model = Model()
        self.receipts: list[Receipt] = []
        self.retired: list[Ledger] = []

    @initialize()
    def open_book(self) -> None:
        self.place = type(self).create(self.folder.name)
        self.key = Path(self.folder.name) / "key.pem"
        self.ledgers = [Ledger.create(self.place, key=self.key)]
        budget, each = sf.PureDP(epsilon=CAP), sf.PureDP(epsilon=EACH)
        analysts = {"ada": sf.PureDP(epsilon=ADA)}
        self.ledgers[0].add_book("patients", budget, each_analyst=each, analysts=analysts)
        self.ledgers.append(Ledger.open(self.place, key=self.key))

    def teardown(self) -> None:
        for each in [*getattr(self, "ledgers", []), *self.retired]:
            each.close()
        self.folder.cleanup()

    def book(self, view: int) -> Book:
        return self.ledgers[view].book("patients")

    def ask(self, way: str, view: int, analyst: str, amount: str, key: str | None) -> Any:
        event = sf.privacy.events.Pure(epsilon=amount)
        further: dict[str, Any] = {} if way == "spend" else {"wait": 0}
        asked = {"analyst": analyst, "purpose": PURPOSE, "key": key}
        return getattr(self.book(view), way)(event, **asked, **further)

    @rule(view=st.integers(0, 1), analyst=ANALYSTS, amount=AMOUNTS)
    def spend(self, view: int, analyst: str, amount: str) -> None:
        if not self.model.fits(analyst, amount):
            with pytest.raises(BudgetError):
                self.ask("spend", view, analyst, amount, None)
            return
        self.receipts.append(self.ask("spend", view, analyst, amount, None))
        self.model.charge(analyst, amount, "spending")

    @rule(target=charges, view=st.integers(0, 1), analyst=ANALYSTS, amount=AMOUNTS)
    def reserve(self, view: int, analyst: str, amount: str) -> Any:
        if not self.model.fits(analyst, amount):
            with pytest.raises(BudgetError):
                self.ask("reserve", view, analyst, amount, None)
            return multiple()
        made = self.ask("reserve", view, analyst, amount, None)
        return self.reserved(made, analyst, amount, None)

    @rule(target=charges, view=st.integers(0, 1), analyst=ANALYSTS, amount=AMOUNTS, key=KEYS)
    def reserve_with_key(self, view: int, analyst: str, amount: str, key: str) -> Any:
        known = self.model.asked.get((analyst, key))
        if known is not None:
            self.repeat("reserve", view, analyst, amount, key)
        elif not self.model.fits(analyst, amount):
            with pytest.raises(BudgetError):
                self.ask("reserve", view, analyst, amount, key)
        else:
            made = self.ask("reserve", view, analyst, amount, key)
            self.model.asked[analyst, key] = Asked(amount, "reserve")
            return self.reserved(made, analyst, amount, key)
        return multiple()

    @rule(view=st.integers(0, 1), analyst=ANALYSTS, amount=AMOUNTS, key=KEYS)
    def spend_with_key(self, view: int, analyst: str, amount: str, key: str) -> None:
        if (analyst, key) in self.model.asked:
            self.repeat("spend", view, analyst, amount, key)
        elif not self.model.fits(analyst, amount):
            with pytest.raises(BudgetError):
                self.ask("spend", view, analyst, amount, key)
        else:
            receipt = self.ask("spend", view, analyst, amount, key)
            self.model.asked[analyst, key] = Asked(amount, "spend", receipt=receipt.to_json())
            self.model.charge(analyst, amount, "spending")

    def reserved(self, made: Any, analyst: str, amount: str, key: str | None) -> Any:
        assert isinstance(made, Charge)
        self.model.charge(analyst, amount, "charge")
        self.model.open.append(made.receipt_id)
        return made, analyst, key

    def repeat(self, way: str, view: int, analyst: str, amount: str, key: str) -> None:
        """Ask again for something that was asked for with the same key."""
        known = self.model.asked[analyst, key]
        if (known.amount, known.way) != (amount, way):
            with raises_code("E-KEY-REUSED"):
                self.ask(way, view, analyst, amount, key)
        elif way == "spend":
            assert self.ask(way, view, analyst, amount, key).to_json() == known.receipt
        elif known.closed or known.answer is None:
            expected = RefusedError if known.closed else PendingError
            with pytest.raises(expected):
                self.ask(way, view, analyst, amount, key)
        else:
            again = self.ask(way, view, analyst, amount, key)
            assert isinstance(again, Settled)
            assert again.repeated
            assert (again.content, again.receipt.to_json()) == (known.answer, known.receipt)

    @rule(reserved=consumes(charges), answer=ANSWERS)
    def commit(self, reserved: tuple[Charge, str, str | None], answer: bytes) -> None:
        charge, analyst, key = reserved
        if charge.receipt_id not in self.model.open:
            with pytest.raises(RefusedError):
                charge.commit(answer)
            return
        settled = charge.commit(answer)
        self.receipts.append(settled.receipt)
        self.model.open.remove(charge.receipt_id)
        self.model.kinds.append("release")
        if key is not None:
            asked = self.model.asked[analyst, key]
            asked.answer, asked.receipt = answer, settled.receipt.to_json()

    @rule(view=st.integers(0, 1), reserved=charges)
    def close(self, view: int, reserved: tuple[Charge, str, str | None]) -> None:
        charge, analyst, key = reserved
        if charge.receipt_id not in self.model.open:
            with raises_code("E-CHARGE-UNKNOWN", match="no open charge"):
                self.book(view).close_orphan(charge.receipt_id, reason="lost")
            return
        self.book(view).close_orphan(charge.receipt_id, reason="lost")
        self.model.open.remove(charge.receipt_id)
        self.model.kinds.append("closing")
        if key is not None:
            self.model.asked[analyst, key].closed = True

    @rule(view=st.integers(0, 1))
    def open_again(self, view: int) -> None:
        if "charge" in self.model.kinds:  # a charge is settled by the ledger that made it
            self.retired.append(self.ledgers[view])
        else:
            self.ledgers[view].close()
        self.ledgers[view] = Ledger.open(self.place, key=self.key)

    @precondition(lambda self: self.receipts)
    @rule(view=st.integers(0, 1))
    def verify(self, view: int) -> None:
        assert self.ledgers[view].verify(self.receipts).problems == ()

    @rule(view=st.integers(0, 1), analyst=ANALYSTS)
    def look(self, view: int, analyst: str) -> None:
        everyone, own = self.book(view).standing(analyst)
        spent = self.model.spent
        cap = ADA if analyst == "ada" else EACH
        assert 0 <= everyone.used - sum(spent.values(), Fraction()) / CAP < UNIT
        assert 0 <= own.used - Fraction(spent[analyst]) / cap < UNIT

    @rule(view=st.integers(0, 1))
    def list_orphans(self, view: int) -> None:
        found = [entry.body["receipt"] for entry in self.book(view).orphans()]
        assert found == self.model.open

    @invariant()
    def entries_are_those_of_the_model(self) -> None:
        if hasattr(self, "ledgers"):
            assert [entry.kind for entry in self.book(1).entries()] == self.model.kinds


def run(create: Callable[[str], str], *, examples: int, steps: int) -> None:
    machine = type("Books", (Books,), {"create": staticmethod(create)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_book_in_a_file_is_as_the_model() -> None:
    run(lambda folder: f"{folder}/ledger.db", examples=20, steps=25)


@pytest.mark.full
def test_a_book_on_a_server_is_as_the_model(postgres: Cluster, database: str) -> None:
    from tests.ledger.conftest import emptied

    run(lambda _: emptied(database), examples=8, steps=25)


def test_a_model_that_pays_closed_charges_back_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The twin: a book whose closed charges came back would not pass."""

    def forgiving(self: Model, analyst: str) -> Fraction:
        refunds = self.kinds.count("closing") * Fraction(1, 20)
        own = (ADA if analyst == "ada" else EACH) - Fraction(self.spent[analyst])
        return min(own, CAP - sum(self.spent.values(), Fraction())) + refunds

    monkeypatch.setattr(Model, "left", forgiving)
    with raises_code("E-BUDGET-EXCEEDED", kind=BudgetError):
        run(lambda folder: f"{folder}/ledger.db", examples=60, steps=30)
