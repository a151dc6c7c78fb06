"""Accounts and funds."""

import pytest

from jara.domain.books import account
from jara.domain.books.account import (
    ACCOUNTS,
    CLAIMS,
    PAYEE_PARENTS,
    PROJECTS,
    AccountType,
    ChartOfAccounts,
    Fund,
    account_of,
    account_type,
    nearest,
    parse_fund,
)
from jara.domain.errors import UnknownAccount, UnknownFund

CHART = ChartOfAccounts.of(["assets:bank", "expenses:fees", "expenses:fees:bank"])


def test_a_fund_is_found_by_its_name() -> None:
    """A known name gives a fund; an unknown one is refused with the list of names."""
    assert parse_fund("staff") is Fund.STAFF
    with pytest.raises(UnknownFund, match=r"no fund 'rent'.*projects, staff"):
        parse_fund("rent")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("assets:bank", AccountType.ASSETS),
        ("expenses:projects:clean-water", AccountType.EXPENSES),
        ("equity:opening", AccountType.EQUITY),
        ("liabilities:suspense", AccountType.LIABILITIES),
        ("income:pledges", AccountType.INCOME),
    ],
)
def test_the_first_part_decides_the_type(name: str, expected: AccountType) -> None:
    """An account's type is the first part of its name."""
    assert expected is account_type(name)


@pytest.mark.parametrize(
    "name",
    ["", "assets", "assets:", "Assets:bank", "assets:bank ", "cash:bank", "assets::x", "assets:-a"],
)
def test_a_malformed_name_is_refused(name: str) -> None:
    """A name without a type, or with capitals, blanks or empty parts, is refused."""
    with pytest.raises(UnknownAccount):
        account_type(name)


@pytest.mark.parametrize("name", ["assets:bank", "expenses:projects:wells", "expenses:grants:a1"])
def test_the_chart_has_its_accounts_and_any_payee(name: str) -> None:
    """The chart has the listed accounts, and any slug below a payee parent."""
    assert CHART.require(name) == name


@pytest.mark.parametrize(
    "name",
    ["assets:cash", "expenses:projects", "expenses:projects:", "expenses:projects:A", "expenses",
     "expenses:projects:a:b", "income:projects:a"],
)  # fmt: skip
def test_the_chart_refuses_the_rest(name: str) -> None:
    """An account that is neither listed nor a payee's is refused by name."""
    with pytest.raises(UnknownAccount, match=f"'{name}'"):
        CHART.require(name)


def test_a_chart_of_malformed_names_cannot_be_made() -> None:
    """Each name of a chart is checked when it is built."""
    with pytest.raises(UnknownAccount):
        ChartOfAccounts.of(["assets:bank", "nonsense"])


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        ("assets:bank", "assets:bank"),
        ("assets:bank:td:daily", "assets:bank:td"),
        ("assets:bank:savings", "assets:bank"),
        ("assets:bank-two", None),
        ("assets", None),
    ],
)
def test_the_nearest_account_is_itself_or_the_lowest_above(
    account: str, expected: str | None
) -> None:
    """A name that only begins alike is another account."""
    assert nearest(account, {"assets:bank", "assets:bank:td"}) == expected


def test_each_account_that_the_program_posts_to_is_in_the_chart() -> None:
    """The chart has every account that the code names, each with its purpose and once."""
    named = {
        value
        for name, value in vars(account).items()
        if name.isupper() and isinstance(value, str) and ":" in value
    }
    chart = [one.name for one in ACCOUNTS if one.meaning]

    assert set(chart) == (named - {PROJECTS, CLAIMS}) | {"expenses:operations"}
    assert [one.name for one in ACCOUNTS if not one.meaning] == [*PAYEE_PARENTS, CLAIMS]
    assert len(ACCOUNTS) == len({one.name for one in ACCOUNTS})


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("expenses:fees", "Payment fees"),
        ("expenses:fees:bank", "Bank charges"),
        ("expenses:staff:pay", "Staff"),
        ("expenses:projects:wells", "Projects"),
        ("expenses:rent", None),
    ],
)
def test_an_account_has_the_title_of_the_nearest_one(name: str, title: str | None) -> None:
    """An account that an organisation added below another has its title; others have none."""
    found = account_of(name)

    assert (None if found is None else found.title) == title
