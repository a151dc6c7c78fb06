"""A log without an organisation that can be forked and rolled back."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.publiclog.merkle import consistency_proof, leaf_hash, root_at
from jara.domain.publiclog.notes import VerificationKey, sign_checkpoint
from jara.domain.publiclog.witnessing import AddCheckpoint
from tests.domain.publiclog.merkle_tree import MemoryTree


class WitnessedLog:
    """Leaves and their signing key; a fork has the same key."""

    def __init__(self, leaves: Sequence[bytes] = (), *, name: str = "jara.example/log") -> None:
        """Start with some leaves."""
        self._private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        self.key = VerificationKey(name, self._private.public_key().public_bytes_raw())
        self.leaves = list(leaves)
        self._tree = MemoryTree(leaf_hash(leaf) for leaf in leaves)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.leaves)

    def grow(self, chance: random.Random, count: int) -> None:
        """Append random leaves."""
        for _ in range(count):
            leaf = chance.randbytes(8)
            self.leaves.append(leaf)
            self._tree.append(leaf_hash(leaf))

    def fork(self, chance: random.Random, at: int) -> WitnessedLog:
        """Return another history: the leaves up to an index, and different ones after it."""
        other = WitnessedLog(self.leaves[:at], name=self.key.name)
        other.grow(chance, chance.randint(1, 6))
        return other

    def note(self, size: int | None = None) -> str:
        """Return the signed checkpoint of a size."""
        at = self.size if size is None else size
        root = root_at(self._tree.node, at)
        return sign_checkpoint(at, root, key=self.key, sign=self._private.sign)

    def request(self, old: int, size: int | None = None) -> bytes:
        """Return a request; its proof starts at the old size if there is one."""
        at = self.size if size is None else size
        proof = consistency_proof(self._tree.node, min(old, at), at)
        return AddCheckpoint(old, tuple(proof), self.note(at)).text().encode()
