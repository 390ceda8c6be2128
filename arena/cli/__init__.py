"""The command line: one file a command, each parses, calls one function below and prints."""

from arena.cli.app import main

__all__ = ["main"]
