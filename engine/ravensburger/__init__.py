"""`ravensburger`: Wolfgang Kramer's race around the world with a compass rose (1986), in two editions.

Rule ids such as R-41 refer to `rules.md` beside this file.
"""

from engine.ravensburger.rules import Ravensburger

RULES = Ravensburger()
