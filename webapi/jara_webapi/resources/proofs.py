"""The public log, for anyone to check."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.files.publiclog.bundle import bundle_pieces, entry_line, withheld_line
from jara.records.log import LogLeaf
from jara.services.log_keys import key_chain
from jara.services.publiclog.proofs import open_bundle
from jara.services.publiclog.signer import sign_newest
from jara.services.publiclog.witnesses import newest_cosigned, read_standing
from jara_webapi.calls.operations import Access, Call, Reply, Stream, operation
from jara_webapi.schemas.public import (
    Checkpoint,
    ConsistencyQuery,
    EarlierKey,
    EntriesQuery,
    InclusionQuery,
    Proof,
    SeenBy,
    Witnesses,
)

_LEAVES_AT_ONCE = 500


class LogCheckpoint:
    """The log's signed checkpoint."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Checkpoint, cached=True)
    def on_get(self, call: Call) -> Checkpoint:
        """Return the current size and root of the log, signed."""
        del call
        context = self._app.context
        seen, note = sign_newest(context)
        with context.store.read() as work:
            keys = key_chain(context, work)
            return Checkpoint(
                size=seen.size,
                root=seen.root.hex(),
                checkpoint=note,
                key=keys.newest.text(),
                earlier_keys=[
                    EarlierKey(key=one.old.text(), up_to=one.index) for one in keys.changes
                ],
                cosigned=newest_cosigned(work),
            )


class LogWitnesses:
    """Who has seen the log."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Witnesses, cached=True)
    def on_get(self, call: Call) -> Witnesses:
        """Return which witnesses have seen the log, up to which size, and when."""
        del call
        with self._app.context.store.read() as work:
            standing = read_standing(work)
        return Witnesses(
            size=standing.size,
            seen=standing.seen,
            of=len(standing.sights),
            quorum=standing.quorum,
            newest=standing.newest,
            witnesses=[
                SeenBy(name=one.witness.name, key=one.witness.key, seen_at=one.at)
                for one in standing.sights
            ],
        )


class LogEntries:
    """The leaves."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(access=Access.OPTIONAL, query=EntriesQuery, media_type="application/x-ndjson")
    def on_get(self, call: Call, query: EntriesQuery) -> Reply:
        """List leaves as they were hashed; visitors get only the hashes of entries."""
        with self._app.context.store.read() as work:
            size = work.log.size()
        last = size if query.last is None else min(query.last, size)
        if query.first > last:
            raise _out_of_range("from", f"The log has no leaves from {query.first} to {last}.")
        whole = call.session is not None
        return Reply(Stream(self._lines(query.first, last, whole=whole)))

    def _lines(self, first: int, last: int, *, whole: bool) -> Iterator[bytes]:
        """Yield the lines; each piece is read in a transaction of its own.

        The log only grows, so the pieces fit together, and a slow client holds no
        transaction open.
        """
        while first < last:
            stop = min(last, first + _LEAVES_AT_ONCE)
            with self._app.context.store.read() as work:
                piece = [_line(leaf, whole=whole) for leaf in work.log.leaves(first, stop)]
            yield b"".join(piece)
            first = stop


class LogInclusion:
    """Inclusion proofs."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Proof, query=InclusionQuery, refuses=(404,), cached=True)
    def on_get(self, call: Call, query: InclusionQuery) -> Proof:
        """Prove that a leaf is in the log of a given size."""
        del call
        if query.index >= query.size:
            raise _out_of_range("index", f"A log of {query.size} leaves has no leaf {query.index}.")
        with self._app.context.store.read() as work:
            _require_size(query.size, work.log.size())
            return Proof(
                first=query.index,
                size=query.size,
                root=work.log.root(query.size).hex(),
                leaf=work.log.leaf(query.index).hash.hex(),
                proof=[step.hex() for step in work.log.inclusion(query.index, query.size)],
            )


class LogConsistency:
    """Consistency proofs."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(answer=Proof, query=ConsistencyQuery, refuses=(404,), cached=True)
    def on_get(self, call: Call, query: ConsistencyQuery) -> Proof:
        """Prove that the log of one size is a prefix of the log of another."""
        del call
        if not 0 < query.first <= query.last:
            raise _out_of_range("from", "The sizes must be 0 < from <= to.")
        with self._app.context.store.read() as work:
            _require_size(query.last, work.log.size())
            return Proof(
                first=query.first,
                size=query.last,
                root=work.log.root(query.last).hex(),
                leaf=None,
                proof=[step.hex() for step in work.log.consistency(query.first, query.last)],
            )


class LogBundle:
    """Everything needed to check the log, in one file."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(access=Access.OPTIONAL, media_type="application/x-tar")
    def on_get(self, call: Call) -> Reply:
        """Download the bundle; without a token it has only the hashes of entries."""
        headers = {"Content-Disposition": 'attachment; filename="jara-proofs.tar"'}
        return Reply(Stream(self._pieces(whole=call.session is not None), headers))

    def _pieces(self, *, whole: bool) -> Iterator[bytes]:
        with open_bundle(self._app.context, whole=whole) as contents:
            pieces = bundle_pieces(contents)
            while batch := b"".join(islice(pieces, _LEAVES_AT_ONCE)):
                yield batch


def _line(leaf: LogLeaf, *, whole: bool) -> bytes:
    if whole or leaf.type != LeafType.ENTRY:
        return entry_line(leaf.body)
    return withheld_line(leaf.hash)


def _require_size(size: int, known: int) -> None:
    if size > known:
        raise NotFound(f"The log has {known} leaves; it never had the size {size}.")


def _out_of_range(name: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, fields={name: sentence})
