"""An auditor who has nothing but static files: RFC 6962 and the standard library."""

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path


class Auditor:
    """Reads a mirror's folder, and computes every hash from its tiles."""

    def __init__(self, folder: Path) -> None:
        """Read the checkpoint, which determines the tiles."""
        self._folder = folder
        lines = (folder / "checkpoint").read_text("utf-8").split("\n")
        self.origin, self.size, self.root = lines[0], int(lines[1]), b64decode(lines[2])

    def hash_of(self, start: int, end: int) -> bytes:
        """Return the Merkle tree hash of the leaves from start to end (RFC 6962 §2.1)."""
        level = (end - start).bit_length() - 1
        if end - start == 1 << level and level % 8 == 0:
            return self._in_tile(level // 8, start >> level)
        half = 1 << ((end - start - 1).bit_length() - 1)
        left, right = self.hash_of(start, start + half), self.hash_of(start + half, end)
        return sha256(b"\x01" + left + right).digest()

    def path(self, leaf: int, start: int, end: int) -> list[bytes]:
        """Return PATH(leaf, D[start:end]) (RFC 6962 §2.1.1)."""
        if end - start == 1:
            return []
        half = start + (1 << ((end - start - 1).bit_length() - 1))
        if leaf < half:
            return [*self.path(leaf, start, half), self.hash_of(half, end)]
        return [*self.path(leaf, half, end), self.hash_of(start, half)]

    def subproof(self, first: int, start: int, end: int, *, whole: bool = True) -> list[bytes]:
        """Return SUBPROOF(first, D[start:end], whole) (RFC 6962 §2.1.2)."""
        if first == end - start:
            return [] if whole else [self.hash_of(start, end)]
        half = 1 << ((end - start - 1).bit_length() - 1)
        if first <= half:
            left = self.subproof(first, start, start + half, whole=whole)
            return [*left, self.hash_of(start + half, end)]
        right = self.subproof(first - half, start + half, end, whole=False)
        return [*right, self.hash_of(start, start + half)]

    def lines(self) -> list[bytes]:
        """Return the line of every leaf, from the pages."""
        lines: list[bytes] = []
        for start in range(0, self.size, 256):
            data = self._read("leaves", start // 256, min(256, self.size - start))
            lines += data.removesuffix(b"\n").split(b"\n")
        return lines

    def agrees(self) -> bool:
        """Return whether tiles and pages give the signed root of the checkpoint."""
        hashes = [_hash(line) for line in self.lines()]
        same = all(self._in_tile(0, index) == digest for index, digest in enumerate(hashes))
        return same and len(hashes) == self.size and self.hash_of(0, self.size) == self.root

    def _in_tile(self, level: int, index: int) -> bytes:
        full = self.size >> 8 * level
        data = self._read(f"tile/{level}", index // 256, min(256, full - index // 256 * 256))
        return data[32 * (index % 256) :][:32]

    def _read(self, kind: str, number: int, width: int) -> bytes:
        assert number < 1000, "the tests' logs are short"
        partial = "" if width == 256 else f".p/{width}"
        return (self._folder / f"{kind}/{number:03}{partial}").read_bytes()


def _hash(line: bytes) -> bytes:
    leaf = json.loads(line)
    if list(leaf) == ["leaf"]:
        return bytes.fromhex(leaf["leaf"])
    return sha256(b"\x00" + line).digest()
