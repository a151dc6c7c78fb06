"""Sending emails, and emails that came back."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import NotFound, Unavailable
from jara.domain.giving.member import Member
from jara.domain.returned_email import DeliveryReport, Failure, Ignored, StoppedAddress
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.leasing import LEASE
from jara.services.members.accounts import erase_member
from jara.services.members.documents import show_member
from jara.services.members.profiles import ask_to_confirm, confirm_address
from jara.services.notices.emails import queue_email, queue_member_email
from jara.services.notices.links import complete_links
from jara.services.notices.outbox import RETRY_MINUTES, MailRun, list_outbox, send_due
from jara.services.notices.returned_emails import (
    EMAILS_KEPT,
    STOPPED,
    ReportRun,
    clear_address,
    count_reports,
    list_stopped,
    marks_of,
)
from jara.services.operations.start_page import read_start_page
from jara.services.ports.outside import EmailRefused
from tests.harness import clock_of, make_organisation
from tests.services.notices.noticed_members import add_member


@dataclass
class FakeSender:
    """Takes emails, but refuses some addresses."""

    refused: frozenset[str] = frozenset()
    addresses: list[str] = field(default_factory=list)
    at_each: Callable[[], object] = bool

    def send(self, email: Email) -> None:
        """Take an email."""
        self.at_each()
        email.address.encode("ascii")  # as a mail server's client does
        if email.address in self.refused:
            raise Unavailable("The mail server is away.")
        self.addresses.append(email.address)

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Do nothing: nothing is stored."""
        return 0


def write_to(context: Context, *names: str, kind: str = "receipt") -> None:
    """Queue an email to each address."""
    with context.store.write() as work:
        for name in names:
            queue_email(context, work, kind, address=name, values={}, member_id=name)


def limited(context: Context, per_hour: int) -> Context:
    """Return a process that may send so many emails in an hour."""
    return replace(context, rules=context.rules._replace(mail_per_hour=per_hour))


def test_every_email_that_is_due_is_sent_once(context: Context) -> None:
    """A second sweep finds nothing."""
    write_to(context, *(f"m{n}@example.org" for n in range(60)))
    sender = FakeSender()

    assert send_due(context, sender) == MailRun(sent=60)
    assert send_due(context, sender) == MailRun()
    assert len(set(sender.addresses)) == 60
    assert list_outbox(context) == []
    assert len(list_outbox(context, include_sent=True)) == 60


def test_an_email_that_fails_waits_longer_each_time(context: Context) -> None:
    """The other emails are sent; the failed one is retried after the next delay."""
    write_to(context, "bad@example.org", "good@example.org")
    sender = FakeSender(refused=frozenset({"bad@example.org"}))

    assert send_due(context, sender) == MailRun(1, 1, "The mail server is away.")
    for minutes in (*RETRY_MINUTES, RETRY_MINUTES[-1]):
        clock_of(context).advance(minutes=minutes - 1)
        assert send_due(context, sender) == MailRun()
        clock_of(context).advance(minutes=1)
        assert send_due(context, sender).failed == 1

    (email,) = list_outbox(context)
    assert email.attempts == len(RETRY_MINUTES) + 2
    assert email.failure == "The mail server is away."


def test_three_failures_in_a_row_end_the_sweep(context: Context) -> None:
    """A server that is down is not tried once for each email."""
    names = [f"m{n}@example.org" for n in range(10)]
    write_to(context, *names)
    sender = FakeSender(refused=frozenset(names))

    assert send_due(context, sender).failed == 3
    assert send_due(context, FakeSender()) == MailRun()

    clock_of(context).advance(seconds=LEASE.total_seconds())
    assert send_due(context, FakeSender()).sent == 10


def test_an_email_that_cannot_be_written_stops_no_other(place: Path) -> None:
    """As one to an address of a giver that the payment provider took, and mail programs do not."""
    context, sender = make_organisation(place), FakeSender()
    write_to(context, *(f"m@exämple{n}.org" for n in range(4)), "ama@example.org")

    run = send_due(context, sender)

    assert run == MailRun(sent=1, failed=4, failure="UnicodeEncodeError (a defect of Jara)")
    assert sender.addresses == ["ama@example.org"]


