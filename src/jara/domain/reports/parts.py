"""Types that the reports share: period, state of the books, payouts."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Annotated, NamedTuple, TypeGuard

from jara.documents import HIDDEN, OPTIONAL, Json
from jara.domain.books.foreign import PUBLIC_AMOUNT, ForeignAmount, public_amount
from jara.domain.books.journal import Foreign
from jara.domain.errors import InvalidInput
from jara.domain.texts import Text, tr


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """The days a report covers, both ends included."""

    first: Annotated[date, Json("from")]
    last: Annotated[date, Json("to")]
    until: Annotated[date | None, OPTIONAL] = None
    """The last day with known figures, if the period is not over."""

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise InvalidInput(
                f"A period cannot end ({self.last}) before it begins ({self.first})."
            )

    @property
    def end(self) -> date:
        """The day of the figures: the last day, or the newest one in a running period."""
        return self.last if self.until is None else self.until

    def known_on(self, day: date) -> "ReportPeriod":
        """Return the period as known on a day.

        Raises:
            InvalidInput: it has not started.
        """
        if self.first > day:
            raise InvalidInput(
                f"The period begins on {self.first}; on {day} there is nothing to report yet."
            )
        return self if self.last < day else replace(self, until=day)

    @property
    def is_year(self) -> bool:
        """Whether it is one whole calendar year."""
        starts = (self.first.month, self.first.day) == (1, 1)
        ends = (self.last.month, self.last.day) == (12, 31)
        return starts and ends and self.first.year == self.last.year

    @property
    def is_month(self) -> bool:
        """Whether it is one whole calendar month."""
        same = (self.first.year, self.first.month) == (self.last.year, self.last.month)
        ends = (self.last + timedelta(days=1)).day == 1 if self.last < date.max else True
        return same and self.first.day == 1 and ends


@dataclass(frozen=True, slots=True)
class BooksMark:
    """The state of the books: the log's size and root, and its newest entry's time."""

    size: int
    root: str
    at: datetime | None
    """None while the books have no entries."""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.utcoffset() != timedelta(0):
            raise InvalidInput(f"The time of the books is in UTC, not '{self.at.isoformat()}'.")


_SAMPLE = "{title} (sample)"


def mark_sample(title: str, *, sample: bool) -> str:
    """Return a title as reports show it: with a mark if it is of sample content."""
    return tr(_SAMPLE, title=title) if sample else title


def is_sample(title: str) -> TypeGuard[Text]:
    """Return whether a title has the mark."""
    return isinstance(title, Text) and title.template == _SAMPLE


def plain_title(title: str) -> str:
    """Return a title without the mark."""
    return str(title.values["title"]) if is_sample(title) else title


PLAIN = Json(write=plain_title, kind=str)
SAMPLE = Json("sample", is_optional=True, write=lambda title: is_sample(title) or None, kind=bool)
Title = Annotated[str, PLAIN, SAMPLE]
"""A title; in documents it is plain, and ``sample`` beside it is the mark."""


class Payout(NamedTuple):
    """Money paid to a project, a grant or a donation; negative if it was returned."""

    day: Annotated[date, Json("date")]
    project: str
    """The slug, the last part of the account."""
    title: Title
    account: str
    cents: int
    proposal: Annotated[str | None, OPTIONAL] = None
    foreign: Annotated[Foreign | None, HIDDEN] = None
    """The amount the payee received, in another currency."""

    @property
    def abroad(self) -> Annotated[ForeignAmount | None, PUBLIC_AMOUNT]:
        """The public form of that amount."""
        return public_amount(self.foreign, self.cents)
