"""News reach everyone they concern once, whatever happens between cause and sending."""

from collections import Counter

import pytest

from jara.domain.books.journal import Foreign
from jara.domain.language import Language
from jara.services.content import edit_item
from jara.services.context import Context
from jara.services.members.accounts import close_account, erase_member
from jara.services.news import fan_out
from jara.services.news.fan_out import complete_news, fan_out_news
from jara.services.news.stories import StoryCache
from jara.services.operations.upkeep import delete_expired
from jara.services.ports.outside import NotSent
from jara.services.projects.milestones import finish_milestone
from tests.harness import clock_of
from tests.services.news import news_world
from tests.services.news.news_world import Mailbox, add_update, hide, join, pay_project, tell
from tests.services.stored_rows import rows_of

pytestmark = pytest.mark.usefixtures("project")


def test_an_update_is_told_once_to_those_who_want_news_at_once(context: Context) -> None:
    """Others are told in the monthly email, or not at all; a second run tells nobody again."""
    join(context, "ama")
    join(context, "kofi", choice="monthly")
    join(context, "esi", choice="votes")
    join(context, "yaw", choice="nothing")
    join(context, "afua", email_confirmed=False)
    news_world.add_reader(context, "reader@example.org")
    mailbox = Mailbox()

    add_update(context)
    tell(context, mailbox)
    tell(context, mailbox)

    assert mailbox.told == [("ama", "update")]


