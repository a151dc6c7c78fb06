"""Sends what waits in the outbox while the server runs (design, 'Mail')."""

from __future__ import annotations

from jara.bootstrap import Application
from jara.bootstrap.emails import mail_sender
from jara.services.notices.outbox import send_due
from jara_webapi.server.periodic_task import Rounds

ROUND_SECONDS = 10.0


class MailRounds(Rounds):
    """Looks into the outbox."""

    what = "mail"

    def __init__(self, application: Application, *, seconds: float = ROUND_SECONDS) -> None:
        """Send for an application, every so many seconds."""
        super().__init__(application, seconds=seconds)
        self._sender = mail_sender(application.settings)

    def work(self) -> str:
        """Send what is due."""
        done = send_due(self._app.context, self._sender)
        return f"{done.failed} emails did not leave" if done.failed else ""
