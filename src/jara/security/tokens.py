"""Session tokens: JWT with HMAC-SHA256, one algorithm, one key named by ``kid``."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any

import jwt

from jara.services.ports.access import SessionClaims

ALGORITHM = "HS256"
ISSUER = "jara"
AUDIENCE = "jara-members"
TOKEN_CHARS_MAX = 2048
_KNOWN_TOKENS = 4096
_TEXTS = ("iss", "aud", "sub", "jti")
_NUMBERS = ("iat", "nbf", "exp", "auth_time", "epoch")
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999: Python's largest instant."""


class JwtIssuer:
    """Issues and verifies tokens with PyJWT.

    Verified tokens are cached, since checking a signature costs more than the rest of a
    request; times are compared on every read.
    """

    def __init__(self, read_key: Callable[[], bytes]) -> None:
        """Take a function that reads the key; it is called for the first token."""
        self._read_key = read_key
        self._verified: OrderedDict[str, SessionClaims] = OrderedDict()

    def issue(self, claims: SessionClaims) -> str:
        """Return a signed token."""
        payload = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": claims.member_id,
            "jti": claims.session_id,
            "epoch": claims.epoch,
            "auth_time": int(claims.signed_in_at.timestamp()),
            "iat": int(claims.issued_at.timestamp()),
            "nbf": int(claims.issued_at.timestamp()),
            "exp": int(claims.expires_at.timestamp()),
        }
        return jwt.encode(payload, self._key, algorithm=ALGORITHM, headers={"kid": self.key_id})

    def read(self, token: str, *, now: datetime) -> SessionClaims | None:
        """Return a token's claims; None if it is forged, malformed or not valid now."""
        claims = self._verified.get(token)
        if claims is None:
            claims = self._verify(token)
            if claims is None:
                return None
            self._verified[token] = claims
            while len(self._verified) > _KNOWN_TOKENS:
                self._verified.popitem(last=False)
        return claims if claims.issued_at <= now < claims.expires_at else None

    @cached_property
    def key_id(self) -> str:
        """The name of the key; it reveals nothing about the key."""
        return sha256(b"jara/v1/kid\0" + self._key).hexdigest()[:16]

    @cached_property
    def _key(self) -> bytes:
        return self._read_key()

    def _verify(self, token: str) -> SessionClaims | None:
        if len(token) > TOKEN_CHARS_MAX or not _is_canonical(token):
            return None
        try:
            decoded = jwt.decode_complete(
                token,
                self._key,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                # Times are compared with our clock, on every read.
                options={
                    "require": [*_TEXTS, *_NUMBERS],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except jwt.InvalidTokenError:
            return None
        header: dict[str, Any] = decoded["header"]
        if header != {"alg": ALGORITHM, "kid": self.key_id, "typ": "JWT"}:
            return None
        return _read_claims(decoded["payload"])


def _is_canonical(token: str) -> bool:
    """Refuse other base64 spellings of the same bytes."""
    parts = token.split(".")
    try:
        return len(parts) == 3 and all(  # noqa: PLR2004 - header, claims, signature
            urlsafe_b64encode(urlsafe_b64decode(part + "=" * (-len(part) % 4))).rstrip(b"=")
            == part.encode("ascii")
            for part in parts
        )
    except (BadBase64, ValueError):
        return False


def _read_claims(payload: dict[str, Any]) -> SessionClaims | None:
    if any(type(payload.get(name)) is not str for name in _TEXTS):
        return None
    if any(
        type(payload.get(name)) is not int or not 0 <= payload[name] <= _LAST_SECOND
        for name in _NUMBERS
    ):
        return None
    if payload["nbf"] != payload["iat"] or payload["auth_time"] > payload["iat"]:
        return None
    return SessionClaims(
        member_id=payload["sub"],
        session_id=payload["jti"],
        epoch=payload["epoch"],
        signed_in_at=datetime.fromtimestamp(payload["auth_time"], UTC),
        issued_at=datetime.fromtimestamp(payload["iat"], UTC),
        expires_at=datetime.fromtimestamp(payload["exp"], UTC),
    )
