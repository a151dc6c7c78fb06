"""Forty kinds of forged tokens, each made from a valid one."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

KEY = bytes(range(32))
"""The key for tests that forge with the correct key; a real server's key is random."""

Forge = Callable[[str], str]
_ABSENT = object()


def decode(part: str) -> dict[str, Any]:
    """Decode a part of a token."""
    value: dict[str, Any] = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return value


def encode(value: object) -> str:
    """Encode a part of a token."""
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def sign(header: Mapping[str, Any], payload: object, *, key: bytes = KEY, digest: str) -> str:
    """Create a token with some signature."""
    signed = f"{encode(dict(header))}.{encode(payload)}"
    return f"{signed}.{encode(hmac.digest(key, signed.encode(), digest))}"


def _with_header(name: str, value: object, token: str) -> str:
    header, payload, _ = token.split(".")
    changed = {**decode(header), name: value}
    changed = {key: one for key, one in changed.items() if one is not _ABSENT}
    return sign(changed, decode(payload), digest="sha256")


def _with_claim(name: str, value: object, token: str) -> str:
    header, payload, _ = token.split(".")
    changed = {**decode(payload), name: value}
    changed = {key: one for key, one in changed.items() if one is not _ABSENT}
    return sign(decode(header), changed, digest="sha256")


def _unsigned(algorithm: str, token: str) -> str:
    header, payload, _ = token.split(".")
    return f"{encode({**decode(header), 'alg': algorithm})}.{payload}."


def _stronger(token: str) -> str:
    header, payload, _ = token.split(".")
    return sign({**decode(header), "alg": "HS512"}, decode(payload), digest="sha512")


def _tampered(name: str, value: object, token: str) -> str:
    header, payload, signature = token.split(".")
    return f"{header}.{encode({**decode(payload), name: value})}.{signature}"


def _flipped(part: int, token: str) -> str:
    parts = token.split(".")
    text = parts[part]
    parts[part] = text[:-4] + ("A" if text[-4] != "A" else "B") + text[-3:]
    return ".".join(parts)


def _other_spelling(token: str) -> str:
    """Change the unused bits of the last character."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    place = alphabet.index(token[-1])
    return token[:-1] + alphabet[place ^ 1]


FORGERIES: dict[str, Forge] = {
    **{f"algorithm {name}": partial(_unsigned, name) for name in ("none", "None", "NONE", "")},
    "algorithm HS512": _stronger,
    "algorithm RS256": partial(_with_header, "alg", "RS256"),
    "algorithm absent": partial(_with_header, "alg", _ABSENT),
    "another key's name": partial(_with_header, "kid", "0" * 16),
    "no key name": partial(_with_header, "kid", _ABSENT),
    "a path as key name": partial(_with_header, "kid", "../../dev/null"),
    "another type": partial(_with_header, "typ", "at+jwt"),
    "no type": partial(_with_header, "typ", _ABSENT),
    "a key inside": partial(_with_header, "jwk", {"kty": "oct", "k": encode(KEY)}),
    "critical extension": partial(_with_header, "crit", ["exp"]),
    "no signature": lambda token: token.rpartition(".")[0] + ".",
    "two parts": lambda token: token.rpartition(".")[0],
    "four parts": lambda token: f"{token}.{token.rpartition('.')[2]}",
    "cut short": lambda token: token[:-6],
    "flipped signature": partial(_flipped, 2),
    "flipped claims": partial(_flipped, 1),
    "flipped header": partial(_flipped, 0),
    "another spelling of the signature": _other_spelling,
    "padding": lambda token: f"{token}=",
    "text": lambda _: "good",
    "empty parts": lambda _: "..",
    "too long": lambda token: token + "A" * 4000,
    "not ASCII": lambda token: f"{token}é",
    "tampered subject": partial(_tampered, "sub", "somebody-else"),
    "tampered epoch": partial(_tampered, "epoch", 99),
    "tampered end": partial(_tampered, "exp", 4_000_000_000),
    **{
        f"without {name}": partial(_with_claim, name, _ABSENT)
        for name in ("iss", "aud", "sub", "iat", "nbf", "exp", "auth_time", "jti", "epoch")
    },
    "another issuer": partial(_with_claim, "iss", "somebody"),
    "another audience": partial(_with_claim, "aud", "operators"),
    "a list of audiences": partial(_with_claim, "aud", ["jara-members"]),
    "subject as a number": partial(_with_claim, "sub", 7),
    "end as text": partial(_with_claim, "exp", "4000000000"),
    "end as a fraction": partial(_with_claim, "exp", 4_000_000_000.5),
    "end beyond time": partial(_with_claim, "exp", 10**15),
    "epoch as a boolean": partial(_with_claim, "epoch", True),
    "negative epoch": partial(_with_claim, "epoch", -1),
    "begins later": partial(_with_claim, "nbf", 3_999_999_999),
    "signed in after its issue": partial(_with_claim, "auth_time", 4_000_000_000),
    "expired": partial(_with_claim, "exp", 1_000_000_000),
    "claims as a list": lambda token: sign(decode(token.split(".")[0]), [1], digest="sha256"),
}
