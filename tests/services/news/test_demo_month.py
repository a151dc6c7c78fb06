"""A month of the demo with 60 members: which kinds of email who got."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.email_kinds import EmailChoice
from jara.domain.organisation import IdentityPart
from jara.services.books.posting import Books
from jara.services.content import add_item
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.members.profiles import set_email_choice
from jara.services.operations.email_run import queue_due_emails
from jara.services.projects.milestones import finish_milestone
from jara.services.samples.demonstration import play
from jara.services.samples.stage import StoryClock
from tests.services.news.news_world import Mailbox, add_event, add_reader, tell
from tests.services.samples.demonstration_stage_setup import END, demo_files, make_stage

MEMBERS = 60
PROJECT = "clean-water-boreholes"
CHOICES = (
    *[EmailChoice.AT_ONCE] * 2,
    *[EmailChoice.MONTHLY] * 7,
    EmailChoice.VOTES,
    *[EmailChoice.NOTHING] * 2,
)
"""Dealt out in turn, by the order of joining."""

VOTES = "vote_reminder"
NEWS = ("update", "milestone", "payout", "event", "event_soon")
EXPECTED = {
    EmailChoice.AT_ONCE: dict.fromkeys(NEWS, 10),
    EmailChoice.MONTHLY: {"event_soon": 35, "month": 35},
    EmailChoice.VOTES: {},
    "reader@example.org": {"vote_opened": 1, "month": 1},
    "team@jara.example": {"project_late": 2},
}
"""How many emails of each kind a choice, or an address, gets, without those about votes."""
pytestmark = pytest.mark.slow


def test_each_choice_gets_its_kinds_of_email_in_a_month(place: Path) -> None:
    """Each choice gets its kinds, and nothing else but what always comes."""
    stage = make_stage(place)
    play(stage, demo_files(), members=MEMBERS, seed="jara", end=END)
    context, mailbox = stage.context, Mailbox()
    change_values(context, {IdentityPart.CONTACT: "team@jara.example"})
    chosen = choose(context)
    add_reader(context, "reader@example.org")

    happen(context)
    live(context, stage.clock, mailbox, until=date(2026, 12, 20))

    table: dict[str, Counter[str]] = {}
    for email in mailbox.emails:
        table.setdefault(chosen.get(email.address, email.address), Counter())[email.kind] += 1
    assert {choice for choice, counts in table.items() if counts.pop(VOTES, 0)} == {
        EmailChoice.AT_ONCE,
        EmailChoice.MONTHLY,
        EmailChoice.VOTES,
    }
    assert table == EXPECTED


def choose(context: Context) -> dict[str, EmailChoice]:
    """Let the members choose in turn; return the choice of each address."""
    with context.store.read() as work:
        members = [member for member in work.members.all() if member.is_open]
    chosen = {}
    for number, member in enumerate(members):
        chosen[member.email] = CHOICES[number % len(CHOICES)]
        set_email_choice(context, member.id, chosen[member.email])
    return chosen


def happen(context: Context) -> None:
    """Let a project have an update, a milestone and a payout; announce an event."""
    today = context.today().isoformat()
    update = {"id": "taps", "project": PROJECT, "title": "The taps run", "author": "Neema"}
    content = "<p>Every tap of the school runs since Monday.</p>"
    add_item(context, "updates", {**update, "date": today, "content": content}, published=True)
    finish_milestone(context, PROJECT, "handover", on=context.today())
    spending = Spending(f"expenses:projects:{PROJECT}", Fund.PROJECTS, 5000)
    with context.store.write() as work:
        entry = spending_entry(context.today(), spending, available_cents=5000)
        Books(context, work).post(entry)
    add_event(context, context.today() + timedelta(days=24))


def live(context: Context, clock: StoryClock, mailbox: Mailbox, *, until: date) -> None:
    """Do each day what the daily run does for emails."""
    while context.today() < until:
        queue_due_emails(context)
        tell(context, mailbox)
        clock.at += timedelta(days=1)