def test_an_email_to_no_member_is_forgotten_once_it_left(context: Context) -> None:
    """After a goodbye or a newsletter question is sent, its address is deleted."""
    with context.store.write() as work:
        queue_email(context, work, "account_closed", address="gone@example.org", values={})

    assert send_due(context, FakeSender()) == MailRun(sent=1)
    assert list_outbox(context, include_sent=True) == []


def test_no_hour_has_more_emails_than_the_limit(context: Context) -> None:
    """All processes count together, and the hour slides."""
    write_to(context, *(f"m{n}@example.org" for n in range(70)))
    server, daily_run = limited(context, 30), limited(context, 30)

    assert send_due(server, FakeSender()) == MailRun(sent=30)
    assert send_due(daily_run, FakeSender()) == MailRun()
    clock_of(context).advance(minutes=59)
    assert send_due(server, FakeSender()) == MailRun()
    clock_of(context).advance(minutes=1)
    assert send_due(daily_run, FakeSender()) == MailRun(sent=30)
    clock_of(context).advance(minutes=60)
    assert send_due(server, FakeSender()) == MailRun(sent=10)


@pytest.mark.parametrize("kind", ["vote_opened", "vote_closed", "coming_change", "statement"])
def test_an_email_that_one_person_waits_for_goes_first(context: Context, kind: str) -> None:
    """News that were queued earlier wait behind it, and leave it a tenth of the hour."""
    write_to(context, *(f"m{n}@example.org" for n in range(60)), kind=kind)
    clock_of(context).advance(minutes=1)
    write_to(context, "ama@example.org", kind="password_reset")
    sender, process = FakeSender(), limited(context, 40)

    assert send_due(process, sender) == MailRun(sent=36)
    assert sender.addresses[0] == "ama@example.org"
    write_to(context, *(f"late{n}@example.org" for n in range(5)), kind="password_reset")
    assert send_due(process, FakeSender()) == MailRun(sent=4)


def test_a_server_that_is_down_uses_up_nothing_but_the_attempts(context: Context) -> None:
    """Emails that were not tried leave room for others."""
    names = [f"m{n}@example.org" for n in range(20)]
    write_to(context, *names)
    process = limited(context, 20)

    assert send_due(process, FakeSender(refused=frozenset(names))).failed == 3
    clock_of(context).advance(seconds=LEASE.total_seconds())
    assert send_due(process, FakeSender()).sent == 17


def test_a_slow_server_gets_no_email_from_two_processes(context: Context) -> None:
    """A process stops long before its lease ends; the rest is sent after that."""
    write_to(context, *(f"m{n}@example.org" for n in range(50)))
    clock = clock_of(context)
    sent = FakeSender(at_each=lambda: clock.advance(seconds=20))
    other = FakeSender()

    def both() -> None:
        clock.advance(seconds=20)
        send_due(context, other)

    slow = FakeSender(at_each=both)
    send_due(context, slow)
    clock.advance(seconds=LEASE.total_seconds())
    send_due(context, sent)
    addresses = [*slow.addresses, *other.addresses, *sent.addresses]
    assert len(addresses) == len(set(addresses))


def test_reminders_of_a_run_have_one_time(context: Context) -> None:
    """An email takes longer than an offer to the server, so their own times tell who has voted."""
    write_to(context, *"abc", kind="vote_reminder")
    write_to(context, *"de")
    begun = context.now()

    send_due(context, FakeSender(at_each=lambda: clock_of(context).advance(seconds=7)))

    times = {email.address: email.sent_at for email in context.store.read_once().outbox.all()}
    assert {times[name] for name in "abc"} == {begun}
    assert len({times[name] for name in "de"}) == 2


GONE = Failure("5.1.1", 550)
FULL = Failure("5.2.2", 552)


def write_to_member(context: Context, member: Member, kind: str = "receipt") -> Email:
    """Queue an email to a member, and return it."""
    before = {email.id for email in list_outbox(context, include_sent=True)}
    with context.store.write() as work:
        queue_member_email(context, work, kind, member, values={"proposal": "p-1"})
    (email,) = (one for one in list_outbox(context, include_sent=True) if one.id not in before)
    return email


def report(
    context: Context, email: Email, failure: Failure = GONE, address: str = "x@y.example"
) -> DeliveryReport:
    """Return a report about an email."""
    return DeliveryReport((marks_of(context, email).return_path,), (address,), failure)


