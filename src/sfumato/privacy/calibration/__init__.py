"""How much noise a guarantee needs."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.privacy.calibration.calibrating import calibrate
    from sfumato.privacy.calibration.result import Calibration

__all__ = ["Calibration", "calibrate"]

__getattr__, __dir__ = door(
    __name__,
    {
        "calibrating": "calibrate",
        "result": "Calibration",
    },
)
