"""OpenSSH public keys, and signatures as `ssh-keygen -Y sign` makes them (PROTOCOL.sshsig).

Only Ed25519 is accepted, from a file or from a security key (FIDO).
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256, sha512
from typing import ClassVar, NamedTuple

from jara.domain.errors import InvalidInput, Refused

NAMESPACE = "jara-act"
"""The namespace of operators' signatures; signatures with any other are rejected."""

PLAIN = "ssh-ed25519"
SECURITY_KEY = "sk-ssh-ed25519@openssh.com"

_MAGIC = b"SSHSIG"
_VERSION = 1
_KEY_BYTES = 32
_LENGTH_BYTES = 4
_TOUCHED = 0x01
_HASHES = {b"sha256": sha256, b"sha512": sha512}

Verify = Callable[[bytes, bytes, bytes], bool]
"""Verifies an Ed25519 signature. Arguments: key (32 bytes), message, signature (64 bytes)."""


class BadSignature(Refused):
    """A signature is missing, malformed, or not valid for the claimed act and key."""

    code: ClassVar[str] = "bad_signature"


class PublicKey(NamedTuple):
    """An OpenSSH public key.

    Args:
        kind: `ssh-ed25519`, or that of a security key.
        key: the 32 bytes of the Ed25519 key.
        application: the application of a security key, usually `ssh:`; otherwise empty.
    """

    kind: str
    key: bytes
    application: bytes = b""

    @property
    def blob(self) -> bytes:
        """The key in the encoding of the SSH protocol."""
        application = pack(self.application) if self.kind == SECURITY_KEY else b""
        return pack(self.kind.encode()) + pack(self.key) + application

    @property
    def fingerprint(self) -> str:
        """The fingerprint in the format of `ssh-keygen -l`."""
        return f"SHA256:{b64encode(sha256(self.blob).digest()).decode().rstrip('=')}"

    def text(self) -> str:
        """Return the key as one line, without a comment."""
        return f"{self.kind} {b64encode(self.blob).decode()}"


class Wire:
    """A reader of the SSH protocol's wire format."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes.

        Raises:
            ValueError: there are not enough.
        """
        end = self._at + count
        if end > len(self._data):
            raise ValueError("cut off")
        piece, self._at = self._data[self._at : end], end
        return piece

    def number(self) -> int:
        """Return the next 32-bit number."""
        return int.from_bytes(self.take(_LENGTH_BYTES), "big")

    def string(self) -> bytes:
        """Return the next length-prefixed string."""
        return self.take(self.number())

    def end(self) -> None:
        """Require that all bytes were read.

        Raises:
            ValueError: some are left.
        """
        if self._at != len(self._data):
            raise ValueError("too long")


def pack(data: bytes) -> bytes:
    """Return a length-prefixed string."""
    return len(data).to_bytes(_LENGTH_BYTES, "big") + data


def parse_public_key(text: str) -> PublicKey:
    """Parse a public key, such as a line of `id_ed25519.pub`.

    Raises:
        InvalidInput: it is not a public key, or its kind is not accepted.
    """
    words = text.split()
    kind = words[0] if words else ""
    if "PRIVATE" in text:
        raise InvalidInput(
            "That is a private key; give the public one, the file that ends in .pub."
        )
    if kind not in {PLAIN, SECURITY_KEY} and kind.startswith(("ssh-", "sk-", "ecdsa-")):
        raise InvalidInput(
            f"Keys of the kind '{kind}' are not accepted; make one with: ssh-keygen -t ed25519"
        )
    try:
        return parse_blob(b64decode(words[1], validate=True))
    except (ValueError, IndexError):
        raise InvalidInput(
            "It is not an OpenSSH public key; one begins with 'ssh-ed25519 AAAA'."
        ) from None


def parse_blob(blob: bytes) -> PublicKey:
    """Parse a public key in the encoding of the SSH protocol.

    Raises:
        ValueError: it is malformed, or its kind is not accepted.
    """
    wire = Wire(blob)
    kind = wire.string().decode("ascii")
    if kind not in {PLAIN, SECURITY_KEY}:
        raise ValueError(f"the unknown kind '{kind}'")
    key = wire.string()
    application = wire.string() if kind == SECURITY_KEY else b""
    wire.end()
    if len(key) != _KEY_BYTES:
        raise ValueError("a key of another length")
    return PublicKey(kind, key, application)


def bytes_to_sign(message: bytes) -> bytes:
    """Return the bytes a key signs for a message: the namespace and the message's hash."""
    return _signed(NAMESPACE.encode(), b"sha512", message)


def assemble(key: PublicKey, signature: bytes) -> bytes:
    """Return the complete SSH signature: key, namespace and raw signature."""
    return (
        _MAGIC
        + _VERSION.to_bytes(_LENGTH_BYTES, "big")
        + b"".join(pack(part) for part in (key.blob, NAMESPACE.encode(), b"", b"sha512", signature))
    )


def check_signature(data: bytes, message: bytes, verify: Verify) -> PublicKey:
    """Return the key that signed a message.

    Args:
        data: the complete signature, without armour.
        message: the message it should sign.
        verify: verifies an Ed25519 signature.

    Raises:
        BadSignature: it is malformed, or made for another namespace or message.
    """
    try:
        key, namespace, hash_name, made = _parse(data)
    except ValueError as error:
        raise BadSignature(f"The signature cannot be read: {error}.") from None
    if namespace != NAMESPACE.encode():
        raise BadSignature(
            f"The signature was made for '{namespace.decode('ascii', 'replace')}', "
            f"not for '{NAMESPACE}'."
        )
    if hash_name not in _HASHES:
        raise BadSignature("The signature uses another hash than SHA-256 or SHA-512.")
    try:
        holds = _holds(key, _signed(namespace, hash_name, message), made, verify)
    except ValueError as error:
        raise BadSignature(f"The signature cannot be read: {error}.") from None
    if not holds:
        raise BadSignature(f"The signature by {key.fingerprint} is not of this act.")
    return key


def _parse(data: bytes) -> tuple[PublicKey, bytes, bytes, bytes]:
    wire = Wire(data)
    if wire.take(len(_MAGIC)) != _MAGIC or wire.number() != _VERSION:
        raise ValueError("not an SSH signature")
    key = parse_blob(wire.string())
    namespace, _reserved, hash_name, made = (wire.string() for _ in range(4))
    wire.end()
    return key, namespace, hash_name, made


def _signed(namespace: bytes, hash_name: bytes, message: bytes) -> bytes:
    digest = _HASHES[hash_name](message).digest()
    return _MAGIC + b"".join(pack(part) for part in (namespace, b"", hash_name, digest))


def _holds(key: PublicKey, message: bytes, made: bytes, verify: Verify) -> bool:
    wire = Wire(made)
    kind, signature = wire.string(), wire.string()
    if kind != key.kind.encode():
        raise ValueError("it is of another kind than its key")
    if key.kind == SECURITY_KEY:
        flags, counter = wire.take(1), wire.take(_LENGTH_BYTES)
        if not flags[0] & _TOUCHED:
            raise ValueError("the security key was not touched")
        digests = sha256(key.application).digest(), sha256(message).digest()
        message = digests[0] + flags + counter + digests[1]
    wire.end()
    return verify(key.key, message, signature)
