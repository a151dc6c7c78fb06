"""Partners and claimants, their links, and what they send: reports from the field, and claims."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.field_report import Consent, ReportState
from jara.domain.language import Language


class Partner(NamedTuple):
    """Who has links: builds what is funded and reports from there, or claims what they paid for us.

    Nothing but a question goes to a partner's ``email`` before it is confirmed; a claimant gets
    the link there, and what became of each claim. Empty is no address.
    """

    id: str
    name: str
    language: Language
    added_at: datetime
    email: str = ""
    email_confirmed_at: datetime | None = None


class FieldLink(NamedTuple):
    """A link: until a day it opens the reports of one project, or the holder's claims.

    A link for claims has no ``project``.

    ``proof`` is the hash of its code, which is stored nowhere. Nobody has the code of a ``sample``:
    its reports came with the sample content.
    """

    id: str
    partner: str
    project: str
    proof: str
    made_at: datetime
    last_day: date
    revoked_at: datetime | None = None
    sample: bool = False

    @property
    def opens_claims(self) -> bool:
        """Whether it opens claims instead of a project."""
        return not self.project

    def opens(self, today: date) -> bool:
        """Whether it opens its page: it is neither revoked nor over."""
        return self.revoked_at is None and today <= self.last_day


class FieldReport(NamedTuple):
    """A report as the partner wrote it, or what a claim has in common with one.

    A claim has no ``project``; its ``title`` is the shop, and a `Claim` has the rest.
    """

    id: str  # its id, which follows from partner, project and the key that the phone made
    key: str
    mark: str  # the hash of what was sent, which tells a repeated report from another one
    partner: str
    project: str
    link: str
    state: ReportState
    title: str
    body: str
    milestone: str | None
    numbers: Mapping[str, Any]  # measured values by the name of their measure
    consent: Consent | None
    place: str  # where it is about, rounded to a kilometre; empty if the partner does not say
    written_at: datetime  # when, by the phone's clock if that can be right
    received_at: datetime
    decided_at: datetime | None = None
    update_id: str | None = None  # the update that it became
    reason: str = ""  # why it was refused


class FieldPhoto(NamedTuple):
    """A photo of a report."""

    report: str
    sent_hash: str  # the SHA-256 of the file as the phone sends it
    number: int  # its place in the report, from 0
    size: int  # its bytes
    name: str = ""  # its name in the media folder once it is published; empty until it is complete
    fault: str = ""  # why the file is not a usable photo

    @property
    def is_settled(self) -> bool:
        """Whether nothing more of it is expected from the phone."""
        return bool(self.name or self.fault)


class Claim(NamedTuple):
    """What a volunteer paid for the organisation."""

    report: str  # its id, and that of the `FieldReport` with its state, shop and note
    currency: str  # the currency that was paid
    minor: int  # the amount in its smallest unit
    cents: int | None  # the same in the currency of the books; None until somebody knows the rate
    rate_source: str  # where the rate is from; empty in the currency of the books
    spent_on: date  # the day of the receipt
    purpose: str  # what it was for, by the name of a `ClaimPurpose`
    repay_to: str | None  # where to pay it back, encrypted; None once that is over
    entry: int | None = None  # the log index of the entry that books it
    paid_entry: int | None = None  # the log index of the entry that pays it back


class ClaimPurpose(NamedTuple):
    """What may be claimed: its name for volunteers, and the account and fund that pay for it."""

    name: str
    account: str
    fund: Fund
    added_at: datetime
