"""`kosmos`: Michael Rieneck's race around the world in 80 days (2004), in four editions.

Rule ids such as K-41 refer to `rules.md` beside this file.
"""

from engine.kosmos.rules import Kosmos

RULES = Kosmos()
