"""The verb ``ledger show``: the budget left, and the last charges."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any

from sfumato import application
from sfumato.cli.arguments import Json, Plot, option, read_whole
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import AnyBook, Place, naming_the_option
from sfumato.cli.output import check_picture, working, write_picture, write_report
from sfumato.errors import InputError
from sfumato.translation import mark

Analyst = Annotated[str, option("NAME", "The budgets and charges of one analyst.")]
Last = Annotated[str, option("NUMBER", "How many entries of a dataset to show, if not 10.")]


@explained()
def show(
    dataset: AnyBook = "",
    *,
    analyst: Analyst = "",
    last: Last = "",
    ledger: Place = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Show all books, or one: its privacy budgets, spent and left, and its last entries.

    --plot draws what each charge spent of one, or how much is spent of all.
    """
    _check_plot(plot, ledger)
    with naming_the_option(ledger):
        if dataset:
            _show_one(dataset, analyst, last or "10", ledger, json=json)
        else:
            _show_all(analyst, last, ledger, json=json)
        with working(plot, mark("drawing")) if plot else nullcontext():
            write_picture(plot, lambda: _drawn(dataset, analyst, ledger))


def _check_plot(plot: str, ledger: str) -> None:
    if plot:
        application.check_spared(plot, ledger or None)
    check_picture(plot)


def _drawn(dataset: str, analyst: str, ledger: str) -> Any:
    return application.draw_ledger(dataset or None, place=ledger or None, analyst=analyst or None)


def _show_all(analyst: str, last: str, ledger: str, *, json: bool) -> None:
    alone = "--analyst" if analyst else "--last" if last else ""
    if alone:
        raise InputError(
            "E-OPTION-CONFLICT",
            "{alone} is shown for one dataset",
            "write sfumato ledger show DATASET {alone}",
            alone=alone,
        )
    report = application.list_books(ledger or None)
    write_report(report, json=json)


def _show_one(dataset: str, analyst: str, last: str, ledger: str, *, json: bool) -> None:
    number = read_whole(last, "--last")
    if number < 1:
        raise InputError(
            "E-OPTION-VALUE",
            "--last takes a whole number of 1 or more",
            "{last!r} is not",
            last=last[:60],
        )
    report = application.show_book(
        dataset, place=ledger or None, analyst=analyst or None, last=number
    )
    write_report(report, json=json)
