"""OpenSSH public keys, and signatures as `ssh-keygen -Y sign` makes them (PROTOCOL.sshsig).

Accepted are Ed25519, from a file or from a security key (FIDO), and a passkey (P-256), such as a
phone's: its challenge is what an SSH key would sign, so its answer is an SSH signature
(PROTOCOL.u2f). Unlike `ssh-keygen`, Jara demands that a person was present and verified.
"""

import json
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256, sha512
from typing import Any, ClassVar, NamedTuple

from jara.domain.errors import InvalidInput, Refused

NAMESPACE = "jara-act"
"""The namespace of operators' signatures; signatures with any other are rejected."""

PLAIN = "ssh-ed25519"
SECURITY_KEY = "sk-ssh-ed25519@openssh.com"
PASSKEY = "sk-ecdsa-sha2-nistp256@openssh.com"
PASSKEY_SIGNATURE = f"webauthn-{PASSKEY}"

_KINDS = {PLAIN, SECURITY_KEY, PASSKEY}
_MAGIC = b"SSHSIG"
_VERSION = 1
_KEY_BYTES = 32
_LENGTH_BYTES = 4
_TOUCHED = _PRESENT = 0x01
_VERIFIED, _ATTESTED, _EXTENDED = 0x04, 0x40, 0x80
_CURVE = b"nistp256"
_POINT_BYTES = 65
_UNCOMPRESSED = 4
_NUMBER_BYTES = 32
_HASH_BYTES = 32
_ARMOUR_WIDTH = 70
_DER_SEQUENCE, _DER_INTEGER = 0x30, 0x02
_HASHES = {b"sha256": sha256, b"sha512": sha512}

Verify = Callable[[bytes, bytes, bytes], bool]
"""Verifies a signature. Arguments: key, message, signature (64 bytes).

A key of 32 bytes is Ed25519; one of 65 bytes is a point of P-256, and its signature is r and s of
ECDSA with SHA-256.
"""


class BadSignature(Refused):
    """A signature is missing, malformed, or not valid for the claimed act and key."""

    code: ClassVar[str] = "bad_signature"


class NotVerified(BadSignature):
    """A passkey does not say that a person was there and was verified."""

    code: ClassVar[str] = "not_verified"


class WrongOrigin(BadSignature):
    """A passkey signed for another website, or in a frame of another one."""

    code: ClassVar[str] = "wrong_origin"


class PublicKey(NamedTuple):
    """An OpenSSH public key."""

    kind: str  # `ssh-ed25519`, or that of a security key or a passkey
    key: bytes  # the 32 bytes of the Ed25519 key, or the 65 bytes of the point of P-256
    application: bytes = b""
    """The application of a security key, usually `ssh:`; the host of the website that made a
    passkey; otherwise empty."""

    @property
    def blob(self) -> bytes:
        """The key in the encoding of the SSH protocol."""
        curve = pack(_CURVE) if self.is_passkey else b""
        application = b"" if self.kind == PLAIN else pack(self.application)
        return pack(self.kind.encode()) + curve + pack(self.key) + application

    @property
    def is_passkey(self) -> bool:
        """Whether a website made it with a phone, a computer or a security key."""
        return self.kind == PASSKEY

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
    if kind not in _KINDS and kind.startswith(("ssh-", "sk-", "ecdsa-")):
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
    if kind not in _KINDS:
        raise ValueError(f"the unknown kind '{kind}'")
    if kind == PASSKEY and wire.string() != _CURVE:
        raise ValueError("another curve")
    key = wire.string()
    application = b"" if kind == PLAIN else wire.string()
    wire.end()
    if len(key) != (_POINT_BYTES if kind == PASSKEY else _KEY_BYTES):
        raise ValueError("a key of another length")
    if kind == PASSKEY and key[0] != _UNCOMPRESSED:
        raise ValueError("a compressed point")
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

    `data` is the complete signature, without armour; `verify` verifies the raw one.

    Raises:
        BadSignature: it is malformed, or made for another namespace or message.
        NotVerified: a passkey signed without a person who was present and verified.
        WrongOrigin: a passkey signed for another website than the one of its key.
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


def signing_key(data: bytes) -> PublicKey:
    """Return the key that a complete signature names, which may not have made it.

    Raises:
        ValueError: it is malformed.
    """
    return _parse(data)[0]


def armour(data: bytes) -> str:
    """Return a complete signature as `ssh-keygen` writes it to a file."""
    text = b64encode(data).decode()
    lines = [text[at : at + _ARMOUR_WIDTH] for at in range(0, len(text), _ARMOUR_WIDTH)]
    start, end = (f"-----{word} SSH SIGNATURE-----" for word in ("BEGIN", "END"))
    return "\n".join([start, *lines, end, ""])


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
    if kind.decode("ascii", "replace") != (PASSKEY_SIGNATURE if key.is_passkey else key.kind):
        raise ValueError("it is of another kind than its key")
    if key.is_passkey:
        message, signature = _read_assertion(key, message, wire), _fixed(signature)
    elif key.kind == SECURITY_KEY:
        flags, counter = wire.take(1), wire.take(_LENGTH_BYTES)
        if not flags[0] & _TOUCHED:
            raise ValueError("the security key was not touched")
        digests = sha256(key.application).digest(), sha256(message).digest()
        message = digests[0] + flags + counter + digests[1]
    wire.end()
    return verify(key.key, message, signature)


