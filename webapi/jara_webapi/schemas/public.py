"""Queries, gifts, the newsletter, and public data."""

import re
from datetime import MAXYEAR, date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from jara.domain.claim import (
    NOTE_CHARS_MAX,
    PURPOSE_CHARS_MAX,
    RATE_CHARS_MAX,
    REPAY_CHARS_MAX,
    SHOP_CHARS_MAX,
)
from jara.domain.content.fields import NUMBER
from jara.domain.content.kinds import DONATIONS, KINDS
from jara.domain.dates import FIRST_YEAR
from jara.domain.field_report import (
    NUMBERS_MAX,
    PHOTOS_MAX,
    REPORT_BYTES_MAX,
    TEXT_CHARS_MAX,
    TITLE_CHARS_MAX,
)
from jara.services.books.transactions import PAGE_MAX
from jara.services.giving.gifts import GIFT_CENTS_MAX, GIFT_CENTS_MIN
from jara.services.projects.catalogue import ProjectLink
from jara.services.reports.followed import USUAL_CENTS
from jara_webapi.schemas.base import (
    Answer,
    Body,
    Code,
    Document,
    Done,
    Email,
    LanguageCode,
    PaymentMethod,
    Shape,
    Text,
    answer_model,
)
from jara_webapi.schemas.content import card_schema

_NUMBER = re.compile(r"-?[0-9]{1,16}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def _plain_number(value: object) -> object:
    """Refuse what pydantic would also read as a number: ``2_026``, ``2026.0``."""
    if isinstance(value, str) and _NUMBER.fullmatch(value) is None:
        raise PydanticCustomError("int_parsing", "This must be a whole number")
    return value


def _plain_day(value: object) -> object:
    """Refuse what pydantic would also read as a day: seconds since 1970, an instant."""
    if isinstance(value, str) and _DAY.fullmatch(value) is None:
        raise PydanticCustomError("date_parsing", "This must be a day")
    return value


def _countable(value: date | str) -> date | str:
    """Refuse a day or a month of the years before dates begin."""
    if int(str(value)[:4]) < FIRST_YEAR:
        raise PydanticCustomError("too_early", "Years begin with {year}", {"year": FIRST_YEAR})
    return value


Number = Annotated[int, BeforeValidator(_plain_number)]
Day = Annotated[date, BeforeValidator(_plain_day), AfterValidator(_countable)]
Month = Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$"), AfterValidator(_countable)]
Index = Annotated[Number, Field(ge=0, le=2**53)]
Year = Annotated[Number, Field(ge=FIRST_YEAR, le=MAXYEAR)]


class NewsletterWish(Body):
    """An address to subscribe to the newsletter."""

    email: Email


class MailedCode(Body):
    """A code from an email."""

    code: Code


class AnyGift(Body):
    """A one-time gift, however it is paid."""

    amount_cents: Annotated[int, Field(ge=GIFT_CENTS_MIN, le=GIFT_CENTS_MAX)]
    email: Email
    name: Text = ""
    language: LanguageCode | None = None
    """By default that of the request."""


class Gift(AnyGift):
    """A one-time gift."""

    payment_method_id: PaymentMethod


class GiftGiven(Done):
    """The gift was charged."""

    amount_cents: int
    entry: str | None = None
    """Its entry in the books, if it is already booked."""


class GiftConfirmation(GiftGiven):
    """The giver's bank must confirm."""

    requires_action: Literal[True] = True
    intent_type: Literal["payment", "setup"]
    client_secret: str


class Confirmation(Body):
    """The cardholder's decision in the sandbox."""

    client_secret: Annotated[str, Field(min_length=1, max_length=300)]
    outcome: Literal["succeed", "fail"]


class VersionQuery(Body):
    """A version of a legal text; by default the one that holds."""

    version: Annotated[Number, Field(ge=1)] | None = None


class YearQuery(Body):
    """A year; by default the current one."""

    year: Year | None = None


class FollowQuery(Body):
    """An amount, by default the usual pledge, and a month, by default the newest one spent."""

    cents: Annotated[Number, Field(ge=GIFT_CENTS_MIN, le=GIFT_CENTS_MAX)] = USUAL_CENTS
    month: Month | None = None


class ImpactQuery(Body):
    """The period of a report: a month, a year, all time, or any days (members only)."""

    month: Month | None = None
    year: Year | None = None
    all: bool = False
    first: Day | None = Field(default=None, alias="from")
    last: Day | None = Field(default=None, alias="to")


class PeriodQuery(Body):
    """A period, including its first and last day."""

    first: Day | None = Field(default=None, alias="from")
    last: Day | None = Field(default=None, alias="to")


class TransactionsQuery(Body):
    """Which transactions to list, and the cursor to continue from."""

    cursor: Annotated[str, Field(max_length=40)] | None = None
    limit: Annotated[Number, Field(ge=1, le=PAGE_MAX)] = 25
    kind: Annotated[str, Field(max_length=40)] | None = None
    q: Annotated[str, Field(max_length=200)] | None = None
    also: Annotated[str, Field(max_length=4000)] = ""
    """More words for ``q``, separated by ``|``: those that a translated page shows differently."""
    accounts: Annotated[str, Field(max_length=1000)] = ""
    """Accounts whose entries ``q`` also finds, separated by ``|``."""
    first: Day | None = Field(default=None, alias="from")
    last: Day | None = Field(default=None, alias="to")


class EntriesQuery(Body):
    """Which leaves of the log to list: from one index up to, not including, another."""

    first: Index = Field(default=0, alias="from")
    last: Index | None = Field(default=None, alias="to")


class InclusionQuery(Body):
    """A leaf, and the size of the tree that it is in."""

    index: Index
    size: Index


class BallotQuestion(Body):
    """A voter's token, the key of the receipt, and the size of the tree.

    It is a body, not a query: access logs keep queries beside addresses, and the log shows the
    choice of a token after the vote.
    """

    proposal: Annotated[str, Field(min_length=1, max_length=100)]
    voter: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=0, le=2**53)]


