"""Fund policies, chart of accounts and fixed costs: operators set them, and all is recorded."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy
from jara.domain.books.overview import FixedCost
from jara.domain.errors import Conflict, InvalidInput, NotFound, UnknownAccount
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books import policies
from jara.services.books.policies import (
    add_account,
    add_fixed_cost,
    list_accounts,
    list_fixed_costs,
    remove_fixed_cost,
    set_policy,
    show_policies,
)
from jara.services.context import Context, Rules
from jara.services.operations.operators import add_operator
from tests.harness import make_organisation
from tests.rows import as_written, parts_of
from tests.services.books.ledger_builders import all_entries, give

NEW = FundPolicy(date(2026, 11, 20), parts_of(70, 10, 10, 10), parts_of(0, 1, 1, 1))


def test_a_policy_holds_from_its_day(context: Context) -> None:
    """Earlier payments keep their split; a future policy is stored but not yet in force."""
    later = replace(NEW, valid_from=date(2027, 1, 1))
    assert set_policy(context, NEW, why="Voted.") == NEW
    assert set_policy(context, later, why="Voted.") == later

    found = show_policies(context)

    assert found.in_force == NEW
    assert found.all == (DEFAULT_POLICY, NEW, later)
    give(context, 1000)
    assert "p +800" in as_written(all_entries(context)[0])
    with context.store.read() as work:
        assert work.log.size() - 1 == 4  # genesis and three policies before the entry
        acts = [(row.action, row.why) for row in work.operations.audit()]
    assert ("policy.set", "Voted.") in acts


def test_a_policy_never_goes_behind_the_newest(context: Context) -> None:
    """A policy cannot start before the newest one, and every change has a reason."""
    set_policy(context, NEW, why="Voted.")

    with pytest.raises(InvalidInput, match="precede the newest one, which applies from 2026-11-20"):
        set_policy(context, replace(NEW, valid_from=date(2026, 11, 19)), why="Oops.")
    with pytest.raises(InvalidInput, match="--why"):
        set_policy(context, NEW, why="")


def test_with_approvals_every_policy_waits(place: Path) -> None:
    """The prepared policy comes into force once it is approved."""
    first = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(first, name)

    waiting = set_policy(first, NEW, why="Voted.")

    assert isinstance(waiting, Approval)
    assert show_policies(first).in_force == DEFAULT_POLICY
    approve(replace(first, operator="second"), waiting.id, handlers=policies.HANDLERS)
    assert show_policies(first).in_force == NEW


def test_accounts_are_added_once(context: Context) -> None:
    """The first part of the name gives the type; adding the same name again is refused."""
    add_account(context, "expenses:rent", meaning="The office")

    assert ("expenses:rent", "expenses", "The office") in list_accounts(context)
    with pytest.raises(Conflict, match="'expenses:rent' already"):
        add_account(context, "expenses:rent", meaning="Again")
    with pytest.raises(UnknownAccount, match="rent"):
        add_account(context, "rent", meaning="No type")


def test_fixed_costs_come_and_go(context: Context) -> None:
    """A line is removed by a unique beginning of its id."""
    cost = FixedCost("Bookkeeping", 3000, date(2026, 1, 1))
    first, second = add_fixed_cost(context, cost), add_fixed_cost(context, cost)
    assert set(list_fixed_costs(context)) == {first, second}

    with pytest.raises(Conflict, match="Several fixed costs begin with"):
        remove_fixed_cost(context, "cost_")
    remove_fixed_cost(context, first.id)
    with pytest.raises(NotFound, match="There is no fixed cost"):
        remove_fixed_cost(context, first.id)

    assert list_fixed_costs(context) == [second]
