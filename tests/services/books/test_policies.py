"""Fund policies, chart of accounts and fixed costs: operators set them, and members hear of it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy
from jara.domain.books.overview import FixedCost
from jara.domain.coming_change import Topic, earliest_start
from jara.domain.errors import Conflict, InvalidInput, NotFound, UnknownAccount
from jara.domain.language import Language
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books import policies
from jara.services.books.policies import (
    add_account,
    add_fixed_cost,
    earliest_day,
    list_accounts,
    list_fixed_costs,
    remove_fixed_cost,
    set_policy,
    show_policies,
)
from jara.services.context import Context, Rules
from jara.services.news.announcing import list_announcements, withdraw
from jara.services.operations.operators import add_operator
from tests.harness import clock_of, make_organisation
from tests.rows import as_written, parts_of
from tests.services.books.ledger_builders import all_entries, give
from tests.services.news.news_world import Mailbox, join, tell

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


TODAY, TOMORROW = date(2026, 11, 20), date(2026, 11, 21)
WEIGHTS = dict(zip(Fund, (82, 6, 8, 4), strict=False))


def new_split(day: date) -> FundPolicy:
    """Return a split in which projects get more."""
    return replace(DEFAULT_POLICY, valid_from=day, weights=WEIGHTS)


def test_every_member_gets_it_with_any_choice(context: Context) -> None:
    """The email names each share, as it is and as it becomes, and the first day."""
    join(context, "ama", choice="nothing")
    join(context, "kofi", language=Language("fr"))
    join(context, "afua", email_confirmed=False)
    mailbox = Mailbox()

    set_policy(context, new_split(TOMORROW), why="Voted.")
    tell(context, mailbox)
    tell(context, mailbox)

    assert mailbox.told == [("ama", "coming_change"), ("kofi", "coming_change")]
    (english,), (french,) = mailbox.to("ama"), mailbox.to("kofi")
    assert english.subject == "How payments are split changes on 21 November 2026"
    assert "Projects: 82% instead of 80%\nStaff: 6% instead of 7%\n" in english.text
    assert "Other costs: 4%, as before" in english.text
    assert "card fee" not in english.text
    assert "unsubscribe" not in english.text
    assert french.subject == "La répartition des paiements change le 21 novembre 2026"


def test_a_split_cannot_start_before_the_notice_period(context: Context) -> None:
    """Today is too early once somebody is a member; the message names the first day."""
    join(context, "ama")

    assert earliest_day(context) == TOMORROW
    with pytest.raises(InvalidInput, match="it can hold from 2026-11-21 on, not from 2026-11-20"):
        set_policy(context, new_split(TODAY), why="Voted.")
    assert show_policies(context).all == (DEFAULT_POLICY,)
    assert list_announcements(context) == []


def test_without_members_a_split_may_start_at_once(context: Context) -> None:
    """There is nobody to tell."""
    set_policy(context, new_split(TODAY), why="Voted.")

    assert show_policies(context).in_force.weights == WEIGHTS
    assert list_announcements(context) == []


def test_an_approval_that_comes_too_late_is_refused(place: Path) -> None:
    """The day has come meanwhile, and nobody knows."""
    context = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(context, name)
    join(context, "ama")
    waiting = set_policy(context, new_split(TOMORROW), why="Voted.")
    assert isinstance(waiting, Approval)
    mailbox = Mailbox()
    tell(context, mailbox)
    assert mailbox.told == []

    clock_of(context).advance(hours=24)
    with pytest.raises(InvalidInput, match="it can hold from 2026-11-22 on"):
        approve(replace(context, operator="second"), waiting.id, handlers=policies.HANDLERS)


def test_the_news_of_a_change_stay(context: Context) -> None:
    """The list shows it; only the change itself can be changed."""
    join(context, "ama")
    set_policy(context, new_split(TOMORROW), why="Voted.")
    (line,) = list_announcements(context)

    assert (line.subject, line.to, line.recipients) == ("split from 2026-11-21", "members", 1)
    with pytest.raises(Conflict, match="tells of a change that still comes"):
        withdraw(context, line.id, why="Oops.")


@pytest.mark.parametrize(
    ("topic", "recipients", "per_hour", "day"),
    [
        (Topic.SPLIT, 0, None, TODAY),
        (Topic.SPLIT, 1, None, TOMORROW),
        (Topic.PRIVACY, 1, None, TOMORROW),
        (Topic.TERMS, 1, None, date(2026, 12, 21)),
        (Topic.TERMS, 5000, 100, date(2026, 12, 23)),
        (Topic.SPLIT, 24, 1, TOMORROW),
        (Topic.SPLIT, 25, 1, date(2026, 11, 22)),
    ],
)
def test_the_first_day_leaves_time_for_the_emails(
    topic: Topic, recipients: int, per_hour: int | None, day: date
) -> None:
    """The terms promise 30 days between the email and the change."""
    assert earliest_start(topic, TODAY, recipients=recipients, per_hour=per_hour) == day


def test_an_address_that_is_not_confirmed_any_more_gets_nothing(context: Context) -> None:
    """A member took the change of the address back while the email waited."""
    ama = join(context, "ama")
    join(context, "kofi")
    mailbox = Mailbox(is_away=True)
    set_policy(context, new_split(TOMORROW), why="Voted.")
    tell(context, mailbox)
    with context.store.write() as work:
        work.members.update(ama._replace(email="old@example.org", email_confirmed=False))
    mailbox.is_away = False
    clock_of(context).advance(days=1)
    tell(context, mailbox)

    assert mailbox.told == [("kofi", "coming_change")]
