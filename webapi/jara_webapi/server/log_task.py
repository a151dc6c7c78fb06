"""Writes the log lines of requests while the server runs."""

from __future__ import annotations

from jara.bootstrap import Application
from jara_webapi.middleware.request_metrics import Observing
from jara_webapi.server.periodic_task import Rounds

ROUND_SECONDS = 0.1


class LogRounds(Rounds):
    """Writes the lines apart from the requests, which would wait for them otherwise."""

    what = "log"

    def __init__(self, application: Application, observing: Observing) -> None:
        """Write for a process."""
        super().__init__(application, seconds=ROUND_SECONDS)
        self._observing = observing

    def work(self) -> str:
        """Write down what was seen since the last round."""
        self._observing.write_down()
        return ""

    def stop(self) -> None:
        """End, with the last lines."""
        super().stop()
        self.work()
