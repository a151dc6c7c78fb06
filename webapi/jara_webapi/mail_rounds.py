"""Sends what waits in the outbox while the server runs (design, 'Mail')."""

from __future__ import annotations

import logging
import threading

from jara.bootstrap import Application, mail_sender
from jara.domain.errors import JaraError
from jara.services.mailing import send_due

ROUND_SECONDS = 10.0
_log = logging.getLogger("jara.web.mail")


class MailRounds:
    """A thread that looks into the outbox; letters are leased, so every process may have one."""

    def __init__(self, application: Application, *, seconds: float = ROUND_SECONDS) -> None:
        """Send for an application, every so many seconds."""
        self._app = application
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jara-mail", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, after the letter that is being sent."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        sender = mail_sender(self._app.settings)
        while not self._stop.wait(self._seconds):
            try:
                done = send_due(self._app.context, sender)
            except JaraError as error:
                _log.warning("mail waits: %s", error.message)
            except Exception:  # noqa: BLE001 - the thread must live on; the log has it
                _log.exception("mail waits")
            else:
                if done.failed:
                    _log.warning("%d letters did not leave", done.failed)
        self._app.context.store.close()
