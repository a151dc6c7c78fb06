"""Partners who build what is funded, their links, and what they report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.domain.field_report import Consent, ReportState
from jara.domain.language import Language


class Partner(NamedTuple):
    """Who builds what is funded, and reports from there.

    Nothing but a question goes to ``email`` before it is confirmed; empty is no address.
    """

    id: str
    name: str
    language: Language
    added_at: datetime
    email: str = ""
    email_confirmed_at: datetime | None = None


class FieldLink(NamedTuple):
    """A partner's link: it opens the reports of one project until a day.

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

    def opens(self, today: date) -> bool:
        """Whether it opens its project: it is neither revoked nor over."""
        return self.revoked_at is None and today <= self.last_day


class FieldReport(NamedTuple):
    """A report as the partner wrote it.

    Args:
        id: its id, which follows from partner, project and the key that the phone made.
        key: that key.
        mark: the hash of what was sent, which tells a repeated report from another one.
        numbers: measured values by the name of their measure.
        place: where it is about, rounded to a kilometre; empty if the partner does not say.
        written_at: when, by the phone's clock if that can be right.
        update_id: the update that it became.
        reason: why it was refused.
    """

    id: str
    key: str
    mark: str
    partner: str
    project: str
    link: str
    state: ReportState
    title: str
    body: str
    milestone: str | None
    numbers: Mapping[str, Any]
    consent: Consent | None
    place: str
    written_at: datetime
    received_at: datetime
    decided_at: datetime | None = None
    update_id: str | None = None
    reason: str = ""


class FieldPhoto(NamedTuple):
    """A photo of a report.

    Args:
        sent_hash: the SHA-256 of the file as the phone sends it.
        size: its bytes.
        number: its place in the report, from 0.
        name: its name in the media folder once it is published; empty until it is complete.
        fault: why the file is not a usable photo.
    """

    report: str
    sent_hash: str
    number: int
    size: int
    name: str = ""
    fault: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether nothing more of it is expected from the phone."""
        return bool(self.name or self.fault)