class ConsistencyQuery(Body):
    """Two sizes of the log."""

    first: Index = Field(alias="from")
    last: Index = Field(alias="to")


class SeenBy(Answer):
    """A witness of the log; without a time it has not signed the newest witnessed checkpoint."""

    name: str
    key: str
    seen_at: datetime | None


class Witnesses(Answer):
    """How many witnesses have seen the log, how many are enough, and when they signed."""

    size: int
    seen: int
    of: int
    quorum: int
    newest: datetime | None
    witnesses: list[SeenBy]


_DONATION = Shape(answer_model(ProjectLink, "Donation"), card_schema(KINDS[DONATIONS]))


class Donations(Answer):
    """The donations, how many, and their sum."""

    count: int
    total_cents: int
    donations: list[Annotated[Document, _DONATION]]


SHA256 = r"^[0-9a-f]{64}$"

Digest = Annotated[str, StringConstraints(pattern=SHA256)]


class AnnouncedPhoto(Body):
    """A photo that follows: the SHA-256 of its bytes, and how many they are."""

    sha256: Digest
    size: Annotated[int, Field(ge=1, le=REPORT_BYTES_MAX)]


class MeasuredValue(Body):
    """A measured value; digits with a decimal point."""

    measure: Annotated[str, Field(min_length=1, max_length=80)]
    value: Annotated[str, Field(pattern=f"^{NUMBER}$")]


class FieldReport(Body):
    """A report from the field; its photos follow in pieces.

    ``written_at`` is the phone's clock in seconds after 1970; a wrong one is no reason to refuse.
    """

    title: Annotated[str, Field(min_length=1, max_length=TITLE_CHARS_MAX)]
    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARS_MAX)]
    milestone: Annotated[str, Field(max_length=200)] | None = None
    numbers: list[MeasuredValue] = Field(default_factory=list, max_length=NUMBERS_MAX)
    consent: Literal["yes", "nobody", "no"] | None = None
    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    written_at: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = None
    photos: list[AnnouncedPhoto] = Field(default_factory=list, max_length=PHOTOS_MAX)


class SentClaim(Body):
    """A claim; its photos follow in pieces, at the address of a report's.

    ``cost`` is what it cost in the currency of the books, of another currency and if it is known.
    ``again`` says that the same was paid twice.
    """

    currency: Annotated[str, Field(pattern=r"^[A-Za-z]{3}$")]
    amount: Annotated[str, Field(min_length=1, max_length=20)]
    cost: Annotated[str, Field(max_length=20)] = ""
    rate_source: Annotated[str, Field(max_length=RATE_CHARS_MAX)] = ""
    spent_on: Annotated[str, Field(pattern=f"^{_DAY.pattern}$")]
    shop: Annotated[str, Field(min_length=1, max_length=SHOP_CHARS_MAX)]
    purpose: Annotated[str, Field(min_length=1, max_length=PURPOSE_CHARS_MAX)]
    repay_to: Annotated[str, Field(min_length=1, max_length=REPAY_CHARS_MAX)]
    note: Annotated[str, Field(max_length=NOTE_CHARS_MAX)] = ""
    again: bool = False
    written_at: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = None
    photos: list[AnnouncedPhoto] = Field(min_length=1, max_length=PHOTOS_MAX)


class PieceQuery(Body):
    """Where in the photo a piece begins."""

    start: Annotated[int, Field(ge=0, le=REPORT_BYTES_MAX)] = 0
