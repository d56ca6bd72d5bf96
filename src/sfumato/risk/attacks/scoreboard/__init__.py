"""Who, of all people in a sparse table, do a few noisy facts fit: the Scoreboard algorithm."""

from sfumato.risk.attacks.scoreboard.attack import scoreboard
from sfumato.risk.attacks.scoreboard.records import sparse_ratings
from sfumato.risk.attacks.scoreboard.report import Candidate, Match, ScoreboardReport

__all__ = ["Candidate", "Match", "ScoreboardReport", "scoreboard", "sparse_ratings"]
