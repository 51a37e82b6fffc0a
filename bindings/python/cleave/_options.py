# SPDX-License-Identifier: Apache-2.0
"""Checks of option values; ctypes alone would silently truncate numbers."""
from __future__ import annotations

import operator
import warnings
from typing import Any, Iterable, Optional

from ._errors import InvalidArgument

INT32_MAX = 2**31 - 1

EFFORTS = {"fast": 0, "default": 1, "quality": 2, "best": 3}
OBJECTIVES = {"cut": 0, "volume": 1, "cost": 2, "congestion": 3}


def whole(value: Any, what: str, low: int = 0, high: int = INT32_MAX) -> int:
    """Checks a whole number."""
    if isinstance(value, bool):
        raise TypeError(f"{what} is {value}, not a whole number")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is {value!r}, not a whole number") from None
    if not low <= number <= high:
        raise InvalidArgument(f"{what} is {number}, outside {low}..{high}")
    return number


def choice(value: Any, known: Iterable[str], what: str) -> str:
    """Checks that a value is one of several words."""
    if isinstance(value, str) and value in known:
        return value
    raise InvalidArgument(f"{what} is {value!r}, not one of {', '.join(known)}")


def imbalance(value: Any) -> float:
    """Checks an imbalance; warns about a factor as in METIS (1.03) and a percentage (3)."""
    bound = float(value)
    if 1 <= bound <= 100:
        meant = bound - 1 if 1 < bound < 2 else bound / 100
        warnings.warn(
            f"imbalance {bound:g} allows parts of {1 + bound:g} times the average; "
            f"did you mean {meant:g}?",
            stacklevel=4,
        )
    return bound


def seconds(value: Optional[float]) -> float:
    """Checks a time limit; None: no limit."""
    return 0.0 if value is None else float(value)
