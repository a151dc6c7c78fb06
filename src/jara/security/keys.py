"""The secrets folder: the log's signing key, promise, token and index key, one key for each vote.

It is beside the database, has mode 0700, and is in no backup. A ballot key is on disk
before the opening of its vote commits, and is destroyed fourteen days after the close.
"""

import hmac
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.publiclog.notes import VerificationKey
from jara.security.files import (
    FOLDER_MODE,
    CachedFile,
    destroy_file,
    is_unfinished,
    mark_of,
    replace_file,
    scratch_folder,
    write_new,
)
from jara.security.key_folder import (
    LOG_KEY,
    LOG_NAME,
    KeyFolder,
    LogKeys,
    private_key_of,
    public_key_of,
)
from jara.security.log_signer import LogSigner, SignerState
from jara.security.sealing import IV_BYTES, BrokenSeal, Sealer

_TOKEN_KEY = "token.key"  # noqa: S105 - a file name
_INDEX_KEY = "index.key"
_NEXT_TOKEN_KEY = "token.key.next"  # noqa: S105 - a file name
_EVERY_KEY = (LOG_KEY, _TOKEN_KEY, _INDEX_KEY)
_EVERY_FILE = (*_EVERY_KEY, LOG_NAME)
_SIGNER_MARKER = "log.signer"
_SCHEDULER_KEY = "scheduler.key"
_PROMISE_KEY = "promise.key"
_P256_BYTES = 65
_SEAL_DIGITS = 32
_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)


