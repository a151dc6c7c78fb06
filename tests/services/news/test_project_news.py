"""News of projects are told while they hold, of the right project, with a picture to see."""

from pathlib import Path

import pytest

from jara.services.books.bookkeeping import reverse_entry
from jara.services.content import edit_item, publish_item
from jara.services.context import Context
from jara.services.projects.milestones import finish_milestone
from tests.harness import clock_of, make_organisation
from tests.services.news import news_world
from tests.services.news.news_world import Mailbox, tell


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with a published project, and a member who gave and wants news."""
    context = make_organisation(place)
    news_world.add_project(context)
    news_world.give(context, news_world.join(context, "ama"))
    tell(context, Mailbox())
    return context


def wait(context: Context, mailbox: Mailbox) -> None:
    """Queue the news while the mail server is away; it comes back two days later."""
    mailbox.is_away = True
    tell(context, mailbox)
    clock_of(context).advance(days=2)
    mailbox.is_away = False


def test_a_milestone_that_is_open_again_is_not_told(context: Context, mailbox: Mailbox) -> None:
    """An operator finished the wrong one; when it is really done, it is told."""
    finish_milestone(context, "well", "survey", on=context.today())
    wait(context, mailbox)
    edit_item(context, "projects", "well", {"milestones": news_world.PROJECT["milestones"]})
    tell(context, mailbox)
    assert mailbox.told == []

    finish_milestone(context, "well", "survey", on=context.today())
    tell(context, mailbox)
    assert mailbox.told == [("ama", "milestone")]


def test_a_milestone_of_a_hidden_project_is_not_told(context: Context, mailbox: Mailbox) -> None:
    """Its page is gone before the email is written."""
    finish_milestone(context, "well", "survey", on=context.today())
    wait(context, mailbox)
    publish_item(context, "projects", "well", published=False)
    tell(context, mailbox)

    assert mailbox.told == []


def test_a_payout_that_was_undone_is_not_told(context: Context, mailbox: Mailbox) -> None:
    """The reversal is no news either; the payout that replaces it is."""
    entry = news_world.pay_project(context, 500)
    wait(context, mailbox)
    reverse_entry(context, entry, why="The wrong amount.")
    tell(context, mailbox)
    assert mailbox.told == []

    news_world.pay_project(context, 300)
    tell(context, mailbox)
    (email,) = mailbox.to("ama", "payout")
    assert "$3.00" in email.text


def test_a_payout_is_told_of_the_project_that_was_paid(context: Context, mailbox: Mailbox) -> None:
    """Not of another one."""
    news_world.add_project(context, id="school", title="A school for Keta")
    news_world.pay_project(context, 500, project="a-school-for-keta")
    tell(context, mailbox)

    (email,) = mailbox.to("ama", "payout")
    assert "A school for Keta" in email.text
    assert "/projects/a-school-for-keta" in email.text
    assert "Atsu" not in email.text


@pytest.mark.parametrize(
    ("images", "shown"),
    [(["/media/plan.svg", "/media/well.jpg"], ["/media/well.jpg"]), (["/media/plan.svg"], [])],
)
def test_an_email_shows_a_picture_that_mail_programs_can(
    context: Context, images: list[str], shown: list[str]
) -> None:
    """The first that is not SVG, or none."""
    mailbox = Mailbox()
    news_world.add_update(context, images=images)
    tell(context, mailbox)

    (email,) = mailbox.to("ama", "update")
    assert [path for path in ("/media/plan.svg", "/media/well.jpg") if path in email.html] == shown
