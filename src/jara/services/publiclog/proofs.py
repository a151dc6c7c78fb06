"""Checkpoints and bundles of the public log."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from jara.domain.checks.log import read_leaf
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.publiclog import canonical, notes
from jara.domain.publiclog.leaves import LeafType, content_bytes, content_document
from jara.domain.publiclog.witnessing import Seen
from jara.domain.texts import tr
from jara.records.log import Checkpoint, Extent, LogLeaf
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.log_keys import key_chain
from jara.services.publiclog.signer import sign_newest, sign_size
from jara.services.publiclog.witnesses import cosigned_notes, newest_cosigned
from jara.store.unit_of_work import UnitOfWork


class BundleContents(NamedTuple):
    """The contents of a bundle.

    It reads from an open transaction, so that everything is consistent, and keeps only
    one leaf in memory.
    """

    work: UnitOfWork
    size: int  # the size of the log
    checkpoints: tuple[str, ...]
    """Every published note up to that size with the witnesses' cosignatures, the last of exactly
    that size."""
    keys: tuple[str, ...]  # the verification keys, oldest first; the last one signs now
    whole: bool  # whether it includes entries, or only their hashes

    def extents(self) -> list[Extent]:
        """Return the number and size of the leaves of each type."""
        return self.work.log.extents(self.size)

    def leaves(self) -> Iterator[LogLeaf]:
        """Return every leaf in order."""
        return self.work.log.leaves(0, self.size)

    def may_show(self, leaf_type: str) -> bool:
        """Return whether the bundle includes the bytes of leaves of a type."""
        return self.whole or leaf_type != LeafType.ENTRY

    def rolls(self) -> Iterator[tuple[str, list[str]]]:
        """Return the proposal and the frozen roll of each closed vote, by proposal."""
        for record in sorted(self.work.proposals.all(), key=lambda one: one.proposal.id):
            index = record.closed_index
            if record.is_final and index is not None and index < self.size:
                yield record.proposal.id, self.work.ballots.roll(record.proposal.id)

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """Return the texts of each vote that was opened, as they were then, by proposal.

        The name of the original is the proposal, that of a translation ends with ``/`` and the
        language.
        """
        for record in sorted(self.work.proposals.all(), key=lambda one: one.proposal.id):
            if record.opened_index is not None and record.opened_index < self.size:
                proposal = record.proposal.id
                yield proposal, content_bytes(record.proposal)
                opening = read_leaf(self.work.log.leaf(record.opened_index).body)
                for language in opening.get("translations", ()):
                    text = record.opened_with.get(language)
                    text = text or content_document(record.text_in(language))
                    yield f"{proposal}/{language}", canonical.encode(text)


class SignedLog(NamedTuple):
    """The log's size and root, the note that signs them, and the newest cosigned note."""

    size: int
    root: str
    checkpoint: str
    key: str
    cosigned: str | None


class Proof(NamedTuple):
    """The hashes of a Merkle proof."""

    first: int
    size: int
    root: str
    leaf: str | None
    proof: tuple[str, ...]