class SecretsFolder:
    """Stores keys as files of 32 bytes in hexadecimal that only their owner can read."""

    def __init__(
        self,
        folder: Path,
        *,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        signer_folder: Path | None = None,
        database: str = "",
        durable: bool = True,
    ) -> None:
        """Name the folder; nothing is read yet.

        Args:
            folder: where the keys are.
            draw: the source of random bytes; samples use a seeded one.
            signer_folder: where the state of the signer is; by default in the same folder.
            database: the address of the database with the log, without a password.
            durable: False skips waiting for the disk when signing; for samples and tests.
        """
        self.folder = folder
        self._draw = draw
        self._keys = KeyFolder(folder, draw)
        self._signer_folder = signer_folder or folder
        self._database = database
        self._durable = durable
        self._log = LogKeys(self._keys)
        self._token = CachedFile(folder / _TOKEN_KEY, lambda: self._keys.read(_TOKEN_KEY))
        self._promise = CachedFile(
            folder / _PROMISE_KEY, lambda: self._keys.read_if_there(_PROMISE_KEY)
        )
        self._index_key: bytes | None = None  # never changes, so it is cached
        self._known_signer: LogSigner | None = None

    def create(self, *, log_name: str, keep_unused: bool = False) -> None:
        """Create the folder and the keys that every organisation has.

        `log_name` names the log in what it signs, and never changes. With `keep_unused`, keys that
        have signed nothing may exist, and are kept.

        Raises:
            Conflict: the folder contains keys already.
        """
        may_keep = keep_unused and not (self.folder / _SIGNER_MARKER).exists()
        if (self.folder / LOG_KEY).exists() and not may_keep:
            raise Conflict(
                f"{self.folder} contains the keys of an organisation; nothing was changed. `jara "
                "restore FILE` restores its backup; to create another one, move the folder away."
            )
        try:
            self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"{self.folder} cannot be made: {error.strerror}.") from error
        for name in _EVERY_KEY:
            self._keys.make(name)
        (self.folder / LOG_NAME).unlink(missing_ok=True)
        write_new(self.folder / LOG_NAME, log_name.encode())
        self.log_signer().note_database()

    def destroy(self, *, keep_folder: bool) -> None:
        """Undo `create`: remove the keys that every organisation has, and the folder."""
        for name in (*_EVERY_FILE, _SIGNER_MARKER):
            (self.folder / name).unlink(missing_ok=True)
        if not keep_folder:
            self.folder.rmdir()

    def has_keys(self) -> bool:
        """Return whether the keys of an organisation are here; not while it is created."""
        return (self.folder / LOG_KEY).exists() and not is_unfinished(self.folder)

    def log_key_name(self) -> str:
        """Return the log's name, as its signed notes carry it."""
        return self._log.name()

    def log_signer(self) -> LogSigner:
        """Return what signs checkpoints with the log's key, which signs nothing else."""
        # A log that continues under another name has another history, and so its own state.
        log = self._log.first_public() + self._log.name().encode()
        key = sha256(log).hexdigest()[:16]
        if self._known_signer is None or self._known_signer.key != key:
            self._known_signer = LogSigner(
                key,
                SignerState(self._signer_folder / f"{key}.signed", durable=self._durable),
                marker=self.folder / _SIGNER_MARKER,
                keys=self._log,
                database=self._database,
            )
        return self._known_signer

    def log_public_key(self) -> bytes:
        """Return the 32 bytes of the Ed25519 public key."""
        return self._log.public()

    def signed_database(self) -> str | None:
        """Return the database whose log the key signs on this machine, if it is known.

        In a folder that was moved, it is the file of that name beside the keys.
        """
        database = self.log_signer().user
        if database is None or "://" in database or Path(database).exists():
            return database
        moved = self.folder.parent / Path(database).name
        return str(moved) if moved.exists() else database

    def prepare_log_key(self, *, name: str | None = None) -> tuple[VerificationKey, str]:
        """Prepare a change of the log's key: another name, or a new key.

        Returns:
            The next key, and the fingerprint of the secrets with it. What an interrupted change
            prepared is returned unchanged.
        """
        key = self._log.prepare(name=name)
        return key, self._fingerprint(self.token_key(), self._log.next_secret())

    def next_log_key(self) -> VerificationKey | None:
        """Return the prepared key that is not in force yet, or None."""
        return self._log.next()

    def adopt_log_key(self) -> None:
        """Put the prepared key in force; until it is forgotten, the old one signs too."""
        self._log.adopt()

    def forget_old_log_key(self) -> bool:
        """Destroy the old key once its handover is stored; return whether there was one."""
        return self._log.forget_old()

    def verifies(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether a key made the signature of a message.

        A key of 32 bytes is Ed25519, one of 65 bytes P-256; see `jara.domain.control.ssh`.
        """
        try:
            if len(key) == _P256_BYTES:
                _verify_p256(key, message, signature)
            else:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def token_key(self) -> bytes:
        """Return the key that signs sessions."""
        return self._token.content()

    def token_key_mark(self) -> object:
        """Return a mark that changes when another process replaces the token key."""
        return mark_of(self.folder / _TOKEN_KEY)

    def make_index_key(self) -> str:
        """Create the key of `keyed_hash` unless there is one; return its fingerprint."""
        self._keys.make(_INDEX_KEY)
        return self.index_fingerprint()

    def index_fingerprint(self) -> str:
        """Return a hash that identifies the index key without revealing it."""
        return self.keyed_hash("fingerprint", "")

    def keyed_hash(self, purpose: str, text: str) -> str:
        """Return the HMAC-SHA256 of a text in hexadecimal; each purpose has its own hashes.

        The database stores these in place of addresses: without the key, nobody can test guesses.
        """
        message = f"jara/v1/index\0{purpose}\0{text}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._index(), message, "sha256").hex()

    def seal_row(self, text: str) -> str:
        """Return the seal of a stored row, given as a text; see `jara.store.seals`."""
        return self.keyed_hash("row", text)[:_SEAL_DIGITS]

    def seal(self, text: str, *, about: str) -> str:
        """Encrypt a text of the row that ``about`` describes, under a key made of the index key."""
        return b64encode(self.seal_bytes(text.encode(), about=about)).decode("ascii")

    def seal_bytes(self, content: bytes, *, about: str) -> bytes:
        """Encrypt the bytes of the row that ``about`` describes."""
        # Never from a seed: an IV that repeats would reveal the contents.
        iv = secrets.token_bytes(IV_BYTES)
        return Sealer(self._index()).seal(content, about=about, iv=iv)

    def unseal(self, sealed: str, *, about: str) -> str:
        """Return a sealed text.

        Raises:
            Unavailable: it was sealed with another key, or about something else.
        """
        try:
            data = b64decode(sealed)
        except ValueError:
            data = b""  # which no key opens
        return self.unseal_bytes(data, about=about).decode()

    def unseal_bytes(self, sealed: bytes, *, about: str) -> bytes:
        """Return sealed bytes.

        Raises:
            Unavailable: as `unseal`.
        """
        try:
            return Sealer(self._index()).open(sealed, about=about)
        except BrokenSeal:
            raise Unavailable(
                "This was encrypted with another index key than the one in the secrets folder "
                f"{self.folder}; restore the secrets folder of this database."
            ) from None

    def make_ballot_key(self, proposal: str) -> bytes:
        """Create the 32-byte key of one vote, unless it exists; opening may be retried."""
        return self._keys.make(_ballot_file(proposal))

    def ballot_key(self, proposal: str) -> bytes | None:
        """Return the key of a vote, or None if it was destroyed or lost."""
        return self._keys.read_if_there(_ballot_file(proposal))

    def destroy_ballot_key(self, proposal: str) -> bool:
        """Destroy the key of a vote; return whether there was one."""
        return destroy_file(self.folder / _ballot_file(proposal))

    def make_promise_key(self) -> bytes:
        """Create the key that signs voters' receipts unless it exists; return its public key."""
        return public_key_of(self._keys.make(_PROMISE_KEY))

    def promise_key(self) -> bytes | None:
        """Return the public key of the promise key, or None without one."""
        key = self._promise.content()
        return None if key is None else public_key_of(key)

    def sign_promise(self, promise: bytes) -> bytes:
        """Return the signature of a promise (Ed25519).

        Raises:
            Unavailable: there is no promise key.
        """
        key = self._promise.content()
        if key is None:
            raise Unavailable(
                f"The key {self.folder / _PROMISE_KEY} is missing, so no receipt can be signed; "
                "`jara migrate` makes a new one."
            )
        return private_key_of(key).sign(promise)

    def prepare_token_key(self) -> str:
        """Create the next token key beside the current one; return the fingerprint with it.

        An existing next key is kept, so that an interrupted change can continue.
        """
        self._keys.make(_NEXT_TOKEN_KEY)
        return self._fingerprint(self._keys.read(_NEXT_TOKEN_KEY))

    def adopt_token_key(self) -> None:
        """Replace the current token key by the prepared one."""
        self._keys.replace(_TOKEN_KEY, by=_NEXT_TOKEN_KEY)

    def scratch(self) -> AbstractContextManager[Path]:
        """Create a folder in this one for the duration of a block."""
        return scratch_folder(self.folder)

    def make_scheduler_key(self) -> bytes:
        """Return the key of the daily run; the first call creates it."""
        return self._keys.make(_SCHEDULER_KEY)

    def scheduler_key(self) -> bytes | None:
        """Return the key of the daily run, or None."""
        return self._keys.read_if_there(_SCHEDULER_KEY)

    def fingerprint(self) -> str:
        """Return a hash that identifies the secrets without revealing them."""
        return self._fingerprint(self.token_key())

    def findings(self) -> list[str]:
        """Return the problems with the folder: permissions, missing files."""
        return self._keys.findings(_EVERY_FILE)

    def export(self, target: Path, *, encrypt: Callable[[bytes], bytes] | None = None) -> None:
        """Write the log, token and index keys, never ballot keys, to a new file, perhaps encrypted.

        Raises:
            Conflict: the file exists.
        """
        content = self._exported()
        write_new(target, encrypt(content) if encrypt else content)

    def is_same(self, source: Path, *, read: Callable[[Path], bytes] = Path.read_bytes) -> bool:
        """Return whether an exported file has the keys of this folder."""
        return read(source) == self._exported()

    def _exported(self) -> bytes:
        keys = "".join(f"{name} {self._keys.read(name).hex()}\n" for name in _EVERY_KEY)
        return f"{keys}{LOG_NAME} {self.log_key_name()}\n".encode()

    def restore(self, source: Path, *, read: Callable[[Path], bytes] = Path.read_bytes) -> None:
        """Create the folder from an exported file; an encrypted one needs a `read` that decrypts.

        Raises:
            Conflict: the folder contains keys already.
            NotFound: there is no such file.
        """
        if not source.is_file():
            raise NotFound(f"There is no file {source}.")
        if (self.folder / LOG_KEY).exists():
            raise Conflict(f"{self.folder} contains keys already; nothing was changed.")
        text = read(source).decode("utf-8", errors="replace")
        keys = dict(line.partition(" ")[::2] for line in text.splitlines())
        if keys.keys() != set(_EVERY_FILE):
            raise Unavailable(f"{source} is not a secrets file made by Jara.")
        if not all(_KEY.fullmatch(text) for name, text in keys.items() if name != LOG_NAME):
            raise Unavailable(f"A key in {source} is damaged.")
        log_key = bytes.fromhex(keys.pop(LOG_KEY))
        self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        # This key has signed before. It is written last: if it exists, all do, even after a kill.
        for name, content in {**keys, _SIGNER_MARKER: "restored\n"}.items():
            replace_file(self.folder / name, content.encode())
        self._keys.write(LOG_KEY, log_key)

    def _index(self) -> bytes:
        if self._index_key is None:
            self._index_key = self._keys.read(_INDEX_KEY)
        return self._index_key

    def _fingerprint(self, token_key: bytes, log_key: bytes | None = None) -> str:
        return sha256(
            b"jara/v1/secrets\0" + (log_key or self._log.secret()) + token_key
        ).hexdigest()


def _verify_p256(key: bytes, message: bytes, signature: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec, utils  # slow to import
    from cryptography.hazmat.primitives.hashes import SHA256  # slow to import

    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    public.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(SHA256()))


def _ballot_file(proposal: str) -> str:
    return f"ballot-{proposal}.key"


class SystemEntropy:
    """Random bytes for keys, from the operating system."""

    def token(self, size: int) -> bytes:
        """Return this many random bytes."""
        return secrets.token_bytes(size)


class SeededEntropy:
    """The same bytes for the same seed; for samples and tests, never for real people."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = 0

    def token(self, size: int) -> bytes:
        """Return the next bytes of the sequence."""
        drawn = b""
        while len(drawn) < size:
            self._count += 1
            drawn += sha256(self._seed + b"\0" + str(self._count).encode()).digest()
        return drawn[:size]
