"""Playing games with bot processes: sockets, sessions, clocks and cores. One loop runs all games of a worker."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent unless logging is configured
