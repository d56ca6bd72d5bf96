"""How much noise a promise needs."""

from sfumato.privacy.calibration.calibrate import calibrate
from sfumato.privacy.calibration.result import Calibration

__all__ = ["Calibration", "calibrate"]
