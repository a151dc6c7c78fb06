"""Signed statements: an operator signs one exact act for one organisation, once, at one time."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.control.ssh import BadSignature, PublicKey, Verify, check_signature
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import instant_text

STATEMENT = "jara/v1/act"
NONCE_BYTES = 16
LIFETIME = timedelta(minutes=5)
"""The most a statement's time may differ from now."""

Document = Mapping[str, Any]


class Statement(NamedTuple):
    """One act to be signed."""

    verb: str
    """The command, such as `projects pay`; for an act that needs several signatures, its name, such
    as `projects.pay`."""
    arguments: Document  # its arguments, limited to values of canonical JSON
    organisation: str  # the verification key of the organisation's log
    at: str
    nonce: str  # 16 random bytes in hex, used once

    @classmethod
    def of(
        cls, verb: str, arguments: Document, *, organisation: str, now: datetime, nonce: bytes
    ) -> "Statement":
        """Return a statement of an act at the current time."""
        return cls(verb, arguments, organisation, instant_text(now), nonce.hex())

    def encode(self) -> bytes:
        """Return the canonical bytes to sign."""
        return canonical.encode(
            {
                "arguments": dict(self.arguments),
                "nonce": self.nonce,
                "organisation": self.organisation,
                "t": STATEMENT,
                "time": self.at,
                "verb": self.verb,
            }
        )


class Signed(NamedTuple):
    """A signed statement: its exact bytes, and the SSH signature without armour."""

    statement: bytes
    signature: bytes


def read_signed(
    signed: Signed, wanted: Statement, *, now: datetime, verify: Verify
) -> tuple[Statement, PublicKey]:
    """Return the statement and its signing key if it is recent and for the wanted act.

    Raises:
        BadSignature: it is invalid, or for another act, another organisation or another time.
    """
    made = read_statement(signed.statement)
    if made.organisation != wanted.organisation:
        raise BadSignature("The signature is for another organisation.")
    if (made.verb, made.arguments) != (wanted.verb, wanted.arguments):
        raise BadSignature(
            f"The signature for '{made.verb}' does not match this act and its values."
        )
    try:
        away = abs(now - datetime.fromisoformat(made.at))
    except (ValueError, TypeError):
        raise BadSignature(f"'{made.at}' is not a time.") from None
    if away > LIFETIME:
        raise BadSignature(
            f"The signature was made at {made.at}, more than 5 minutes from now; check the clock "
            "and sign again."
        )
    return made, check_signature(signed.signature, signed.statement, verify)


def read_statement(data: bytes) -> Statement:
    """Decode a statement.

    Raises:
        BadSignature: the bytes are not a statement.
    """
    value = canonical.decode(data)
    if not isinstance(value, dict) or value.get("t") != STATEMENT:
        raise BadSignature("The signature is not of an act.")
    try:
        return Statement(
            str(value["verb"]),
            dict(value["arguments"]),
            str(value["organisation"]),
            str(value["time"]),
            str(value["nonce"]),
        )
    except (KeyError, TypeError, ValueError):
        raise BadSignature("The signature is not of an act.") from None


class SharedAct(NamedTuple):
    """An act that needs the signatures of several operators."""

    action: str  # its name, such as `projects.pay`
    digest: str  # the SHA-256 of the act with its payload, in hex; see `digest_of`
    public: Document  # the fields that are written to the log and signed

    @property
    def arguments(self) -> dict[str, Any]:
        """The signed values besides action, organisation, time and nonce."""
        return {"act": self.digest, **self.public}

    def statement_of(self, row: Document, organisation: str) -> Statement:
        """Return the statement that a row of a leaf's `signatures` signs."""
        return Statement(
            self.action, self.arguments, organisation, str(row["time"]), str(row["nonce"])
        )


def signature_row(statement: Statement, signature: bytes, key: PublicKey) -> dict[str, str]:
    """Return a signature as stored in a leaf, from which its statement can be rebuilt."""
    return {
        "key": key.fingerprint,
        "nonce": statement.nonce,
        "signature": b64encode(signature).decode(),
        "time": statement.at,
    }


def signer_of(act: SharedAct, row: Document, organisation: str, verify: Verify) -> str:
    """Return the fingerprint of the key that made a leaf's signature.

    Raises:
        BadSignature: it is not for this act, or not by the key named in the leaf.
    """
    try:
        data = b64decode(str(row["signature"]), validate=True)
    except ValueError:
        raise BadSignature("The signature cannot be read: not base64.") from None
    key = check_signature(data, act.statement_of(row, organisation).encode(), verify)
    if key.fingerprint != row["key"]:
        raise BadSignature(f"The signature is by {key.fingerprint}, not by {row['key']}.")
    return key.fingerprint


def digest_of(approval: str, action: str, payload: Document, organisation: str) -> str:
    """Return the hash of a pending act and its payload."""
    return sha256(act_document(approval, action, payload, organisation)).hexdigest()


def act_document(approval: str, action: str, payload: Document, organisation: str) -> bytes:
    """Return the text of a pending act and its payload, whose hash is signed."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))  # ASCII in every language
    document = {
        "action": action,
        "id": approval,
        "organisation": organisation,
        "payload": text,
        "t": "jara/v1/shared_act",
    }
    return canonical.encode(document)


def spends_hash(spends: Mapping[str, int], salt: bytes) -> str:
    """Return the hash of the amounts paid per account, with the salt of the entry's leaf."""
    pairs = [[account, cents] for account, cents in sorted(spends.items())]
    return sha256(b"jara/v1/spends\0" + salt + canonical.encode(pairs)).hexdigest()
