"""The decision of a witness, and the number of witnesses that is enough."""

from __future__ import annotations

from itertools import product

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.cosignatures import AddCheckpoint
from jara.domain.publiclog.merkle import EMPTY_ROOT, consistency_proof, leaf_hash, root_at
from jara.domain.publiclog.notes import (
    VerificationKey,
    assemble,
    checkpoint_text,
    parse_checkpoint,
    sign_checkpoint,
    signature_line,
)
from jara.domain.publiclog.witnessing import (
    Refusal,
    Seen,
    default_quorum,
    judge,
    require_witness_url,
    tolerated_liars,
)
from tests.domain.publiclog.merkle_tree import MemoryTree
from tests.domain.publiclog.test_cosignatures import verifies

SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = VerificationKey("jara.example/log", SIGNER.public_key().public_bytes_raw())
OTHER = VerificationKey(KEY.name, bytes(32))
TREE = MemoryTree(leaf_hash(b"%d" % number) for number in range(20))
FORK = MemoryTree(leaf_hash(b"%d" % (number if number < 5 else -number)) for number in range(20))


def judged(
    old: int,
    new: int,
    *,
    seen: int,
    tree: MemoryTree = TREE,
    keys: tuple[VerificationKey, ...] = (KEY,),
    proven_from: int | None = None,
) -> Refusal | None:
    """Return the decision of a witness that has seen this many leaves of the tree."""
    note = sign_checkpoint(new, root_at(tree.node, new), key=KEY, sign=SIGNER.sign)
    start = min(old, new) if proven_from is None else proven_from
    proof = tuple(consistency_proof(tree.node, start, new))
    known = Seen(seen, root_at(TREE.node, seen))
    request = AddCheckpoint(old, proof, note)
    return judge(request, parse_checkpoint(note), keys=keys, seen=known, verifies=verifies)


@given(st.integers(0, 20), st.integers(0, 20))
def test_a_log_that_grows_is_signed(first: int, second: int) -> None:
    """Law: a witness signs every later size if the proof is valid."""
    old, new = sorted((first, second))

    assert judged(old, new, seen=old) is None


@pytest.mark.parametrize(
    ("keys", "why"), [((), Refusal.UNKNOWN_LOG), ((OTHER,), Refusal.NOT_SIGNED)]
)
def test_only_known_logs_are_signed(keys: tuple[VerificationKey, ...], why: Refusal) -> None:
    """A checkpoint without a valid signature of a known key is refused."""
    assert judged(0, 3, seen=0, keys=keys) == why


def test_a_wrong_signature_under_the_known_key_does_not_count() -> None:
    """Name and id can be copied; the signature cannot."""
    note = sign_checkpoint(0, EMPTY_ROOT, key=KEY, sign=lambda _: bytes(64))
    request = AddCheckpoint(0, (), note)

    why = judge(request, parse_checkpoint(note), keys=(KEY,), seen=Seen(), verifies=verifies)

    assert why == Refusal.NOT_SIGNED


@pytest.mark.parametrize("is_first", [True, False])
def test_a_false_second_signature_of_the_key_is_refused(is_first: bool) -> None:
    """A true signature does not cover for a false one in the same name."""
    text = checkpoint_text(KEY.name, 0, EMPTY_ROOT)
    lines = [signature_line(KEY, SIGNER.sign(text.encode())), signature_line(KEY, bytes(64))]
    note = assemble(text, lines if is_first else lines[::-1])
    request = AddCheckpoint(0, (), note)

    why = judge(request, parse_checkpoint(note), keys=(KEY,), seen=Seen(), verifies=verifies)

    assert why == Refusal.NOT_SIGNED


@pytest.mark.parametrize(
    ("old", "new", "seen", "why"),
    [
        (9, 8, 9, Refusal.MALFORMED),
        (7, 9, 8, Refusal.OTHER_SIZE),
        (0, 9, 8, Refusal.OTHER_SIZE),
        (0, 7, 8, Refusal.OTHER_SIZE),
    ],
)
def test_a_log_never_goes_back(old: int, new: int, seen: int, why: Refusal) -> None:
    """The old size must be the one the witness knows, and at most the new size."""
    assert judged(old, new, seen=seen) == why


@given(st.integers(6, 20), st.integers(6, 20))
def test_another_history_is_never_signed(seen: int, new: int) -> None:
    """Law: after the witness saw a leaf, no tree with another leaf in its place is signed."""
    assert judged(min(seen, new), new, seen=seen, tree=FORK) is not None
    assert judged(seen, new, seen=seen, tree=FORK, proven_from=min(5, new)) is not None


def test_another_root_of_the_same_size_is_named() -> None:
    """Two signed roots of one size are refused as two histories."""
    assert judged(8, 8, seen=8, tree=FORK) == Refusal.OTHER_ROOT
    assert judged(8, 9, seen=8, tree=FORK) == Refusal.NO_PROOF


def test_the_first_checkpoint_needs_no_proof() -> None:
    """The first checkpoint is accepted without a proof and refused with one (C2SP tlog-witness)."""
    assert judged(0, 9, seen=0) is None
    assert judged(0, 9, seen=0, proven_from=3) == Refusal.NO_PROOF


@pytest.mark.parametrize(
    ("witnesses", "quorum"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5), (10, 7)],
)
def test_the_default_quorum_stands_a_liar(witnesses: int, quorum: int) -> None:
    """The default quorum tolerates one liar from three witnesses on, and two from seven on."""
    assert default_quorum(witnesses) == quorum
    if witnesses >= 3:
        assert tolerated_liars(witnesses, quorum) >= max(1, (witnesses - 1) // 3)


@pytest.mark.parametrize("witnesses", range(1, 8))
def test_liars_cannot_bring_two_histories_to_the_quorum(witnesses: int) -> None:
    """Tolerated liars cannot reach the quorum twice, however the honest witnesses are divided."""
    for quorum in range(1, witnesses + 1):
        liars = tolerated_liars(witnesses, quorum)
        if 2 * quorum <= witnesses:  # then no liar is needed
            continue
        for sides in product((0, 1), repeat=witnesses - liars):
            first, second = sides.count(0) + liars, sides.count(1) + liars
            assert min(first, second) < quorum


@pytest.mark.parametrize(
    "url",
    ["https://witness.example", "https://w.example:8443/w1", "http://127.0.0.1:7380",
     "http://[::1]:7380", "http://localhost:7380"],
)  # fmt: skip
def test_a_witness_is_reached_by_https(url: str) -> None:
    """A witness has an https address, or http on this machine; a final slash is removed."""
    assert require_witness_url(f"{url}/") == url


@pytest.mark.parametrize(
    "url",
    ["http://witness.example", "http://10.0.0.1", "ftp://w.example", "file:///etc/passwd", "",
     "https://", "https://me:secret@w.example", "https://w.example/?a=b", "https://w.example/#a",
     "https://w.example:port", " https://w.example", "https://[::1"],
)  # fmt: skip
def test_another_address_is_refused(url: str) -> None:
    """Plain http to another machine is refused, and so is any other scheme."""
    with pytest.raises(InvalidInput):
        require_witness_url(url)
