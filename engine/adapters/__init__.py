"""The games of the catalog in the clothes of other people's toolkits.

- `engine.adapters.open_spiel`: every game registered with OpenSpiel, chance as explicit nodes;
- `engine.adapters.pettingzoo`: every game as a PettingZoo AEC environment.

They know nothing of any one game: all they use is the contract in `engine.game`. The rules never import them, so that
the engine needs none of these toolkits; `pip install 'bot-arena[adapters]'` brings them.
"""
