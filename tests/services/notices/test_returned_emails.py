"""Emails that came back: what stops an address, and what does not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import NotFound
from jara.domain.giving.member import Member
from jara.domain.returned_email import DeliveryReport, Failure, Ignored, StoppedAddress
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.members.accounts import erase_member
from jara.services.members.documents import show_member
from jara.services.members.profiles import ask_to_confirm, confirm_address
from jara.services.notices.emails import queue_email, queue_member_email
from jara.services.notices.links import complete_links
from jara.services.notices.outbox import list_outbox, send_due
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
from tests.services.notices.test_outbox import FakeSender

GONE = Failure("5.1.1", 550)
FULL = Failure("5.2.2", 552)


def write_to(context: Context, member: Member, kind: str = "receipt") -> Email:
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


def test_a_hard_return_stops_the_address(place: Path) -> None:
    """Nothing is sent there; the operator and the member see since when."""
    context = make_organisation(place)
    ama, esi = add_member(context), add_member(context, "esi")
    email = write_to(context, ama)
    assert send_due(context, FakeSender()).sent == 1

    assert count_reports(context, [report(context, email)]) == counted(hard=1)

    assert list_stopped(context) == [
        StoppedAddress(ama.email, email.created_at, "5.1.1", is_hard=True)
    ]
    assert show_member(context, ama.id).email_stopped_on == context.today()
    assert show_member(context, esi.id).email_stopped_on is None
    waiting = {one.what: one.command for one in read_start_page(context).waiting}
    assert waiting["1 address that takes no email"] == "jara mail bounced"
    write_to(context, ama)
    write_to(context, esi)
    sender = FakeSender()
    assert send_due(context, sender).failed == 0
    assert sender.addresses == [esi.email]
    (unsent,) = list_outbox(context)
    assert (unsent.address, unsent.failure) == (ama.email, STOPPED)
    assert not any("refused" in one.what for one in read_start_page(context).waiting)


def test_a_link_that_its_owner_asked_for_is_sent_and_clears_the_address(place: Path) -> None:
    """Whoever can use a code from an email receives emails."""
    context = make_organisation(place)
    ama = add_member(context)
    count_reports(context, [report(context, write_to(context, ama))])
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


def test_repeated_reading_counts_once_also_after_clearing(place: Path) -> None:
    """The same mailbox is read again and again."""
    context = make_organisation(place)
    email = write_to(context, add_member(context))
    read = [report(context, email)] * 2

    assert count_reports(context, read) == counted(hard=1, repeated=1)
    clear_address(context, "ama@example.org")
    assert count_reports(context, read) == counted(repeated=2)
    assert stopped(context) == []
    with pytest.raises(NotFound, match=r"No email to .* came back"):
        clear_address(context, "ama@example.org")


def test_soft_returns_of_three_days_stop_an_address_for_a_time(place: Path) -> None:
    """Three emails of one day are one day; after 30 days the address is tried again."""
    context = make_organisation(place)
    ama = add_member(context)
    for _ in range(3):
        count_reports(context, [report(context, write_to(context, ama), FULL)])
    assert stopped(context) == []
    for _ in range(2):
        clock_of(context).advance(days=1)
        count_reports(context, [report(context, write_to(context, ama), FULL)])
    assert stopped(context) == [ama.email]

    clock_of(context).advance(days=29)
    assert stopped(context) == []


def test_a_forged_report_stops_nobody(place: Path) -> None:
    """A mark belongs to one email and one address; without it a report says nothing."""
    context = make_organisation(place)
    ama, esi = add_member(context), add_member(context, "esi")
    email = write_to(context, ama)
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


def test_a_report_that_knows_only_the_message_id_counts_as_soft(place: Path) -> None:
    """Whoever gets a reply or a forward knows the Message-ID; news alone wait for it."""
    context = make_organisation(place)
    ama = add_member(context)
    for _ in range(3):
        email = write_to(context, ama)
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


def test_an_address_that_was_changed_since_is_left_alone(place: Path) -> None:
    """Neither the old nor the new address of the member is stopped."""
    context = make_organisation(place)
    ama = add_member(context)
    email = write_to(context, ama)
    with context.store.write() as work:
        work.members.update(ama._replace(email="ama@new.example"))

    assert count_reports(context, [report(context, email)]) == counted(LEFT=1)
    assert stopped(context) == []


def test_reports_about_reminders_leave_no_trace(place: Path) -> None:
    """Only those who had not voted got one, so even a report about it would tell."""
    context = make_organisation(place)
    ama = add_member(context)
    email = write_to(context, ama, "vote_reminder")

    assert count_reports(context, [report(context, email)]) == counted(WITHOUT_TRACE=1)
    with context.store.read() as work:
        assert work.returned_emails.all() == []
        assert work.operations.audit() == []


def test_old_reports_and_refused_content_are_ignored(place: Path) -> None:
    """A mailbox of last year stops nobody, and a filter says nothing about an address."""
    context = make_organisation(place)
    email = write_to(context, add_member(context))
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
    place: Path, status: str, answer: str, addresses: list[str]
) -> None:
    """Our own mail server may know already; one that is set up wrongly stops nobody."""
    context = make_organisation(place)
    write_to(context, add_member(context))

    class Refusing(FakeSender):
        """Refuses every email for good."""

        def send(self, email: Email) -> None:
            """Refuse an email."""
            raise EmailRefused("refused", reply=550, status=status, answer=answer)

    assert send_due(context, Refusing()).failed == 1
    assert stopped(context) == addresses


def test_a_member_who_leaves_takes_the_returned_emails_along(place: Path) -> None:
    """An erased address is in no table."""
    context = make_organisation(place)
    ama = add_member(context)
    count_reports(context, [report(context, write_to(context, ama))])

    erase_member(context, ama.id, why="asked")

    assert stopped(context) == []


def test_cleared_and_soft_ones_are_deleted_in_time(place: Path) -> None:
    """A hard return stays as long as the address is used."""
    context = make_organisation(place)
    ama, esi = add_member(context), add_member(context, "esi")
    count_reports(context, [report(context, write_to(context, ama), FULL)])
    count_reports(context, [report(context, write_to(context, esi))])

    with context.store.write() as work:
        assert work.returned_emails.erase_before(context.now() + timedelta(days=1)) == 1
    assert stopped(context) == [esi.email]
