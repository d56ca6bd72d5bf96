"""How much noise a guarantee needs."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.calibration.kinds import short_above, short_below
    from sfumato.privacy.calibration.result import Calibration
    from sfumato.privacy.calibration.search import calibrate

__all__ = ["Calibration", "calibrate"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "kinds": "short_above short_below",
            "result": "Calibration",
            "search": "calibrate",
        },
    )
