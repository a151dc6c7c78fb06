"""A passkey in software that signs operators' acts, as a phone does."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from jara.domain.control.ssh import PASSKEY, Assertion, PublicKey, assemble_assertion, bytes_to_sign
from jara.domain.control.statement import Signed
from jara.records.operations import Command

HOST = "jara.example"
PRESENT, VERIFIED = 0x01, 0x04
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def private_key(name: str) -> ec.EllipticCurvePrivateKey:
    """Return the P-256 key of a name."""
    number = int.from_bytes(sha256(name.encode()).digest(), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, ec.SECP256R1())


def point_of(private: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public half as an uncompressed point."""
    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Phone:
    """Holds one key, derived from its name; every field can be forged with `but`."""

    name: str
    host: str = HOST
    origin: str = ""
    flags: int = PRESENT | VERIFIED
    kind: str = "webauthn.get"
    count: int = 0
    more: Mapping[str, Any] = field(default_factory=lambda: {"crossOrigin": False})
    """What else the browser says about the page."""
    command: Command = field(default_factory=lambda: Command("test", {}))

    @property
    def key(self) -> PublicKey:
        """The passkey as an SSH key."""
        return PublicKey(PASSKEY, point_of(private_key(self.name)), self.host.encode())

    def but(self, **changes: Any) -> Phone:
        """Return the same phone with changes."""
        return replace(self, **changes)

    def answer(self, challenge: bytes) -> Assertion:
        """Answer a challenge as `navigator.credentials.get` does."""
        said = {
            "type": self.kind,
            "challenge": urlsafe_b64encode(challenge).decode().rstrip("="),
            "origin": self.origin or f"https://{self.host}",
            **self.more,
        }
        client_data = json.dumps(said, separators=(",", ":")).encode()
        data = sha256(self.host.encode()).digest() + bytes([self.flags])
        data += self.count.to_bytes(4, "big")
        signed = data + sha256(client_data).digest()
        made = private_key(self.name).sign(signed, ec.ECDSA(SHA256()))
        return Assertion(data, client_data, made)

    def sign_blob(self, statement: bytes) -> bytes:
        """Return the whole SSH signature of some bytes."""
        return assemble_assertion(self.key, self.answer(bytes_to_sign(statement)))

    def sign(self, statement: bytes, _keys: Sequence[PublicKey]) -> Signed:
        """Sign a statement, even if the key is not enrolled."""
        return Signed(statement, self.sign_blob(statement))
