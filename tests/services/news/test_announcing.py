"""Announcements reach their audience once, by each one's choice, and can be withdrawn."""

from collections import Counter
from dataclasses import replace

import pytest

from jara.domain.announcement import (
    ALONE_IN_A_DAY,
    AnnouncementText,
    Audience,
    Group,
    Texts,
    parse_audience,
)
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.language import ENGLISH, Language
from jara.files.announcement_file import read_announcement
from jara.records.operations import Announcement, Approval, Email
from jara.services import approvals
from jara.services.context import Context
from jara.services.news import announcing, fan_out
from jara.services.news.announcing import (
    Reach,
    State,
    Withdrawal,
    announce,
    list_announcements,
    preview,
    reason_to_sign,
    record_test,
    withdraw,
)
from jara.services.news.fan_out import fan_out_news
from jara.services.notices.choices import unsubscribe
from jara.services.notices.links import unsubscribe_url
from jara.services.operations.approved_acts import show_approval
from jara.services.operations.operators import add_operator, set_address
from tests.fakes.operators import waits
from tests.harness import COUNTRIES, clock_of
from tests.services.news.news_world import Mailbox, add_reader, join, tell

FRENCH = Language("fr")
TEXTS = read_announcement(
    b"---\nsubject: The well is full\nfr: {subject: Le puits est plein, body: Chers amis}\n---\n"
    b"Dear **friends**, [look](/projects/well).",
    "well.md",
    (ENGLISH, FRENCH),
)
MEMBERS = Audience(frozenset({Group.MEMBERS}))
READERS = Audience(frozenset({Group.READERS}))


def to(*words: str) -> Audience:
    """Return an audience as it is typed."""
    return parse_audience(words, COUNTRIES)


def test_members_get_it_by_their_choice_and_in_their_language(context: Context) -> None:
    """The preview counts whom it does not reach."""
    join(context, "ama")
    join(context, "kofi", choice="monthly", language=FRENCH)
    join(context, "esi", choice="votes")
    join(context, "yaw", choice="nothing")
    join(context, "afua", email_confirmed=False)
    add_reader(context, "reader@example.org")
    mailbox = Mailbox()

    assert preview(context, TEXTS, MEMBERS) == Reach(2, declined=2, unconfirmed=1)
    announce(context, TEXTS, MEMBERS)
    tell(context, mailbox)
    tell(context, mailbox)

    assert mailbox.told == [("ama", "announcement"), ("kofi", "announcement")]
    (english,), (french,) = mailbox.to("ama"), mailbox.to("kofi")
    assert (english.subject, french.subject) == ("The well is full", "Le puits est plein")
    assert "Dear **friends**, [look](http://127.0.0.1:8000/projects/well)." in english.text
    assert "<p>Dear <strong>friends</strong>, " in english.html
    assert 'href="http://127.0.0.1:8000/projects/well"' in english.html
    assert "http://127.0.0.1:8000/emails?code=" in french.text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["members"], ["ama", "both", "kofi"]),
        (["readers"], ["reader"]),
        (["members", "readers"], ["ama", "both", "kofi", "reader"]),
        (["country=gh"], ["ama", "both"]),
        (["country=Kenya", "readers"], ["kofi", "reader"]),
    ],
)
def test_each_audience_gets_it_once(context: Context, words: list[str], told: list[str]) -> None:
    """An address that is a member and a reader gets one email."""
    join(context, "ama")
    join(context, "kofi", country="Kenya")
    join(context, "both")
    add_reader(context, "both@example.org")
    add_reader(context, "reader@example.org")
    mailbox = Mailbox()

    announce(context, TEXTS, to(*words))
    tell(context, mailbox)

    assert [name for name, _ in mailbox.told] == told


@pytest.mark.parametrize("words", [[], ["everybody"], ["country=Atlantis"], ["country="], ["="]])
def test_an_unknown_audience_is_refused(words: list[str]) -> None:
    """The message says what there is."""
    with pytest.raises(InvalidInput):
        to(*words)


def test_an_announcement_to_nobody_is_refused(context: Context) -> None:
    """The message says why nobody would get it."""
    join(context, "yaw", choice="nothing")
    sentence = "Nobody would get it: 0 of 1 people get it, 1 asked for no news."

    with pytest.raises(InvalidInput, match=sentence):
        announce(context, TEXTS, MEMBERS)


