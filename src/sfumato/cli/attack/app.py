"""The attacks, together."""

from __future__ import annotations

import typer

from sfumato.cli.attack.difference import difference
from sfumato.cli.attack.homogeneity import homogeneity
from sfumato.cli.attack.intersect import intersect
from sfumato.cli.attack.link import link
from sfumato.cli.attack.membership import membership
from sfumato.cli.attack.reconstruct import reconstruct
from sfumato.cli.attack.scoreboard import scoreboard
from sfumato.cli.examples import examples

attack = typer.Typer(
    name="attack",
    short_help="Attack what is published: linkage, differencing, membership, …",
    help="""Attack what is published, as anybody could, and see what it gives away.

    What comes out is exact, not private: it is for the owner of the data.""",
    epilog=examples("sfumato attack link hospital-a.csv --person age=56 --sensitive diagnosis"),
    no_args_is_help=True,
    rich_markup_mode=None,
)
attack.command(
    short_help="Linkage attack: whom does background knowledge re-identify?",
    epilog=examples("sfumato attack link hospital-a.csv --person age=56 --sensitive diagnosis"),
)(link)
attack.command(
    short_help="Intersection attack: what do several releases give away?",
    epilog=examples(
        "sfumato attack intersect hospital-a-generalised.csv hospital-b-generalised.csv "
        "--on age,sex,zip --sensitive diagnosis"
    ),
)(intersect)
attack.command(
    short_help="Linkage attack on sparse records, by a few facts.",
    epilog=examples(
        "sfumato attack scoreboard ratings.csv --known known-ratings.csv --person user "
        "--item film --rating stars --day date"
    ),
)(scoreboard)
attack.command(
    short_help="Homogeneity attack: which equivalence classes share a value?",
    epilog=examples(
        "sfumato attack homogeneity hospital-a-generalised.csv --quasi age,sex "
        "--sensitive diagnosis"
    ),
)(homogeneity)
attack.command(
    short_help="Reconstruction attack: a column from many answers.",
    epilog=examples("sfumato attack reconstruct patients.csv --column smoker=yes --epsilon 1"),
)(reconstruct)
attack.command(
    short_help="Differencing attack: small groups from exact totals.",
    epilog=examples(
        "sfumato attack difference staff.csv --publish department "
        "--publish department,sex --value salary --hide-below 5"
    ),
)(difference)
attack.command(
    short_help="Membership-inference attack on a model.",
    epilog=examples(
        "sfumato attack membership models:noisy_counts --data models:PEOPLE --epsilon 1"
    ),
)(membership)
