"""Receives reports and claims from phones: each once, however often it is sent.

What is sent is named by the phone: a report or claim by a random key, a photo by the hash of its
bytes. So a repeated request finds what is there already, from another tab too, and a
photo that was cut off or changed on the way is never taken. The phone is told how far each has
come, and what became of it.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from functools import partial
from hashlib import sha256
from typing import NamedTuple, Protocol

from jara.documents import json_text, to_document
from jara.domain.claim import Bought
from jara.domain.currency import plain_minor
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.field_report import (
    PHOTOS_MAX,
    REPORT_BYTES_MAX,
    UNDECIDED,
    WAITING_MAX,
    ReportState,
    believable_time,
    plain_text,
)
from jara.domain.texts import tr
from jara.records.field import Claim, FieldLink, FieldPhoto, FieldReport
from jara.services.context import Context
from jara.services.field.partners import Caller, admit, open_link
from jara.services.mailed_codes import hash_of
from jara.services.rate_limits import Limits
from jara.store.unit_of_work import UnitOfWork

Redraw = Callable[[bytes], tuple[str, bytes]]
"""Draws a photo anew, without metadata; returns its name in the media folder and its bytes."""

Turn = Callable[[], AbstractContextManager[None]]
"""Waits for a turn to draw, and holds it; raises `Busy` if too many others wait."""


class ReportDiffers(Conflict):
    """Another report came with this key."""

    code = "report_differs"


class TooManyWaiting(Conflict):
    """The operators have to decide on earlier reports first."""

    code = "too_many_waiting"


class ExpectedPhoto(NamedTuple):
    """A photo that a report announces: the SHA-256 of its bytes, and how many they are."""

    sha256: str
    size: int


class Form(Protocol):
    """What a phone sends: a report or a claim."""

    @property
    def photos(self) -> tuple[ExpectedPhoto, ...]:
        """The photos that follow."""

    @property
    def written_at(self) -> datetime | None:
        """When it was written, by the phone's clock."""


Make = Callable[[UnitOfWork, FieldLink, str], tuple[FieldReport, Claim | None]]
"""Checks a form, and returns its report under an id, with the claim if it is one."""


def receive_once(
    context: Context, caller: Caller, key: str, form: Form, make: Make
) -> "SentReport":
    """Take what was sent under a key, without its photos; the same again changes nothing.

    The phone made the key. `make` is called in the transaction, and only for what is not here yet.

    Raises:
        ReportDiffers: something else has this key.
        TooManyWaiting: too much of the link waits.
        LinkUnknown: as `open_link`, also for its other refusals.
    """
    mark = hash_of(json_text(to_document(form)))
    with context.store.write() as work:
        link, _ = open_link(context, work, caller)
        report_id = _report_id(link, key)
        report = work.field.report(report_id)
        if report is None:
            made, claim = make(work, link, report_id)
            report = made._replace(key=key, mark=mark)
            _check_room(work, link)
            work.field.add_report(report)
            for number, photo in enumerate(form.photos):
                work.field.add_photo(FieldPhoto(report_id, photo.sha256, number, photo.size))
            if claim is not None:
                work.field.put_claim(claim)
        elif report.mark != mark:
            raise ReportDiffers(
                "Another report was sent with this key; send this one with a new key."
            )
        return sent_report(context, work, report)


def receive_piece(
    context: Context,
    limits: Limits,
    caller: Caller,
    key: str,
    sent_hash: str,
    *,
    start: int,
    data: bytes,
    redraw: Redraw,
    turn: Turn,
) -> "SentReport":
    """Take a piece of a photo; the last one completes it, and the last photo the report.

    `sent_hash` is the SHA-256 of the photo as the report announced it, `start` where in it the
    piece belongs. `redraw` makes the stored photo of the sent one, and refuses what is not a photo;
    `turn` lets one photo be drawn at a time, because drawing takes time and memory.

    Raises:
        Busy: too many photos wait for their turn; the same piece is taken later.
        NotFound: the report is not here, or did not announce this photo.
        InvalidInput: the piece is empty or does not fit into the photo.
        LinkUnknown: as `admit` and `open_link`, also for its other refusals.
    """
    admit(context, limits, caller)
    with context.store.write() as work:
        report, photo = _expected(context, work, caller, key, sent_hash)
        if photo.is_settled or report.state not in UNDECIDED:
            return sent_report(context, work, report)
        if not data or start + len(data) > photo.size:
            raise InvalidInput(
                "The photo has {size} bytes; {count} from {start} do not fit into it.",
                size=str(photo.size),
                count=str(len(data)),
                start=str(start),
            )
        # Only what continues the photo is stored, so that it takes no more room than it has bytes.
        whole = work.field.received(photo)
        continued = data[len(whole) - start :] if start <= len(whole) else b""
        if continued:
            work.field.add_piece(photo, len(whole), continued)
            whole += continued
        if len(whole) < photo.size:
            return sent_report(context, work, report)
        if sha256(whole).hexdigest() != photo.sent_hash:
            work.field.delete_pieces(photo)  # the phone begins this photo again
            return sent_report(context, work, report)
    with turn():
        return _settle(context, caller, key, sent_hash, partial(_drawn, photo, whole, redraw))


def _settle(
    context: Context,
    caller: Caller,
    key: str,
    sent_hash: str,
    draw: Callable[[], tuple[bytes | None, FieldPhoto]],
) -> "SentReport":
    """Draw a photo outside a transaction, as others write meanwhile, and store it."""
    with context.store.read() as work:  # another request may have drawn it before this turn
        report, photo = _expected(context, work, caller, key, sent_hash)
        if photo.is_settled:
            return sent_report(context, work, report)
    drawn, settled = draw()
    with context.store.write() as work:
        report, photo = _expected(context, work, caller, key, sent_hash)
        if not photo.is_settled and report.state in UNDECIDED:
            work.field.settle_photo(settled, drawn)
            report = _complete(work, report)
        return sent_report(context, work, report)


