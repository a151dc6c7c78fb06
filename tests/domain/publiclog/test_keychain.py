"""The chain of a log's keys, and the key that signs each checkpoint."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.publiclog.keychain import BrokenKeyChain, KeyChain, replay_keys
from jara.domain.publiclog.leaves import log_key_leaf
from jara.domain.publiclog.notes import (
    Checkpoint,
    VerificationKey,
    parse_checkpoint,
    sign_checkpoint,
)
from tests.domain.publiclog.test_cosignatures import verifies

ROOT = bytes(32)
PRIVATE = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3)]
FIRST, SECOND, THIRD = (
    VerificationKey("log", private.public_key().public_bytes_raw()) for private in PRIVATE
)
RENAMED = VerificationKey("log/restored-1", SECOND.public_key)
CHAIN = replay_keys(
    [
        (4, log_key_leaf(FIRST.text(), SECOND.text())),
        (9, log_key_leaf(SECOND.text(), RENAMED.text())),
    ],
    RENAMED,
)


def signed(size: int, key: VerificationKey, private: int) -> Checkpoint:
    """Return a checkpoint."""
    return parse_checkpoint(sign_checkpoint(size, ROOT, key=key, sign=PRIVATE[private].sign))


def test_the_key_in_force_depends_on_the_size() -> None:
    """A key change applies from the size that includes its leaf."""
    assert CHAIN.first == FIRST
    assert [CHAIN.at(one) for one in (1, 4, 5, 9, 10)] == [FIRST, FIRST, SECOND, SECOND, RENAMED]
    assert CHAIN.texts() == (FIRST.text(), SECOND.text(), RENAMED.text())
    assert THIRD == KeyChain(THIRD).first == KeyChain(THIRD).at(7)


@pytest.mark.parametrize(
    ("size", "key", "private", "holds"),
    [
        (4, FIRST, 0, True),
        (4, SECOND, 1, True),
        (5, SECOND, 1, True),
        (5, FIRST, 0, False),
        (10, SECOND, 1, False),
        (10, RENAMED, 1, True),
        (4, FIRST, 2, False),
        (4, THIRD, 2, False),
    ],
)
def test_a_checkpoint_is_signed_by_its_key_or_a_later_one(
    size: int, key: VerificationKey, private: int, holds: bool
) -> None:
    """A replaced key cannot sign checkpoints from after its replacement."""
    assert CHAIN.is_signed(signed(size, key, private), verifies) == holds


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([(FIRST, FIRST)], "must change either"),
        ([(FIRST, VerificationKey("other", SECOND.public_key))], "must change either"),
        ([(FIRST, SECOND), (FIRST, THIRD)], "was not in force"),
        ([(FIRST, SECOND)], "The newest key in the log"),
    ],
)
def test_a_broken_chain_is_named(
    changes: list[tuple[VerificationKey, VerificationKey]], message: str
) -> None:
    """Each change must start with the previous key, and the last must lead to the newest."""
    leaves = [
        (number, log_key_leaf(old.text(), new.text())) for number, (old, new) in enumerate(changes)
    ]

    with pytest.raises(BrokenKeyChain, match=message):
        replay_keys(leaves, THIRD)