def stopped(context: Context) -> list[str]:
    """Return the stopped addresses."""
    return [one.address for one in list_stopped(context)]


def counted(hard: int = 0, soft: int = 0, repeated: int = 0, **ignored: int) -> ReportRun:
    """Return the run of a reading with these counts."""
    reasons = {str(Ignored[name]): count for name, count in ignored.items()}
    read = hard + soft + repeated + sum(ignored.values())
    return ReportRun(read, hard, soft, repeated, reasons)


def test_a_hard_return_stops_the_address(context: Context) -> None:
    """Nothing is sent there; the operator and the member see since when."""
    ama, esi = add_member(context), add_member(context, "esi")
    email = write_to_member(context, ama)
    assert send_due(context, FakeSender()).sent == 1

    assert count_reports(context, [report(context, email)]) == counted(hard=1)

    assert list_stopped(context) == [
        StoppedAddress(ama.email, email.created_at, "5.1.1", is_hard=True)
    ]
    assert show_member(context, ama.id).email_stopped_on == context.today()
    assert show_member(context, esi.id).email_stopped_on is None
    waiting = {one.what: one.command for one in read_start_page(context).waiting}
    assert waiting["1 address that takes no email"] == "jara mail bounced"
    write_to_member(context, ama)
    write_to_member(context, esi)
    sender = FakeSender()
    assert send_due(context, sender).failed == 0
    assert sender.addresses == [esi.email]
    (unsent,) = list_outbox(context)
    assert (unsent.address, unsent.failure) == (ama.email, STOPPED)
    assert not any("refused" in one.what for one in read_start_page(context).waiting)


def test_a_link_that_its_owner_asked_for_is_sent_and_clears_the_address(context: Context) -> None:
    """Whoever can use a code from an email receives emails."""
    ama = add_member(context)
    count_reports(context, [report(context, write_to_member(context, ama))])
    with context.store.write() as work:
        ask_to_confirm(context, work, ama, ama.email)

    sender = FakeSender()
    send_due(context, sender)

    assert sender.addresses == [ama.email]
    with context.store.read() as work:
        (row,) = (one for one in work.outbox.all() if one.kind == "address_confirm")
    assert row.sent_at is not None  # the code was in the email that went out
    with context.store.write() as work:
        ask_to_confirm(context, work, ama, ama.email)
    (row,) = (one for one in list_outbox(context) if one.kind == "address_confirm")
    code = str(complete_links(context, row).doc["link"]).partition("code=")[2]
    confirm_address(context, code)
    assert stopped(context) == []
    assert show_member(context, ama.id).email_stopped_on is None


def test_repeated_reading_counts_once_also_after_clearing(context: Context) -> None:
    """The same mailbox is read again and again."""
    email = write_to_member(context, add_member(context))
    read = [report(context, email)] * 2

    assert count_reports(context, read) == counted(hard=1, repeated=1)
    clear_address(context, "ama@example.org")
    assert count_reports(context, read) == counted(repeated=2)
    assert stopped(context) == []
    with pytest.raises(NotFound, match=r"No email to .* came back"):
        clear_address(context, "ama@example.org")


def test_soft_returns_of_three_days_stop_an_address_for_a_time(context: Context) -> None:
    """Three emails of one day are one day; after 30 days the address is tried again."""
    ama = add_member(context)
    for _ in range(3):
        count_reports(context, [report(context, write_to_member(context, ama), FULL)])
    assert stopped(context) == []
    for _ in range(2):
        clock_of(context).advance(days=1)
        count_reports(context, [report(context, write_to_member(context, ama), FULL)])
    assert stopped(context) == [ama.email]

    clock_of(context).advance(days=29)
    assert stopped(context) == []


def test_a_forged_report_stops_nobody(context: Context) -> None:
    """A mark belongs to one email and one address; without it a report says nothing."""
    ama, esi = add_member(context), add_member(context, "esi")
    email = write_to_member(context, ama)
    mark = marks_of(context, email).return_path
    forged = [
        DeliveryReport((), (esi.email,), GONE),
        DeliveryReport((mark[:-16] + "0" * 16,), (esi.email, ama.email), GONE),
        DeliveryReport(("f" * 48,), (esi.email,), GONE),
    ]

    assert count_reports(context, forged) == counted(FOREIGN=3)
    with context.store.write() as work:
        work.outbox.remove(email.id)  # then the report itself must name the address
    assert count_reports(context, [DeliveryReport((mark,), (esi.email,), GONE)]) == counted(
        FOREIGN=1
    )
    assert count_reports(
        context, [DeliveryReport((mark,), (esi.email, ama.email), GONE)]
    ) == counted(hard=1)
    assert stopped(context) == [ama.email]


