"""Computing keys and limits from the log: invalid leaves are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jara.domain.control.roles import Role
from jara.domain.control.ssh import BadSignature, Verify
from jara.domain.control.state import (
    ADD,
    REMOVE,
    BrokenControl,
    Control,
    EnrolledKey,
    Limits,
    act_of_key,
    act_of_limits,
    replay,
)
from jara.domain.control.statement import (
    Signed,
    Statement,
    read_signed,
    read_statement,
    signer_of,
)
from jara.domain.publiclog.canonical import encode
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from tests.domain.control.test_ssh import verify as library
from tests.fakes.operators import TestSigner, signatures
from tests.harness import NOON

HERE = "jara.example/log+00000000+AAAA"
DIGEST = "0" * 64
ADA, BEN, CYD, DAN, EVE = (TestSigner(name) for name in ("ada", "ben", "cyd", "dan", "eve"))

verify: Verify = library


def key_leaf(
    one: TestSigner, *signers: TestSigner, change: str = ADD, roles: str = "admin", **other: Any
) -> dict[str, Any]:
    """Return the leaf of a key, signed by some operators."""
    public = {
        "change": change,
        "key": one.key.fingerprint,
        "person": f"op_{one.key.fingerprint[7:11]}",
        "public_key": one.key.text(),
        "roles": roles.split(),
        **other,
    }
    leaf = shared_act_leaf(LeafType.OPERATOR_KEY, DIGEST, public, [])
    return leaf | {"signatures": signatures(act_of_key(leaf), HERE, *signers)}


def limits_leaf(approvals: int, *signers: TestSigner) -> dict[str, Any]:
    """Return the leaf of the limits, signed by some operators."""
    public = {"approvals": approvals}
    leaf = shared_act_leaf(LeafType.CONTROL_POLICY, DIGEST, public, [])
    return leaf | {"signatures": signatures(act_of_limits(leaf), HERE, *signers)}


def after(*leaves: Mapping[str, Any]) -> Control:
    """Return keys and limits after some leaves."""
    return replay(enumerate(leaves), HERE, verify)


def test_keys_come_and_go() -> None:
    """The first key signs for itself, the first signs the second, and both sign a removal."""
    control = after(key_leaf(ADA, ADA), key_leaf(BEN, ADA), key_leaf(BEN, BEN, ADA, change=REMOVE))

    assert list(control.keys) == [ADA.key.fingerprint]
    assert len(control.persons) == 2
    assert control.keys[ADA.key.fingerprint].roles == frozenset({Role.ADMIN})


@pytest.mark.parametrize(
    ("leaves", "sentence"),
    [
        ([key_leaf(ADA, BEN)], "Leaf 0 .* the first key is not signed by itself"),
        ([key_leaf(ADA)], "Leaf 0 .* the first key is not signed by itself"),
        ([key_leaf(ADA, ADA, key=BEN.key.fingerprint)], "Leaf 0 .* the key is SHA256"),
        ([key_leaf(ADA, ADA), key_leaf(BEN, BEN)], "Leaf 1 .* which is not enrolled now"),
        ([key_leaf(ADA, ADA), key_leaf(BEN)], "Leaf 1 .* signed by 0 of the 1 people"),
        ([key_leaf(ADA, ADA), key_leaf(ADA, ADA)], "Leaf 1 .* is or was enrolled"),
        ([key_leaf(ADA, ADA), key_leaf(ADA, ADA, person="x")], "Leaf 1 .* is or was enrolled"),
        ([key_leaf(ADA, ADA, roles="king")], "Leaf 0 .* not a valid Role"),
        ([{"t": LeafType.CONTROL_POLICY.value}], "Leaf 0 .* not valid"),
        (
            [key_leaf(ADA, ADA), key_leaf(BEN, ADA, roles="bookkeeper"), key_leaf(CYD, BEN)],
            "Leaf 2 .* A new key is signed by no admin",
        ),
        (
            [
                key_leaf(ADA, ADA),
                key_leaf(BEN, ADA, roles="approver"),
                key_leaf(CYD, ADA, BEN, roles="bookkeeper"),
                key_leaf(ADA, BEN, CYD, change=REMOVE),
            ],
            "Leaf 3 .* Removing a key is signed by no admin",
        ),
        (
            [key_leaf(ADA, ADA), key_leaf(ADA, ADA, change=REMOVE), key_leaf(BEN)],
            "Leaf 2 .* A new key is signed by no admin",
        ),
        (
            [key_leaf(ADA, ADA), key_leaf(EVE, ADA, roles="editor"), key_leaf(BEN, EVE)],
            "Leaf 2 .* whose role is only editor",
        ),
        (
            [key_leaf(ADA, ADA), key_leaf(ADA, ADA, change=REMOVE), key_leaf(BEN, ADA)],
            "Leaf 2 .* which is not enrolled now",
        ),
        ([key_leaf(ADA, ADA), key_leaf(BEN, ADA, change=REMOVE)], "Leaf 1 .* not valid"),
        (
            [
                key_leaf(ADA, ADA),
                key_leaf(BEN, ADA),
                key_leaf(CYD, ADA, BEN, roles="bookkeeper"),
                key_leaf(DAN, ADA, BEN, roles="bookkeeper"),
                key_leaf(EVE, CYD, DAN),
            ],
            "Leaf 4 .* A new key is signed by 0 of the 1 approvers",
        ),
        (
            [
                key_leaf(ADA, ADA),
                key_leaf(BEN, ADA),
                key_leaf(CYD, ADA, BEN),
                limits_leaf(3, ADA, BEN),
                key_leaf(DAN, ADA, BEN, CYD, roles="bookkeeper"),
                key_leaf(EVE, ADA, BEN, CYD, roles="bookkeeper"),
                limits_leaf(2, ADA, DAN, EVE),
            ],
            "Leaf 6 .* The change of the limits is signed by 1 of the 2 approvers",
        ),
    ],
)
def test_a_leaf_against_the_rules_is_named(leaves: list[Mapping[str, Any]], sentence: str) -> None:
    """The program stops and names an invalid leaf, whoever wrote it."""
    with pytest.raises(BrokenControl, match=sentence):
        after(*leaves)


def test_a_signature_under_another_name_is_refused() -> None:
    """The key named in a signature must be the one that signed."""
    act = act_of_key(key_leaf(ADA, ADA))
    (row,) = signatures(act, HERE, ADA)

    assert ADA.key.fingerprint == signer_of(act, row, HERE, verify)
    with pytest.raises(BadSignature, match=r"is by SHA256:.*, not by"):
        signer_of(act, row | {"key": BEN.key.fingerprint}, HERE, verify)
    with pytest.raises(BadSignature, match="not base64"):
        signer_of(act, row | {"signature": "?"}, HERE, verify)


def test_people_are_counted_and_not_keys() -> None:
    """Two keys of one person count as one person."""
    keys = {
        "a": EnrolledKey(ADA.key, "op_1", frozenset({Role.ADMIN})),
        "b": EnrolledKey(BEN.key, "op_1", frozenset({Role.BOOKKEEPER})),
    }
    control = Control(HERE, keys, {"a": "op_1", "b": "op_1"})

    assert control.people_of(["a", "b"], "x") == (frozenset({"op_1"}),) * 2
    assert control.signatures_for_change == 1


@pytest.mark.parametrize(
    ("limits", "cents", "day", "reached"),
    [
        (Limits(), 10**9, 10**9, False),
        (Limits(100), 99, 10**9, False),
        (Limits(100), 100, 0, True),
        (Limits(100), -100, 0, True),
        (Limits(None, 100), 10**9, 99, False),
        (Limits(None, 100), 1, 100, True),
        (Limits(None, 100), None, 0, True),
        (Limits(), None, 0, False),
    ],
)
def test_limits_are_reached(limits: Limits, cents: int | None, day: int, reached: bool) -> None:
    """One act or a payee's day can reach a limit; without an amount, any limit is reached."""
    assert reached is limits.reach(cents, lambda: day)


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"[]",
        encode({"t": "jara/v1/act"}),
        encode(
            {
                "arguments": 1,
                "nonce": "",
                "organisation": "",
                "t": "jara/v1/act",
                "time": "",
                "verb": "",
            }
        ),
    ],
)
def test_other_bytes_are_no_statement(text: bytes) -> None:
    """A signature of anything other than an act is refused."""
    with pytest.raises(BadSignature, match="not of an act"):
        read_statement(text)


@pytest.mark.parametrize("time", ["yesterday", "2026-11-20"])
def test_an_invalid_time_is_refused(time: str) -> None:
    """Text that is not an instant is refused as a time."""
    wanted = Statement("a", {}, HERE, time, "00")
    made = Signed(wanted.encode(), b"")

    with pytest.raises(BadSignature, match=f"'{time}' is not a time"):
        read_signed(made, wanted, now=NOON, verify=verify)