def test_two_runs_at_once_send_news_once(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two runs at once, the second one finds nothing left of the item."""
    join(context, "ama")
    add_update(context)
    batch = fan_out._queue_batch

    def come_second(context: Context, item_id: str, queued: Counter[str]) -> bool:
        while batch(context, item_id, Counter()):
            pass
        return batch(context, item_id, queued)

    monkeypatch.setattr(fan_out, "_queue_batch", come_second)

    assert fan_out_news(context) == Counter()
    mailbox = Mailbox()
    tell(context, mailbox)
    assert mailbox.told == [("ama", "update")]


def test_told_news_do_not_name_an_erased_member(context: Context) -> None:
    """The last recipient of an item is forgotten once it is told to all."""
    ama = join(context, "ama")
    add_update(context)
    tell(context, Mailbox())

    erase_member(context, ama.id, why="asked")

    assert ama.id not in str(rows_of(context, "news"))


def test_the_giver_reads_their_own_share_first(context: Context, mailbox: Mailbox) -> None:
    """The share is that of the trace; who paid nothing for the project reads no such sentence."""
    ama, kofi = join(context, "ama"), join(context, "kofi")
    join(context, "esi")
    news_world.give(context, ama, kofi, ama)
    pay_project(context, 1200)
    tell(context, mailbox)

    add_update(context)
    tell(context, mailbox)

    (first,) = mailbox.to("ama", "update")
    assert "$8.00 of the $12.00 paid to this project so far was yours." in first.text
    (second,) = mailbox.to("kofi", "update")
    assert "$4.00 of the $12.00 paid to this project so far was yours." in second.text
    (third,) = mailbox.to("esi", "update")
    assert "yours" not in third.text
    assert "The water is clear." in third.text


def test_a_payout_and_a_milestone_are_told_with_their_share(context: Context) -> None:
    """A payout has the share of its own payers; a payout that was undone is not told."""
    ama, kofi = join(context, "ama"), join(context, "kofi")
    news_world.give(context, ama, kofi)
    mailbox = Mailbox()

    entry = pay_project(context, 500)
    tell(context, mailbox)
    pay_project(context, 900)
    tell(context, mailbox)

    first, second = mailbox.to("ama", "payout")
    assert f"this payment is entry {entry}." in first.text
    assert "$5.00 of it was yours." in first.text
    assert "$3.00 of it was yours." in second.text
    (none, some) = mailbox.to("kofi", "payout")
    assert "yours" not in none.text
    assert "$6.00 of it was yours." in some.text


def test_a_payout_names_its_receipt_if_it_has_one(context: Context, mailbox: Mailbox) -> None:
    """Anyone who has the receipt can compare it."""
    news_world.give(context, join(context, "ama"))

    abroad = Foreign("TZS", 1_250_000, "2500.00", receipt="5e" * 32)
    entry = pay_project(context, 500, foreign=abroad)
    tell(context, mailbox)

    (email,) = mailbox.to("ama", "payout")
    assert f"entry {entry}; the SHA-256 of its receipt is {'5e' * 32}." in email.text


def test_a_corrected_update_is_sent_once_as_it_is_now(context: Context, mailbox: Mailbox) -> None:
    """A correction before the sending is in the email; one after it sends nothing more."""
    join(context, "ama")
    add_update(context)
    fan_out_news(context)

    edit_item(context, "updates", "water", {"content": "<p>The water is safe.</p>"})
    tell(context, mailbox)
    edit_item(context, "updates", "water", {"content": "<p>The water is very safe.</p>"})
    tell(context, mailbox)

    (email,) = mailbox.to("ama")
    assert "The water is safe." in email.text


@pytest.mark.parametrize("kind", ["updates", "projects"])
def test_withdrawn_news_are_not_sent_until_they_are_shown_again(
    context: Context, kind: str
) -> None:
    """Who was told before is not told again; who was not is told then."""
    join(context, "ama")
    name = {"updates": "water", "projects": "well"}[kind]
    mailbox = Mailbox(is_away=True)
    add_update(context)
    tell(context, mailbox)
    hide(context, kind, name)
    clock_of(context).advance(days=2)
    mailbox.is_away = False
    tell(context, mailbox)
    assert mailbox.told == []

    hide(context, kind, name, published=True)
    tell(context, mailbox)
    assert mailbox.told == [("ama", "update")]

    hide(context, kind, name)
    hide(context, kind, name, published=True)
    tell(context, mailbox)
    assert mailbox.told == [("ama", "update")]


def test_the_choice_at_sending_decides_who_gets_news(context: Context) -> None:
    """A new address and language are used; who left, or wants none any more, gets none."""
    members = {name: join(context, name) for name in ("ama", "kofi", "esi", "yaw")}
    mailbox = Mailbox(is_away=True)
    add_update(context)
    tell(context, mailbox)
    clock_of(context).advance(days=1)
    mailbox.is_away = False

    with context.store.write() as work:
        work.members.update(
            members["ama"]._replace(email="ama2@example.org", language=Language("fr"))
        )
    news_world.choose(context, members["kofi"], "votes")
    news_world.choose(context, members["esi"], "monthly")
    close_account(context, members["yaw"].id)
    tell(context, mailbox)

    updates = [one for one in mailbox.told if one[1] == "update"]
    assert updates == [("ama2", "update")]
    (email,) = mailbox.to("ama2")
    assert "Voir le projet" in email.text


def test_who_left_just_before_the_sending_gets_no_news(context: Context) -> None:
    """The email left the outbox with its recipient, but was read before."""
    yaw = join(context, "yaw")
    add_update(context)
    fan_out_news(context)
    with context.store.read() as work:
        (email,) = [one for one in work.outbox.of_member(yaw.id) if one.kind == "update"]
    close_account(context, yaw.id)

    with pytest.raises(NotSent):
        complete_news(StoryCache(context), email)


def test_an_item_that_is_hidden_each_month_is_told_once(context: Context, mailbox: Mailbox) -> None:
    """It is told again only for as long as the outbox knows who was told before."""
    join(context, "ama")
    add_update(context)
    tell(context, mailbox)

    for _ in range(4):
        hide(context, "updates", "water")
        clock_of(context).advance(days=29)
        delete_expired(context, mailbox)
        hide(context, "updates", "water", published=True)
        tell(context, mailbox)

    assert mailbox.told == [("ama", "update")]


@pytest.mark.parametrize("named", [True, False])
def test_a_milestone_leads_with_picture_share_and_note(context: Context, *, named: bool) -> None:
    """The share is that of its own payment; without one the sentence says so."""
    news_world.give(context, join(context, "ama"))
    join(context, "esi")
    entry = pay_project(context, 500)
    add_update(context, milestone="survey", images=["/media/well.jpg"])
    mailbox = Mailbox()
    tell(context, mailbox)
    if named:
        with context.store.write() as work:
            posted = work.journal.find(entry)
            work.commitments.add_tranche(posted.index, "survey")
    finish_milestone(context, "well", "survey", on=context.today())
    tell(context, mailbox)

    paid = "that paid for it" if named else "paid to this project so far"
    (own,) = mailbox.to("ama", "milestone")
    assert own.text.partition("A well for Atsu reached")[0].split("\n\n")[1:] == [
        f"Survey: {context.rules.site_url}/media/well.jpg",
        f"Your $5.00 did this: all of the $5.00 {paid} was yours.",
        "The water is clear.",
        "The pump comes next.",
        "Neema, 20 November 2026",
        "",
    ]
    (other,) = mailbox.to("esi", "milestone")
    assert "did this" not in other.text
    assert "The water is clear." in other.text
