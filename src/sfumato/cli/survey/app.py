"""The verbs about surveys, together."""

from __future__ import annotations

import typer

from sfumato.cli.examples import examples
from sfumato.cli.survey.answer import answer
from sfumato.cli.survey.collect import collect
from sfumato.cli.survey.needed import needed
from sfumato.cli.survey.new import new
from sfumato.cli.survey.simulate import simulate

survey = typer.Typer(
    name="survey",
    short_help="Survey people under local differential privacy.",
    help="""Survey people under local differential privacy, and estimate from their reports.

    Nobody is trusted with an answer: each person randomises their own before it is sent.""",
    epilog=examples("sfumato survey new exam.toml --question cheated --choices yes,no --truth 2/3"),
    no_args_is_help=True,
    rich_markup_mode=None,
)
survey.command(
    short_help="Write the file that describes a survey.",
    epilog=examples("sfumato survey new exam.toml --question cheated --choices yes,no --truth 2/3"),
)(new)
survey.command(
    short_help="Randomise one person's answers.",
    epilog=examples("sfumato survey answer class.toml yes"),
)(answer)
survey.command(
    short_help="How many people have to be asked?",
    epilog=examples("sfumato survey needed class.toml --within 0.05"),
)(needed)
survey.command(
    short_help="Simulate a survey on people who are made up.",
    epilog=examples(
        "sfumato survey simulate class.toml --people 40 --share yes=0.3 --out reports.csv"
    ),
)(simulate)
survey.command(
    short_help="Estimate shares and means from reports.",
    epilog=examples("sfumato survey collect class.toml class-reports.csv"),
)(collect)
