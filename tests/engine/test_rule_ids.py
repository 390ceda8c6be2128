"""The ids of each game's rules page, its tests and its code agree."""

from __future__ import annotations

import pytest

from tests.engine.rules_pages import RulesPage
from tests.engine.suite import Suite, suites

SUITES = pytest.mark.parametrize("suite", suites(), ids=lambda suite: suite.name)


@pytest.mark.slow
@SUITES
def test_every_rule_has_a_test(suite: Suite) -> None:
    RulesPage(suite.name).check_that_every_rule_has_a_test()


@SUITES
def test_no_test_names_a_rule_that_is_not_there(suite: Suite) -> None:
    RulesPage(suite.name).check_that_no_test_names_another()


@SUITES
def test_the_page_has_every_rule_once_and_in_order(suite: Suite) -> None:
    RulesPage(suite.name).check_the_page(suite.rule_count)


@SUITES
def test_the_code_refers_to_rules_of_the_page(suite: Suite) -> None:
    RulesPage(suite.name).check_the_code()
