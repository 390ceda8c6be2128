"""Play matches with bot processes: sockets, sessions, clocks and cores. One loop drives all matches of a worker."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent until somebody asks for the log