def sign_log(context: Context) -> SignedLog:
    """Sign the committed log; return it with its key.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    seen, note = sign_newest(context)
    with context.store.read() as work:
        return SignedLog(
            size=seen.size,
            root=seen.root.hex(),
            checkpoint=note,
            key=key_chain(context, work).newest.text(),
            cosigned=newest_cosigned(work),
        )


def log_size(context: Context) -> int:
    """Return the number of leaves."""
    with context.store.read() as work:
        return work.log.size()


def list_leaves(context: Context, first: int, stop: int) -> list[LogLeaf]:
    """Return the leaves from an index up to, not including, another."""
    with context.store.read() as work:
        return list(work.log.leaves(first, stop))


def prove_inclusion(context: Context, index: int, size: int) -> Proof:
    """Prove that a leaf is in the log of a given size.

    Raises:
        InvalidInput: a log of this size has no such leaf.
        NotFound: the log never had this size.
    """
    if index >= size:
        raise out_of_range(
            "index",
            tr("A log of {size} leaves has no leaf {index}.", size=str(size), index=str(index)),
        )
    with context.store.read() as work:
        _require_size(size, work.log.size())
        return Proof(
            first=index,
            size=size,
            root=work.log.root(size).hex(),
            leaf=work.log.leaf(index).hash.hex(),
            proof=tuple(step.hex() for step in work.log.inclusion(index, size)),
        )


def prove_consistency(context: Context, first: int, last: int) -> Proof:
    """Prove that the log of one size is a prefix of the log of another.

    Raises:
        InvalidInput: the sizes are not in order.
        NotFound: the log never had this size.
    """
    if not 0 < first <= last:
        raise out_of_range("from", "The sizes must be 0 < from <= to.")
    with context.store.read() as work:
        _require_size(last, work.log.size())
        return Proof(
            first=first,
            size=last,
            root=work.log.root(last).hex(),
            leaf=None,
            proof=tuple(step.hex() for step in work.log.consistency(first, last)),
        )


def out_of_range(name: str, sentence: str) -> InvalidInput:
    """Return the error of a parameter that asks for what the log does not have."""
    return InvalidInput(sentence, fields={name: sentence})


def _require_size(wanted: int, size: int) -> None:
    if wanted > size:
        raise NotFound(
            "The log has {known} leaves; it never had the size {size}.",
            known=str(size),
            size=str(wanted),
        )


def make_checkpoint(context: Context) -> Checkpoint:
    """Sign, store and publish a checkpoint of the log; there is one per size.

    Raises:
        Conflict: the checkpoint file belongs to another log, or is ahead of the database.
        Unavailable: the file cannot be written; the checkpoint is published next time.
    """
    with context.store.write() as work:
        known = newest_checkpoint(work)
        if known is None or known.size != work.log.size():
            require_operator(context, work, "proofs.checkpoint")  # a signature cannot be undone
        checkpoint = add_checkpoint(context, work)
        if checkpoint != known:
            record_act(context, work, "proofs.checkpoint", str(checkpoint.size))
    publish_checkpoints(context)
    return checkpoint


def publish_checkpoints(context: Context) -> int:
    """Append missing checkpoints to the checkpoint file; return the written bytes.

    Raises:
        Conflict: the file belongs to another log, or is ahead of the database.
        Unavailable: the file cannot be written.
    """
    if context.note_file is None:
        return 0

    def read_notes() -> str:
        with context.store.read() as work:
            return published_notes(work)

    return context.note_file.extend(read_notes)


def add_checkpoint(context: Context, work: UnitOfWork) -> Checkpoint:
    """Sign and store a checkpoint inside a transaction that has appended nothing itself.

    Only committed leaves are signed: a kill before the commit would leave the signer ahead.
    """
    size = work.log.size()
    newest = newest_checkpoint(work)
    if newest is not None and newest.size == size:
        return newest
    checkpoint = Checkpoint(size, work.log.root(), sign_size(context, work, size), context.now())
    work.log.add_checkpoint(checkpoint)
    return checkpoint


def newest_checkpoint(work: UnitOfWork) -> Checkpoint | None:
    """Return the newest checkpoint, if there is one."""
    known = work.log.checkpoints()
    return known[-1] if known else None


def published_notes(work: UnitOfWork) -> str:
    """Return all checkpoints as one text, oldest first."""
    return notes.join_notes(checkpoint.note for checkpoint in work.log.checkpoints())


def read_notes(context: Context) -> str:
    """Return all checkpoints as one text, oldest first."""
    with context.store.read() as work:
        return published_notes(work)


@contextmanager
def open_bundle(context: Context, *, whole: bool) -> Iterator[BundleContents]:
    """Open a bundle; its last checkpoint has the bundle's size.

    With `whole` it has entries, for contributors; else their hashes only.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    newest = sign_newest(context)
    with context.store.read() as work:
        yield bundle_contents(context, work, newest, whole=whole)


def bundle_contents(
    context: Context, work: UnitOfWork, signed: tuple[Seen, str] | None = None, *, whole: bool
) -> BundleContents:
    """Return the contents of a bundle inside a transaction.

    `signed` is the size of the bundle and its checkpoint; by default it is signed here, where
    nobody else signs. With `whole` it has entries, for contributors; else their hashes only.
    """
    size = work.log.size() if signed is None else signed[0].size
    published = cosigned_notes(work, size)
    if not any(one.size == size for one in work.log.checkpoints()):
        published.append(sign_size(context, work, size) if signed is None else signed[1])
    return BundleContents(work, size, tuple(published), key_chain(context, work).texts(), whole)
