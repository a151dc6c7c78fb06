"""Time zones: which day an instant belongs to, and when a day starts and ends.

An organisation has one time zone. All days, months and years of its books are days there; the
public log holds instants in UTC. No other module takes the date of an instant.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from jara.domain.errors import InvalidInput, Unavailable
from jara.domain.lookup import nearest_names

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_MINUTE = timedelta(minutes=1)
_UTC = "UTC"
_NOT_PLACES = frozenset({"Factory", "localtime"})
"""Zones of a machine, not of a place."""
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A time zone by its IANA name, such as ``America/Toronto``.

    Its days follow each other without gap or overlap, so every instant is in exactly one of them.
    Most last 24 hours; one on which the clock changes lasts longer or shorter.
    """

    name: str = _UTC

    @property
    def rules(self) -> tzinfo:
        """The offsets of the zone.

        Raises:
            Unavailable: this machine does not know the zone.
        """
        if self.name == _UTC:
            return UTC
        try:
            return ZoneInfo(self.name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise Unavailable(
                f"This machine does not know the time zone '{self.name}'; update tzdata."
            ) from error

    @property
    def is_known(self) -> bool:
        """Whether this machine knows the zone."""
        try:
            return self.rules is not None
        except Unavailable:
            return False

    def local(self, instant: datetime) -> datetime:
        """Return an instant as clocks there show it."""
        return instant.astimezone(self.rules)

    def day_of(self, instant: datetime) -> date:
        """Return the day that an instant belongs to."""
        day = self.local(instant).date()
        if self.name == _UTC:
            return day
        # A clock that was set back over midnight showed the new day already; it goes on.
        return day + _DAY if instant >= self.end_of(day) else day

    def instant_of(self, day: date, clock: str) -> datetime:
        """Return the instant of a day at which clocks there show a time such as ``18:30``, in UTC.

        The first one, if clocks show it twice.
        """
        return datetime.combine(day, time.fromisoformat(clock), self.rules).astimezone(UTC)

    def start_of(self, day: date) -> datetime:
        """Return the first instant of a day, in UTC.

        That is midnight, the first one if there are two, or the end of the hour that is left out.
        """
        midnight = datetime.combine(day, time(), tzinfo=self.rules)
        try:
            first, second = midnight.astimezone(UTC), midnight.replace(fold=1).astimezone(UTC)
        except OverflowError:  # on the first and the last day that Python knows
            return midnight.replace(tzinfo=UTC)
        if first <= second:
            return first
        # Clocks never show this midnight: look for the change between the two readings of it.
        seconds = range((first - second) // _SECOND)
        skipped = bisect_left(
            seconds, day, key=lambda one: (second + one * _SECOND).astimezone(self.rules).date()
        )
        return second + skipped * _SECOND

    def end_of(self, day: date) -> datetime:
        """Return the first instant after a day, in UTC."""
        if day == date.max:
            return datetime.max.replace(tzinfo=UTC)
        return self.start_of(day + _DAY)

    def last_minute(self, end: datetime) -> datetime:
        """Return an end as clocks there show it; midnight becomes the last minute of its day."""
        is_midnight = end == self.start_of(self.day_of(end))
        return self.local(end - _MINUTE if is_midnight else end)

    def clock(self, instant: datetime) -> str:
        """Return the time of day there: ``18:59 EST``, or ``23:59 UTC-03`` without a name."""
        local = self.local(instant)
        name = local.tzname() or _UTC
        return f"{local:%H:%M} {_UTC if name[0] in '+-' else ''}{name}"

    def minute(self, instant: datetime) -> str:
        """Return the day and the time of day there: ``2026-11-20 18:59 EST``."""
        return f"{self.local(instant):%Y-%m-%d} {self.clock(instant)}"


UTC_ZONE = TimeZone()
"""The days of an organisation that chose no zone, and those of the payment provider."""


def parse_time_zone(text: str) -> TimeZone:
    """Return the zone with an IANA name, whose case does not matter.

    Raises:
        InvalidInput: there is no such zone; the message suggests the nearest names.
    """
    names = _names_of_zones()
    wanted = "_".join(text.split()).casefold()
    if wanted in names:
        return TimeZone(names[wanted])
    places = [one for one in sorted(names) if one.rpartition("/")[2] == wanted]
    close = nearest_names(wanted, sorted(names), most=_NEAREST)
    cities = {one.rpartition("/")[2]: one for one in sorted(names)}
    near = [cities[one] for one in nearest_names(wanted, cities, most=_NEAREST)]
    nearest = " or ".join(
        [names[one] for one in dict.fromkeys([*places, *close, *near])][:_NEAREST]
    )
    hint = f"did you mean {nearest}?" if nearest else "write an IANA name like America/Toronto."
    raise InvalidInput(f"'{text.strip()[:60]}' is not a time zone; {hint}")


@cache
def _names_of_zones() -> Mapping[str, str]:
    """Return the names of all zones by their small letters; to find them takes a while."""
    return {name.casefold(): name for name in available_timezones() - _NOT_PLACES}
