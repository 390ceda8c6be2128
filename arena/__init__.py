"""A tournament and bot arena for board games with hidden hands."""

# Written here and read by the build: to ask the installed package would make every bot slower to start.
__version__ = "1.0.0"
