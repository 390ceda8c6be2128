"""A tournament and bot arena for board games with hidden hands."""

from importlib.metadata import version

__version__ = version("arena")