def test_the_same_text_is_sent_again_only_when_asked(context: Context, mailbox: Mailbox) -> None:
    """Two operators at once, or one who forgot, send it once."""
    join(context, "ama")
    first = announce(context, TEXTS, MEMBERS)

    with pytest.raises(Conflict, match=f"as {first.id}; say --again"):
        announce(context, TEXTS, READERS)
    announce(context, TEXTS, MEMBERS, again=True)
    tell(context, mailbox)

    assert mailbox.told == [("ama", "announcement")] * 2


def test_above_the_limit_another_operator_signs(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One operator is not enough and learns why; the other sees the text."""
    monkeypatch.setattr(announcing, "SIGNED_BY_TWO_ABOVE", 1)
    for name in ("ama", "kofi"):
        join(context, name)
    mailbox = Mailbox()

    reason = reason_to_sign(context, TEXTS, preview(context, TEXTS, MEMBERS))
    assert reason == "More than 1 people get it: another operator must sign it."
    waiting = waits(announce(context, TEXTS, MEMBERS))
    tell(context, mailbox)
    assert mailbox.told == []
    with pytest.raises(Conflict, match="needs another operator's approval"):
        approvals.approve(context, waiting.id, handlers=announcing.HANDLERS)
    shown = show_approval(context, waiting.id)
    assert shown["about"] == "again no, subject The well is full, to members"
    assert shown["payload"]["texts"][1] == ["fr", "Le puits est plein", "Chers amis"]

    second = replace(context, operator="second")
    approvals.approve(second, waiting.id, handlers=announcing.HANDLERS)
    tell(context, mailbox)
    assert mailbox.told == [("ama", "announcement"), ("kofi", "announcement")]


def texts_saying(body: str) -> Texts:
    """Return an English text."""
    return read_announcement(f"# News\n\n{body}".encode(), "news.md", (ENGLISH,))


def limited(context: Context) -> Context:
    """Return the context with a limit on what one operator may do alone."""
    return replace(context, rules=context.rules._replace(approval_cents=10_000))


def test_with_limits_nobody_alone_writes_to_more_than_25_people_in_a_day(context: Context) -> None:
    """All announcements of 24 hours count together; without limits there is no such rule."""
    for number in range(ALONE_IN_A_DAY):
        join(context, f"m{number:02}")
    add_reader(context, "reader@example.org")
    governed = limited(context)

    assert isinstance(announce(governed, texts_saying("One."), MEMBERS), Announcement)
    assert isinstance(announce(governed, texts_saying("Two."), READERS), Approval)
    assert isinstance(announce(context, texts_saying("Three."), READERS), Announcement)
    clock_of(context).advance(hours=25)
    assert isinstance(announce(governed, texts_saying("Four."), READERS), Announcement)
    assert isinstance(announce(governed, texts_saying("Five."), to("members", "readers")), Approval)


@pytest.mark.parametrize(
    "body",
    [
        "Our bank account has changed: DE89 3704 0044 0532 0130 00.",
        "[Pay here](https://paypal.me/mallory).",
        "[Look](https://reef.example/).",
    ],
)
def test_with_limits_nobody_alone_tells_anybody_where_to_send_money(
    context: Context, body: str
) -> None:
    """Not even one reader, and in none of the languages; the other operator may sign it."""
    add_reader(context, "reader@example.org")
    governed, texts = limited(context), {**TEXTS, FRENCH: AnnouncementText("Compte", body)}

    assert "where to send money" in reason_to_sign(
        governed, texts, preview(governed, texts, READERS)
    )
    waiting = waits(announce(governed, texts, READERS))
    mailbox = Mailbox()
    tell(governed, mailbox)
    assert mailbox.told == []
    second = replace(governed, operator="second")
    approvals.approve(second, waiting.id, handlers=announcing.HANDLERS)
    tell(governed, mailbox)
    assert mailbox.told == [("reader", "announcement")]
    assert isinstance(announce(governed, TEXTS, READERS), Announcement)


def test_each_operator_gets_a_copy_first(context: Context) -> None:
    """In each language, once, and before another one signs."""
    add_reader(context, "reader@example.org")
    for name in (context.operator, "ben"):
        add_operator(context, name)
        set_address(context, name, email=f"{name}@example.org")
    governed, mailbox = limited(context), Mailbox()
    tell(governed, mailbox)
    mailbox.emails.clear()

    waiting = announce(governed, {**TEXTS, FRENCH: AnnouncementText("B", "12345678")}, READERS)
    assert isinstance(waiting, Approval)
    tell(governed, mailbox)
    copies = sorted((email.address, email.doc["subject"]) for email in mailbox.emails)
    assert copies == [
        (f"{name}@example.org", f"Copy for operators: {subject}")
        for name in sorted((context.operator, "ben"))
        for subject in ("B", "The well is full")
    ]
    ben = replace(governed, operator="ben")
    approvals.approve(ben, waiting.id, handlers=announcing.HANDLERS)
    tell(governed, mailbox)
    assert [email.address for email in mailbox.emails[len(copies) :]] == ["reader@example.org"]


def test_with_limits_a_test_goes_to_an_operator(context: Context) -> None:
    """Otherwise one could tell everybody, one at a time."""
    add_operator(context, context.operator)
    set_address(context, context.operator, email="me@example.org")

    record_test(limited(context), TEXTS, "me@example.org")
    record_test(context, TEXTS, "victim@example.org")
    with pytest.raises(Conflict, match="is no operator's address"):
        record_test(limited(context), TEXTS, "victim@example.org")


def test_a_withdrawn_announcement_reaches_no_further_recipient(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent is counted; what waits, and whoever was not reached yet, gets nothing."""
    monkeypatch.setattr(fan_out, "BATCH", 2)
    for name in "abcdef":
        join(context, name)
    mailbox = Mailbox()
    limited = replace(context, rules=context.rules._replace(mail_per_hour=2))
    announced = announce(context, TEXTS, MEMBERS)
    assert isinstance(announced, Announcement)
    tell(limited, mailbox)
    assert [(line.state, line.sent, line.waiting) for line in list_announcements(context)] == [
        (State.SENDING, 2, 4)
    ]

    assert withdraw(context, announced.id[:6], why="Wrong day.") == Withdrawal(
        announced.id, sent=2, withdrawn=4
    )
    clock_of(context).advance(hours=2)
    tell(context, mailbox)
    assert len(mailbox.told) == 2
    with pytest.raises(Conflict, match="is withdrawn already"):
        withdraw(context, announced.id, why="Again.")
    with pytest.raises(NotFound):
        withdraw(context, "ann_zzz", why="None.")

    announce(context, TEXTS, MEMBERS)  # the corrected text may even be the same
    tell(context, mailbox)
    assert len(mailbox.told) == 8


def test_an_announcement_withdrawn_during_the_fan_out_stops(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next batch has no row, and the rows of the first are gone."""
    monkeypatch.setattr(fan_out, "BATCH", 2)
    for name in "abcdef":
        join(context, name)
    announced = announce(context, TEXTS, MEMBERS)
    queue_batch, batches = fan_out._queue_batch, iter(range(100))

    def withdraw_after_the_first(context: Context, item_id: str, queued: Counter[str]) -> bool:
        is_left = queue_batch(context, item_id, queued)
        if next(batches) == 0:
            withdraw(context, announced.id, why="Wrong day.")
        return is_left

    monkeypatch.setattr(fan_out, "_queue_batch", withdraw_after_the_first)

    assert fan_out_news(context) == {"announcement": 2}
    (line,) = list_announcements(context)
    assert (line.state, line.sent, line.waiting) == (State.WITHDRAWN, 0, 0)


def test_a_reader_who_leaves_while_emails_are_sent_gets_none(context: Context) -> None:
    """The server takes several at once; one that it has not sent yet is dropped."""
    names = ("x@example.org", "y@example.org")
    for name in names:
        add_reader(context, name)
    codes = [unsubscribe_url(context, name).rpartition("=")[2] for name in names]

    class LeavingReaders(Mailbox):
        """A mail server after whose first email both readers unsubscribe."""

        def send(self, email: Email) -> None:
            """Take an email."""
            super().send(email)
            for code in codes:
                unsubscribe(context, code)

    announce(context, TEXTS, READERS)
    mailbox = LeavingReaders()
    tell(context, mailbox)

    assert len(mailbox.told) == 1


def test_a_kill_in_the_fan_out_loses_and_doubles_nobody(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run goes on after the last whole batch."""
    monkeypatch.setattr(fan_out, "BATCH", 2)
    for name in "abcde":
        join(context, name)
    for name in "xyz":
        add_reader(context, f"{name}@example.org")
    announce(context, TEXTS, to("members", "readers"))
    row, rows = fan_out._row, iter(range(100))

    def die_at_times(*args: object) -> object:
        if next(rows) % 3 == 2:
            raise KeyboardInterrupt
        return row(*args)  # type: ignore[arg-type] # as they came

    with monkeypatch.context() as patch:
        patch.setattr(fan_out, "_row", die_at_times)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                fan_out_news(context)
    mailbox = Mailbox()
    tell(context, mailbox)

    assert [name for name, _ in mailbox.told] == list("abcdexyz")