def test_a_report_that_knows_only_the_message_id_counts_as_soft(context: Context) -> None:
    """Whoever gets a reply or a forward knows the Message-ID; news alone wait for it."""
    ama = add_member(context)
    for _ in range(3):
        email = write_to_member(context, ama)
        forged = DeliveryReport((marks_of(context, email).header,), (ama.email,), GONE)
        assert count_reports(context, [forged]) == counted(soft=1)
        clock_of(context).advance(days=1)
    send_due(context, FakeSender())

    for kind in ("receipt", "vote_closed", "announcement"):
        with context.store.write() as work:
            queue_email(context, work, kind, address=ama.email, values={}, member_id=ama.id)
    sender = FakeSender()
    send_due(context, sender)

    waiting = [email.kind for email in list_outbox(context)]
    assert (sender.addresses, waiting) == ([ama.email] * 2, ["announcement"])


def test_an_address_that_was_changed_since_is_left_alone(context: Context) -> None:
    """Neither the old nor the new address of the member is stopped."""
    ama = add_member(context)
    email = write_to_member(context, ama)
    with context.store.write() as work:
        work.members.update(ama._replace(email="ama@new.example"))

    assert count_reports(context, [report(context, email)]) == counted(LEFT=1)
    assert stopped(context) == []


def test_reports_about_reminders_leave_no_trace(context: Context) -> None:
    """Only those who had not voted got one, so even a report about it would tell."""
    ama = add_member(context)
    email = write_to_member(context, ama, "vote_reminder")

    assert count_reports(context, [report(context, email)]) == counted(WITHOUT_TRACE=1)
    with context.store.read() as work:
        assert work.returned_emails.all() == []
        assert work.operations.audit() == []


def test_old_reports_and_refused_content_are_ignored(context: Context) -> None:
    """A mailbox of last year stops nobody, and a filter says nothing about an address."""
    email = write_to_member(context, add_member(context))
    read = [report(context, email, Failure("5.7.1", 554))]
    assert count_reports(context, read) == counted(NOT_OF_ADDRESS=1)

    clock_of(context).at += EMAILS_KEPT + timedelta(seconds=1)
    assert count_reports(context, [report(context, email)]) == counted(OLD=1)


@pytest.mark.parametrize(
    ("status", "answer", "addresses"),
    [
        ("5.1.1", "unknown", ["ama@example.org"]),
        ("", "550 unknown", ["ama@example.org"]),
        ("", "relay not permitted", []),
        ("5.7.1", "relaying denied", []),
    ],
)
def test_a_refusal_at_the_door_counts_as_a_report(
    context: Context, status: str, answer: str, addresses: list[str]
) -> None:
    """Our own mail server may know already; one that is set up wrongly stops nobody."""
    write_to_member(context, add_member(context))

    class Refusing(FakeSender):
        """Refuses every email for good."""

        def send(self, email: Email) -> None:
            """Refuse an email."""
            raise EmailRefused("refused", reply=550, status=status, answer=answer)

    assert send_due(context, Refusing()).failed == 1
    assert stopped(context) == addresses


def test_a_member_who_leaves_takes_the_returned_emails_along(context: Context) -> None:
    """An erased address is in no table."""
    ama = add_member(context)
    count_reports(context, [report(context, write_to_member(context, ama))])

    erase_member(context, ama.id, why="asked")

    assert stopped(context) == []


def test_cleared_and_soft_ones_are_deleted_in_time(context: Context) -> None:
    """A hard return stays as long as the address is used."""
    ama, esi = add_member(context), add_member(context, "esi")
    count_reports(context, [report(context, write_to_member(context, ama), FULL)])
    count_reports(context, [report(context, write_to_member(context, esi))])

    with context.store.write() as work:
        assert work.returned_emails.erase_before(context.now() + timedelta(days=1)) == 1
    assert stopped(context) == [esi.email]
