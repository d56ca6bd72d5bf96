"""The command ``sfumato`` and its verbs."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.examples import examples
from sfumato.cli.failures import delivered, explained
from sfumato.cli.localization import OPTION, Speaking, in_its_language
from sfumato.cli.usage import SaysWhatToWrite
from sfumato.language import spoken, using
from sfumato.translation import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator


_INIT = "sfumato init patients.csv --unit patient_id --epsilon 3 --ledger ledger.db"
_CERTIFIED = (
    "sfumato query patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 "
    "--analyst ada --certificate release.json"
)
_BY_GROUP = (
    "sfumato query patients.csv 'SELECT sex, COUNT(*) FROM patients GROUP BY sex' "
    "--unit patient_id --keys sex=F,M --epsilon 1"
)
_FIRST_STEPS = examples(
    "sfumato demo hospital",
    "sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis",
    _INIT,
    "sfumato query patients.csv 'SELECT COUNT(*) AS n FROM patients' --unit patient_id --epsilon 1",
    "sfumato survey needed --question cheated --choices yes,no --epsilon 1 --within 0.05",
    "sfumato calibrate gaussian --epsilon 1 --delta 1e-6",
)

#: The verbs, each in the module of its name, which is loaded when the verb is asked for; one
#: about which nothing is said here has verbs of its own, and says it there.
_VERBS: dict[str, dict[str, Any]] = {
    "init": {"short_help": "Draft the policy of a table.", "epilog": examples(_INIT)},
    "inspect": {
        "short_help": "Count the cells that do not fit a policy.",
        "epilog": examples(
            "sfumato inspect patients.csv --types age=integer --bounds cost=0:20000"
        ),
    },
    "plan": {
        "short_help": "Find the privacy cost and the error of an answer in advance.",
        "epilog": examples(
            "sfumato plan patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 1 "
            "--analyst ada",
            first=[_INIT],
        ),
    },
    "query": {
        "short_help": "Answer SQL about a table of people under differential privacy.",
        "epilog": "\n\n".join([examples(_BY_GROUP), examples(_CERTIFIED, first=[_INIT])]),
    },
    "kmeans": {
        "short_help": "Cluster points by k-means under differential privacy.",
        "epilog": examples(
            "sfumato kmeans shoppers.csv --k 3 --bounds orders=0:80 --bounds basket=0:250 "
            "--unit customer --epsilon 1"
        ),
    },
    "check": {
        "short_help": "Check the certificate of an answer.",
        "epilog": examples(
            "sfumato check release.json --ledger ledger.db", first=[_INIT, _CERTIFIED]
        ),
    },
    "risk": {
        "short_help": "Measure re-identification risk: k, l, t, uniqueness.",
        "epilog": examples("sfumato risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis"),
    },
    "anonymize": {
        "short_help": "Generalise a table until it is k-anonymous.",
        "epilog": examples(
            "sfumato anonymize hospital-a.csv --quasi age,sex,zip --k 2 --remove name "
            "--output coarser.csv"
        ),
    },
    "entropy": {
        "short_help": "Measure the entropy of columns.",
        "epilog": examples("sfumato entropy hospital-a.csv --columns diagnosis --given age,sex"),
    },
    "divergence": {
        "short_help": "Measure the divergence between two tables.",
        "epilog": examples(
            "sfumato divergence hospital-a-generalised.csv hospital-b-generalised.csv "
            "--columns age,sex"
        ),
    },
    "account": {
        "short_help": "Compose events: the total ε or δ.",
        "epilog": examples("sfumato account events.json --delta 1e-6 --explain"),
    },
    "calibrate": {
        "short_help": "Find the least noise scale that keeps a guarantee.",
        "epilog": examples("sfumato calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 2"),
    },
    "verify": {
        "short_help": "Decide from output probabilities whether a claimed ε holds.",
        "epilog": examples("sfumato verify randomized-response.csv --epsilon 'ln(2)'"),
    },
    "audit": {
        "short_help": "Audit a function: a lower bound on its ε.",
        "epilog": examples("sfumato audit mechanisms:laplace --d0 '[0]' --d1 '[1]' --epsilon 1"),
    },
    "theorems": {
        "short_help": "Check the book's theorems.",
        "epilog": examples("sfumato theorems"),
    },
    "completion": {
        "short_help": "Complete what is typed in a shell.",
        "epilog": examples('eval "$(sfumato completion bash)"'),
    },
    "survey": {},
    "ledger": {},
    "attack": {},
    "demo": {},
}


class _Verbs(Mapping[str, Any]):
    """The commands of the verbs, each made when it is first asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, _VERBS[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_VERBS)

    def __len__(self) -> int:
        return len(_VERBS)


