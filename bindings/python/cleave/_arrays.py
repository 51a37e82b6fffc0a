# SPDX-License-Identifier: Apache-2.0
"""Arrays between numpy and the library, without copies where the layout allows.

An array goes to the library as it is when it has the wanted type, lies contiguous in memory
and is in the machine's byte order; otherwise a converted copy does, after a check that no
number changes.
"""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar

import numpy as np
import numpy.typing as npt

from ._errors import InvalidArgument

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
FloatArray = npt.NDArray[Any]

_INT32 = np.dtype(np.int32)
_INT64 = np.dtype(np.int64)
_FLOAT64 = np.dtype(np.float64)


def address(array: Optional[npt.NDArray[Any]]) -> Optional[int]:
    """Where an array's numbers are."""
    if array is None:
        return None
    place: int = array.__array_interface__["data"][0]
    return place


def _integers(array: npt.NDArray[Any], wanted: np.dtype[Any], what: str) -> npt.NDArray[Any]:
    kind = array.dtype.kind
    if kind == "f" or (kind == "O" and array.size):
        try:
            numbers = array.astype(np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{what} has entries that are not numbers") from None
        if not np.isfinite(numbers).all():
            raise InvalidArgument(f"{what} has an entry that is not a finite number")
        if (numbers != np.floor(numbers)).any():
            worst = numbers[numbers != np.floor(numbers)].flat[0]
            raise InvalidArgument(
                f"{what} has the entry {worst:g}; only whole numbers are possible: scale and "
                "round them"
            )
    elif kind not in "iub" and array.size:
        raise TypeError(f"{what} has dtype {array.dtype}, which is not one of whole numbers")
    if array.size and not (kind in "iub" and np.can_cast(array.dtype, wanted)):
        limits = np.iinfo(wanted)
        low, high = array.min(), array.max()
        if low < limits.min or high > limits.max:
            raise InvalidArgument(
                f"{what} has the entry {low if low < limits.min else high}, which does not fit "
                f"in {limits.bits} bits"
            )
    return np.ascontiguousarray(array, dtype=wanted)


def integers(
    values: Any, wanted: np.dtype[Any], what: str, count: Optional[int] = None, dims: int = 1
) -> npt.NDArray[Any]:
    """The values as contiguous integers of a width: themselves, or a checked copy."""
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.ndim != dims:
        raise InvalidArgument(f"{what} has {array.ndim} dimensions, not {dims}")
    if count is not None and array.shape[0] != count:
        raise InvalidArgument(f"{what} has {array.shape[0]} entries, not {count}")
    if array.dtype == wanted and array.flags.c_contiguous and array.flags.aligned:
        return array
    return _integers(array, wanted, what)


def int32(values: Any, what: str, count: Optional[int] = None, dims: int = 1) -> Int32Array:
    return integers(values, _INT32, what, count, dims)


def int64(values: Any, what: str, count: Optional[int] = None, dims: int = 1) -> Int64Array:
    return integers(values, _INT64, what, count, dims)


def floats(values: Any, what: str, count: Optional[int] = None) -> npt.NDArray[np.float64]:
    """The values as contiguous doubles: themselves, or a copy; of any shape."""
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.dtype.kind not in "fiub" and array.size:
        raise TypeError(f"{what} has dtype {array.dtype}, which is not one of real numbers")
    if count is not None and array.size != count:
        raise InvalidArgument(f"{what} has {array.size} entries, not {count}")
    if array.dtype == _FLOAT64 and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.ascontiguousarray(array, dtype=np.float64)


class _Memory:
    """Memory of the library as numpy understands it; keeps its owner alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, place: int, shape: Tuple[int, ...], code: str, owner: Any) -> None:
        self.__array_interface__: Dict[str, Any] = {
            "data": (place, True),  # read-only
            "shape": shape,
            "typestr": code,
            "version": 3,
        }
        self.owner = owner


def view(place: Optional[int], shape: Any, dtype: Any, owner: Any) -> npt.NDArray[Any]:
    """A read-only array over the library's memory; it keeps ``owner`` alive."""
    sizes = shape if isinstance(shape, tuple) else (int(shape),)
    if not place or 0 in sizes:
        empty: npt.NDArray[Any] = np.zeros(sizes, dtype)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(place, sizes, np.dtype(dtype).str, owner))


R = TypeVar("R", bound="Record")


@dataclasses.dataclass(frozen=True)
class Record:
    """Figures by name: as attributes, or all of them as a dictionary."""

    def as_dict(self) -> Dict[str, Any]:
        """The figures by name, as plain Python values."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls: Type[R], struct: Any, **more: Any) -> R:
        """Takes from a struct every field of the same name, as the hint of the class says."""
        made = object.__new__(cls)
        values = made.__dict__  # at once: __init__ of a frozen class sets them one by one
        values.update(more)
        for name, rule in _fields(cls).items():
            if name not in more:
                values[name] = _figure(struct, name, rule)
        return made


class Unread:
    """A record in a struct that the library has filled, not yet looked at."""

    __slots__ = ("_kind", "_struct")

    def __init__(self, kind: Type[Record], struct: Any) -> None:
        self._kind, self._struct = kind, struct

    def __call__(self) -> Any:
        """The whole record."""
        return self._kind.of(self._struct)

    def figure(self, name: str) -> Any:
        """One figure; KeyError: there is none of that name."""
        return _figure(self._struct, name, _fields(self._kind)[name])


def _figure(struct: Any, name: str, rule: Tuple[bool, bool]) -> Any:
    value = getattr(struct, name)
    optional, flag = rule
    if optional and value == -1:
        return None
    if flag:
        return bool(value)
    return value.decode() if isinstance(value, bytes) else value


_known_fields: Dict[Type[Record], Dict[str, Tuple[bool, bool]]] = {}


def _fields(kind: Type[Record]) -> Dict[str, Tuple[bool, bool]]:
    """Of each figure by name: whether -1 means none, whether it is a yes or no."""
    found = _known_fields.get(kind)
    if found is None:
        found = _known_fields[kind] = {
            field.name: (str(field.type).startswith("Optional"), "bool" in str(field.type))
            for field in dataclasses.fields(kind)
        }
    return found


def strings(names: List[str]) -> Any:
    """An array of C strings and what keeps it alive: the array itself."""
    import ctypes

    encoded = [name.encode() for name in names]
    for name in encoded:
        if b"\0" in name:
            raise InvalidArgument("a name has a NUL byte in it")
    return (ctypes.c_char_p * len(encoded))(*encoded)
