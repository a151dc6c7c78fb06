"""The bundle: what anyone needs to check the public log, as a tar of plain files.

The same log gives the same tar, byte for byte: no clock, no owner, members in the order
given.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import BinaryIO, ClassVar

from jara.domain.errors import InvalidInput

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


def write_tar(out: BinaryIO, members: Iterable[tuple[str, int, Iterable[bytes]]]) -> None:
    """Write the pieces of `tar_pieces` to a file."""
    out.writelines(tar_pieces(members))


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
