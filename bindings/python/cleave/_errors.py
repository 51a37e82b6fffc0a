# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class per status of the library, with the library's message."""
from __future__ import annotations

import re
from typing import Any, ClassVar, Dict, Optional, Type


class Error(Exception):
    """Base class of all errors of the library; the text is its message, one sentence.

    >>> import cleave
    >>> try:
    ...     cleave.Target("mesh:4x")
    ... except cleave.Error as error:
    ...     print(type(error).__name__, error.status, error.name)
    InvalidArgument -1 CLEAVE_EINVAL
    """

    status: ClassVar[int] = 0
    name: ClassVar[str] = "CLEAVE_OK"
    #: The best result found, if there is one (``BalanceError`` and ``Cancelled``).
    result: Any = None

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class InvalidArgument(Error, ValueError):
    """An argument or an option is out of range."""

    status = -1
    name = "CLEAVE_EINVAL"


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    status = -2
    name = "CLEAVE_ENOMEM"


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    status = -3
    name = "CLEAVE_EIO"

    def __str__(self) -> str:
        return str(self.args[0])


class ParseError(Error, ValueError):
    """A file violates its format; the text starts with path:line:."""

    status = -4
    name = "CLEAVE_EPARSE"

    @property
    def line(self) -> Optional[int]:
        """The line of the file, or None if the message has none."""
        found = re.match(r".*?:(\d+): ", str(self))
        return int(found.group(1)) if found else None


class RangeError(Error, OverflowError):
    """A size or a sum of weights does not fit."""

    status = -5
    name = "CLEAVE_ERANGE"


class CycleError(Error, ValueError):
    """A DAG is required, but the graph has a cycle, which the text reports."""

    status = -6
    name = "CLEAVE_ECYCLE"


class Cancelled(Error):
    """The progress callback returned False; ``result`` is the best found, or None."""

    status = -7
    name = "CLEAVE_ECANCEL"


class BalanceError(Error):
    """No mapping within the bounds exists or was found; ``result`` is the best found."""

    status = -8
    name = "CLEAVE_EBALANCE"


BY_STATUS: Dict[int, Type[Error]] = {
    kind.status: kind
    for kind in (
        InvalidArgument,
        OutOfMemory,
        FileError,
        ParseError,
        RangeError,
        CycleError,
        Cancelled,
        BalanceError,
    )
}
