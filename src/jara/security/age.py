"""Encrypts and decrypts files with age (https://age-encryption.org), as backups need it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

import pyrage
from pyrage import x25519

from jara.domain.errors import InvalidInput, NotFound, Unavailable
from jara.security.files import FILE_MODE

_HEADER = b"age-encryption.org/v1\n"
_ARMOR = b"-----BEGIN AGE ENCRYPTED FILE-----"
_NO_KEY = "No matching keys found"


class AgeEncryption:
    """Encrypts to recipients; only holders of one of their identities can read the result."""

    def __init__(self, recipients: Sequence[str]) -> None:
        """Read the recipients.

        Raises:
            InvalidInput: one of them is not an age recipient.
        """
        self._recipients = [_recipient_of(text) for text in recipients]

    def encrypt(self, data: bytes) -> bytes:
        """Return the encrypted data."""
        return bytes(pyrage.encrypt(data, self._recipients))

    def encrypt_file(self, source: Path, target: Path) -> None:
        """Encrypt a file into a new one, piece by piece.

        Raises:
            Unavailable: the target cannot be written.
        """
        try:
            _convert(
                source,
                target,
                lambda reader, writer: pyrage.encrypt_io(reader, writer, self._recipients),
            )
        except pyrage.EncryptError as error:  # it wraps errors of the target
            raise Unavailable(f"'{target}' cannot be written: {error}.") from error


class AgeDecryption:
    """Decrypts with the identities of a file, as `age-keygen` writes it."""

    def __init__(self, identity_file: Path) -> None:
        """Read the identities.

        Raises:
            NotFound: there is no such file.
            InvalidInput: it contains no age identity.
        """
        self._name = str(identity_file)
        try:
            lines = identity_file.read_text("utf-8").split("\n")
            found = [line.strip() for line in lines if line.strip() and line[0] != "#"]
            self._identities = [x25519.Identity.from_str(line) for line in found]
        except OSError as error:
            raise NotFound(f"'{identity_file}' cannot be read: {error.strerror}.") from None
        except (ValueError, pyrage.IdentityError):
            self._identities = []
        if not self._identities:
            raise InvalidInput(
                f"'{identity_file}' is not an age identity file (AGE-SECRET-KEY-1…)."
            )

    def decrypt(self, source: Path) -> bytes:
        """Return the content of an encrypted file.

        Raises:
            InvalidInput: it is not encrypted with age.
            Unavailable: it is for another identity, damaged or incomplete.
        """
        self._require_encrypted(source)
        try:
            return bytes(pyrage.decrypt(source.read_bytes(), self._identities))
        except pyrage.DecryptError as error:
            raise self._explain(source, error) from None

    def decrypt_file(self, source: Path, target: Path) -> None:
        """Decrypt a file into a new one, piece by piece.

        Raises:
            InvalidInput: it is not encrypted with age.
            Unavailable: it is for another identity, damaged or incomplete.
        """
        self._require_encrypted(source)
        try:
            _convert(
                source,
                target,
                lambda reader, writer: pyrage.decrypt_io(reader, writer, self._identities),
            )
        except (pyrage.DecryptError, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # a file's error; those of the library have no errno
            raise self._explain(source, error) from None

    def _require_encrypted(self, source: Path) -> None:
        if not is_encrypted(source):
            raise InvalidInput(f"'{source}' is not encrypted with age; leave out --identity.")

    def _explain(self, source: Path, error: Exception) -> Unavailable:
        if str(error) == _NO_KEY:
            return Unavailable(f"'{source}' is encrypted for another identity than '{self._name}'.")
        return Unavailable(f"'{source}' is damaged or incomplete.")


def is_encrypted(path: Path) -> bool:
    """Return whether a file starts with the header of age.

    Raises:
        InvalidInput: it is armored, as text.
    """
    with path.open("rb") as file:
        start = file.read(len(_ARMOR))
    if start == _ARMOR:
        raise InvalidInput(
            f"'{path}' is encrypted with age as text (--armor), which Jara does not read; "
            "decrypt it first: age --decrypt --identity KEYS --output PLAIN FILE"
        )
    return start.startswith(_HEADER)


def _recipient_of(text: str) -> x25519.Recipient:
    try:
        return x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise InvalidInput(f"'{text}' is not an age recipient (age1…).") from None


def _convert(source: Path, target: Path, act: Callable[[BinaryIO, BinaryIO], None]) -> None:
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    with os.fdopen(handle, "wb") as writer, source.open("rb") as reader:
        act(reader, writer)
