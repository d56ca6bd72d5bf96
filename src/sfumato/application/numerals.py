"""What the shell takes for a number: what every other reader of sfumato takes for one."""

from sfumato.numeric import any_float
from sfumato.numeric.numerals import rational, whole

__all__ = ["any_float", "rational", "whole"]
