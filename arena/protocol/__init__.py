"""Messages and bytes, and their limits; knows no game."""

from arena.protocol import exit as _exit  # noqa: F401 - to be imported is what it is for
