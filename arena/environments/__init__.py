"""The games of the catalog as environments of other toolkits, for programs that learn or search.

- `arena.environments.gymnasium` has one seat of every game, against opponents; its ids are registered here.
- `arena.environments.pettingzoo` provides every game as a PettingZoo AEC environment.
- `arena.environments.open_spiel` registers every game with OpenSpiel, with chance as explicit nodes.

All show a game as a form does (`arena.features.Form`), and know nothing about any particular game. Nothing else needs
these toolkits; `pip install 'bot-arena[learn]'` installs them.
"""

import contextlib
import re

from engine import catalog


def environment_id(name: str) -> str:
    """Register a game at Gymnasium and return its id: `arena/<name>-v0`, or `arena/openspiel.chess-v0` of a library.

    An id can have no colons, brackets or commas: a dot stands for them.
    """
    import gymnasium

    found = "arena/" + re.sub(r"[^\w-]+", ".", name).strip(".") + "-v0"
    if found not in gymnasium.registry:
        at = "arena.environments.gymnasium:"
        gymnasium.register(found, f"{at}SeatEnv", vector_entry_point=f"{at}SelfPlayVectorEnv", kwargs={"game": name})
    return found


with contextlib.suppress(ImportError):  # who wants another toolkit need not have Gymnasium
    for _name in catalog.names():
        environment_id(_name)
