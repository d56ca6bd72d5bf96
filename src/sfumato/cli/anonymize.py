"""The verb ``anonymize``: a table generalised until it is k-anonymous."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from sfumato import application
from sfumato.cli.arguments import (
    File,
    Form,
    Json,
    Ordered,
    Quasi,
    Sensitive,
    flag,
    grouping,
    read_names,
    read_number,
    read_pairs,
    read_whole,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import in_the_terminal, progressing, say_aside, write_json, write_lines
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.printing import NOT_PRIVATE, PAGE, fitted, listed
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence


Least = Annotated[
    str, setting("NUMBER", "k-anonymity: rows of each equivalence class, at least.", "--k")
]
Different = Annotated[
    str,
    setting(
        "NUMBER",
        "l-diversity: sensitive values of each equivalence class, at least.",
        "--l",
        default=False,
    ),
]
Close = Annotated[
    str,
    setting(
        "NUMBER",
        "t-closeness: how far its sensitive values are from everybody's, at most, 0 to 1.",
        "--t",
        default=False,
    ),
]
Diversity = Annotated[str, setting("NAME", "How --l counts: distinct, or entropy.")]
Hierarchies = Annotated[
    list[str],
    setting(
        "NAME=FILE",
        "Generalisation hierarchy: a line a value, as 39;35-39;30-39;*",
        "--hierarchy",
        default=False,
    ),
]
Bands = Annotated[
    list[str],
    setting(
        "NAME=WIDTH",
        "Hierarchy of bands for numbers: age=10, doubled on each level, or age=5:10:20",
        default=False,
    ),
]
Dates = Annotated[
    list[str],
    setting(
        "NAME=STEPS",
        "Hierarchy for dates: born=month:year, of day, month, quarter, year, decade.",
        default=False,
    ),
]
Prefixes = Annotated[
    list[str],
    setting("NAMES", "Hierarchy of prefixes for codes: 190146, 19014*, 1901**", default=False),
]
Suppression = Annotated[
    str, setting("SHARE", "Suppression: the share of rows that may be removed: 0.02")
]
Method = Annotated[str, setting("NAME", "auto, optimal, heuristic, or mondrian.")]
Loss = Annotated[
    str,
    setting("NAME", "Information loss to keep least: entropy, discernibility, average class size."),
]
Remove = Annotated[
    list[str], setting("NAMES", "Direct identifiers, such as names, which become *.", default=False)
]
Output = Annotated[
    str, setting("FILE", "Where the generalised table goes: .csv or .parquet", default=False)
]
Replace = Annotated[bool, flag("--replace", "With --output: write over an earlier table.")]


_NAMES = ("quasi", "sensitive", "ordered", "k", "l", "t", "remove", "suppression")
_FILES = Form("--hierarchy", "age=age.csv")
_BANDS = Form("--bands", "age=10")
_DATES = Form("--dates", "born=month:year")


@dataclass(frozen=True, kw_only=True)
class AnonymizeOptions:
    """What options say of how a table is to be generalised."""

    quasi: Quasi
    k: Least
    sensitive: Sensitive = field(default_factory=list)
    l: Different = ""  # noqa: E741, since the option is called so
    t: Close = ""
    diversity: Diversity = "distinct"
    ordered: Ordered = field(default_factory=list)
    hierarchy: Hierarchies = field(default_factory=list)
    bands: Bands = field(default_factory=list)
    dates: Dates = field(default_factory=list)
    prefixes: Prefixes = field(default_factory=list)
    suppression: Suppression = "0"
    method: Method = "auto"
    loss: Loss = "entropy"
    remove: Remove = field(default_factory=list)

    def wishes(self) -> dict[str, Any]:
        """Return them as the arguments of ``sf.anonymize``."""
        share = mark("a share from 0 to below 1")
        return {
            "quasi": read_names(self.quasi),
            "k": read_whole(self.k, "--k"),
            "sensitive": read_names(self.sensitive) or None,
            "l": read_number(self.l, "--l", mark("a number of 1 or more"), {}) if self.l else None,
            "t": read_number(self.t, "--t", mark("a number from 0 to 1"), {}) if self.t else None,
            "diversity": self.diversity,
            "ordered": read_names(self.ordered) or None,
            "hierarchies": application.read_hierarchies(
                files={each.name: each.value for each in read_pairs(self.hierarchy, _FILES)},
                widths=_listed(self.bands, _BANDS),
                steps=_listed(self.dates, _DATES),
                codes=read_names(self.prefixes),
            ),
            "suppression": read_number(self.suppression, "--suppression", share, {}),
            "remove": read_names(self.remove),
            "method": self.method,
            "loss": self.loss,
        }


@explained()
@grouping
def anonymize(
    file: File,
    *,
    options: AnonymizeOptions,
    output: Output = "",
    replace: Replace = False,
    json: Json = False,
) -> None:
    """Generalise columns until a table is k-anonymous, with the least information loss.

    Each of --quasi is taken to one level of its generalisation hierarchy, and the best of all ways
    is found and proved; hierarchies that are not given are made from the values. A table like this
    hides who is who, and does not bound what an attacker can infer: for answers with a guarantee
    use sfumato query.
    """
    if replace and not output:
        raise InputError(
            "E-OPTION-CONFLICT", "--replace goes with --output", "name the earlier table"
        )
    with progressing(file) as progress, options_named(*_NAMES):
        found = application.anonymize_file(
            file, output=output, replace=replace, progress=progress, **options.wishes()
        )
    done = tr("the generalised table is in {output}", output=output) if output else ""
    if json:
        write_json(found.as_dict(), done=done)
    else:
        write_lines(*in_the_terminal(lines_for_shell(found)), done=done)
    say_aside(done or tr("nothing was written; add --output FILE for the generalised table"))


def lines_for_shell(found: application.risk.Anonymized) -> list[str]:
    """Return what was done to a table, with options as the shell writes them."""
    return fitted([*found.told(_option), NOT_PRIVATE], PAGE)


def _option(name: str, columns: Sequence[str]) -> str:
    return f"--{name} {shlex.quote(listed(columns, between=','))}"


def _listed(given: list[str], form: Form) -> dict[str, list[str]]:
    return {each.name: each.value.split(":") for each in read_pairs(given, form)}
