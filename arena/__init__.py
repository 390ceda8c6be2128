"""A tournament and bot arena for board games with hidden hands."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """Return `__version__`, which takes a bot no time to start as it is looked up when somebody asks for it."""
        if name == "__version__":
            from arena.distribution import version

            return version()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
