"""Session tokens: JWT with HMAC-SHA256, one algorithm, one key named by ``kid``.

PyJWT is slow to import, and only the web server needs it, so the methods import it.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from jara.records.access import SessionClaims

ALGORITHM = "HS256"
ISSUER = "jara"
AUDIENCE = "jara-members"
TOKEN_CHARS_MAX = 2048
_KNOWN_TOKENS = 4096
_TEXTS = ("iss", "aud", "sub", "jti")
_NUMBERS = ("iat", "nbf", "exp", "auth_time", "epoch")
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999: Python's largest instant."""


class _Signing:
    """A key, and the tokens already verified with it.

    Verified tokens are cached, since checking a signature costs more than the rest of a
    request; times are compared on every read.
    """

    def __init__(self, mark: object, key: bytes) -> None:
        self.mark = mark
        self.key = key
        self.key_id = sha256(b"jara/v1/kid\0" + key).hexdigest()[:16]
        self.verified: OrderedDict[str, SessionClaims] = OrderedDict()


class JwtIssuer:
    """Issues and verifies tokens with PyJWT.

    A key that another process replaced is read again; the old one no longer signs or verifies.
    Tokens verified before stay cached, and end with their sessions in the database.
    """

    def __init__(
        self, read_key: Callable[[], bytes], read_mark: Callable[[], object] = lambda: None
    ) -> None:
        self._read_key = read_key
        self._read_mark = read_mark
        self._known: _Signing | None = None

    def issue(self, claims: SessionClaims) -> str:
        """Return a signed token."""
        import jwt  # slow to import

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
        signing = self._signing()
        headers = {"kid": signing.key_id}
        return jwt.encode(payload, signing.key, algorithm=ALGORITHM, headers=headers)

    def read(self, token: str, *, now: datetime) -> SessionClaims | None:
        """Return a token's claims; None if it is forged, malformed or not valid now."""
        signing = self._known
        claims = None if signing is None else signing.verified.get(token)
        if claims is None:
            signing = self._signing()
            claims = _verify(token, signing)
            if claims is None:
                return None
            signing.verified[token] = claims
            while len(signing.verified) > _KNOWN_TOKENS:
                signing.verified.popitem(last=False)
        return claims if claims.issued_at <= now < claims.expires_at else None

    @property
    def key_id(self) -> str:
        """The name of the key; it reveals nothing about the key."""
        return self._signing().key_id

    def _signing(self) -> _Signing:
        mark, known = self._read_mark(), self._known
        if known is None or known.mark != mark:
            # The mark is older than the key, so a key replaced in between is read again.
            known = self._known = _Signing(mark, self._read_key())
        return known


def _verify(token: str, signing: _Signing) -> SessionClaims | None:
    import jwt  # slow to import

    if len(token) > TOKEN_CHARS_MAX or not _is_canonical(token):
        return None
    try:
        decoded = jwt.decode_complete(
            token,
            signing.key,
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
    if header != {"alg": ALGORITHM, "kid": signing.key_id, "typ": "JWT"}:
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
