"""Works on the payment provider's events while the server runs (money §6)."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.services.payments.events import work_events
from jara_webapi.server.periodic_task import Rounds

ROUND_SECONDS = 1.0
"""Short: a member waits for the right to vote; looking costs one small read."""


class EventRounds(Rounds):
    """Looks for events that were kept; there are some only with live payments."""

    what = "events"

    def __init__(self, application: Application, *, seconds: float = ROUND_SECONDS) -> None:
        """Work for an application, every so many seconds."""
        super().__init__(application, seconds=seconds)
        self._events = application.live_payments().events

    def work(self) -> str:
        """Work on what is due."""
        run = work_events(self._app.context, self._events)
        return f"{run.failed} events failed: {run.failure}" if run.failed else ""
