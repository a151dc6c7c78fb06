"""A process that votes or closes a vote on command: one line in, one line out.

``python racer.py FOLDER`` reads lines ``vote PROPOSAL MEMBER CHOICE AT`` or
``close PROPOSAL AT``, and answers ``done`` or the code of the refusal.
"""

import sys
from datetime import datetime
from pathlib import Path

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.domain.errors import JaraError
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import vote
from jara.services.proposals.closing import close_vote
from tests.fakes.clock import FakeClock
from tests.places import settings_of


def main() -> None:
    """Execute each line at the time that it gives."""
    clock = FakeClock()
    settings = load_settings({}, overrides=settings_of(Path(sys.argv[1])))
    application = build(settings, clock=clock)
    for line in sys.stdin:
        act, proposal, *rest, at = line.split()
        clock.set(datetime.fromisoformat(at))
        try:
            if act == "vote":
                member, choice = rest
                limits = application.limits
                vote(application.context, limits, proposal, member, Choice(choice))
            else:
                close_vote(application.context, proposal)
            answer = "done"
        except JaraError as error:
            answer = error.code
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
