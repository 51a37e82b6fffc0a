# SPDX-License-Identifier: Apache-2.0
"""Progress callbacks, exceptions raised in them, and Ctrl-C during a call.

The library calls back on the thread that called it, a few times a second.  All calls share one
C function; the payload identifies the call.  An exception cannot pass through C: it is stored,
the call is cancelled, and the exception is raised again after the call.

On the main thread there is always a callback, because Python handles signals only while
Python code runs.  A handler that raises (KeyboardInterrupt, or a timeout by SIGALRM) does so
at the very start of the callback, before any ``try`` in it, and ctypes would only print the
exception: during the call, a hook for such exceptions stores those from the callback.
"""
from __future__ import annotations

import ctypes
import itertools
import sys
import threading
from typing import Any, Callable, Dict, NamedTuple, Optional, Union

from . import _structs as structs
from ._errors import BY_STATUS
from ._library import failure, lib


class Progress(NamedTuple):
    """The argument of a progress callback."""

    #: "reading", "coarsening", ...
    phase: str
    #: units of work that are done
    done: int
    #: units in total; 0: unknown
    total: int
    #: level of the multilevel hierarchy, 0 is the finest; None: no hierarchy
    level: Optional[int]
    #: cut of the best mapping so far; None: unknown
    cut: Optional[int]


#: Returns False to cancel the call; any other value, also None, continues it.
ProgressCallback = Callable[[Progress], Optional[bool]]


class _Call:
    """A call in progress."""

    __slots__ = ("user", "error", "stopped")

    def __init__(self, user: Optional[ProgressCallback]) -> None:
        self.user = user
        self.error: Optional[BaseException] = None
        self.stopped = False


_calls: Dict[int, _Call] = {}
_keys = itertools.count(1)


def _report(payload: int, now: Any) -> int:
    call = _calls[payload]
    try:
        if call.error is not None:
            return 1
        if call.user is not None:
            said = now.contents
            answer = call.user(
                Progress(
                    said.phase.decode() if said.phase else "",
                    said.done,
                    said.total,
                    None if said.level < 0 else said.level,
                    None if said.cut < 0 else said.cut,
                )
            )
            call.stopped = answer is False
        return 1 if call.stopped else 0
    except BaseException as error:  # everything, also Ctrl-C, is raised after the call
        call.error = error
        return 1


_callback = structs.ProgressFunction(_report)


class _Hook:
    """Stores exceptions that a signal handler raised before _report could catch them."""

    def __init__(self, call: _Call) -> None:
        self.call = call
        self.before: Any = sys.unraisablehook
        sys.unraisablehook = self

    def __call__(self, report: Any) -> None:
        trace = report.exc_traceback
        if trace is not None and trace.tb_frame.f_code is _report.__code__:
            self.call.error = report.exc_value
        else:
            self.before(report)

    def remove(self) -> None:
        current: Any = sys.unraisablehook
        if current is self:
            sys.unraisablehook = self.before


def run(
    name: str,
    *arguments: Any,
    options: Any,
    progress: Optional[ProgressCallback],
    result: Union[Callable[[], Any], None] = None,
) -> None:
    """Calls a function whose ``options`` have a progress callback.

    ``result`` creates the best result found, if there is one, for BalanceError and Cancelled.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a {type(progress).__name__}, which cannot be called")
    main = threading.get_ident() == threading.main_thread().ident
    err = structs.ErrorStruct()
    if progress is None and not main:
        status = getattr(lib, name)(*arguments, ctypes.byref(err))
        call = None
    else:
        call = _Call(progress)
        key = next(_keys)
        _calls[key] = call
        options.progress = _callback
        options.payload = key
        hook = _Hook(call) if main else None
        try:
            status = getattr(lib, name)(*arguments, ctypes.byref(err))
        finally:
            if hook is not None:
                hook.remove()
            del _calls[key]
        if call.error is not None:
            error, call.error = call.error, None
            if result is not None:
                result()  # frees the object that was returned
            raise error
    if status != 0:
        best = result() if result is not None and status in (-7, -8) else None
        if status == -7 and call is not None and call.stopped:
            raise BY_STATUS[-7](err.message.decode("utf-8", "replace"), best)
        raise failure(status, err, best)
