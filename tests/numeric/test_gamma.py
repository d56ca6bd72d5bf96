"""What the gamma function's logarithm and slope are made of, as ball arithmetic says."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from sfumato.numeric import working_precision
from sfumato.numeric.beta import reciprocal_sum, stirling_error

NUMBERS = np.concatenate([np.geomspace(1, 1e15, 300), np.arange(1.0, 40.0)])
COUNTS = (0, 1, 2, 15, 16, 17, 30, 1000, 10**6, 10**12)


def test_what_stirlings_formula_misses_is_right_to_its_last_digits() -> None:
    with working_precision(192):
        expected = np.array([float(_missed(arb(each))) for each in NUMBERS])
    assert stirling_error(NUMBERS) == pytest.approx(expected, rel=1e-14, abs=4e-15)


def _missed(z: arb) -> arb:
    return z.lgamma() - (z - arb(0.5)) * z.log() + z - (2 * arb.pi()).log() / 2


@pytest.mark.parametrize("start", [1e-12, 1e-3, 0.3, 1.0, 7.7, 1e4, 1e9, 1e15])
def test_sums_of_reciprocals_are_right_to_their_last_digits(start: float) -> None:
    with working_precision(256):
        low = arb(start).digamma()
        expected = [float((arb(start) + count).digamma() - low) for count in COUNTS]
    assert reciprocal_sum(start, COUNTS) == pytest.approx(expected, rel=1e-14, abs=0)


def test_a_number_alone_has_a_number() -> None:
    assert stirling_error(1.0).shape == reciprocal_sum(1.0, 3).shape == ()
    assert float(reciprocal_sum(1.0, 3)) == pytest.approx(11 / 6)
    assert stirling_error([]).shape == reciprocal_sum(1.0, np.array([], dtype=int)).shape == (0,)
