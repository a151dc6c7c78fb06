"""Passkeys of members."""

from __future__ import annotations

from datetime import date

from jara.domain.errors import Conflict
from jara.records.access import Passkey
from jara.store.sql.connection import Row, Sql

_COLUMNS = "id, member_id, name, public_key, added_on"


class PasskeyRepository:
    """The passkeys."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def add(self, passkey: Passkey) -> None:
        """Save a passkey.

        Raises:
            Conflict: it is stored already.
        """
        if self.get(passkey.id) is not None:
            raise Conflict("This passkey is stored already.")
        self._sql.run(
            f"INSERT INTO passkeys ({_COLUMNS}) VALUES (:id, :member, :name, :key, :day)",
            {
                "id": passkey.id,
                "member": passkey.member_id,
                "name": passkey.name,
                "key": passkey.public_key,
                "day": passkey.added_on.isoformat(),
            },
        )

    def get(self, passkey_id: str) -> Passkey | None:
        """Return a passkey."""
        row = self._sql.one(f"SELECT {_COLUMNS} FROM passkeys WHERE id = :id", {"id": passkey_id})
        return None if row is None else _passkey(row)

    def of_member(self, member_id: str) -> list[Passkey]:
        """Return a member's passkeys, by name."""
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM passkeys WHERE member_id = :member ORDER BY name, id",
            {"member": member_id},
        )
        return [_passkey(row) for row in rows]

    def remove(self, member_id: str, passkey_id: str) -> int:
        """Remove a passkey of a member; return how many."""
        return self._sql.run(
            "DELETE FROM passkeys WHERE member_id = :member AND id = :id",
            {"member": member_id, "id": passkey_id},
        )

    def remove_all(self, member_id: str) -> None:
        """Remove every passkey of a member."""
        self._sql.run("DELETE FROM passkeys WHERE member_id = :member", {"member": member_id})


def _passkey(row: Row) -> Passkey:
    return Passkey(row[0], row[1], row[2], bytes(row[3]), date.fromisoformat(row[4]))
