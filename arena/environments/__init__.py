"""The games of the catalog as environments of other toolkits, for programs that learn or search.

- `arena.environments.pettingzoo` provides every game as a PettingZoo AEC environment.
- `arena.environments.open_spiel` registers every game with OpenSpiel, with chance as explicit nodes.

All show a game as a form does (`arena.features.Form`), and know nothing about any particular game. Nothing else needs
these toolkits; `pip install 'bot-arena[adapters]'` installs them.
"""
