"""Texts that look like a number or a date."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 60
_MONTH = (
    "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
    "|oct(ober)?|nov(ember)?|dec(ember)?)"
)
_DAY = "[0-9]{1,2}(st|nd|rd|th)?"
_BETWEEN = "[-/., ]{0,2}"
_YEAR = "([0-9]{4}|'?[0-9]{2})"
_DATES = (
    r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}",
    "[0-9]{4}[-/][0-9]{1,2}",
    "[0-9]{1,2}[-/][0-9]{4}",
    f"{_DAY}{_BETWEEN}{_MONTH}({_BETWEEN}{_YEAR})?",
    f"{_MONTH}{_BETWEEN}({_DAY}{_BETWEEN})?{_YEAR}",
    f"[0-9]{{4}}{_BETWEEN}{_MONTH}({_BETWEEN}{_DAY})?",
    "[0-9]{4}年[0-9]{1,2}月([0-9]{1,2}日)?",
)
_TIME = "( ?t ?|,? )[0-9]{1,2}:[0-9]{2}.*"
_NUMBER = r"[$€£¥]? ?[+-]? ?[$€£¥]?[0-9.,' ]*[0-9][.,]?(e[+-]?[0-9]+)? ?[%‰$€£¥]?"
#: What a text is that looks like a value of another type: the first that fits.
_LOOKS = {
    "date": [re.compile(each) for each in _DATES],
    "timestamp": [re.compile(each + _TIME) for each in _DATES],
    "number": [re.compile(_NUMBER)],
}


def meant_by(text: str) -> str | None:
    """Return the type of which a text looks like a value: a number, a date or a timestamp."""
    if len(text) > _LONGEST:
        return None
    written = _plain(text)
    fitting = (kind for kind, forms in _LOOKS.items() if any(f.fullmatch(written) for f in forms))
    return next(fitting, None)


def _plain(text: str) -> str:
    """Return a text in small letters, with the digits 0 to 9 for those of any script."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\N{MINUS SIGN}", "-")
    digits = (str(unicodedata.decimal(each, each)) for each in folded)
    return "".join(digits).strip()
