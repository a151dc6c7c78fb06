"""The operator's rules, and the accounts on which they may book lines."""

from __future__ import annotations

from typing import Any

import pytest

from jara.domain.bank.rules import Direction, Rule, check_length, read_rule
from jara.domain.bank.statement import StatementLine
from jara.domain.books.account import Fund
from jara.domain.errors import Conflict, InvalidInput, UnknownAccount
from tests.domain.bank.bank_lines import NUMBER, a_line


def a_rule(**changes: Any) -> Rule:
    """Return a rule for account fees."""
    facts: dict[str, Any] = {
        "id": "rule_1",
        "direction": Direction.OUT,
        "account": "expenses:fees:bank",
        "contains": "account fee",
    }
    return Rule(**(facts | changes))


@pytest.mark.parametrize(
    ("rule", "line", "expected"),
    [
        (a_rule(), a_line(-250, "Monthly ACCOUNT-FEE May"), True),
        (a_rule(), a_line(250, "ACCOUNT FEE"), False),
        (a_rule(), a_line(-250, "", party="ACCOUNT FEE"), False),
        (a_rule(direction=Direction.IN), a_line(250, "account fee back"), True),
        (a_rule(min_cents=251), a_line(-250, "account fee"), False),
        (a_rule(max_cents=250), a_line(-250, "account fee"), True),
        (a_rule(max_cents=249), a_line(-250, "account fee"), False),
        (a_rule(party_account=NUMBER), a_line(-250, "account fee"), False),
        (
            a_rule(contains="", party_account=NUMBER),
            a_line(-250, party_account="37040044/532013000"),
            True,
        ),
        (
            a_rule(contains="", party_account=NUMBER),
            a_line(-250, party_account="DE89 3704 0044 0532 0130 00"),
            True,
        ),
    ],
)
def test_every_condition_holds(rule: Rule, line: StatementLine, *, expected: bool) -> None:
    """A rule can test text, direction, amount and the other account, but not a name."""
    assert expected is rule.fits(line)
    assert read_rule(rule.id, rule.document()) == rule


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"contains": ""}, InvalidInput),
        ({"min_cents": 10, "max_cents": 9}, InvalidInput),
        ({"account": "income:pledges"}, Conflict),
        ({"account": "income:gifts", "fund": Fund.OTHER}, Conflict),
        ({"account": "expenses:projects:wells"}, Conflict),
        ({"account": "equity:transfers"}, Conflict),
        ({"fund": Fund.COMMITTED}, Conflict),
        ({"account": "bank"}, UnknownAccount),
    ],
)
def test_a_rule_that_would_go_wrong_is_refused(
    changes: dict[str, Any], error: type[Exception]
) -> None:
    """A rule is refused if it fits too much or nothing, or books votes' or members' money."""
    with pytest.raises(error):
        a_rule(**changes)


def test_a_new_rule_has_a_specific_text() -> None:
    """A text of three letters is refused for a new rule; a stored rule can still be read."""
    with pytest.raises(InvalidInput, match="too short"):
        check_length(a_rule(contains="a-b"))


def test_a_rule_with_a_fund_is_kept_with_it() -> None:
    """A rule keeps its fund when written as a document and read back."""
    rule = a_rule(account="expenses:operations", fund=Fund.STAFF, max_cents=5)

    assert read_rule("rule_1", rule.document()) == rule