def _drawn(photo: FieldPhoto, whole: bytes, redraw: Redraw) -> tuple[bytes | None, FieldPhoto]:
    """Return a photo as it is stored; if it is none, the report goes on without it."""
    try:
        name, drawn = redraw(whole)
    except InvalidInput as error:
        return None, photo._replace(fault=error.message)
    return drawn, photo._replace(name=name)


def _complete(work: UnitOfWork, report: FieldReport) -> FieldReport:
    """Let a report wait for an operator once nothing more of it is expected."""
    if not all(photo.is_settled for photo in work.field.photos(report.id)):
        return report
    complete = report._replace(state=ReportState.WAITING)
    work.field.put_report(complete)
    return complete


def _expected(
    context: Context, work: UnitOfWork, caller: Caller, key: str, sent_hash: str
) -> tuple[FieldReport, FieldPhoto]:
    link, _ = open_link(context, work, caller)
    report = work.field.report(_report_id(link, key))
    if report is None:
        raise NotFound("Send the report before its photos.")
    for photo in work.field.photos(report.id):
        if photo.sent_hash == sent_hash:
            return report, photo
    raise NotFound("The report announced no such photo.")


def _report_id(link: FieldLink, key: str) -> str:
    """Return the id of a report: the same through every link of a partner's project."""
    kind = "claim" if link.opens_claims else "field"
    return f"{kind}_{hash_of(json_text([link.partner, link.project, key]))[:16]}"


def plain_report(
    context: Context, link: FieldLink, report_id: str, title: str, text: str, form: Form
) -> FieldReport:
    """Return a report with its texts and its time, without key and mark."""
    now = context.now()
    return FieldReport(
        id=report_id,
        key="",
        mark="",
        partner=link.partner,
        project=link.project,
        link=link.id,
        state=ReportState.ARRIVING if form.photos else ReportState.WAITING,
        title=" ".join(plain_text(title).split()),
        body=plain_text(text).strip(),
        milestone=None,
        numbers={},
        consent=None,
        place="",
        written_at=believable_time(form.written_at, now=now),
        received_at=now,
    )


def check_photos(photos: Sequence[ExpectedPhoto]) -> None:
    """Check how many photos are announced, and how large they are.

    Raises:
        InvalidInput: they are too many, too large, or the same.
    """
    hashes = [photo.sha256 for photo in photos]
    size = sum(photo.size for photo in photos)
    if len(hashes) > PHOTOS_MAX or size > REPORT_BYTES_MAX or len(hashes) > len(set(hashes)):
        raise refusal(
            "photos",
            "At most {most} different photos with {size} kB together can be sent.",
            most=PHOTOS_MAX,
            size=str(REPORT_BYTES_MAX // 1000),
        )


def refusal(field: str, template: str, **values: str | int) -> InvalidInput:
    """Return the error of a field of a form."""
    sentence = tr(template, **values)
    return InvalidInput(f"{field}: {sentence}", fields={field: sentence})


def _check_room(work: UnitOfWork, link: FieldLink) -> None:
    reports = work.field.reports_of(link.partner, link.project)
    if sum(report.state in UNDECIDED for report in reports) >= WAITING_MAX:
        raise TooManyWaiting(
            "{count} wait for the organisation already. This one stays on your phone, and is sent "
            "once they have been read.",
            count=WAITING_MAX,
        )


_TOO_LATE = "The report was decided before this photo had arrived."


class SentPhoto(NamedTuple):
    """How far a photo has arrived."""

    sha256: str
    size: int  # how many bytes it has
    received: int  # how many of them are here, from the beginning
    fault: str  # why it is not a usable photo


class SentReport(NamedTuple):
    """What the server has of a report or claim, and what became of it.

    Only a claim has a currency and an amount; its title is the shop.
    """

    key: str
    title: str
    state: ReportState
    received_on: date
    reason: str
    photos: tuple[SentPhoto, ...]
    currency: str
    amount: str


def bought_of(claim: Claim, report: FieldReport) -> Bought:
    """Return what a claim was for."""
    return Bought(claim.spent_on, report.title, claim.currency, claim.minor)


def sent_report(context: Context, work: UnitOfWork, report: FieldReport) -> SentReport:
    """Return what the server has of a report or claim."""
    claim = work.field.claim(report.id) if report.project == "" else None
    photos: Sequence[FieldPhoto] = work.field.photos(report.id)
    return SentReport(
        report.key,
        report.title,
        report.state,
        context.zone.day_of(report.received_at),
        report.reason,
        tuple(_sent_photo(work, report, photo) for photo in photos),
        "" if claim is None else claim.currency,
        "" if claim is None else plain_minor(claim.currency, claim.minor),
    )


def _sent_photo(work: UnitOfWork, report: FieldReport, photo: FieldPhoto) -> SentPhoto:
    is_decided = report.state not in UNDECIDED
    is_over = photo.is_settled or is_decided
    # The last byte of a photo that is not drawn yet is asked for again: its turn may not have come.
    received = photo.size if is_over else min(len(work.field.received(photo)), photo.size - 1)
    fault = _TOO_LATE if is_decided and not photo.is_settled else photo.fault
    return SentPhoto(photo.sent_hash, photo.size, received, fault)
