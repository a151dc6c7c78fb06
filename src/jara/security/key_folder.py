"""A folder of keys, and in it the key that signs the log, its name, and their successors."""

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.errors import Unavailable
from jara.domain.publiclog.notes import VerificationKey
from jara.security.files import CachedFile, destroy_file, read_short, sync_folder, write_new

KEY_BYTES = 32
LOG_KEY = "log.key"
LOG_NAME = "log.name"
_FIRST = "log.first"
_NEXT_KEY = "log.key.next"
_NEXT_NAME = "log.name.next"
_OLD_KEY = "log.key.old"


class KeyFolder:
    """Reads, generates and writes keys."""

    def __init__(self, folder: Path, draw: Callable[[int], bytes]) -> None:
        """Name the folder; nothing is read yet. `draw` is the source of random bytes."""
        self.folder = folder
        self._draw = draw

    def findings(self, names: tuple[str, ...]) -> list[str]:
        """Return the problems with the folder: permissions, missing files."""
        if not self.folder.is_dir():
            return [f"the secrets folder {self.folder} is missing"]
        found = [
            f"{self.folder / name} is missing"
            for name in names
            if not (self.folder / name).exists()
        ]
        for path in (self.folder, *sorted(self.folder.iterdir())):
            mode = path.stat().st_mode & 0o777
            if mode & 0o077:
                found.append(f"{path} can be read by others (mode {mode:03o})")
        return found

    def read(self, name: str) -> bytes:
        """Return a key.

        Raises:
            Unavailable: it is missing or damaged.
        """
        key = self.read_if_there(name)
        if key is None:
            path = self.folder / name
            raise Unavailable(f"The key {path} is missing; restore the secrets folder.")
        return key

    def read_if_there(self, name: str) -> bytes | None:
        """Return a key, or None.

        Raises:
            Unavailable: it is damaged.
        """
        path = os.path.join(self.folder, name)  # noqa: PTH118 - each vote reads two keys
        try:
            key = bytes.fromhex(read_short(path).decode("ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", "it is damaged")
            raise Unavailable(f"The key {path} cannot be read: {why}.") from error
        if len(key) != KEY_BYTES:
            raise Unavailable(f"The key {path} is not {KEY_BYTES} bytes long.")
        return key

    def make(self, name: str) -> bytes:
        """Return a key; create it if it is missing."""
        known = self.read_if_there(name)
        if known is None:
            known = self._draw(KEY_BYTES)
            self.write(name, known)
        return known

    def write(self, name: str, key: bytes) -> None:
        """Write a new key; it is on disk when this returns."""
        write_new(self.folder / name, key.hex().encode())
        sync_folder(self.folder)

    def replace(self, name: str, *, by: str) -> None:
        """Replace a key with another key of the folder; it is on disk when this returns."""
        (self.folder / by).replace(self.folder / name)
        sync_folder(self.folder)


class LogKeys:
    """The key that signs the log, and its name; another process may replace them."""

    def __init__(self, keys: KeyFolder) -> None:
        """Set the folder of the files; nothing is read yet."""
        self._keys = keys
        self._folder = keys.folder
        # Every receipt needs these.
        self._name = CachedFile(self._folder / LOG_NAME, self._read_name)
        self._secret = CachedFile(self._folder / LOG_KEY, lambda: keys.read(LOG_KEY))
        self._old = CachedFile(self._folder / _OLD_KEY, lambda: keys.read_if_there(_OLD_KEY))
        self._first: bytes | None = None  # never changes

    def name(self) -> str:
        """Return the log's name."""
        return self._name.content()

    def secret(self) -> bytes:
        """Return the 32 bytes of the private key."""
        return self._secret.content()

    def public(self) -> bytes:
        """Return the 32 bytes of the public key."""
        return public_key_of(self.secret())

    def first_public(self) -> bytes:
        """Return the log's first public key."""
        if self._first is None:
            own = self.public()  # read first: `adopt` stores the first key, then replaces it
            self._first = self._keys.read_if_there(_FIRST) or own
        return self._first

    def signers(self) -> list[Ed25519PrivateKey]:
        """Return the key in force, and the previous one until its handover is stored."""
        keys = (self.secret(), self._old.content())
        return [private_key_of(key) for key in keys if key is not None]

    def prepare(self, *, name: str | None = None) -> VerificationKey:
        """Store the next name, or a new key, unless a change is prepared already.

        Returns:
            The next key.
        """
        prepared = self.next()
        if prepared is not None:
            return prepared
        if name is None:
            self._keys.make(_NEXT_KEY)
        else:
            write_new(self._folder / _NEXT_NAME, name.encode())
        return VerificationKey(name or self.name(), public_key_of(self.next_secret()))

    def next(self) -> VerificationKey | None:
        """Return the prepared key, or None."""
        key, name = self._keys.read_if_there(_NEXT_KEY), self._folder / _NEXT_NAME
        if key is None and not name.exists():
            return None
        text = name.read_text("utf-8") if name.exists() else self.name()
        return VerificationKey(text, public_key_of(key or self.secret()))

    def next_secret(self) -> bytes:
        """Return the prepared private key, or the one in force if only the name changes."""
        return self._keys.read_if_there(_NEXT_KEY) or self.secret()

    def adopt(self) -> None:
        """Put the prepared key or name in force; a replaced key stays until `forget_old`."""
        if not (self._folder / _FIRST).exists():
            self._keys.write(_FIRST, self.public())
        if (self._folder / _NEXT_KEY).exists():
            if not (self._folder / _OLD_KEY).exists():
                os.link(self._folder / LOG_KEY, self._folder / _OLD_KEY)
            (self._folder / _NEXT_KEY).replace(self._folder / LOG_KEY)
        if (self._folder / _NEXT_NAME).exists():
            (self._folder / _NEXT_NAME).replace(self._folder / LOG_NAME)
        sync_folder(self._folder)

    def forget_old(self) -> bool:
        """Destroy the replaced key; return whether there was one."""
        return destroy_file(self._folder / _OLD_KEY)

    def _read_name(self) -> str:
        path = self._folder / LOG_NAME
        try:
            return path.read_text("utf-8")
        except OSError:
            raise Unavailable(
                f"The name of the log, {path}, is missing; restore the secrets folder."
            ) from None


@lru_cache(maxsize=4)
def private_key_of(key: bytes) -> Ed25519PrivateKey:
    """Return the Ed25519 key of 32 secret bytes."""
    return Ed25519PrivateKey.from_private_bytes(key)


@lru_cache(maxsize=4)
def public_key_of(key: bytes) -> bytes:
    """Return the 32 public bytes of 32 secret bytes."""
    return private_key_of(key).public_key().public_bytes_raw()
