"""What a survey's file would say, and how the shell says it by options."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["in_survey_words"]

_ALWAYS = (
    (r"give memory='answers\.db', say", "write --memory answers.db, say"),
    (r"leave memory out$", "leave --memory out"),
    (r"give the person's$", "write --person 0042, say"),
    (r"leave the person's out$", "leave --person out"),
    (r"write 5 or \(2, 8\), say", "write 5 or 2:8, say"),
    (
        r"('[^']*\.json') is not a file of records; .*",
        r"\1 is no name of a file of reports; where it has one on each line, rename it .jsonl",
    ),
    (r"make a survey with ids=False$", "make a survey without ids"),
    (r'pairs=\[\("(\w+)", "(\w+)"\)\]', r"--pairs \1,\2"),
)
_DESCRIBED = (
    (r'choices = \["yes", "no"\]', "--choices yes,no"),
    (r"lower = 0 and upper = 100", "--bounds 0:100"),
    (r"\b(epsilon|lifetime) = (\d+)", r"--\1 \2"),
    (r"\bname='class'", "--name class"),
    (r"^(?:question '\w+': )?(epsilon|truth|lifetime|lower)(?= must be)", r"--\1"),
    (r"^--lower must be below upper", "the first of --bounds must be below the second"),
    (
        r"^(?:--|question '\w+': )(?:lower|upper) must be a number;.*",
        "bounds are two numbers; write --bounds 0:100, say",
    ),
    (r"^(?:question '\w+': )?truth(?= belongs)", "--truth"),
    (
        r"there is no setting '(truth|protocol|lifetime)' in question ('\w+').*",
        r"--\1 is not for \2, which is answered by a number; write --epsilon 1, say, in its place",
    ),
    (r"\beither epsilon or truth\b", "either --epsilon or --truth"),
)


@contextmanager
def in_survey_words(*, described: bool) -> Iterator[None]:
    """Say what the block refuses in the words of the shell.

    Parameters
    ----------
    described
        Whether options describe the survey, and no file does.
    """
    try:
        yield
    except SfumatoError as error:
        sentence = str(error)
        for pattern, said in (*_ALWAYS, *(_DESCRIBED if described else ())):
            sentence = re.sub(pattern, said, sentence)
        error.args = (sentence,)
        raise
