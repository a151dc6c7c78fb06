"""Reports from the field, and claims: what the phone of a link's holder reads and sends.

The code of the link comes in the header ``Authorization``, so that no log and no address has it.
"""

import re
from datetime import UTC, date, datetime

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.field_report import PIECE_BYTES_MAX, Consent
from jara.files.media import read_field_photo
from jara.services.context import Context
from jara.services.field import arriving, claiming, receiving
from jara.services.field.arriving import ExpectedPhoto, SentReport, refusal
from jara.services.field.claiming import ClaimForm
from jara.services.field.partners import Caller, confirm_partner_address
from jara.services.field.receiving import FieldPage, MeasuredNumber, ReportForm
from jara_webapi.calls.operations import Access, Call, RawBody, get, post, put
from jara_webapi.middleware.authentication import token_of
from jara_webapi.schemas.base import Done
from jara_webapi.schemas.public import SHA256, FieldReport, MailedCode, PieceQuery, SentClaim

_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)
_HASH = re.compile(SHA256, re.ASCII)
_REFUSES = (403, 404, 409, 422, 429)


@get(access=Access.LINK, refuses=(403, 404, 429))
def page(app: Application, call: Call) -> FieldPage:
    """Return what a link opens, and what became of the reports or claims sent with it."""
    return receiving.read_field_page(app.context, app.limits, _caller(call))


@post()
def confirm_address(context: Context, body: MailedCode) -> Done:
    """Confirm the address of a partner with the code from the email."""
    confirm_partner_address(context, body.code)
    return Done(message="Thank you. Your email address is confirmed.")


@put(access=Access.LINK, refuses=_REFUSES)
def send_report(app: Application, call: Call, key: str, body: FieldReport) -> SentReport:
    """Send a report under a key that the phone made; sent again, it arrives once."""
    _require_key(key)
    form = ReportForm(
        title=body.title,
        text=body.text,
        milestone=body.milestone,
        numbers=tuple(MeasuredNumber(one.measure, one.value) for one in body.numbers),
        consent=None if body.consent is None else Consent(body.consent),
        latitude=body.latitude,
        longitude=body.longitude,
        written_at=_time_of(body.written_at),
        photos=tuple(ExpectedPhoto(one.sha256, one.size) for one in body.photos),
    )
    return receiving.receive_report(app.context, app.limits, _caller(call), key, form)


@put(access=Access.LINK, refuses=_REFUSES)
def send_claim(app: Application, call: Call, key: str, body: SentClaim) -> SentReport:
    """Send a claim under a key that the phone made; sent again, it arrives once."""
    _require_key(key)
    form = ClaimForm(
        **body.model_dump(exclude={"spent_on", "written_at", "photos"}),
        spent_on=_day_of(body.spent_on),
        written_at=_time_of(body.written_at),
        photos=tuple(ExpectedPhoto(one.sha256, one.size) for one in body.photos),
    )
    return claiming.receive_claim(app.context, app.limits, _caller(call), key, form)


@put(
    access=Access.LINK,
    raw_body=RawBody(PIECE_BYTES_MAX, media_type="application/octet-stream"),
    refuses=_REFUSES,
)
def send_piece(
    app: Application, call: Call, key: str, photo: str, query: PieceQuery, body: bytes
) -> SentReport:
    """Send a piece of a photo, which is named by the SHA-256 of all its bytes."""
    if _HASH.fullmatch(photo) is None:
        raise NotFound("A photo is named by the SHA-256 of its bytes.")
    return arriving.receive_piece(
        app.context,
        app.limits,
        _caller(call),
        key,
        photo,
        start=query.start,
        data=body,
        redraw=_redraw,
        turn=app.drawing_turns.take,
    )


def _require_key(key: str) -> None:
    if _KEY.fullmatch(key) is None:
        raise InvalidInput("The key of a report has 16 to 64 letters, digits, '-' or '_'.")


def _day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise refusal("spentOn", "No calendar has this day.") from None


def _time_of(second: int | None) -> datetime | None:
    """Return the time by a phone's clock; None if no calendar has it."""
    try:
        return None if second is None else datetime.fromtimestamp(second, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _redraw(data: bytes) -> tuple[str, bytes]:
    media = read_field_photo(data, "The photo")
    return media.name, media.data


def _caller(call: Call) -> Caller:
    return Caller(token_of(call.req) or "", call.address)
