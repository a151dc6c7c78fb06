"""Sending: leased emails, retries, and few attempts while a server is down."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.leasing import LEASE
from jara.services.notices.emails import queue_email
from jara.services.notices.outbox import RETRY_MINUTES, MailRun, list_outbox, send_due
from tests.harness import clock_of, make_organisation


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

    def keep_only(self, email_ids: Container[str]) -> int:
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


def test_every_email_that_is_due_is_sent_once(place: Path) -> None:
    """A second sweep finds nothing."""
    context = make_organisation(place)
    write_to(context, *(f"m{n}@example.org" for n in range(60)))
    sender = FakeSender()

    assert send_due(context, sender) == MailRun(sent=60)
    assert send_due(context, sender) == MailRun()
    assert len(set(sender.addresses)) == 60
    assert list_outbox(context) == []
    assert len(list_outbox(context, include_sent=True)) == 60


def test_an_email_that_fails_waits_longer_each_time(place: Path) -> None:
    """The other emails are sent; the failed one is retried after the next delay."""
    context = make_organisation(place)
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


def test_three_failures_in_a_row_end_the_sweep(place: Path) -> None:
    """A server that is down is not tried once for each email."""
    context = make_organisation(place)
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


def test_leased_emails_are_not_leased_again(place: Path) -> None:
    """Two senders at once never send the same email."""
    context = make_organisation(place)
    write_to(context, "ama@example.org")
    with context.store.write() as work:
        now = context.now()
        assert len(work.outbox.lease(now=now, until=now + LEASE, limit=1)) == 1

    assert send_due(context, FakeSender()) == MailRun()


def test_an_email_to_no_member_is_forgotten_once_it_left(place: Path) -> None:
    """After a goodbye or a newsletter question is sent, its address is deleted."""
    context = make_organisation(place)
    with context.store.write() as work:
        queue_email(context, work, "account_closed", address="gone@example.org", values={})

    assert send_due(context, FakeSender()) == MailRun(sent=1)
    assert list_outbox(context, include_sent=True) == []


def test_no_hour_has_more_emails_than_the_limit(place: Path) -> None:
    """All processes count together, and the hour slides."""
    context = make_organisation(place)
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
def test_an_email_that_one_person_waits_for_goes_first(place: Path, kind: str) -> None:
    """News that were queued earlier wait behind it, and leave it a tenth of the hour."""
    context = make_organisation(place)
    write_to(context, *(f"m{n}@example.org" for n in range(60)), kind=kind)
    clock_of(context).advance(minutes=1)
    write_to(context, "ama@example.org", kind="password_reset")
    sender, process = FakeSender(), limited(context, 40)

    assert send_due(process, sender) == MailRun(sent=36)
    assert sender.addresses[0] == "ama@example.org"
    write_to(context, *(f"late{n}@example.org" for n in range(5)), kind="password_reset")
    assert send_due(process, FakeSender()) == MailRun(sent=4)


def test_a_server_that_is_down_uses_up_nothing_but_the_attempts(place: Path) -> None:
    """Emails that were not tried leave room for others."""
    context = make_organisation(place)
    names = [f"m{n}@example.org" for n in range(20)]
    write_to(context, *names)
    process = limited(context, 20)

    assert send_due(process, FakeSender(refused=frozenset(names))).failed == 3
    clock_of(context).advance(seconds=LEASE.total_seconds())
    assert send_due(process, FakeSender()).sent == 17


def test_a_batch_of_a_process_that_died_is_leased_again(place: Path) -> None:
    """Its emails take the same room in the hour."""
    context = make_organisation(place)
    write_to(context, *(f"m{n}@example.org" for n in range(20)))
    process = limited(context, 40)

    def die() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        send_due(process, FakeSender(at_each=die))
    clock_of(context).advance(seconds=LEASE.total_seconds())
    assert send_due(process, FakeSender()).sent == 20


def test_a_slow_server_gets_no_email_from_two_processes(place: Path) -> None:
    """A process stops long before its lease ends; the rest is sent after that."""
    context = make_organisation(place)
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


def test_reminders_of_a_run_have_one_time(place: Path) -> None:
    """An email takes longer than an offer to the server, so their own times tell who has voted."""
    context = make_organisation(place)
    write_to(context, *"abc", kind="vote_reminder")
    write_to(context, *"de")
    begun = context.now()

    send_due(context, FakeSender(at_each=lambda: clock_of(context).advance(seconds=7)))

    with context.store.read() as work:
        times = {email.address: email.sent_at for email in work.outbox.all()}
    assert {times[name] for name in "abc"} == {begun}
    assert len({times[name] for name in "de"}) == 2
