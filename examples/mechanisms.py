"""Two ways to release a noisy sum: one keeps 1-DP for rows of 0 and 1, the other does not.

Audit them:  sfumato audit examples.mechanisms:half_the_noise --d0 "[0]" --d1 "[1]" --epsilon 1
"""

import numpy as np

import sfumato as sf


def laplace(rows: list[int], size: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Release the sum ``size`` times, each with exact Laplace noise of scale 1."""
    noise = sf.mechanisms.Laplace(scale=1, sensitivity=1)
    return np.asarray(noise.release(np.full(size, float(sum(rows)))).value)


def half_the_noise(rows: list[int], size: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Release it with noise of scale 1/2, which is 2-DP."""
    noise = sf.mechanisms.Laplace(scale=0.5, sensitivity=1)
    return np.asarray(noise.release(np.full(size, float(sum(rows)))).value)
