"""Emails that did not reach their address: what a report says, and when an address is stopped."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from jara.domain.time_zone import UTC_ZONE

PROOF_DIGITS = 16
MARK_DIGITS = 32 + PROOF_DIGITS
"""Of the mark that names an email in reports: its id (a UUID), and a proof that it was sent."""

SOFT_DAYS = 3
SOFT_PERIOD = timedelta(days=30)
"""Soft returns of emails of so many days within this time stop an address, until they are older."""


class Weight(StrEnum):
    """What a failed delivery says about the address."""

    HARD = "hard"
    """It does not exist any more."""
    SOFT = "soft"
    """It cannot be reached now: a full mailbox, a server that is away."""
    NONE = "none"
    """Nothing: the email or its sender was refused, such as by a filter against spam."""


class Failure(NamedTuple):
    """What a mail server says of a failed delivery."""

    status: str = ""  # the enhanced status code (RFC 3463), such as ``5.1.1``; empty without one
    reply: int = 0  # the code of the answer, such as 550; 0 without one
    text: str = ""


_NO_ADDRESS = re.compile(r"5\.(1\.(0|1|2|3|4|6|10)|2\.1|4\.[14])")
"""No such mailbox or domain, a mailbox that moved or is closed, no route to the domain. Exchange
says 5.4.1 of a mailbox that it does not know."""
_OF_SENDER = re.compile(r"[45]\.(7\.\d+|1\.[78])")
_UNSPECIFIC = re.compile(r"5\.(0\.\d+|4\.\d+)|")
_NO_MAILBOX = frozenset({0, 550, 551, 553})
"""Answers that mean the mailbox (RFC 5321 §4.2.3) if there is no specific status."""
_WORDS_OF_FILTERS = re.compile(
    r"spam|blocked|blocklist|blacklist|reputation|policy|relay|rcpthosts|authenticat|"
    r"\b(?:dmarc|spf|dkim)\b",
    re.IGNORECASE,
)


def weigh(failure: Failure) -> Weight:
    """Return what a failed delivery says about the address."""
    is_unspecific = _UNSPECIFIC.fullmatch(failure.status) is not None
    if _OF_SENDER.fullmatch(failure.status):
        return Weight.NONE
    if is_unspecific and _WORDS_OF_FILTERS.search(failure.text):
        return Weight.NONE
    if _NO_ADDRESS.fullmatch(failure.status):
        return Weight.HARD
    if failure.status:
        is_final = failure.status.startswith("5")
        no_mailbox = is_unspecific and failure.reply in _NO_MAILBOX
        return Weight.HARD if is_final and no_mailbox else Weight.SOFT
    return Weight.HARD if failure.reply in _NO_MAILBOX - {0} else Weight.SOFT


class ReturnedEmail(NamedTuple):
    """An email that did not reach its address."""

    email_id: str  # the email's id; each counts once
    address: str  # where it should have gone
    status: str  # the code that the mail server gave
    is_hard: bool  # whether the address does not exist any more
    at: datetime  # when the email was written
    cleared_at: datetime | None = None
    """When the address was confirmed again, or an operator cleared it."""


class StoppedAddress(NamedTuple):
    """An address to which no emails are sent."""

    address: str
    since: datetime  # when the email was written that stopped it
    status: str  # what the mail server said of it
    is_hard: bool  # whether the address does not exist any more


def stop_of(returned: Iterable[ReturnedEmail], *, now: datetime) -> StoppedAddress | None:
    """Return whether the returned emails of one address stop it.

    One hard return does, or soft ones of `SOFT_DAYS` different days within `SOFT_PERIOD`.
    """
    valid = sorted((one for one in returned if one.cleared_at is None), key=lambda one: one.at)
    hard = [one for one in valid if one.is_hard]
    recent = {UTC_ZONE.day_of(one.at): one for one in valid if now - one.at <= SOFT_PERIOD}
    if hard:
        cause = hard[0]
    elif len(recent) >= SOFT_DAYS:
        cause = list(recent.values())[SOFT_DAYS - 1]
    else:
        return None
    return StoppedAddress(cause.address, cause.at, cause.status, cause.is_hard)


class Ignored(StrEnum):
    """Why a message is not counted, in words for people."""

    OTHER = "no delivery report"
    UNREADABLE = "unreadable"
    AUTOMATIC = "automatic reply"
    DELIVERED = "report of a delivery"
    DELAYED = "report of a delay"
    COMPLAINT = "complaint about spam"
    FOREIGN = "about no email of ours"
    OLD = "about an old email"
    LEFT = "the address is not used any more"
    NOT_OF_ADDRESS = "the email was refused, not the address"
    WITHOUT_TRACE = "about an email that leaves no trace"


class DeliveryReport(NamedTuple):
    """A report that an email did not arrive."""

    marks: tuple[str, ...]  # texts in it that may be the mark of an email
    addresses: tuple[str, ...]  # every address in it
    failure: Failure  # what the mail server said
