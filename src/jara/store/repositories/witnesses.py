"""The log's witnesses and their cosignatures in the database."""

from __future__ import annotations

from jara.records.witnesses import Cosignature, Witness
from jara.store.sql.codecs import instant_text, read_instant
from jara.store.sql.connection import Sql


class WitnessRepository:
    """The witnesses that the organisation chose, and their cosignatures."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def all(self) -> list[Witness]:
        """Return the witnesses by name."""
        rows = self._sql.all(
            "SELECT name, vkey, url, added_at, seen_size, tried_at, failure "
            "FROM witnesses ORDER BY name"
        )
        return [
            Witness(
                name,
                vkey,
                url,
                read_instant(added_at),
                int(seen_size),
                None if tried_at is None else read_instant(tried_at),
                failure,
            )
            for name, vkey, url, added_at, seen_size, tried_at, failure in rows
        ]

    def count(self) -> int:
        """Return the number of witnesses."""
        row = self._sql.one("SELECT COUNT(*) FROM witnesses")
        return 0 if row is None else int(row[0])

    def put(self, witness: Witness) -> None:
        """Add a witness, or replace the one with its name."""
        tried = witness.tried_at
        self._sql.run(
            "INSERT INTO witnesses (name, vkey, url, added_at, seen_size, tried_at, failure) "
            "VALUES (:name, :vkey, :url, :added_at, :seen_size, :tried_at, :failure) "
            "ON CONFLICT (name) DO UPDATE SET vkey = excluded.vkey, url = excluded.url, "
            "added_at = excluded.added_at, seen_size = excluded.seen_size, "
            "tried_at = excluded.tried_at, failure = excluded.failure",
            {
                "name": witness.name,
                "vkey": witness.key,
                "url": witness.url,
                "added_at": instant_text(witness.added_at),
                "seen_size": witness.seen_size,
                "tried_at": None if tried is None else instant_text(tried),
                "failure": witness.failure,
            },
        )

    def remove(self, name: str) -> bool:
        """Remove a witness and its cosignatures; return whether it existed."""
        self._sql.run("DELETE FROM cosignatures WHERE witness = :name", {"name": name})
        return bool(self._sql.run("DELETE FROM witnesses WHERE name = :name", {"name": name}))

    def keep(self, cosignature: Cosignature) -> None:
        """Store a cosignature; it replaces an older one by the same witness for the same size."""
        self._sql.run(
            "INSERT INTO cosignatures (size, witness, line, seen_at) "
            "VALUES (:size, :witness, :line, :seen_at) "
            "ON CONFLICT (size, witness) DO UPDATE SET line = excluded.line, "
            "seen_at = excluded.seen_at WHERE excluded.seen_at > cosignatures.seen_at",
            {
                "size": cosignature.size,
                "witness": cosignature.witness,
                "line": cosignature.line,
                "seen_at": instant_text(cosignature.seen_at),
            },
        )

    def cosignatures(self, size: int | None = None) -> list[Cosignature]:
        """Return the cosignatures of one size or all, largest size first."""
        where, params = ("", {}) if size is None else ("WHERE size = :size ", {"size": size})
        rows = self._sql.all(
            f"SELECT size, witness, line, seen_at FROM cosignatures {where}"
            "ORDER BY size DESC, witness",
            params,
        )
        return [
            Cosignature(int(of_size), witness, line, read_instant(seen_at))
            for of_size, witness, line, seen_at in rows
        ]

    def newest_size(self, least: int) -> int | None:
        """Return the largest size that at least ``least`` witnesses signed, or None."""
        row = self._sql.one(
            "SELECT size FROM cosignatures GROUP BY size HAVING COUNT(*) >= :least "
            "ORDER BY size DESC LIMIT 1",
            {"least": least},
        )
        return None if row is None else int(row[0])
