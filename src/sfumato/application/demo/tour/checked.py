"""The last stops: a certificate that holds, one that was forged, and a function that lies."""

from __future__ import annotations

import runpy
from pathlib import Path

from sfumato.application.demo.tour.answered import CERTIFICATE, LEDGER
from sfumato.application.demo.tour.files import MECHANISMS
from sfumato.application.demo.tour.stop import Picture, Seen, Stop
from sfumato.application.demo.walk import Shown, excerpt
from sfumato.charts import to_svg
from sfumato.translation import mark, tr

__all__ = ["AUDITED", "CHECKED", "FORGED"]

_FORGERY = "forged.json"
_CLAIMED, _PRETENDED = '"epsilon": "1"', '"epsilon": "0.1"'
#: How much is shown of what is proved, of what is not, and of what an audit found.
_PROVED, _TRUSTED, _FOUND = 4, 1, 5
_WIDTH = 200


def _checked() -> Seen:
    from sfumato.application.certificates.checking import check

    report = check(CERTIFICATE, ledger=LEDGER)
    lines = report.lines(width=_WIDTH)
    proved, trusted, *_ = report.listed(width=_WIDTH)
    kept = [lines[0], *proved[: _PROVED + 1], *trusted[: _TRUSTED + 1]]
    return Seen(
        (
            Shown(
                f"sfumato check {CERTIFICATE} --ledger {LEDGER}",
                excerpt(lines, kept),
            ),
        ),
        tr(
            "The answer came with a certificate. Other code than that which answered derives "
            "its noise and its cost again, and says what is proved and what has to be taken "
            "on trust. No row is needed for it."
        ),
    )


def _forged() -> Seen:
    from sfumato.application.certificates.checking import check

    whole = Path(CERTIFICATE).read_text(encoding="ascii")
    Path(_FORGERY).write_text(whole.replace(_CLAIMED, _PRETENDED), encoding="ascii")
    return Seen(
        (
            Shown(f"sed 's/{_CLAIMED}/{_PRETENDED}/' {CERTIFICATE} > {_FORGERY}", ()),
            Shown(f"sfumato check {_FORGERY}", tuple(check(_FORGERY).lines(width=_WIDTH))),
        ),
        tr(
            "Wherever it says ε = 1, it now says a tenth of that. The noise that is in the "
            "answer does not go with it, and the sentence says so."
        ),
    )


def _audited() -> Seen:
    from sfumato.audit import audit

    functions = runpy.run_path(MECHANISMS)
    wrong, right = (
        audit(functions[name], [0], [1], epsilon=1) for name in ("half_the_noise", "laplace")
    )
    return Seen(
        (
            Shown(_audit("half_the_noise"), excerpt(wrong.lines(), wrong.lines()[:_FOUND])),
            Shown(_audit("laplace"), excerpt(right.lines(), right.lines()[:1])),
        ),
        tr(
            "Both functions say ε = 1; one adds half the noise that it takes. Of neither is "
            "anything known but its outputs on two neighbouring tables, d0 and d1. Half of "
            "the 200,000 draws on each choose the event that gives the function away; the "
            "other 100,000 prove it, with a chance of one in a million at most of being "
            "wrong. Against the right function nothing is found."
        ),
        (
            Picture(
                tr(
                    "The dots are the least ε that its outputs prove, at each δ; the claim, "
                    "the diamond, lies below the dot at its δ, so it is wrong"
                ),
                lambda: to_svg(wrong.plot()),
            ),
        ),
    )


def _audit(function: str) -> str:
    module = MECHANISMS.removesuffix(".py")
    return f"sfumato audit {module}:{function} --d0 '[0]' --d1 '[1]' --epsilon 1"


CHECKED = Stop(
    mark("Somebody who was not there checks the answer."),
    mark("deriving the answer's guarantee again"),
    _checked,
)
FORGED = Stop(
    mark("Somebody else claims more privacy than was given."),
    mark("checking the forgery"),
    _forged,
)
AUDITED = Stop(
    mark("And a function that claims more than it keeps?"),
    mark("drawing 800,000 outputs"),
    _audited,
)
