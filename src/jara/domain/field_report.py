"""Reports and claims: what the holder of a link sends from a phone, and what becomes of it."""

import unicodedata
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

TITLE_CHARS_MAX = 120
TEXT_CHARS_MAX = 6000
NUMBERS_MAX = 20
PHOTOS_MAX = 6
REPORT_BYTES = 200_000
"""To how much a phone scales the photos of a report, as it sends them."""
REPORT_BYTES_MAX = 2 * REPORT_BYTES
"""What the server takes for the photos of a report; a phone may miss its goal."""
PIECE_BYTES_MAX = 16 * 1024
"""The longest piece of a photo: 3 seconds at 50 kbit/s, so a lost network loses little."""
WAITING_MAX = 50
"""How many reports of a partner's project may wait for an operator."""

_CLOCK_AHEAD = timedelta(days=1)
_OLDEST = timedelta(days=366)


class ReportState(StrEnum):
    """Where a report is on its way."""

    ARRIVING = "arriving"
    """Photos of it are still on the phone."""
    WAITING = "waiting"
    """All of it is here, and waits for an operator."""
    PUBLISHED = "published"
    REFUSED = "refused"
    APPROVED = "approved"
    """A claim that is owed."""
    PAID = "paid"
    """A claim that was paid back."""


UNDECIDED = frozenset({ReportState.ARRIVING, ReportState.WAITING})
"""The states in which an operator can publish or refuse a report."""


class Consent(StrEnum):
    """Whether the people in the photos agree that everybody sees them."""

    YES = "yes"
    NOBODY = "nobody"
    """Nobody can be recognised."""
    NO = "no"
    """They were not asked, or do not agree; the photos are never published."""


class Place(NamedTuple):
    """Where a report is about, in hundredths of a degree: about a kilometre."""

    latitude: int
    longitude: int

    @classmethod
    def near(cls, latitude: float, longitude: float) -> "Place":
        """Round a place in degrees, so that no house can be found."""
        return cls(round(latitude * 100), round(longitude * 100))

    def __str__(self) -> str:
        """Write it as maps read it, such as ``-1.29, 36.82``."""
        return f"{self.latitude / 100:.2f}, {self.longitude / 100:.2f}"


def plain_text(text: str) -> str:
    """Return a text with spaces for what is no letter of it, such as control characters."""
    lines = text.replace("\r\n", "\n")
    return "".join(sign if sign in "\n\t" or _is_text(sign) else " " for sign in lines)


def _is_text(sign: str) -> bool:
    return unicodedata.category(sign) not in {"Cc", "Cs", "Zl", "Zp"}


def believable_time(told: datetime | None, *, now: datetime) -> datetime:
    """Return when a report was written: what the phone says, or now if its clock is wrong."""
    if told is None or not now - _OLDEST <= told <= now + _CLOCK_AHEAD:
        return now
    return min(told, now)
