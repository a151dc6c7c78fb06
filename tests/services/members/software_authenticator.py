"""A passkey in software, which answers a website like a phone or a password manager."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

from jara.records.access import PasskeyAnswer

ORIGIN = "https://jara.example"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encoded(data: bytes) -> str:
    """Encode bytes as WebAuthn does."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Decode bytes as WebAuthn does."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """Holds one P-256 key; each field can be forged."""

    origin: str = ORIGIN
    host: str = "jara.example"
    flags: int = PRESENT | VERIFIED
    name: bytes = b"a credential of tests"
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    count: int = 0
    more: Mapping[str, Any] = field(default_factory=lambda: {"crossOrigin": False})
    """What else the browser says in its client data."""

    def create(self, options: Mapping[str, Any]) -> PasskeyAnswer:
        """Make a passkey."""
        data = self._data(ATTESTED)
        data += b"\0" * 16 + len(self.name).to_bytes(2, "big") + self.name + self._public_key()
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options)
        return PasskeyAnswer(
            encoded(self.name), encoded(client_data), attestation=encoded(attestation)
        )

    def sign_in(self, options: Mapping[str, Any]) -> PasskeyAnswer:
        """Sign a challenge."""
        self.count += 1
        data, client_data = self._data(0), self._client_data("webauthn.get", options)
        signature = self.key.sign(data + sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return PasskeyAnswer(
            encoded(self.name),
            encoded(client_data),
            authenticator_data=encoded(data),
            signature=encoded(signature),
        )

    def _client_data(self, kind: str, options: Mapping[str, Any]) -> bytes:
        content = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps({**content, **self.more}).encode()

    def _data(self, more: int) -> bytes:
        flags = bytes([self.flags | more])
        return sha256(self.host.encode()).digest() + flags + self.count.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        point = self.key.public_key().public_numbers()
        return encode_cbor(
            {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        )
