"""What readers of the newsletter and waiting members hear."""

from datetime import timedelta

import pytest

from jara.domain.language import Language
from jara.domain.organisation import IdentityPart
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.members.contributors import keep_handles
from jara.services.notices.newsletter import confirm_subscription, subscribe
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import withdraw_proposal
from tests.harness import clock_of
from tests.sent_emails import mailed_code
from tests.services.ballots.voting_world import open_vote
from tests.services.members.codes_world import ADDRESS, LIMITS
from tests.services.news.news_world import Mailbox, join, run_day, tell
from tests.services.notices.noticed_members import add_pledge, pay


def subscribed(context: Context, address: str, language: str = "en") -> None:
    """Subscribe as a visitor does: ask for it, and open the link."""
    wanted = Language(language)
    subscribe(context, LIMITS, address, network=ADDRESS, language=wanted)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation", address))


def test_a_reader_hears_when_a_vote_opens_and_how_it_ended(context: Context) -> None:
    """In their language, once, without a reminder; a member gets the member's email only."""
    subscribed(context, "reader@example.org")
    subscribed(context, "lecteur@example.org", "fr")
    ama = join(context, "ama")
    add_pledge(context, ama)
    pay(context, ama.key)
    subscribed(context, "ama@example.org")
    tell(context, Mailbox())
    mailbox = Mailbox()

    open_vote(context, endDate="2026-12-10")
    tell(context, mailbox)
    run_day(context, mailbox)
    assert mailbox.told == [
        ("ama", "vote_opened"),
        ("lecteur", "vote_opened"),
        ("reader", "vote_opened"),
    ]
    (english,), (french,) = mailbox.to("reader"), mailbox.to("lecteur")
    assert english.subject == "A new vote: Clean water"
    assert french.subject.startswith("Un nouveau vote")
    assert "Read it:\n" in english.text
    assert "/emails?code=" in english.text
    assert "Read it and vote:\n" in mailbox.to("ama")[0].text

    cast_ballot(context, "prop_01", ama.id, Choice.UP)
    clock_of(context).at += timedelta(days=19)
    run_day(context, mailbox)
    clock_of(context).at += timedelta(days=3)
    close_due_votes(context)
    run_day(context, mailbox)

    kinds = [kind for name, kind in mailbox.told if name == "reader"]
    assert kinds == ["vote_opened", "vote_result"]
    assert "1 voted yes and 0 voted no" in mailbox.to("reader", "vote_result")[0].text
    assert "check that your own vote" not in mailbox.to("reader", "vote_result")[0].text


def test_a_vote_that_was_withdrawn_before_it_was_told_is_not_told(context: Context) -> None:
    """The state at sending counts."""
    subscribed(context, "reader@example.org")
    tell(context, Mailbox())
    mailbox = Mailbox()

    open_vote(context)
    withdraw_proposal(context, "prop_01", reason="A mistake.")
    tell(context, mailbox)

    assert mailbox.told == []


def test_a_short_vote_is_told_too(context: Context, mailbox: Mailbox) -> None:
    """Members get the reminder at once; readers hear that it opened."""
    subscribed(context, "reader@example.org")
    open_vote(context, endDate="2026-11-22")
    tell(context, mailbox)

    assert ("reader", "vote_opened") in mailbox.told


def test_a_new_reader_gets_no_old_news(context: Context, mailbox: Mailbox) -> None:
    """A vote that opened before is not told again."""
    open_vote(context)
    tell(context, Mailbox())
    subscribed(context, "reader@example.org")
    run_day(context, mailbox)

    assert mailbox.told == [("reader", "newsletter_confirmation")]


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("choice", ["monthly", "nothing"])
def test_a_reader_who_joined_gets_one_email(
    context: Context, choice: str, *, confirmed: bool
) -> None:
    """With a confirmed address or without, whatever they ticked: once, and not never."""
    subscribed(context, "ama@example.org")
    ama = join(context, "ama", choice=choice, email_confirmed=False)
    if confirmed:
        with context.store.write() as work:
            own = ama._replace(email_confirmed=True)
            work.members.update(own)
            keep_handles(context, work, own)
    tell(context, Mailbox())
    mailbox = Mailbox()
    open_vote(context)
    tell(context, mailbox)
    run_day(context, mailbox)

    assert mailbox.told == [("ama", "vote_opened")]


@pytest.mark.parametrize("choice", ["monthly", "nothing"])
def test_a_reader_who_could_vote_gets_one_result(context: Context, choice: str) -> None:
    """The email of a voter comes whatever they chose, also to an unconfirmed address."""
    subscribed(context, "ama@example.org")
    ama = join(context, "ama", choice=choice, email_confirmed=False)
    add_pledge(context, ama)
    pay(context, ama.key)
    open_vote(context, endDate="2026-12-10")
    tell(context, Mailbox())
    mailbox = Mailbox()

    clock_of(context).advance(days=22)
    close_due_votes(context)
    run_day(context, mailbox)

    assert mailbox.told == [("ama", "vote_closed")]


CHAT_ADDRESS = {IdentityPart.CHAT: "https://chat.example"}


def a_day_passes(context: Context, mailbox: Mailbox) -> None:
    """Do a daily run."""
    clock_of(context).advance(hours=24)
    run_day(context, mailbox)


def test_members_who_get_news_hear_of_it_once(context: Context, mailbox: Mailbox) -> None:
    """Not again when the address changes, or after it was away."""
    join(context, "ama")
    join(context, "kofi", choice="monthly")
    join(context, "esi", choice="votes")
    a_day_passes(context, mailbox)
    assert mailbox.told == []

    change_values(context, CHAT_ADDRESS)
    a_day_passes(context, mailbox)
    assert mailbox.told == [("ama", "chat_opened"), ("kofi", "chat_opened")]
    assert "https://chat.example" in mailbox.to("ama")[0].text

    change_values(context, {}, removed={IdentityPart.CHAT})
    a_day_passes(context, mailbox)
    change_values(context, CHAT_ADDRESS)
    a_day_passes(context, mailbox)
    assert len(mailbox.told) == 2


def test_no_chat_email_if_it_was_always_open(context: Context, mailbox: Mailbox) -> None:
    """An organisation that set it before its first daily run, or long ago, tells nobody."""
    change_values(context, CHAT_ADDRESS)
    join(context, "ama")
    a_day_passes(context, mailbox)

    assert mailbox.told == []


def test_a_chat_that_closed_before_it_was_told_is_not_told(context: Context) -> None:
    """The address at sending counts."""
    join(context, "ama")
    mailbox = Mailbox(is_away=True)
    a_day_passes(context, mailbox)
    change_values(context, CHAT_ADDRESS)
    a_day_passes(context, mailbox)
    change_values(context, {}, removed={IdentityPart.CHAT})
    mailbox.is_away = False
    a_day_passes(context, mailbox)

    assert mailbox.told == []