# ---------------------------------------------------------------- passkeys


class Assertion(NamedTuple):
    """What a passkey answers to a challenge."""

    authenticator_data: bytes  # hash of the site's host, flags, counter and extensions
    client_data: bytes  # what the browser says about the page, as JSON
    signature: bytes  # of both, in DER


def origin_of(application: bytes) -> str:
    """Return the origin at which a passkey of a host signs; one without a port, over HTTPS."""
    return f"https://{application.decode('ascii', 'replace')}"


def is_origin_of(application: bytes, origin: str) -> bool:
    """Return whether an origin is the one of a passkey's host, or a port of this machine."""
    local = application == b"localhost" and re.fullmatch(r"http://localhost(:\d{1,5})?", origin)
    return bool(local) or origin == origin_of(application)


def assemble_assertion(key: PublicKey, assertion: Assertion, *, site: str = "") -> bytes:
    """Return a passkey's answer as an SSH signature; `check_signature` judges it.

    `site` is the only origin from which it may be; by default any of the key's host.

    Raises:
        BadSignature: it cannot be read.
        WrongOrigin: it is for another site than the key.
    """
    data, client_data, der = assertion
    if data[:_HASH_BYTES] != sha256(key.application).digest():
        raise WrongOrigin("The passkey signed for another website.")
    try:
        origin = str(_read_client_data(client_data)["origin"])
        r, s = _read_der(der)
    except (ValueError, KeyError):
        raise BadSignature("The signature cannot be read: not the answer of a passkey.") from None
    if site and origin != site:
        raise WrongOrigin(f"The passkey signed for '{origin}', not for this website.")
    at = _HASH_BYTES + 1 + _LENGTH_BYTES
    signature = pack(PASSKEY_SIGNATURE.encode()) + pack(pack(r) + pack(s))
    strings = (origin.encode(), client_data, data[at:])
    return assemble(key, signature + data[_HASH_BYTES:at] + b"".join(map(pack, strings)))


def _read_assertion(key: PublicKey, message: bytes, wire: Wire) -> bytes:
    """Return what a passkey signs for a message.

    Raises:
        ValueError: it is malformed, or for another challenge.
        NotVerified: no person was present and verified.
        WrongOrigin: it is for another website.
    """
    flags, counter = wire.take(1), wire.take(_LENGTH_BYTES)
    origin, client_data, extensions = (wire.string() for _ in range(3))
    if ~flags[0] & (_PRESENT | _VERIFIED):
        raise NotVerified("The passkey does not say that a person was there and was verified.")
    if flags[0] & _ATTESTED or bool(flags[0] & _EXTENDED) != bool(extensions):
        raise ValueError("flags that do not fit")
    said = _read_client_data(client_data)
    site = origin.decode("ascii")
    if (
        not is_origin_of(key.application, site)
        or said.get("origin") != site
        or said.get("crossOrigin", False) is not False
        or "topOrigin" in said
    ):
        raise WrongOrigin(f"The passkey signed for '{site}', not for this website.")
    challenge = urlsafe_b64encode(message).rstrip(b"=")
    expected = b'{"type":"webauthn.get","challenge":"%s","origin":"%s"' % (challenge, origin)
    if not client_data.startswith(expected):  # `ssh-keygen` demands this beginning as well
        raise ValueError("it is of another challenge")
    hashes = sha256(key.application).digest(), sha256(client_data).digest()
    return hashes[0] + flags + counter + extensions + hashes[1]


def _read_client_data(client_data: bytes) -> dict[str, Any]:
    try:
        said = json.loads(client_data, object_pairs_hook=_distinct)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(said, dict):
        raise ValueError("no object")  # noqa: TRY004 - as every other malformed part
    return said


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def _fixed(signature: bytes) -> bytes:
    """Return r and s, 32 bytes each, of the two numbers of an SSH signature."""
    wire = Wire(signature)
    numbers = [_unsigned(wire.string()) for _ in range(2)]
    wire.end()
    return b"".join(number.to_bytes(_NUMBER_BYTES, "big") for number in numbers)


def _unsigned(data: bytes) -> int:
    """Return a number of the SSH protocol or of DER: positive, without needless zeros."""
    number = int.from_bytes(data, "big", signed=True)
    bits = number.bit_length()
    if number <= 0 or len(data) != bits // 8 + 1 or bits > 8 * _NUMBER_BYTES:
        raise ValueError("a number out of range")
    return number


def _read_der(der: bytes) -> list[bytes]:
    """Return the bytes of the two numbers of an ECDSA signature."""
    if der[:2] != bytes([_DER_SEQUENCE, len(der) - 2 & 0xFF]):
        raise ValueError("no sequence")
    numbers, rest = [], der[2:]
    for _ in range(2):
        if rest[:1] != bytes([_DER_INTEGER]) or len(rest) < 2 + rest[1]:
            raise ValueError("no integer")
        numbers.append(rest[2 : 2 + rest[1]])
        rest = rest[2 + rest[1] :]
    if rest:
        raise ValueError("too long")
    return numbers
