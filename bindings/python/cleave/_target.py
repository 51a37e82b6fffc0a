# SPDX-License-Identifier: Apache-2.0
"""Machines: processing elements (PEs) with speeds and distances."""
from __future__ import annotations

import ctypes
from os import PathLike
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._arrays import address, floats
from ._errors import InvalidArgument
from ._library import Handle, call, encode, lib, make, path_bytes, text


class Target:
    """A machine: PEs with speeds, and the distances between them.

    ``spec`` is a description as for ``-t`` on the command line (``"8"``, ``"3,2,2,1"``,
    ``"mesh:4x2"``, ...; :func:`targets` lists all forms; ``"TARGET[0,4-6]"`` is some PEs of any
    of them), a number of
    equal PEs, or a sequence of relative speeds.

    >>> import cleave
    >>> cleave.Target("tree:4:2@1:10")
    <cleave.Target tree of 4 x 2 PEs at distance 1, 10>
    >>> cleave.Target([2, 1]).speeds
    array([2., 1.])
    >>> cleave.Target("mesh:4x2").distance(0, 7)
    4
    """

    __slots__ = ("_handle", "spec")

    _handle: Handle

    def __init__(self, spec: "TargetLike") -> None:
        #: The description of the target, or None.
        self.spec: Optional[str] = None
        if isinstance(spec, Target):
            self._handle, self.spec = spec._handle, spec.spec
        elif isinstance(spec, str):
            self.spec = spec
            self._handle = make(
                "cleave_target_parse", "cleave_target_free", encode(spec, "the target")
            )
        elif isinstance(spec, (int, np.integer)) and not isinstance(spec, bool):
            if not 1 <= spec < 2**31:
                raise InvalidArgument(f"a machine of {spec} PEs; there is at least 1 PE")
            self._handle = make("cleave_target_create", "cleave_target_free", int(spec), None)
        elif isinstance(spec, (bool, float, np.floating)) or not hasattr(spec, "__len__"):
            raise TypeError(
                f"a target is a text, a number of PEs or their speeds, not {spec!r}"
            )
        else:
            speeds = floats(spec, "the speeds")
            if speeds.ndim != 1:
                raise InvalidArgument(f"the speeds have {speeds.ndim} dimensions, not 1")
            self._handle = make(
                "cleave_target_create", "cleave_target_free", len(speeds), address(speeds)
            )

    def __repr__(self) -> str:
        return f"<cleave.Target {self.description}>"

    def __len__(self) -> int:
        return self.pes

    def __reduce__(self) -> Any:
        """Supports pickling of targets from text, numbers and speeds; text is parsed again."""
        return Target, (self.spec if self.spec is not None else self.speeds.tolist(),)

    @property
    def pes(self) -> int:
        """The number of PEs."""
        return int(lib.cleave_target_pes(self._handle))

    @property
    def description(self) -> str:
        """A one-line description."""
        room = ctypes.create_string_buffer(512)
        lib.cleave_target_describe(self._handle, room, len(room))
        return room.value.decode("utf-8", "replace")

    @property
    def shape(self) -> str:
        """The shape in one word: "equal", "mesh", "tree", ..."""
        return text(lib.cleave_target_shape(self._handle)) or ""

    @property
    def speeds(self) -> npt.NDArray[np.float64]:
        """The speed of each PE; 1 if all are equal."""
        at, handle = lib.cleave_target_speed, self._handle
        return np.array([at(handle, p) for p in range(self.pes)], np.float64)

    @property
    def names(self) -> Optional[List[str]]:
        """The names of the PEs in their source; None: they have only numbers."""
        at, handle = lib.cleave_target_name, self._handle
        names = [text(at(handle, p)) for p in range(self.pes)]
        known = [str(p) if name is None else name for p, name in enumerate(names)]
        return known if any(name is not None for name in names) else None

    @property
    def levels(self) -> int:
        """The number of levels of groups in a hierarchy; 0: not a hierarchy."""
        return int(lib.cleave_target_levels(self._handle))

    @property
    def links(self) -> int:
        """The number of links with known routes; 0: routes are unknown."""
        return int(lib.cleave_target_links(self._handle))

    def distance(self, p: int, q: int) -> int:
        """The distance of two PEs."""
        if not (0 <= p < self.pes and 0 <= q < self.pes):
            raise IndexError(f"there are no PEs {p} and {q}; there are {self.pes}")
        return int(lib.cleave_target_distance(self._handle, p, q))

    def level(self, p: int, q: int) -> int:
        """The level of the smallest group that contains both PEs, 1 is the lowest; 0: none."""
        self.distance(p, q)
        return int(lib.cleave_target_level(self._handle, p, q))

    def distances(self) -> npt.NDArray[np.int32]:
        """The distances of all pairs of PEs."""
        at, handle, n = lib.cleave_target_distance, self._handle, self.pes
        rows = [[at(handle, p, q) for q in range(n)] for p in range(n)]
        return np.array(rows, np.int32).reshape(n, n)

    def write(self, path: "Path") -> None:
        """Writes a target file of Scotch, for any shape."""
        call("cleave_target_write", self._handle, path_bytes(path))


def targets() -> Dict[str, str]:
    """The text forms of machines: an example such as "mesh:4x2" and one line about it."""
    found: Dict[str, str] = {}
    description = ctypes.c_char_p()
    while True:
        form = lib.cleave_target_form(len(found), ctypes.byref(description))
        if form is None:
            return found
        found[form.decode()] = text(description.value) or ""


Path = Union[str, "PathLike[str]"]
TargetLike = Union[Target, str, int, Sequence[float], npt.NDArray[Any]]


def as_target(spec: TargetLike) -> Target:
    """The target itself, or one made from its description."""
    return spec if isinstance(spec, Target) else Target(spec)
