"""Leaves about operators' keys and limits, and the first one that breaks the rules.

The program (`replay`) and the verifier (`jara_verify.Control`) are held to the same vectors.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.control.state import ADD, REMOVE, act_of_key, act_of_limits, act_of_ways
from jara.domain.control.statement import SharedAct
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from tests.fakes.operators import SIGNED_AT, Signer, TestSigner, signatures
from tests.fakes.passkeys import Phone

HERE = "jara.example/log+00000000+AAAA"
ADA, BEN, CYD, DAN, EVE = (TestSigner(name) for name in ("ada", "ben", "cyd", "dan", "eve"))
AMA, IDA = (Phone(name) for name in ("ama", "ida"))
LATER = SIGNED_AT + timedelta(hours=1)

Leaf = Mapping[str, Any]


class Vector(NamedTuple):
    """A log of leaves about keys and limits.

    Args:
        name: what is tried.
        leaves: the leaves in order.
        wrong: the index of the first leaf that breaks the rules; None if all are good.
        why: what `replay` says about it.
    """

    name: str
    leaves: Sequence[Leaf]
    wrong: int | None = None
    why: str = ""


def key_leaf(
    one: Signer,
    *signers: Signer,
    change: str = ADD,
    roles: str = "admin",
    act: str = "",
    **other: Any,
) -> dict[str, Any]:
    """Return the leaf of a key, signed by some operators; `act` makes it another act."""
    public = {
        "change": change,
        "key": one.key.fingerprint,
        "person": f"op_{one.key.fingerprint[7:11]}",
        "public_key": one.key.text(),
        "roles": roles.split(),
        **other,
    }
    leaf = shared_act_leaf(LeafType.OPERATOR_KEY, _digest(f"{public}{act}"), public, [])
    return leaf | {"signatures": signatures(act_of_key(leaf), HERE, *signers)}


def limits_leaf(
    approvals: int, *signers: Signer, act: str = "", at: datetime = SIGNED_AT, **other: Any
) -> dict[str, Any]:
    """Return the leaf of the limits, signed by some operators."""
    public = {"approvals": approvals, **other}
    leaf = shared_act_leaf(LeafType.CONTROL_POLICY, _digest(f"{public}{act}"), public, [])
    return signed_by(leaf, *signers, at=at)


def signed_by(leaf: Leaf, *signers: Signer, at: datetime = SIGNED_AT) -> dict[str, Any]:
    """Return the leaf of limits with other signatures."""
    return _with(leaf, signatures=signatures(act_of_limits(leaf), HERE, *signers, at=at))


def ways_leaf(*signers: Signer, transfer: str) -> dict[str, Any]:
    """Return the leaf of the account that transfers go to, signed by some operators."""
    public = {"values": {"transfer": _digest(transfer)}}
    leaf = shared_act_leaf(LeafType.WAYS_IN, _digest(f"{public}"), public, [])
    return leaf | {"signatures": signatures(act_of_ways(leaf), HERE, *signers)}


def approval_leaf(*signers: Signer) -> dict[str, Any]:
    """Return the leaf of an approval, signed by some operators."""
    digest = _digest("approval")
    leaf = shared_act_leaf(LeafType.APPROVAL, digest, {"action": "ledger.post"}, [])
    return leaf | {"signatures": signatures(SharedAct("ledger.post", digest, {}), HERE, *signers)}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _with(leaf: Leaf, **changes: Any) -> dict[str, Any]:
    return {**leaf, **changes}


_ADA = key_leaf(ADA, ADA)
_TWO = [_ADA, key_leaf(BEN, ADA)]
_ADD_CYD = key_leaf(CYD, ADA, BEN)
_THREE = [*_TWO, _ADD_CYD]
_NO_CYD = key_leaf(CYD, ADA, BEN, change=REMOVE)
_FREE = limits_leaf(2, ADA, BEN)
_LIMITS = limits_leaf(2, ADA, BEN, limit_cents=10_000, day_limit_cents=10_000)
_WHOLE = limits_leaf(2, ADA, BEN, limit_cents=1, total_limit_cents=3, assets=["assets:bank"])
_IBAN, _OTHER_IBAN = (ways_leaf(ADA, BEN, transfer=name) for name in ("ours", "theirs"))
_APPROVAL = approval_leaf(ADA, BEN)
_NO_PHONES = limits_leaf(2, ADA, BEN, phone_limit_cents=0)
_REFUSED = limits_leaf(2, ADA, BEN, act="refused")
"""Signed by two while three were needed, and then refused."""
_THREE_NEEDED = limits_leaf(3, ADA, BEN, at=LATER)
_MIXED = [_REFUSED["signatures"][0], signed_by(_REFUSED, ADA, BEN, at=LATER)["signatures"][1]]
_BOOKKEEPER, _APPROVER = "bookkeeper", "approver"
_PHONE = [_ADA, key_leaf(AMA, ADA, roles="approver")]
_ADMIN_EVE = _with(key_leaf(EVE, ADA, roles="editor"), roles=["admin"])

VECTORS = [
    Vector("a first key", [_ADA]),
    Vector("three keys", _THREE),
    Vector("keys come and go", [*_TWO, key_leaf(BEN, BEN, ADA, change=REMOVE)]),
    Vector("limits change", [*_TWO, _FREE, _LIMITS, _WHOLE]),
    Vector("an approval between", [*_TWO, _APPROVAL, _ADD_CYD]),
    Vector("limits before the first key", [limits_leaf(2), _ADA]),
    Vector("old 'no limits' again", [*_TWO, _FREE, _LIMITS, _FREE], 4, "used before"),
    Vector("old 'add cyd' again", [*_TWO, _ADD_CYD, _NO_CYD, _ADD_CYD], 4, "used before"),
    Vector(
        "an old removal again",
        [*_TWO, _ADD_CYD, _NO_CYD, key_leaf(CYD, ADA, BEN, act="back"), _NO_CYD],
        5,
        "used before",
    ),
    Vector("limits twice", [*_TWO, _FREE, _FREE], 3, "used before"),
    Vector("the first key twice", [_ADA, _ADA], 1, "used before"),
    Vector(
        "an act again with other signatures",
        [
            *_TWO,
            _FREE,
            _LIMITS,
            _with(_FREE, signatures=signed_by(_FREE, DAN, DAN, BEN, ADA)["signatures"][2:]),
        ],
        4,
        "was done before",
    ),
    Vector("ways in change", [*_TWO, _IBAN, _OTHER_IBAN]),
    Vector("an old way in again", [*_TWO, _IBAN, _OTHER_IBAN, _IBAN], 4, "used before"),
    Vector("a way in by one person", [*_TWO, ways_leaf(ADA, transfer="mine")], 2, "1 of the 2"),
    Vector("an approval's act", [*_TWO, _APPROVAL, _with(_FREE, act=_APPROVAL["act"])], 3),
    Vector(
        "an approval's signatures",
        [*_TWO, _APPROVAL, _with(_FREE, signatures=_APPROVAL["signatures"])],
        3,
        "used before",
    ),
    Vector(
        "another nonce",
        [
            *_TWO,
            _FREE,
            _LIMITS,
            _with(_FREE, signatures=[_with(row, nonce="ab" * 16) for row in _FREE["signatures"]]),
        ],
        4,
    ),
    Vector(
        "a signature twice in a leaf",
        [*_TWO, _with(_FREE, signatures=[_FREE["signatures"][0]] * 2)],
        2,
        "used before",
    ),
    Vector(
        "signed before a later change", [*_THREE, _THREE_NEEDED, _REFUSED], 4, "before the change"
    ),
    Vector(
        "a clock five minutes late",
        [*_THREE, limits_leaf(2, ADA, BEN, at=SIGNED_AT + timedelta(minutes=5)), _REFUSED],
    ),
    Vector(
        "the newest signature counts",
        [*_THREE, limits_leaf(2, ADA, BEN, at=LATER), _with(_REFUSED, signatures=_MIXED)],
    ),
    Vector("limits by nobody", [_ADA, limits_leaf(2)], 1, "0 of the 1"),
    Vector("other figures than signed", [*_TWO, _with(_LIMITS, limit_cents=10**9)], 2, "not of"),
    Vector("accounts added", [*_TWO, _with(_LIMITS, assets=["assets:me"])], 2, "not of"),
    Vector("accounts changed", [*_TWO, _with(_WHOLE, assets=["assets:me"])], 2, "not of"),
    Vector("a figure added", [*_TWO, _with(_LIMITS, total_limit_cents=10**9)], 2, "not of"),
    Vector("a role added", [_ADA, _ADMIN_EVE], 1, "not of"),
    Vector("a first key of another", [key_leaf(ADA, BEN)], 0, "not signed by itself"),
    Vector("a first key unsigned", [key_leaf(ADA)], 0, "not signed by itself"),
    Vector("another fingerprint", [key_leaf(ADA, ADA, key=BEN.key.fingerprint)], 0, "the key is"),
    Vector(
        "a signature at no time",
        [_with(_ADA, signatures=[{**_ADA["signatures"][0], "time": "yesterday"}])],
        0,
        "yesterday",
    ),
    Vector("signed by itself", [_ADA, key_leaf(BEN, BEN)], 1, "which is not enrolled now"),
    Vector("signed by nobody", [_ADA, key_leaf(BEN)], 1, "signed by 0 of the 1 people"),
    Vector("enrolled already", [_ADA, key_leaf(ADA, ADA, act="2")], 1, "is or was enrolled"),
    Vector("enrolled for another", [_ADA, key_leaf(ADA, ADA, person="x")], 1, "is or was enrolled"),
    Vector("an unknown role", [key_leaf(ADA, ADA, roles="king")], 0, "not a valid Role"),
    Vector(
        "a bookkeeper adds a key",
        [_ADA, key_leaf(BEN, ADA, roles=_BOOKKEEPER), key_leaf(CYD, BEN)],
        2,
        "A new key is signed by no admin",
    ),
    Vector(
        "a key removed without an admin",
        [
            _ADA,
            key_leaf(BEN, ADA, roles=_APPROVER),
            key_leaf(CYD, ADA, BEN, roles=_BOOKKEEPER),
            key_leaf(ADA, BEN, CYD, change=REMOVE),
        ],
        3,
        "Removing a key is signed by no admin",
    ),
    Vector(
        "after the last key",
        [_ADA, key_leaf(ADA, ADA, change=REMOVE), key_leaf(BEN)],
        2,
        "A new key is signed by no admin",
    ),
    Vector(
        "signed by an editor",
        [_ADA, key_leaf(EVE, ADA, roles="editor"), key_leaf(BEN, EVE)],
        2,
        "whose role is only editor",
    ),
    Vector(
        "signed by a removed key",
        [_ADA, key_leaf(ADA, ADA, change=REMOVE), key_leaf(BEN, ADA)],
        2,
        "which is not enrolled now",
    ),
    Vector("a key that was never there", [_ADA, key_leaf(BEN, ADA, change=REMOVE)], 1),
    Vector(
        "two bookkeepers add a key",
        [
            *_TWO,
            key_leaf(CYD, ADA, BEN, roles=_BOOKKEEPER),
            key_leaf(DAN, ADA, BEN, roles=_BOOKKEEPER),
            key_leaf(EVE, CYD, DAN),
        ],
        4,
        "A new key is signed by 0 of the 1 approvers",
    ),
    Vector(
        "limits by too few approvers",
        [
            *_THREE,
            limits_leaf(3, ADA, BEN),
            key_leaf(DAN, ADA, BEN, CYD, roles=_BOOKKEEPER),
            key_leaf(EVE, ADA, BEN, CYD, roles=_BOOKKEEPER),
            limits_leaf(2, ADA, DAN, EVE),
        ],
        6,
        "The change of the limits is signed by 1 of the 2 approvers",
    ),
    Vector(
        "a phone signs limits with an admin", [*_PHONE, limits_leaf(2, ADA, AMA, limit_cents=1)]
    ),
    Vector(
        "a phone signs a key, a way in and an approval",
        [
            *_PHONE,
            key_leaf(BEN, ADA, AMA),
            ways_leaf(ADA, AMA, transfer="ours"),
            approval_leaf(ADA, AMA),
        ],
    ),
    *(
        Vector(f"a phone as {role}", [_ADA, key_leaf(AMA, ADA, roles=role)], 1, "needs an SSH key")
        for role in ("admin", "bookkeeper", "scheduler")
    ),
    Vector("a phone as the first key", [key_leaf(AMA, AMA)], 0, "needs an SSH key"),
    Vector(
        "two phones add a key",
        [*_PHONE, key_leaf(IDA, ADA, AMA, roles="approver"), key_leaf(BEN, AMA, IDA)],
        3,
        "signed by no admin",
    ),
    Vector(
        "two keys of one person",
        [
            _ADA,
            key_leaf(AMA, ADA, roles="approver", person=_ADA["person"]),
            key_leaf(BEN, ADA),
            key_leaf(CYD, ADA, AMA),
        ],
        3,
        "1 of the 2 people",
    ),
    Vector("nobody there", [*_PHONE, limits_leaf(2, ADA, AMA.but(flags=0))], 2, "does not say"),
    Vector(
        "another site",
        [*_PHONE, limits_leaf(2, ADA, AMA.but(origin="https://www.jara.example"))],
        2,
        "not for this website",
    ),
    Vector(
        "phones are off",
        [*_TWO, key_leaf(AMA, ADA, BEN, roles="approver"), _NO_PHONES, key_leaf(CYD, ADA, AMA)],
        4,
        "1 of the 2 people",
    ),
    Vector(
        "phones beside enough others are off",
        [
            *_TWO,
            key_leaf(AMA, ADA, BEN, roles="approver"),
            _NO_PHONES,
            key_leaf(CYD, ADA, BEN, AMA),
        ],
    ),
    Vector(
        "another limit for phones than signed",
        [*_TWO, _with(_NO_PHONES, phone_limit_cents=10**9)],
        2,
        "not of",
    ),
    Vector(
        "an old signature of a phone again",
        [*_PHONE, limits_leaf(2, ADA, AMA), limits_leaf(2, ADA, AMA)],
        3,
        "used before",
    ),
]
