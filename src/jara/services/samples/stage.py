"""The setup of the demo: its clock, and its first day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.services.context import Context
from jara.services.ports.outside import PasswordHasher
from jara.services.ports.payments import SandboxClockwork
from jara.services.samples.plan import DemoFiles


class StoryClock:
    """A clock that the story moves."""

    def __init__(self, at: datetime) -> None:
        """Start at an instant."""
        self.at = at

    def now(self) -> datetime:
        """Return the instant of the story."""
        return self.at


class Stage(NamedTuple):
    """What the simulation runs on.

    Args:
        context: of a new organisation, with the simulated clock and seeded randomness.
        clock: the story's clock.
        clockwork: the sandbox's.
        strong_hasher: hashes the password of the member one can sign in as; the others
            have cheap hashes, since nobody knows their passwords.
    """

    context: Context
    clock: StoryClock
    clockwork: SandboxClockwork
    strong_hasher: PasswordHasher


def story_start(files: DemoFiles, end: date) -> datetime:
    """Return the start of the story's books: two years before its end, or earlier for old votes.

    Raises:
        InvalidInput: the end is too early; the last past vote has just ended, or not yet.
    """
    last = files.last_vote_on() + timedelta(days=1)
    if end <= last:
        raise InvalidInput(
            f"Today is {end}, but the sample's last past vote ended on {files.last_vote_on()}; "
            "the clock of this computer seems to be wrong."
        )
    begin = min(end - timedelta(days=730), files.first_vote_on() - timedelta(days=270))
    return datetime.combine(begin.replace(day=1), time(8), tzinfo=UTC)
