"""A project that is late is said to be so: to operators once, and on its page."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.organisation import IdentityPart
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.operations.daily_run import queue_due_emails
from jara.services.projects.catalogue import show_project
from jara.services.projects.milestones import finish_milestone
from tests.harness import clock_of, make_organisation
from tests.services.news import news_world
from tests.services.news.news_world import Mailbox


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with a contact address and a project that was paid."""
    context = make_organisation(place)
    change_values(context, {IdentityPart.CONTACT: "team@jara.example"})
    news_world.add_project(context)
    news_world.give(context, news_world.join(context, "ama"))
    news_world.pay_project(context, 500)
    return context


def late_emails(context: Context, mailbox: Mailbox) -> list[str]:
    """Run the day's emails; return what the operators were told so far."""
    queue_due_emails(context)
    news_world.tell(context, mailbox)
    return [email.text for email in mailbox.to("team", "project_late")]


def test_an_overdue_milestone_is_told_once(context: Context) -> None:
    """The page says so until it is done."""
    mailbox = Mailbox()
    for _ in range(3):
        (text,) = late_emails(context, mailbox)
        clock_of(context).advance(days=1)
    assert 'The milestone "Survey" was planned for 1 October 2026.' in text
    late = show_project(context, "well")["late"]
    assert late == {"silentSince": None, "overdue": [{"title": "Survey", "dueOn": "2026-10-01"}]}

    finish_milestone(context, "well", "survey", on=context.today())
    assert show_project(context, "well")["late"] is None
    clock_of(context).set(clock_of(context).at.replace(month=12, day=21))
    assert len(late_emails(context, mailbox)) == 2


def test_silence_for_more_than_90_days_is_told_once(context: Context) -> None:
    """A report ends it; it counts from the last report, or the first payment."""
    finish_milestone(context, "well", "survey", on=context.today())
    finish_milestone(context, "well", "drilling", on=context.today())
    mailbox = Mailbox()
    clock_of(context).advance(days=90)
    assert late_emails(context, mailbox) == []

    for _ in range(70):
        clock_of(context).advance(days=1)
        (text,) = late_emails(context, mailbox)
    assert "The last report, or the first payment, was on 20 November 2026." in text
    assert show_project(context, "well")["late"]["silentSince"] == "2026-11-20"

    news_world.add_update(context)
    assert show_project(context, "well")["late"] is None
    assert len(late_emails(context, mailbox)) == 1


def test_a_sample_that_was_never_paid_is_never_late(place: Path) -> None:
    """A new organisation has sample projects, and nobody waits for their reports."""
    context = make_organisation(place)
    news_world.add_project(context, sample=True)
    clock_of(context).advance(days=400)

    assert context.today() > date(2027, 10, 1)
    assert show_project(context, "well")["late"] is None
