"""A crash at the end of a program, avoided.

When Python ends it frees modules in an order in which msgspec may free what a type refers to before the type
(msgspec/msgspec issue 717): a finished command then dies of a segmentation fault instead of giving its exit code. A
reference too many on each of these types keeps them, and what they refer to, until the process is gone.
"""

from __future__ import annotations

import atexit
import ctypes

import msgspec


def spare_structs() -> None:
    """Let no struct type of this process be freed any more."""
    if not hasattr(ctypes, "pythonapi"):
        return  # another Python than CPython
    left: list[type] = [msgspec.Struct]
    while left:
        kind = left.pop()
        left += type.__subclasses__(kind)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kind))


atexit.register(spare_structs)
