"""The public log, for anyone to check: proofs, the bundle, and static files for mirrors."""

from collections.abc import Iterator
from typing import Annotated, BinaryIO

import falcon

from jara.domain.errors import InvalidInput, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.domain.publiclog.tiles import parse_span, parse_tile
from jara.domain.texts import tr
from jara.files.publiclog.bundle import bundle_pieces, entry_line, withheld_line
from jara.files.publiclog.tile_folder import page_lines
from jara.records.log import LogLeaf
from jara.services.context import Context
from jara.services.publiclog import proofs, tiles
from jara.services.publiclog.proofs import Proof, SignedLog
from jara.services.publiclog.receipts import BallotProof, prove_ballot
from jara.services.publiclog.witnesses import show_standing
from jara_webapi.calls.operations import (
    Access,
    Call,
    Downloads,
    Reply,
    Stream,
    get,
    pieces_of,
    post,
)
from jara_webapi.middleware.security_headers import IMMUTABLE
from jara_webapi.schemas import public
from jara_webapi.schemas.base import Document, Shape, answer_model

_SECONDS = "public, max-age=5"
_NDJSON = "application/x-ndjson"
_LEAVES_AT_ONCE = 500
_BUNDLES, _LISTS = Downloads(), Downloads()
PROOF_BYTES = 8192
"""Answers about ballots are padded to multiples of it, because a yes is shorter than a no."""


@get(answer=Annotated[Document, Shape(answer_model(SignedLog, "Checkpoint"))], cached=True)
def checkpoint(context: Context) -> SignedLog:
    """Return the current size and root of the log, signed."""
    return proofs.sign_log(context)


@get(cached=True)
def witnesses(context: Context) -> public.Witnesses:
    """Return which witnesses have seen the log, up to which size, and when."""
    standing = show_standing(context)
    return public.Witnesses(
        size=standing.size,
        seen=standing.seen,
        of=len(standing.sights),
        quorum=standing.quorum,
        newest=standing.newest,
        witnesses=[
            public.SeenBy(name=one.witness.name, key=one.witness.key, seen_at=one.at)
            for one in standing.sights
        ],
    )


@get(access=Access.OPTIONAL, media_type=_NDJSON)
def entries(context: Context, call: Call, query: public.EntriesQuery) -> Reply:
    """List leaves as they were hashed; visitors get only the hashes of entries."""
    size = proofs.log_size(context)
    last = size if query.last is None else min(query.last, size)
    if query.first > last:
        template = "The log has no leaves from {first} to {last}."
        sentence = tr(template, first=str(query.first), last=str(last))
        raise proofs.out_of_range("from", sentence)
    whole = call.session is not None
    lines = _lines(context, query.first, last, whole=whole)
    is_short = last - query.first <= _LEAVES_AT_ONCE
    return Reply(Stream(lines if is_short else _LISTS.send(lines)))


def _lines(context: Context, first: int, last: int, *, whole: bool) -> Iterator[bytes]:
    """Yield the lines; each piece is read in a transaction of its own.

    The log only grows, so the pieces fit together, and a slow client holds no transaction open.
    """
    for start in range(first, last, _LEAVES_AT_ONCE):
        leaves = proofs.list_leaves(context, start, min(last, start + _LEAVES_AT_ONCE))
        yield b"".join(_line(leaf, whole=whole) for leaf in leaves)


def _line(leaf: LogLeaf, *, whole: bool) -> bytes:
    if whole or leaf.type != LeafType.ENTRY:
        return entry_line(leaf.body)
    return withheld_line(leaf.hash)


@get(refuses=(404,), cached=True)
def inclusion(context: Context, query: public.InclusionQuery) -> Proof:
    """Prove that a leaf is in the log of a given size."""
    return proofs.prove_inclusion(context, query.index, query.size)


@post(refuses=(404,), length=PROOF_BYTES)
def ballot(context: Context, body: public.BallotQuestion) -> BallotProof:
    """Prove what the log of a given size says about the ballot of a receipt."""
    return prove_ballot(
        context, proposal=body.proposal, voter=body.voter, key=body.key, size=body.size
    )


@get(refuses=(404,), cached=True)
def consistency(context: Context, query: public.ConsistencyQuery) -> Proof:
    """Prove that the log of one size is a prefix of the log of another."""
    return proofs.prove_consistency(context, query.first, query.last)


@get(access=Access.OPTIONAL, media_type="application/x-tar")
def bundle(context: Context, call: Call) -> Reply:
    """Download the bundle; without a token it has only the hashes of entries."""
    headers = {"Content-Disposition": 'attachment; filename="jara-proofs.tar"'}
    if call.req.method == "HEAD":
        return Reply(Stream((), headers))
    return Reply(Stream(_bundle(context, whole=call.session is not None), headers))


def _bundle(context: Context, *, whole: bool) -> Iterator[bytes]:
    def fill(out: BinaryIO) -> None:
        with proofs.open_bundle(context, whole=whole) as contents:
            out.writelines(bundle_pieces(contents))

    return _BUNDLES.send(pieces_of(fill))


@get(media_type=falcon.MEDIA_TEXT)
def newest_note(context: Context) -> Reply:
    """Return the newest published checkpoint (C2SP tlog-tiles); 404 before the first one."""
    try:
        note = tiles.read_note(context)
    except NotFound:
        raise falcon.HTTPNotFound from None
    return Reply(note, headers={"Cache-Control": _SECONDS})


@get(media_type="application/octet-stream")
def tile(context: Context, path: str) -> Reply:
    """Return a tile of hashes; it never changes."""
    try:
        hashes = tiles.read_tile(context, parse_tile(path))
    except (InvalidInput, NotFound):
        raise falcon.HTTPNotFound from None
    return Reply(hashes, headers={"Cache-Control": IMMUTABLE})


@get(media_type=_NDJSON)
def leaf_page(context: Context, path: str) -> Reply:
    """Return a page of leaves, in which an entry is only its hash; it never changes."""
    try:
        leaves = tiles.read_page(context, parse_span(path))
    except (InvalidInput, NotFound):
        raise falcon.HTTPNotFound from None
    return Reply(page_lines(leaves), headers={"Cache-Control": IMMUTABLE})
