"""A process that votes or closes a vote on command: one line in, one line out.

``python racer.py`` reads lines ``open FOLDER``, ``vote PROPOSAL MEMBER CHOICE AT`` or
``close PROPOSAL AT``, and answers ``done`` or the code of the refusal.
"""

import sys
from datetime import datetime
from pathlib import Path

from jara.bootstrap import Application, build
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
    application: Application | None = None
    for line in sys.stdin:
        act, *words = line.split()
        try:
            if act == "open":
                if application is not None:
                    application.context.store.close()
                settings = load_settings({}, overrides=settings_of(Path(words[0])))
                application = build(settings, clock=clock)
            else:
                assert application is not None
                clock.set(datetime.fromisoformat(words[-1]))
                execute(application, act, *words[:-1])
            answer = "done"
        except JaraError as error:
            answer = error.code
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def execute(application: Application, act: str, proposal: str, *words: str) -> None:
    """Cast or close a vote."""
    if act == "vote":
        member, choice = words
        vote(application.context, application.limits, proposal, member, Choice(choice))
    else:
        close_vote(application.context, proposal)


if __name__ == "__main__":
    main()
