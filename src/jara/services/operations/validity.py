"""How long cached answers stay valid while nothing is committed."""

from datetime import datetime, timedelta

from jara.services.context import Context


def valid_until(context: Context) -> datetime:
    """Return the next time at which a public answer changes without a commit.

    That is the next midnight of the organisation, when fund policies, fixed costs, budget years and
    reports change; or the end of a vote; or when a failed charge ends a member's right to vote.
    Everything else changes only by a commit.
    """
    now = context.now()
    tomorrow = context.zone.end_of(context.zone.day_of(now))
    with context.store.read() as work:
        end, lapse = work.proposals.next_end(now), work.electors.next_lapse(now)
    return min(
        tomorrow,
        tomorrow if end is None else end,
        # Times are stored in whole seconds, and in this second the member may still vote.
        tomorrow if lapse is None else lapse + timedelta(seconds=1),
    )
