"""A change of the split: every member hears of it before it holds."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy
from jara.domain.coming_change import Topic, earliest_start
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import Language
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books import policies
from jara.services.books.policies import earliest_day, set_policy, show_policies
from jara.services.context import Context, Rules
from jara.services.news.announcing import list_announcements, withdraw
from jara.services.operations.operators import add_operator
from tests.harness import clock_of, make_organisation
from tests.services.news.news_world import Mailbox, join, tell

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
