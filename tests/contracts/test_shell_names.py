"""An option of the shell that gives an argument of Python has the argument's name."""

from __future__ import annotations

import inspect
from itertools import chain
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.application import accounting, auditing, measure_divergence, measure_entropy
from sfumato.application import auditing as verifying
from sfumato.application.risk import extraction, membership, reconstruction
from sfumato.data.policy import Policy
from sfumato.risk import Exposure
from sfumato.survey import Collection
from sfumato.survey.client import description
from sfumato.tables import PrivateTable, Query, Release
from tests.cases import cases
from tests.cli.commands import verbs

if TYPE_CHECKING:
    from collections.abc import Callable

DECLARED = (Policy.with_changes,)
BUDGET = (sf.ApproxDP, sf.ZeroConcentratedDP, sf.privacy.GaussianDP)
ASKED = (*DECLARED, PrivateTable.query, PrivateTable.sql, Query.release)

#: The calls of Python that do what a verb does; their arguments are what its options give.
PYTHON: dict[str, tuple[Callable[..., Any], ...]] = {
    "init": (*DECLARED, *BUDGET),
    "inspect": DECLARED,
    "plan": (*ASKED, Query.plan),
    "query": (*ASKED, Release.table),
    "kmeans": (*DECLARED, sf.KMeans, sf.KMeans.fit),
    "check": (sf.check,),
    "risk": (sf.risk.risk, Exposure.plot),
    "anonymize": (sf.anonymize,),
    "entropy": (measure_entropy,),
    "divergence": (measure_divergence,),
    "account": (sf.compose, accounting.account_events),
    "calibrate": (sf.calibrate,),
    "verify": (sf.verify, verifying.verify_table),
    "audit": (sf.audit, auditing.audit_target),
    "survey new": (sf.Survey,),
    "survey answer": (sf.Survey, sf.Survey.answer),
    "survey needed": (sf.Survey, sf.survey.needed, sf.survey.within),
    "survey simulate": (sf.Survey, sf.survey.simulate, Collection.estimate),
    "survey collect": (sf.Survey, sf.survey.collect, Collection.estimate, Collection.shuffled),
    "ledger init": (*BUDGET, sf.Ledger.open, sf.Ledger.add_book),
    "ledger show": (sf.Ledger.open, sf.Ledger.plot),
    "ledger spend": (*BUDGET, sf.Ledger.open, sf.ledger.Book.spend),
    "ledger verify": (sf.Ledger.open, sf.Ledger.verify, sf.ledger.Receipt.problems),
    "ledger export": (sf.Ledger.open,),
    "ledger recover": (sf.Ledger.open, sf.ledger.Book.close_orphan),
    "attack link": (sf.risk.link,),
    "attack intersect": (sf.risk.intersect,),
    "attack scoreboard": (sf.risk.scoreboard,),
    "attack homogeneity": (sf.risk.homogeneity,),
    "attack reconstruct": (reconstruction.attack_column,),
    "attack difference": (sf.risk.difference,),
    "attack extraction": (extraction.extract_target, extraction.extraction),
    "attack membership": (
        membership.attack_target,
        membership.attack_model,
        membership.attack_scores,
    ),
}

#: Verbs that do what no call of Python does: they tell of the package itself.
OF_THE_SHELL = {"completion", "demo hospital", "theorems"}

#: Options that give no argument: which call is meant, where its answer goes, how much is said.
NO_ARGUMENT = {
    "certificate": "a file for what Release.certificate is",
    "code": "application.code_columns",
    "explain": "Query.explain and Composition.explain",
    "format": "the form of the entries",
    "html": "a file for to_html()",
    "json": "what as_dict() returns",
    "l1_ball": "the radius of KMeans(domain=L1Ball(radius=...))",
    "last": "how many entries are printed",
    "no_input": "nobody is there to be asked",
    "notes": "how many notes are printed",
    "output": "a file for the answer",
    "plan": "KMeans.plan",
    "plot": "a file for plot()",
    "receipt": "a file for the receipt that Book.spend returns",
    "replace": "whether a file may be written over",
    "schema": "the form of certificates, which needs no certificate",
    "shuffled": "Collection.shuffled",
    "sql": "the statements of the engine",
    "without_ledger": "Receipt.problems, and not Ledger.verify",
}

