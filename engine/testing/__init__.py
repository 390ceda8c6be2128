"""Checks of rules, for the tests of our own and of plug-ins alike.

    from engine.testing import check, check_leaks

    check(RULES)  # do the rules keep the contract?
    check_leaks(RULES)  # can a seat tell two worlds apart that it should not?

The moves of the games played are drawn from a fixed seed, so a failure can be repeated. The author's own tests must
check what cannot be found by playing: that the rules are right, and that what they reveal may be known.
"""

from engine.testing.contract import CHECKS, LONGEST, Case, RulesCheckError, cases, check, check_rules, is_plain
from engine.testing.leaks import GAMES, LeakReport, check_leaks, find_leaks

__all__ = ["CHECKS", "GAMES", "LONGEST", "Case", "LeakReport", "RulesCheckError"]
__all__ += ["cases", "check", "check_leaks", "check_rules", "find_leaks", "is_plain"]
