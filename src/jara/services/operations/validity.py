"""Until when what visitors are shown stays true while nothing is committed."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from jara.services.context import Context


def valid_until(context: Context) -> datetime:
    """Return the first instant at which time alone changes something that visitors may see.

    With a day begin its fund policy, its fixed costs, its budget year and its reports. A vote
    ends. A charge that stays failed takes the vote from somebody, and changes every count of
    changemakers. Whatever else visitors see needs a commit to change.
    """
    now = context.now()
    tomorrow = datetime.combine(now.date() + timedelta(days=1), time(), tzinfo=UTC)
    with context.store.read() as work:
        end, lapse = work.proposals.next_end(now), work.electors.next_lapse(now)
    return min(
        tomorrow,
        tomorrow if end is None else end,
        # Instants are kept in whole seconds, and in this one the vote is still theirs.
        tomorrow if lapse is None else lapse + timedelta(seconds=1),
    )
