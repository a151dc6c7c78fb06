"""Witnesses for the verifier's tests, written from the C2SP document, without Jara's code."""

import hashlib
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

AT = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp())


class WitnessKey:
    """A witness with its name and key."""

    def __init__(self, name: str, seed: int) -> None:
        """Create a key from a number."""
        self.name = name
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        public = b"\x04" + self._key.public_key().public_bytes_raw()
        self.key_id = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
        self.text = f"{name}+{self.key_id.hex()}+{b64encode(public).decode()}"

    def cosign(self, note: str, at: int = AT) -> str:
        """Return the note with a cosignature added."""
        text = note.split("\n\n", maxsplit=1)[0] + "\n"
        message = f"cosignature/v1\ntime {at}\n{text}".encode()
        signed = self.key_id + at.to_bytes(8) + self._key.sign(message)
        return f"{note}\u2014 {self.name} {b64encode(signed).decode()}\n"

    def write(self, folder: Path) -> Path:
        """Write the key in its published form."""
        path = folder / f"{self.name.replace('/', '-')}.key"
        path.write_text(f"# a witness\n\n{self.text}\n", encoding="utf-8")
        return path


WITNESSES = [WitnessKey(f"w{number}.example/witness", number) for number in (1, 2, 3)]
