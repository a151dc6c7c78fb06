"""Writes the bundle of the public log."""

import tarfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import ClassVar

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.notes import join_notes
from jara.services.publiclog.proofs import BundleContents

ENTRIES = "entries.ndjson"
"""Line i holds the bytes of leaf i, or its hash where the reader may not see them."""

CHECKPOINTS = "checkpoints.txt"
"""Every published checkpoint, oldest first, an empty line between two."""

KEY = "key.txt"
KEYS = "keys.txt"
"""The verification key of the checkpoints, one line."""

VERIFIER = "jara_verify.py"
"""The program that checks the bundle."""


class WrongMemberSize(InvalidInput):
    """A file in a bundle has another size than announced."""

    code: ClassVar[str] = "wrong_member_size"


def roll_name(proposal: str) -> str:
    """Return the name of the file with the electoral roll of a closed vote."""
    return f"rolls/{proposal}.txt"


def proposal_name(proposal: str) -> str:
    """Return the name of the file with the text that was voted on."""
    return f"proposals/{proposal}.json"


def entry_line(leaf_bytes: bytes) -> bytes:
    """Return the line of a leaf that the reader may see."""
    return leaf_bytes + b"\n"


def withheld_line(leaf_hash: bytes) -> bytes:
    """Return the line of a leaf of which the reader may see only the hash."""
    return b'{"leaf":"' + leaf_hash.hex().encode("ascii") + b'"}\n'


def verifier_source() -> bytes:
    """Return the source of the verifier for the bundle."""
    return files("jara").joinpath(VERIFIER).read_bytes()


def tar_pieces(members: Iterable[tuple[str, int, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield a tar of members, each a name, its size in bytes, and its bytes in pieces.

    Only one piece at a time is in memory, so that a log of any size can be sent.

    Raises:
        WrongMemberSize: the pieces of a member are not of the size announced.
    """
    written = 0
    for name, size, pieces in members:
        header = _header(name, size)
        yield header
        yield from _checked(name, size, pieces)
        padding = -size % tarfile.BLOCKSIZE
        yield b"\0" * padding
        written += len(header) + size + padding
    end = 2 * tarfile.BLOCKSIZE
    yield b"\0" * (end + -(written + end) % tarfile.RECORDSIZE)


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = size  # by default mtime, uid and gid are 0 and the names empty
    return info.tobuf(tarfile.PAX_FORMAT)


def _checked(name: str, size: int, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a file's pieces, and refuse more or fewer bytes than announced."""
    length = 0
    for piece in pieces:
        length += len(piece)
        if length > size:
            break
        yield piece
    if length != size:
        raise WrongMemberSize(f"{name} should have {size} bytes, but has {length} or more.")


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
