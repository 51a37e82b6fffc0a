# SPDX-License-Identifier: Apache-2.0
"""Arrays between numpy and the library, without copies where the layout allows.

An array is passed to the library directly if it has the required type and native byte order and
is contiguous; otherwise it is converted to a copy, after a check that no value changes.
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
    """The address of an array's data."""
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
    """The values as contiguous integers of a given width: the array itself, or a checked copy."""
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
    """The values as contiguous doubles of any shape: the array itself, or a copy."""
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.dtype.kind not in "fiub" and array.size:
        raise TypeError(f"{what} has dtype {array.dtype}, which is not one of real numbers")
    if count is not None and array.size != count:
        raise InvalidArgument(f"{what} has {array.size} entries, not {count}")
    if array.dtype == _FLOAT64 and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.ascontiguousarray(array, dtype=np.float64)


class _Memory:
    """Memory of the library with numpy's array interface; keeps its owner alive."""

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
    """A read-only array in memory of the library; it keeps ``owner`` alive."""
    sizes = shape if isinstance(shape, tuple) else (int(shape),)
    if not place or 0 in sizes:
        empty: npt.NDArray[Any] = np.zeros(sizes, dtype)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(place, sizes, np.dtype(dtype).str, owner))


R = TypeVar("R", bound="Record")


@dataclasses.dataclass(frozen=True)
class Record:
    """Named values, as attributes or as a dictionary."""

    def as_dict(self) -> Dict[str, Any]:
        """All values by name, as plain Python objects."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls: Type[R], struct: Any, **more: Any) -> R:
        """Copies every field of the same name from a struct, converted to the annotated type."""
        made = object.__new__(cls)
        values = made.__dict__  # faster than __init__ of a frozen class, which sets them one by one
        values.update(more)
        for name, rule in _fields(cls).items():
            if name not in more:
                values[name] = _figure(struct, name, rule)
        return made


class Unread:
    """A record that is read from a struct of the library on first use."""

    __slots__ = ("_kind", "_struct")

    def __init__(self, kind: Type[Record], struct: Any) -> None:
        self._kind, self._struct = kind, struct

    def __call__(self) -> Any:
        """The whole record."""
        return self._kind.of(self._struct)

    def figure(self, name: str) -> Any:
        """One value; KeyError: there is none of that name."""
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
    """By name of a field: does -1 mean None, and is it a boolean?"""
    found = _known_fields.get(kind)
    if found is None:
        found = _known_fields[kind] = {
            field.name: (str(field.type).startswith("Optional"), "bool" in str(field.type))
            for field in dataclasses.fields(kind)
        }
    return found


def strings(names: List[str]) -> Any:
    """An array of C strings; it keeps the strings alive."""
    import ctypes

    encoded = [name.encode() for name in names]
    for name in encoded:
        if b"\0" in name:
            raise InvalidArgument("a name has a NUL byte in it")
    return (ctypes.c_char_p * len(encoded))(*encoded)
