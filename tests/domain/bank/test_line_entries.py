"""The entry that books a line, and the operator's rules."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.booking import Part, amounts_of, line_entry
from jara.domain.bank.rules import Direction, Rule, check_length, read_rule
from jara.domain.bank.statement import StatementLine
from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.errors import Conflict, InvalidInput, UnknownAccount
from tests.domain.bank.bank_lines import NUMBER, a_line
from tests.rows import as_written

STAFF = Part("expenses:staff")
FEE = Part("expenses:fees:bank")


def booked(cents: int, *parts: Part, **shares: dict[Fund, int]) -> JournalEntry:
    """Return the entry of a line."""
    return line_entry(
        date(2026, 5, 1),
        list(zip(parts, amounts_of(cents, parts), strict=True)),
        ledger="assets:bank",
        policy=DEFAULT_POLICY,
        shares={f"assets:{name}": funds for name, funds in shares.items()},
        external_id="bank:1",
    )


@pytest.mark.parametrize(
    ("cents", "parts", "kind", "written"),
    [
        (-1800, [STAFF], EntryKind.SALARY, "expenses:staff s +1800 · assets:bank s -1800"),
        (
            -250,
            [Part("expenses:operations", Fund.STAFF)],
            EntryKind.EXPENSE,
            "expenses:operations s +250 · assets:bank s -250",
        ),
        (
            -100,
            [Part("expenses:donations:clinic")],
            EntryKind.DISBURSEMENT,
            "expenses:donations:clinic p +100 · assets:bank p -100",
        ),
        (
            -20,
            [FEE],
            EntryKind.FEE,
            "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4",
        ),
        (
            5000,
            [Part("income:grants")],
            EntryKind.GRANT,
            "income:grants p -5000 · assets:bank p +5000",
        ),
        (
            1000,
            [Part("income:gifts")],
            EntryKind.GIFT,
            "income:gifts p -800 s -70 m -90 o -40 · assets:bank p +800 s +70 m +90 o +40",
        ),
        (
            1000,
            [Part("liabilities:suspense")],
            EntryKind.SUSPENSE,
            "liabilities:suspense o -1000 · assets:bank o +1000",
        ),
        (
            -1500,
            [Part("expenses:operations", None, 1480), FEE],
            EntryKind.EXPENSE,
            (
                "expenses:operations o +1480 · assets:bank o -1484 · "
                "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9"
            ),
        ),
        (100, [STAFF], EntryKind.MANUAL, "expenses:staff s -100 · assets:bank s +100"),
    ],
)
def test_a_line_is_booked_on_its_accounts(
    cents: int, parts: list[Part], kind: EntryKind, written: str
) -> None:
    """Each part gets the named fund, the account's fund, or a share for each fund."""
    entry = booked(cents, *parts)

    assert (kind, written) == (entry.kind, as_written(entry))


def test_a_line_with_pay_and_something_else_is_an_expense() -> None:
    """Only a line that is pay alone is called salaries: the public report counts them."""
    mixed = booked(-1800, Part("expenses:staff", None, 1500), Part("expenses:operations"))
    twice = booked(-1800, Part("expenses:staff", None, 1500), STAFF)

    assert (mixed.kind, twice.kind) == (EntryKind.EXPENSE, EntryKind.SALARY)


def test_money_between_own_accounts_keeps_its_funds() -> None:
    """The caller's cash shares decide how the amount is divided over the funds."""
    entry = booked(500, Part("assets:cash"), cash={Fund.PROJECTS: 500, Fund.STAFF: 0})

    assert EntryKind.TRANSFER is entry.kind
    assert as_written(entry) == "assets:cash p -500 · assets:bank p +500"


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.booleans())
def test_parts_come_to_the_line(first: int, second: int, is_in: bool) -> None:
    """The parts add up to the line, with every amount given or with one left out."""
    cents = first + second if is_in else -(first + second)
    named = [Part("expenses:staff", None, first), Part("expenses:marketing", None, second)]
    sign = 1 if is_in else -1

    assert amounts_of(cents, named) == [sign * first, sign * second]
    assert amounts_of(cents, [named[0], FEE]) == [sign * first, sign * second]


@pytest.mark.parametrize(
    "parts",
    [
        [STAFF, FEE],
        [Part("expenses:staff", None, 99)],
        [Part("expenses:staff", None, 100), FEE],
        [Part("expenses:staff", None, 101), FEE],
        [Part("expenses:staff", None, 0), FEE],
    ],
)
def test_other_sums_are_refused(parts: list[Part]) -> None:
    """Parts that leave a remainder, or more than one unknown amount, are refused."""
    with pytest.raises(InvalidInput):
        amounts_of(-100, parts)


def test_a_gift_is_whole_and_comes_in() -> None:
    """Money going out, or one part of several, is not a gift."""
    for cents, parts in (
        (-100, [Part("income:gifts")]),
        (100, [Part("income:gifts", None, 50), FEE]),
    ):
        with pytest.raises(Conflict, match="gift"):
            booked(cents, *parts)


def a_rule(**changes: Any) -> Rule:
    """Return a rule for account fees."""
    facts: dict[str, Any] = {
        "id": "rule_1",
        "direction": Direction.OUT,
        "account": "expenses:fees:bank",
        "contains": "account fee",
        "why": "Asked for",
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
