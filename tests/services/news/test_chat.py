"""The chat opens: members who read that it is not open yet get one email."""

from __future__ import annotations

from jara.domain.organisation import IdentityPart
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.operations.email_run import queue_due_emails
from jara.services.operations.upkeep import upgrade
from tests.harness import clock_of
from tests.services.news.news_world import Mailbox, join, tell

ADDRESS = {IdentityPart.CHAT: "https://chat.example"}


def a_day_passes(context: Context, mailbox: Mailbox) -> None:
    """Do a daily run."""
    clock_of(context).advance(hours=24)
    queue_due_emails(context)
    tell(context, mailbox)


def test_members_who_get_news_hear_of_it_once(context: Context) -> None:
    """Not again when the address changes, or after it was away."""
    join(context, "ama")
    join(context, "kofi", choice="monthly")
    join(context, "esi", choice="votes")
    mailbox = Mailbox()
    a_day_passes(context, mailbox)
    assert mailbox.told == []

    change_values(context, ADDRESS)
    a_day_passes(context, mailbox)
    assert mailbox.told == [("ama", "chat_opened"), ("kofi", "chat_opened")]
    assert "https://chat.example" in mailbox.to("ama")[0].text

    change_values(context, {}, removed={IdentityPart.CHAT})
    a_day_passes(context, mailbox)
    change_values(context, ADDRESS)
    a_day_passes(context, mailbox)
    assert len(mailbox.told) == 2


def test_no_chat_email_if_it_was_always_open(context: Context) -> None:
    """An organisation that set it before its first daily run, or long ago, tells nobody."""
    change_values(context, ADDRESS)
    join(context, "ama")
    mailbox = Mailbox()
    a_day_passes(context, mailbox)

    assert mailbox.told == []


def test_a_chat_that_closed_before_it_was_told_is_not_told(context: Context) -> None:
    """The address at sending counts."""
    join(context, "ama")
    mailbox = Mailbox(is_away=True)
    a_day_passes(context, mailbox)
    change_values(context, ADDRESS)
    a_day_passes(context, mailbox)
    change_values(context, {}, removed={IdentityPart.CHAT})
    mailbox.is_away = False
    a_day_passes(context, mailbox)

    assert mailbox.told == []


def test_an_upgrade_notes_that_it_is_not_open_yet(context: Context) -> None:
    """Members of an earlier version read the same sentence."""
    join(context, "ama")
    upgrade(context)
    change_values(context, ADDRESS)
    mailbox = Mailbox()
    a_day_passes(context, mailbox)

    assert mailbox.told == [("ama", "chat_opened")]
