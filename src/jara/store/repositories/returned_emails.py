"""Emails that did not reach their address."""

from __future__ import annotations

from datetime import datetime

from jara.domain.returned_email import ReturnedEmail
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import instant_text

RETURNED = Rows("returned_emails", ReturnedEmail)


class ReturnedEmailRepository(Repository):
    """The returned emails, each once."""

    def add(self, returned: ReturnedEmail) -> bool:
        """Store a returned email; return False if it is stored already."""
        return RETURNED.add_new(self._sql, returned)

    def of_address(self, address: str) -> list[ReturnedEmail]:
        """Return the emails that did not reach an address and still count."""
        return RETURNED.all(
            self._sql, "WHERE address = :address AND cleared_at IS NULL", address=address
        )

    def all(self) -> list[ReturnedEmail]:
        """Return every returned email that still counts, by address and time."""
        return RETURNED.all(self._sql, "WHERE cleared_at IS NULL ORDER BY address, at, email_id")

    def clear(self, address: str, *, at: datetime) -> int:
        """End the effect of the emails that did not reach an address; return how many."""
        return self._sql.run(
            "UPDATE returned_emails SET cleared_at = :at "
            "WHERE address = :address AND cleared_at IS NULL",
            {"address": address, "at": instant_text(at)},
        )

    def erase_before(self, at: datetime) -> int:
        """Delete the soft and the cleared ones of emails written before an instant."""
        return self._sql.run(
            "DELETE FROM returned_emails "
            "WHERE at < :at AND (is_hard = 0 OR cleared_at IS NOT NULL)",
            {"at": instant_text(at)},
        )
