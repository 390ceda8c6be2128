"""Adapters that let other toolkits play the games of the catalog.

- `engine.adapters.open_spiel` registers every game with OpenSpiel, with chance as explicit nodes.
- `engine.adapters.pettingzoo` provides every game as a PettingZoo AEC environment.

They use only the interface in `engine.rules` and know nothing about any particular game. No rules import them, so
the engine needs none of these toolkits; `pip install 'bot-arena[adapters]'` installs them.
"""
