"""Ports of passkeys (WebAuthn): keys that a member's device or password manager holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple, Protocol


class Passkey(NamedTuple):
    """A passkey of a member.

    It has no signature counter and no time of last use: either would reveal when a member used
    the website, and members vote when they use it.
    """

    id: str
    member_id: str
    name: str
    public_key: bytes
    added_on: date


class PasskeyAnswer(NamedTuple):
    """A browser's answer to a challenge: untrusted base64url texts."""

    id: str
    client_data: str
    attestation: str = ""
    authenticator_data: str = ""
    signature: str = ""


class PasskeyVerifier(Protocol):
    """Creates the options for the browser's WebAuthn API, and checks its answers."""

    def creation_options(
        self, challenge: bytes, *, user: bytes, name: str, known: Sequence[str]
    ) -> Mapping[str, Any]:
        """Return the options for creating a passkey in a browser."""
        ...

    def request_options(self, challenge: bytes) -> Mapping[str, Any]:
        """Return the options for signing in with a browser."""
        ...

    def challenge_of(self, answer: PasskeyAnswer) -> bytes:
        """Return the challenge in an answer.

        Raises:
            InvalidInput: the answer is malformed.
        """
        ...

    def check_creation(self, answer: PasskeyAnswer, challenge: bytes) -> bytes:
        """Return the public key of a new passkey.

        Raises:
            InvalidInput: the answer is not for this challenge and this site.
        """
        ...

    def check_request(self, answer: PasskeyAnswer, challenge: bytes, public_key: bytes) -> None:
        """Check the signature of a sign-in.

        Raises:
            InvalidInput: the answer is not for this challenge and this site.
        """
        ...


class PasskeyRepository(Protocol):
    """The passkeys."""

    def add(self, passkey: Passkey) -> None:
        """Store a passkey.

        Raises:
            Conflict: it is stored already.
        """
        ...

    def get(self, passkey_id: str) -> Passkey | None:
        """Return a passkey."""
        ...

    def of_member(self, member_id: str) -> list[Passkey]:
        """Return a member's passkeys, by name."""
        ...

    def remove(self, member_id: str, passkey_id: str) -> int:
        """Remove a passkey of a member; return how many."""
        ...

    def remove_all(self, member_id: str) -> None:
        """Remove every passkey of a member."""
        ...
