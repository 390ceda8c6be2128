"""Run the supervisor as a script, without the packages that are installed but with this one."""

import os
import sys

if __name__ == "__main__":
    package = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib is slow to import
    sys.path.append(os.path.dirname(os.path.dirname(package)))  # noqa: PTH120 - behind the standard library

    from arena.supervisor.supervise import main

    sys.exit(main())