def _made(name: str, said: Mapping[str, Any]) -> Any:
    """Return the command of a verb."""
    verb = getattr(import_module(f"sfumato.cli.{name}"), name)
    if not said:
        return in_its_language(typer.main.get_group(verb))
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, **said)(verb)
    return in_its_language(typer.main.get_command(alone))


class _Sfumato(SaysWhatToWrite):
    """The command, whose verbs are made one by one."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "commands": _Verbs()})

    def make_context(self, *given: Any, **others: Any) -> Any:
        """Read what stands before the verb, unless the variable names no language we speak."""
        if not others.get("resilient_parsing"):
            _check_language("")
        return super().make_context(*given, **others)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the verbs."""
        return list(self.commands)


_app = typer.Typer(
    name="sfumato",
    cls=_Sfumato,
    epilog=_FIRST_STEPS,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@explained()
def _check_language(asked: str) -> str:
    """Refuse a language that is not spoken, be it asked for here or by the variable."""
    with using(asked or spoken()):
        return asked


_LANGUAGE = typer.Option(
    OPTION,
    metavar="CODE",
    help="The language of messages, help and reports: en or zh. Without it the one that the "
    "variable SFUMATO_LANG names, or English.",
    show_default=False,
    callback=_check_language,
    is_eager=True,
    autocompletion=lambda: list(LANGUAGES),
)


def _say_version(asked: bool) -> None:  # noqa: FBT001
    if asked:
        from importlib.metadata import version

        typer.echo(f"sfumato {version('sfumato')}")
        raise typer.Exit


@_app.callback()
def _start(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
    lang: Annotated[str, _LANGUAGE] = "",
) -> None:
    """Answer queries about a table of people under differential privacy.

    Measure re-identification risk, generalise a table, keep a privacy budget in a ledger, survey
    people under local differential privacy, and check whether a guarantee is kept. Tables are
    CSV and Parquet files, events are JSON. Nothing leaves this computer.

    Each verb has its own help, with an example that runs in the folder examples:
    sfumato query --help
    """


def command() -> None:
    """Be the command ``sfumato``: run it with the arguments of this process, which then ends."""
    ending: list[int] = []
    atexit.register(_end, ending)
    try:
        main()
    except SystemExit as asked:
        ending += [asked.code] if isinstance(asked.code, int) else []
        raise


def _end(ending: list[int]) -> None:
    """End a process whose work is done: to take all that it loaded apart takes a tenth of it.

    It is called when all that a verb registered is done, being registered before any of that.
    A terminal may lose what it has not read when its first process ends: there, nobody hurries.
    """
    streams = [each for each in (sys.stdout, sys.stderr) if each is not None]
    with suppress(OSError, ValueError):
        if ending and not any(each.isatty() for each in streams):
            for each in streams:
                each.flush()
            os._exit(ending[0])


def main() -> None:
    """Run the command with the arguments of this process, and exit."""
    _search_less_for_garbage()
    with delivered():
        _command()(prog_name="sfumato")


@cache
def _search_less_for_garbage() -> None:
    """Most verbs end before there is any."""
    gc.set_threshold(200_000, 20, 20)


@cache
def _command() -> Any:
    """All verbs, read once a process: reading them takes longer than most of them do."""
    command = typer.main.get_command(_app)
    command.context_class = Speaking
    return command