ONE_EACH = "it is given once for each"
IN_LEDGER = "Python has it inside ledger={...}"
PLACE = "in Python Ledger.open has no other; a verb has, and --place would not say of what"
HIERARCHY = "Python calls a function of sf.risk for the value of hierarchies"

#: Options that are named otherwise than the argument, and why; ``*`` stands for all verbs.
OTHERWISE: dict[tuple[str, str], tuple[str, str]] = {
    ("*", "limit"): ("limits", ONE_EACH),
    ("*", "weight"): ("weights", ONE_EACH),
    ("*", "question"): ("questions", ONE_EACH),
    ("*", "book"): ("ledger", IN_LEDGER),
    ("*", "with"): ("tables", "--tables would be one letter from --table; SQL joins with it"),
    ("check", "signer"): ("signers", ONE_EACH),
    ("anonymize", "hierarchy"): ("hierarchies", ONE_EACH),
    ("anonymize", "bands"): ("hierarchies", HIERARCHY),
    ("anonymize", "dates"): ("hierarchies", HIERARCHY),
    ("anonymize", "prefixes"): ("hierarchies", HIERARCHY),
    ("attack difference", "total"): ("publish", "in Python a table without columns"),
    ("attack link", "person"): ("known", "in Python a mapping; a file by --known"),
    ("attack reconstruct", "epsilon"): ("epsilons", ONE_EACH),
    ("kmeans", "k"): ("n_clusters", "scikit-learn prescribes its name in Python"),
    ("ledger init", "analyst"): ("analysts", ONE_EACH),
    ("ledger init", "total_delta"): ("total", "Python gives a guarantee, of which this is the δ"),
    ("ledger recover", "close"): ("receipt_id", "the verb lists orphans unless it is to close one"),
    ("ledger verify", "answer"): ("content", "a file, of which Python is given the bytes"),
    ("ledger verify", "receipt"): ("receipts", ONE_EACH),
    **{
        (f"ledger {verb}", "ledger"): ("place", PLACE)
        for verb in ("init", "show", "spend", "verify", "export", "recover")
    },
    ("survey simulate", "share"): ("shares", ONE_EACH),
}


def options() -> list[tuple[str, str]]:
    """Every verb with every option of it, as Python would write its name."""
    return [
        (verb, each.opts[0].lstrip("-").replace("-", "_"))
        for verb, command in verbs()
        for each in command.params
        if each.param_type_name == "option" and verb not in OF_THE_SHELL
    ]


def arguments(verb: str) -> set[str]:
    """The arguments of the calls that do what a verb does; of a survey, its questions' words."""
    of_questions = vars(description)["_ALL_WORDS"] if sf.Survey in PYTHON[verb] else ()
    return {*of_questions, *chain(*(inspect.signature(each).parameters for each in PYTHON[verb]))}


def otherwise(verb: str, option: str) -> str:
    """The argument that an option gives which is named otherwise, if it is."""
    found = OTHERWISE.get((verb, option)) or OTHERWISE.get(("*", option))
    return found[0] if found else ""


def test_every_verb_has_calls_of_python_or_tells_of_the_package() -> None:
    assert {verb for verb, _ in verbs()} == {*PYTHON, *OF_THE_SHELL}


@cases("verb, option", options())
def test_an_option_has_the_name_of_its_argument(verb: str, option: str) -> None:
    assert {option, otherwise(verb, option)} & arguments(verb) or option in NO_ARGUMENT


@cases("verb, option", OTHERWISE)
def test_an_exception_is_one(verb: str, option: str) -> None:
    of = [each for each, name in options() if name == option and verb in ("*", each)]
    assert any(OTHERWISE[verb, option][0] in arguments(each) for each in of)
    assert all(option not in arguments(each) for each in of)


@cases("option", NO_ARGUMENT)
def test_what_gives_no_argument_is_an_option(option: str) -> None:
    assert option in {name for _, name in options()}
