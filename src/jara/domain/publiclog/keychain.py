"""The successive signing keys of a log.

A leaf of type `log_key` replaces the key: the new one signs each checkpoint of a larger size.
A change replaces either the key or the log's name. A log that lost its newest leaves continues
under another name, so that it cannot be mistaken for the published log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.notes import Checkpoint, VerificationKey, Verifies


class BrokenKeyChain(InvalidInput):
    """The `log_key` leaves do not form a chain."""

    code: ClassVar[str] = "broken_key_chain"


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A change of the log's key: the index of its leaf, and both keys."""

    index: int
    old: VerificationKey
    new: VerificationKey


class KeyChain(NamedTuple):
    """All keys of a log: the one in force now, and the changes that led to it."""

    newest: VerificationKey
    changes: tuple[KeyChange, ...] = ()

    @property
    def first(self) -> VerificationKey:
        """The log's first key, which identifies the organisation in statements."""
        return self.changes[0].old if self.changes else self.newest

    def keys(self) -> tuple[VerificationKey, ...]:
        """Return all keys, oldest first."""
        return (*(change.old for change in self.changes), self.newest)

    def texts(self) -> tuple[str, ...]:
        """Return all keys in their published form, oldest first."""
        return tuple(key.text() for key in self.keys())

    def at(self, size: int) -> VerificationKey:
        """Return the key in force at a log size."""
        return next((change.old for change in self.changes if size <= change.index), self.newest)

    def is_signed(self, checkpoint: Checkpoint, verifies: Verifies) -> bool:
        """Return whether a checkpoint is signed by a key that may sign it.

        That is the key in force at its size, or a later one; a replaced key cannot sign leaves
        added later.
        """
        later = [change.new for change in self.changes if checkpoint.size <= change.index]
        return any(
            checkpoint.origin == key.name and checkpoint.is_signed_by(key, verifies)
            for key in (self.at(checkpoint.size), *later)
        )


def read_change(index: int, leaf: Mapping[str, Any]) -> KeyChange:
    """Read a `log_key` leaf.

    Raises:
        MalformedNote: it has no valid key.
    """
    old, new = (VerificationKey.parse(str(leaf.get(name, ""))) for name in ("old", "new"))
    return KeyChange(index, old, new)


def replay_keys(
    leaves: Iterable[tuple[int, Mapping[str, Any]]], newest: VerificationKey
) -> KeyChain:
    """Return the keys of a log.

    Args:
        leaves: index and fields of each `log_key` leaf, in order.
        newest: the key that signs now.

    Raises:
        BrokenKeyChain: a change does not start from the key before it, changes both or neither
            of name and key, or the last one does not lead to the newest key.
        MalformedNote: a leaf has no valid key.
    """
    changes = tuple(read_change(index, leaf) for index, leaf in leaves)
    for change in changes:
        old, new = change.old, change.new
        if (old.name == new.name) == (old.public_key == new.public_key):
            raise BrokenKeyChain(
                f"Leaf {change.index} must change either the name or the key of the log, not both."
            )
    for change, following in pairwise(changes):
        if change.new != following.old:
            raise BrokenKeyChain(f"Leaf {following.index} replaces a key that was not in force.")
    if changes and changes[-1].new != newest:
        raise BrokenKeyChain(
            f"The newest key in the log is '{changes[-1].new.text()}', not '{newest.text()}'."
        )
    return KeyChain(newest, changes)
