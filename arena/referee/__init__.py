"""Plays games: one table is one game, a loop drives a worker's tables over ZeroMQ."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent until somebody asks for the log
