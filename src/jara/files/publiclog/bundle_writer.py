"""Writes the contents of a bundle as a tar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jara.domain.publiclog.notes import join_notes
from jara.files.publiclog.bundle import (
    CHECKPOINTS,
    ENTRIES,
    KEY,
    KEYS,
    VERIFIER,
    entry_line,
    proposal_name,
    roll_name,
    tar_pieces,
    verifier_source,
    withheld_line,
)
from jara.services.publiclog.proofs import BundleContents

Member = tuple[str, int, Iterable[bytes]]
_WITHHELD_BYTES = len(withheld_line(bytes(32)))
_LINE_END_BYTES = 1


def bundle_pieces(contents: BundleContents) -> Iterator[bytes]:
    """Yield a bundle piece by piece; memory does not grow with the log."""
    return tar_pieces(bundle_members(contents))


def bundle_members(contents: BundleContents) -> Iterator[Member]:
    """Yield the files of a bundle in order: name, size in bytes, and the bytes in pieces."""
    yield ENTRIES, _entries_size(contents), _entry_lines(contents)
    yield _file(CHECKPOINTS, join_notes(contents.checkpoints).encode())
    yield _file(KEY, f"{contents.keys[-1]}\n".encode())
    if len(contents.keys) > 1:
        yield _file(KEYS, "".join(f"{key}\n" for key in contents.keys).encode())
    for proposal, voters in contents.rolls():
        yield _file(roll_name(proposal), "".join(f"{voter}\n" for voter in voters).encode())
    for proposal, text in contents.texts():
        yield _file(proposal_name(proposal), text)
    yield _file(VERIFIER, verifier_source())


def _file(name: str, data: bytes) -> Member:
    return name, len(data), [data]


def _entries_size(contents: BundleContents) -> int:
    return sum(
        extent.bytes + extent.count * _LINE_END_BYTES
        if contents.may_show(extent.type)
        else extent.count * _WITHHELD_BYTES
        for extent in contents.extents()
    )


def _entry_lines(contents: BundleContents) -> Iterator[bytes]:
    for leaf in contents.leaves():
        if contents.may_show(leaf.type):
            yield entry_line(leaf.body)
        else:
            yield withheld_line(leaf.hash)
