"""The folder of a witness: its key, and what it signed last for each log.

A key without its state would sign anything, so the two stay together. If the state is lost,
create a new witness with a new key; never restore the folder from a backup.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.publiclog.merkle import EMPTY_ROOT
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import CosignerKey, Seen
from jara.security.files import sync_folder, write_new
from jara.store.sqlite.connection import Connection, sqlite3

_KEY = "witness.key"
_STATE = "witness.db"
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600
_BUSY_SECONDS = 5.0

_VERSION = 1
"""Of the state; that of release 0.2.0."""
_SCHEMA = f"""
BEGIN;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (
    vkey TEXT PRIMARY KEY, origin TEXT NOT NULL, added_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS logs (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL,
    seen_at TEXT, refused_at TEXT, refusal TEXT NOT NULL, refused_note TEXT NOT NULL,
    signed_note TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
COMMIT;
"""


class WitnessedLog(NamedTuple):
    """A log that a witness follows."""

    origin: str  # the name of the log
    keys: tuple[VerificationKey, ...]  # the keys that it may sign with
    seen: Seen  # the size and root that the witness signed last
    note: str = ""  # the checkpoint of that size, with the log's signature
    seen_at: str | None = None  # when the witness signed it
    refused_at: str | None = None  # when the log was proven to have signed two histories
    refusal: str = ""  # the reason
    refused_note: str = ""  # the refused checkpoint, signed by the log
    signed_note: str = ""  # the checkpoint of the same size that the witness had signed


class WitnessState:
    """An open transaction on the state; the folder commits it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def name(self) -> str:
        """Return the witness's name."""
        return str(self._connection.execute("SELECT value FROM facts").fetchone()[0])

    def set_name(self, name: str) -> None:
        """Set the witness's name."""
        self._connection.execute(
            "INSERT OR REPLACE INTO facts (name, value) VALUES ('name', ?)", (name,)
        )

    def add_log(self, key: VerificationKey, at: datetime) -> bool:
        """Follow a log; return whether its key is new."""
        added = self._connection.execute(
            "INSERT OR IGNORE INTO keys (vkey, origin, added_at) VALUES (?, ?, ?)",
            (key.text(), key.name, at.isoformat()),
        ).rowcount
        self._connection.execute(
            "INSERT OR IGNORE INTO logs (origin, size, root, note, refusal, refused_note) "
            "VALUES (?, 0, ?, '', '', '')",
            (key.name, EMPTY_ROOT),
        )
        return bool(added)

    def logs(self) -> list[WitnessedLog]:
        """Return every log that is followed."""
        origins = self._connection.execute("SELECT origin FROM logs ORDER BY origin").fetchall()
        return [log for (origin,) in origins if (log := self.log(origin)) is not None]

    def log(self, origin: str) -> WitnessedLog | None:
        """Return a log, or None if it is not followed."""
        row = self._connection.execute(
            "SELECT size, root, note, seen_at, refused_at, refusal, refused_note, signed_note "
            "FROM logs WHERE origin = ?",
            (origin,),
        ).fetchone()
        if row is None:
            return None
        keys = self._connection.execute(
            "SELECT vkey FROM keys WHERE origin = ? ORDER BY added_at, vkey", (origin,)
        ).fetchall()
        size, root, *rest = row
        parsed = tuple(VerificationKey.parse(text) for (text,) in keys)
        return WitnessedLog(origin, parsed, Seen(size, bytes(root)), *rest)

    def note_seen(self, origin: str, seen: Seen, note: str, at: datetime) -> None:
        """Store the checkpoint that is about to be signed."""
        self._connection.execute(
            "UPDATE logs SET size = ?, root = ?, note = ?, seen_at = ? WHERE origin = ?",
            (seen.size, seen.root, note, at.isoformat(), origin),
        )

    def note_refused(self, log: WitnessedLog, why: str, note: str, at: datetime) -> None:
        """Store the proof of a fork: two checkpoints of one size, both signed by the log."""
        self._connection.execute(
            "UPDATE logs SET refused_at = ?, refusal = ?, refused_note = ?, signed_note = ? "
            "WHERE origin = ?",
            (at.isoformat(), why, note, log.note, log.origin),
        )


class WitnessFolder:
    """The key and the state of a witness."""

    def __init__(self, folder: Path) -> None:
        """Use a folder; nothing is read yet."""
        self.folder = folder

    def create(self, name: str, draw: bytes) -> CosignerKey:
        """Create the folder with a key of 32 random bytes; the key is written last.

        `name` is that of the witness, such as ``witness.example/w1``.

        Raises:
            Conflict: there is a witness in the folder.
        """
        path = self.folder / _KEY
        key = _public(Ed25519PrivateKey.from_private_bytes(draw), name)
        if path.exists():
            raise Conflict(f"{self.folder} has a witness already; nothing was changed.")
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            state = self.folder / _STATE
            state.touch(_FILE_MODE)
        except OSError as error:
            raise Unavailable(f"{self.folder} cannot be made: {error.strerror}.") from error
        connection = _connect(state)
        try:
            connection.executescript(_SCHEMA)
        finally:
            connection.close()
        with self.transaction() as open_state:
            open_state.set_name(name)
        write_new(path, draw.hex().encode())
        sync_folder(self.folder)
        return key

    def key(self) -> CosignerKey:
        """Return the public key with the witness's name."""
        with self.transaction() as state:
            return _public(self._private(), state.name())

    def sign(self, message: bytes) -> bytes:
        """Return the Ed25519 signature of a message."""
        return self._private().sign(message)

    @contextmanager
    def transaction(self) -> Iterator[WitnessState]:
        """Open an exclusive transaction; it is on disk when the block ends.

        Raises:
            NotFound: there is no witness in the folder.
            Unavailable: the state is busy, cannot be read, or is of another version.
        """
        if not (self.folder / _STATE).is_file():
            raise NotFound(
                f"{self.folder} has no state of a witness: jara witness init NAME. A key whose "
                "state is lost is not used again."
            )
        connection = None
        try:
            connection = _connect(self.folder / _STATE)
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                raise Unavailable(
                    f"The state of the witness in {self.folder} is not that of Jara 0.2.0 or "
                    "later; use it once with Jara 0.2.0."
                )
            yield WitnessState(connection)
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise Unavailable(f"The state of the witness: {error}.") from error
        finally:
            if connection is not None:
                connection.close()  # without COMMIT, all of it is rolled back

    def _private(self) -> Ed25519PrivateKey:
        try:
            text = (self.folder / _KEY).read_text("ascii")
        except OSError:
            raise NotFound(
                f"{self.folder} has no key of a witness: jara witness init NAME"
            ) from None
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))


def _public(private: Ed25519PrivateKey, name: str) -> CosignerKey:
    return CosignerKey(name, private.public_key().public_bytes_raw())


def _connect(path: Path) -> Connection:
    connection = sqlite3.connect(str(path), timeout=_BUSY_SECONDS, isolation_level=None)
    # A rollback journal, synced with its folder: commits survive a power cut.
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = EXTRA")
    return connection
