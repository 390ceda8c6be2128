"""The small process between a worker and a bot: it starts the bot under its limits, watches it, and ends it.

`arena.supervisor.supervise` says how. It runs as a script and uses nothing but the standard library and this package,
so that it starts quickly.
"""

import os

SCRIPT = os.path.join(os.path.dirname(__file__), "main.py")  # noqa: PTH118, PTH120 - pathlib is slow to import
"""The file that a worker runs."""
