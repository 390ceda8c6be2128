"""A bot that tries the attacks that ATTACKS names, one at each of its decisions, and says in a note how each ended.

That is `done`, or the name of the error. It does so where it has one of the SEATS, so that it plays other games of the
same rivals honestly. In every game it takes the first action.
"""

import errno
import os

import attacks
from raw_client import play


def outcome(name):
    try:
        said = getattr(attacks, name)()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except Exception as error:
        return type(error).__name__
    return "done" if said is None else f"done {said}"


def main():
    left = []

    def start(message):
        attacks.starts.append(message)
        left[:] = os.environ["ATTACKS"].split() if str(message["seat"]) in os.environ["SEATS"] else []

    def answer(message):
        if not left or message["turn"] < 3:
            return None
        name = left.pop(0)
        return {"note": f"{name} {outcome(name)}"}

    play(answer, "hostile", start)
    os._exit(0)


main()
