"""Passkeys, as the browser's API returns them: base64url texts."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from jara_webapi.schemas.base import Answer, Body, Password, Text

Encoded = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")]


class Reauthentication(Body):
    """The password, when the sign-in is old."""

    current_password: Password | None = None


class NewPasskey(Body):
    """A new passkey: its name, and what the browser answered."""

    name: Text
    id: Encoded
    client_data: Encoded
    attestation: Encoded


class PasskeySignIn(Body):
    """What the browser answered for signing in."""

    id: Encoded
    client_data: Encoded
    authenticator_data: Encoded
    signature: Encoded


class PasskeyLine(Answer):
    """A passkey in the member's list."""

    id: str
    name: str
    added_on: date
