"""Passkeys, as the browser's API returns them: base64url texts."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from jara_webapi.schemas.base import Answer, Body, Document, Password, Text

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


class RelyingParty(Answer):
    """The site that a passkey is for."""

    id: str
    name: str


class PasskeyUser(Answer):
    """The account that a passkey is for."""

    id: str
    name: str
    display_name: str


class Credential(Answer):
    """A passkey that exists already."""

    id: str
    type: Literal["public-key"]
    transports: list[str] = Field(default=[])


class CreationOptions(Answer):
    """The browser's options for creating a passkey."""

    rp: RelyingParty
    user: PasskeyUser
    challenge: str
    pub_key_cred_params: list[Document]
    timeout: int
    exclude_credentials: list[Credential] = Field(default=[])
    authenticator_selection: Document
    attestation: str


class RequestOptions(Answer):
    """The browser's options for signing in with a passkey."""

    challenge: str
    timeout: int
    rp_id: str
    allow_credentials: list[Credential] = Field(default=[])
    user_verification: str


class PasskeyLine(Answer):
    """A passkey in the member's list."""

    id: str
    name: str
    added_on: date
