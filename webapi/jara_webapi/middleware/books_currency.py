"""Says in which currency a request's amounts are, before anything reads or writes one."""

from contextlib import suppress

from jara.bootstrap import Application
from jara.domain.errors import JaraError


class BooksCurrency:
    """Middleware: sets the currency of the books for the thread of each request."""

    def __init__(self, application: Application) -> None:
        self._store = application.context.store

    def process_request(self, *_: object) -> None:
        """Set it; while the database is down, pages without data are sent in the last one."""
        with suppress(JaraError):
            self._store.use_books_currency()
