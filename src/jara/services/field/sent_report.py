"""What a phone is told about a report that it sends: how far it has come, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from jara.domain.field_report import UNDECIDED, ReportState
from jara.records.field import FieldPhoto, FieldReport
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_TOO_LATE = "The report was decided before this photo had arrived."


class SentPhoto(NamedTuple):
    """How far a photo has arrived.

    Args:
        sha256: the SHA-256 of its bytes.
        size: how many bytes it has.
        received: how many of them are here, from the beginning.
        fault: why it is not a usable photo.
    """

    sha256: str
    size: int
    received: int
    fault: str


class SentReport(NamedTuple):
    """What the server has of a report, and what became of it."""

    key: str
    title: str
    state: ReportState
    received_on: date
    reason: str
    photos: tuple[SentPhoto, ...]


def sent_report(context: Context, work: UnitOfWork, report: FieldReport) -> SentReport:
    """Return what the server has of a report."""
    photos: Sequence[FieldPhoto] = work.field.photos(report.id)
    return SentReport(
        report.key,
        report.title,
        report.state,
        context.zone.day_of(report.received_at),
        report.reason,
        tuple(_sent_photo(work, report, photo) for photo in photos),
    )


def _sent_photo(work: UnitOfWork, report: FieldReport, photo: FieldPhoto) -> SentPhoto:
    is_decided = report.state not in UNDECIDED
    is_over = photo.is_settled or is_decided
    received = photo.size if is_over else len(work.field.received(photo))
    fault = _TOO_LATE if is_decided and not photo.is_settled else photo.fault
    return SentPhoto(photo.sent_hash, photo.size, received, fault)
