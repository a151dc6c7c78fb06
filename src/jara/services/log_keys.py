"""The keys of the public log: the one that signs now, and those before it."""

from jara.domain.checks.log import read_leaf
from jara.domain.publiclog.notes import (
    KeyChain,
    KeyChange,
    VerificationKey,
    read_change,
    replay_keys,
)
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

CHANGES = "log.key_changes"
"""Key in `meta`: the indexes of the leaves that replaced the log's key, to avoid a search."""


def verification_key(context: Context) -> VerificationKey:
    """Return the log's public key with the log's name."""
    return VerificationKey(context.vault.log_key_name(), context.vault.log_public_key())


def key_chain(context: Context, work: UnitOfWork) -> KeyChain:
    """Return all keys of the log.

    Raises:
        BrokenKeyChain: the key in the secrets folder is not the log's newest.
    """
    return replay_keys(
        ((index, read_leaf(work.log.leaf(index).body)) for index in change_indexes(work)),
        verification_key(context),
    )


def newest_change(work: UnitOfWork) -> KeyChange | None:
    """Return the last change of the log's key, or None; the secrets folder may lag behind."""
    indexes = change_indexes(work)
    return read_change(indexes[-1], read_leaf(work.log.leaf(indexes[-1]).body)) if indexes else None


def change_indexes(work: UnitOfWork) -> list[int]:
    """Return the indexes of the leaves that replaced the log's key."""
    return [int(index) for index in (work.meta.get(CHANGES) or "").split()]


def organisation_key(context: Context, work: UnitOfWork) -> str:
    """Return the organisation's id in signed statements: the first key of its log."""
    return key_chain(context, work).first.text()
