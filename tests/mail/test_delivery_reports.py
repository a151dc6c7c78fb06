"""Delivery reports: what they say, in each form; and mailboxes that hold anything else."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput, NotFound
from jara.domain.returned_email import DeliveryReport, Failure, Ignored, Weight, weigh
from jara.mail.delivery_reports import MESSAGE_BYTES_MAX, read_messages, read_report
from tests.mail.report_samples import (
    COMPLAINT,
    HARD,
    MARK,
    RECIPIENT,
    SPAM,
    VACATION,
    Sample,
    exim,
    postfix,
    ses,
)


@pytest.mark.parametrize("sample", HARD, ids=lambda sample: sample.name)
def test_a_report_names_email_address_and_weight(sample: Sample) -> None:
    """Every program says in its way that the address does not exist."""
    report = read_report(sample.write(MARK, RECIPIENT).encode())

    assert isinstance(report, DeliveryReport)
    assert report.marks == (MARK,)
    assert RECIPIENT in report.addresses
    assert weigh(report.failure) is Weight.HARD


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        (postfix(status="5.2.2", answer="552 5.2.2 mailbox full"), Weight.SOFT),
        (postfix(status="4.4.7", answer="451 4.4.7 expired"), Weight.SOFT),
        (postfix(status="5.7.1", answer="554 5.7.1 spam"), Weight.NONE),
        (postfix(status="5.0.0", answer="550 blocked as spam"), Weight.NONE),
        (exim(answer="550 relay not permitted"), Weight.NONE),
        (exim(answer="552 too big"), Weight.SOFT),
        (ses(bounceType="Transient", bouncedRecipients=[{"emailAddress": RECIPIENT}]), Weight.SOFT),
        (ses(bouncedRecipients=[]), Weight.HARD),
    ],
)
def test_the_status_decides_the_weight(text: str, weight: Weight) -> None:
    """A full mailbox, a filter and a missing mailbox are three things."""
    report = read_report(text.encode())

    assert isinstance(report, DeliveryReport)
    assert weigh(report.failure) is weight


@pytest.mark.parametrize(
    ("failure", "weight"),
    [
        (Failure("", 550, "no mailbox"), Weight.HARD),
        (Failure("", 550, "relay not permitted"), Weight.NONE),
        (Failure("", 552, "mailbox full"), Weight.SOFT),
        (Failure("", 554, "rejected"), Weight.SOFT),
        (Failure("5.1.8", 550, "bad sender"), Weight.NONE),
        (Failure("5.1.1", 550, "this user was blocked"), Weight.HARD),
        (Failure("5.2.1", 550, "mailbox disabled"), Weight.HARD),
        (Failure("5.4.1", 550, "Recipient address rejected: Access denied"), Weight.HARD),
        (Failure("5.3.4", 552, "message too big"), Weight.SOFT),
    ],
)
def test_our_mail_server_s_answers_are_weighed_alike(failure: Failure, weight: Weight) -> None:
    """The same rule weighs the answer to our own mail server."""
    assert weigh(failure) is weight


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (VACATION.encode(), Ignored.AUTOMATIC),
        (SPAM.encode(), Ignored.OTHER),
        (COMPLAINT.encode(), Ignored.COMPLAINT),
        (b"", Ignored.UNREADABLE),
        (b"\x00\xff\xfe" * 1000, Ignored.UNREADABLE),
        (b"{ broken", Ignored.UNREADABLE),
        (b'{"notificationType": "Delivery"}', Ignored.DELIVERED),
        (b'{"notificationType": "Complaint"}', Ignored.COMPLAINT),
        (b'{"a": 1}', Ignored.OTHER),
        (b"[" * 100_000, Ignored.UNREADABLE),
        (postfix(action="delayed", status="4.4.1").encode(), Ignored.DELAYED),
        (postfix(action="relayed", status="2.0.0").encode(), Ignored.DELIVERED),
    ],
)
def test_anything_else_is_ignored_with_a_reason(data: bytes, reason: Ignored) -> None:
    """Replies, spam, reports of a delivery and broken messages count nothing."""
    assert read_report(data) is reason


@pytest.mark.parametrize("length", range(0, 1400, 53))
def test_a_truncated_report_breaks_nothing(length: int) -> None:
    """Wherever it is cut, it is a report or ignored."""
    read_report(postfix().encode()[:length])


@pytest.mark.parametrize("charset", ["utf-16", "no-such-charset", "utf-7", ""])
def test_a_wrong_charset_breaks_nothing(charset: str) -> None:
    """The codes are read all the same."""
    text = postfix().replace("us-ascii", charset)

    assert isinstance(read_report(text.encode("utf-8") + b"\xff\xfe"), DeliveryReport)


def test_deep_nesting_breaks_nothing() -> None:
    """A message in a message in a message, 2,000 times, is ignored."""
    data = b"Content-Type: message/rfc822\n\n" * 2000

    assert isinstance(read_report(data), Ignored)


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    """Anything is a report or ignored."""
    for message in read_messages(io.BytesIO(data)):
        read_report(message)


def test_a_mailbox_a_maildir_and_a_pipe_hold_the_same(tmp_path: Path) -> None:
    """Five messages are five messages, however they come."""
    texts = [write(MARK, RECIPIENT) for _, write in HARD[:5]]
    mailbox = tmp_path / "mbox"
    mailbox.write_text("".join(f"From x@y Fri Nov 20 12:00:00 2026\n{text}\n" for text in texts))
    for number, text in enumerate(texts):
        for name in ("new", "cur", "tmp"):
            (tmp_path / "Maildir" / name).mkdir(parents=True, exist_ok=True)
        folder = tmp_path / "Maildir" / ("new", "cur")[number % 2]
        (folder / f"{number}.host:2,S").write_text(text)

    kinds = [
        list(map(read_report, read_messages(source)))
        for source in (mailbox, tmp_path / "Maildir", io.BytesIO(mailbox.read_bytes()))
    ]

    assert [len(reports) for reports in kinds] == [5, 5, 5]
    assert all(isinstance(report, DeliveryReport) for reports in kinds for report in reports)


def test_documents_that_follow_one_another_are_read_one_by_one() -> None:
    """Notifications of SES may be joined in one file."""
    data = f"{ses()}\n{json.dumps(json.loads(ses()), indent=2)}\n{{broken".encode()

    reports = [read_report(one) for one in read_messages(io.BytesIO(data))]

    assert [isinstance(report, DeliveryReport) for report in reports] == [True, True, False]


def test_a_huge_message_is_read_in_part() -> None:
    """A message of 200 MB takes no more memory than its first part."""

    class Endless(io.RawIOBase):
        """Lines without end, up to 200 MB."""

        left = 200_000_000

        def readable(self) -> bool:
            """Say yes."""
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            """Fill the buffer with x, without line ends."""
            size = min(len(buffer), self.left)
            buffer[:size] = b"x" * size
            self.left -= size
            return size

    (message,) = read_messages(io.BufferedReader(Endless()))

    assert len(message) < MESSAGE_BYTES_MAX + 100_000


def test_a_missing_file_and_a_plain_folder_are_named(tmp_path: Path) -> None:
    """The error says what is there."""
    with pytest.raises(NotFound, match="no-such"):
        list(read_messages(tmp_path / "no-such"))
    with pytest.raises(InvalidInput, match="'new' and 'cur'"):
        list(read_messages(tmp_path))
