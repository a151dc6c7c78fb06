"""Operators with Ed25519 keys derived from their names."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.control.ssh import PLAIN, PublicKey, assemble, bytes_to_sign, pack
from jara.domain.control.statement import NONCE_BYTES, SharedAct, Signed, Statement, signature_row
from jara.records.operations import Approval, Command
from jara.services.approvals import approve
from jara.services.context import Context, SignedCommand
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.operators import add_operator
from tests.fakes.passkeys import Phone

SIGNED_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


class TestSigner:
    """Signs with one key and records what it signed."""

    __test__ = False

    def __init__(self, name: str, verb: str = "test") -> None:
        """Create the key of a name."""
        self._private = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
        self.key = PublicKey(PLAIN, self._private.public_key().public_bytes_raw())
        self.command = Command(verb, {})
        self.made: list[Signed] = []

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign a statement, even if the key is not enrolled."""
        self.made.append(Signed(statement, self.sign_blob(statement)))
        return self.made[-1]

    def sign_blob(self, statement: bytes) -> bytes:
        """Return the whole SSH signature of some bytes."""
        made = self._private.sign(bytes_to_sign(statement))
        return assemble(self.key, pack(PLAIN.encode()) + pack(made))


Signer = TestSigner | Phone


def acting(
    context: Context,
    name: str,
    *,
    verb: str = "test",
    key: str | None = None,
    phone: Phone | None = None,
) -> Context:
    """Return the context of an operator's command, signed with their key or their phone."""
    signer = phone or TestSigner(key or name, verb)
    return replace(context, operator=name, signer=signer, signed=SignedCommand(), approved=None)


def public(name: str) -> str:
    """Return the public key of a name in the file format."""
    return f"{TestSigner(name).key.text()} {name}@laptop"


def enrol(context: Context, **roles: str) -> None:
    """Enrol the first operator as admin alone, and the others with the required approvals.

    Args:
        context: the organisation.
        roles: names, with their roles separated by blanks; the first must be an admin.
    """
    first, *_ = roles
    approvers: list[str] = []
    for name, words in roles.items():
        asker = acting(context, first)
        done = add_operator(asker, name, key=public(name), roles=tuple(words.split()))
        if isinstance(done, Approval):
            approve_as(context, done, *approvers[1:2])
        if {"admin", "approver"} & set(words.split()):
            approvers.append(name)


def enrol_phone(
    context: Context, phone: Phone, *signers: str, role: str = "approver", name: str = ""
) -> None:
    """Enrol a phone with the signatures of some operators.

    Args:
        context: the organisation.
        phone: of the operator of its name, or of another name.
        signers: the one who asks, and those who approve.
        role: of the phone.
        name: the operator, if it is not the phone's.
    """
    asker, *approvers = signers
    text = phone.key.text()
    done = add_operator(acting(context, asker), name or phone.name, key=text, roles=(role,))
    if isinstance(done, Approval):
        approve_as(context, done, *approvers)


def waits(done: object) -> Approval:
    """Return what must wait for another person's approval."""
    assert isinstance(done, Approval)
    return done


def approve_as(context: Context, waiting: object, *names: str) -> object:
    """Approve a waiting act as several operators; return the result."""
    result: object = None
    for name in names:
        result = approve(acting(context, name), waits(waiting).id, handlers=HANDLERS).result
    return result


def signatures(
    act: SharedAct, organisation: str, *signers: Signer, at: datetime = SIGNED_AT
) -> list[dict[str, str]]:
    """Return the signatures of an act in a leaf's form, each with a nonce of its own."""
    rows = []
    for number, signer in enumerate(signers):
        nonce = sha256(f"{act.digest} {number}".encode()).digest()[:NONCE_BYTES]
        statement = Statement.of(
            act.action, act.arguments, organisation=organisation, now=at, nonce=nonce
        )
        rows.append(signature_row(statement, signer.sign_blob(statement.encode()), signer.key))
    return rows
