"""The ids of the rules page, its tests and its code agree."""

from __future__ import annotations

from tests.engine.rules_pages import RulesPage

PAGE = RulesPage("engine.ravensburger", "R", __file__)


def test_every_rule_has_a_test() -> None:
    PAGE.check_that_every_rule_has_a_test()


def test_no_test_names_a_rule_that_is_not_there() -> None:
    PAGE.check_that_no_test_names_another()


def test_the_page_has_every_rule_once_and_in_order() -> None:
    PAGE.check_the_page(rules=53)


def test_the_code_refers_to_rules_of_the_page() -> None:
    PAGE.check_the_code()
