"""The public log as static files: an auditor's use of them, and the effect of a kill."""

import json
import shutil
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.publiclog.merkle import verify_consistency, verify_inclusion
from jara.domain.publiclog.tiles import Span, Tile
from jara.files.publiclog.tile_folder import TileFolder
from jara.records.log import LogLeaf
from jara.services.context import Context
from jara.services.operations.daily_run import tiles_step
from jara.services.publiclog import tiles
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.tiles import StaticLog, WrittenFiles
from tests.harness import make_organisation
from tests.services.books.ledger_builders import give


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


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation whose log has an entry and a checkpoint."""
    context = make_organisation(place)
    give(context, 4321, "ama")
    make_checkpoint(context)
    return context


def grow(context: Context, size: int) -> None:
    """Append leaves up to a size, and sign the log."""
    with context.store.write() as work:
        for number in range(work.log.size(), size):
            work.log.append({"name": f"leaf {number}", "t": "jara/v1/genesis", "v": 1})
    make_checkpoint(context)


def publish(context: Context, folder: Path) -> WrittenFiles:
    """Bring a folder up to date."""
    return tiles.publish_files(context, TileFolder(folder).write)


def audited(context: Context, folder: Path, size: int) -> Auditor:
    """Let the log grow to a size, and publish it; return an auditor of its files."""
    grow(context, size)
    publish(context, folder)
    return Auditor(folder)


@pytest.mark.parametrize("size", [255, 256, 257, 600])
def test_an_auditor_rebuilds_the_root_from_files_alone(
    context: Context, tmp_path: Path, size: int
) -> None:
    """Every leaf is under the signed root, whether its body is public or not."""
    auditor = audited(context, tmp_path / "log", size)

    assert auditor.agrees()
    assert (auditor.origin, auditor.size) == ("jara.example/log", size)


def test_an_auditor_proves_that_a_public_leaf_is_in_the_log(
    context: Context, tmp_path: Path
) -> None:
    """The tiles give a proof for the signed root."""
    auditor = audited(context, tmp_path / "log", 300)
    leaf = sha256(b"\x00" + auditor.lines()[271]).digest()
    proof = auditor.path(271, 0, 300)

    assert b'"name":"leaf 271"' in auditor.lines()[271]
    assert verify_inclusion(leaf, 271, 300, proof, auditor.root)
    assert not verify_inclusion(leaf, 270, 300, proof, auditor.root)


def test_an_auditor_proves_that_a_checkpoint_continues_another(
    context: Context, tmp_path: Path
) -> None:
    """The tiles of the second published checkpoint give the proof."""
    first = audited(context, tmp_path / "log", 100)
    second = audited(context, tmp_path / "log", 530)
    proof = second.subproof(100, 0, 530)

    assert verify_consistency(100, 530, first.root, second.root, proof)
    assert not verify_consistency(99, 530, first.root, second.root, proof)


def test_bodies_of_entries_are_withheld(context: Context, tmp_path: Path) -> None:
    """Pages contain only the hash of an entry, and there are no entry bundles."""
    publish(context, tmp_path / "log")
    with context.store.read() as work:
        leaves = list(work.log.leaves())
    lines = Auditor(tmp_path / "log").lines()
    files = [path.read_bytes() for path in (tmp_path / "log").rglob("*") if path.is_file()]
    (entry,) = [leaf for leaf in leaves if leaf.type == "jara/v1/entry"]

    assert json.loads(lines[entry.index]) == {"leaf": entry.hash.hex()}
    assert not any(b"jara/v1/entry" in data or b"4321" in data for data in files)
    assert not (tmp_path / "log" / "tile" / "entries").exists()


def test_a_second_export_writes_only_new_tiles(context: Context, tmp_path: Path) -> None:
    """Full tiles stay as they are; partial versions of tiles that are full now are deleted."""
    folder = tmp_path / "log"
    grow(context, 250)
    publish(context, folder)
    kept = (folder / "tile" / "0" / "000.p" / "250").read_bytes()
    grow(context, 513)
    first = (publish(context, folder), (folder / "tile/0/000").stat().st_mtime_ns)
    grow(context, 514)
    second = (publish(context, folder), (folder / "tile/0/000").stat().st_mtime_ns)

    assert first[0] == WrittenFiles(513, 4, 3)
    assert second[0] == WrittenFiles(514, 1, 1)
    assert first[1] == second[1]
    assert (folder / "tile" / "0" / "000").read_bytes().startswith(kept)
    assert not (folder / "tile" / "0" / "000.p").exists()
    assert not (folder / "leaves" / "000.p").exists()
    assert {path.name for path in (folder / "tile" / "0" / "002.p").iterdir()} == {"1", "2"}
    assert publish(context, folder) == WrittenFiles(514, 0, 0)


class Killed(Exception):
    """The process is killed."""


class Dying:
    """A writer that is killed after some files."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        """Start counting files."""
        self._left, real = after, Path.replace

        def replace(draft: Path, target: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise Killed
            return real(draft, target)

        monkeypatch.setattr(Path, "replace", replace)
        self.write = TileFolder(folder).write


def test_a_kill_at_any_point_leaves_a_good_folder(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old checkpoint still verifies, and the next run completes the new one."""
    folder = tmp_path / "log"
    grow(context, 200)
    publish(context, folder)
    grow(context, 520)
    for after in range(8):  # 4 tiles, 3 pages, the checkpoint
        place = shutil.copytree(folder, tmp_path / f"killed-{after}")
        with monkeypatch.context() as patched, pytest.raises(Killed):
            tiles.publish_files(context, Dying(place, patched, after).write)
        assert (Auditor(place).size, Auditor(place).agrees()) == (200, True)
        assert publish(context, place).size == 520
        assert Auditor(place).agrees()


def test_a_torn_file_of_a_killed_run_is_written_again(context: Context, tmp_path: Path) -> None:
    """Files that no checkpoint covers may be incomplete, and are written again."""
    folder = tmp_path / "log"
    torn = folder / "tile" / "0" / "000"
    torn.parent.mkdir(parents=True)
    torn.write_bytes(b"half")
    grow(context, 256)
    publish(context, folder)

    assert Auditor(folder).agrees()


def test_another_history_is_refused(context: Context, tmp_path: Path) -> None:
    """A folder of another log, a newer state or another history is refused and not changed."""
    folder = tmp_path / "log"
    publish(context, folder)
    note = (folder / "checkpoint").read_text("utf-8")
    origin, size, root = note.split("\n")[:3]
    changed = {
        "holds the log 'other.example', which": note.replace(origin, "other.example", 1),
        "older than what was published": note.replace(f"\n{size}\n", "\n999\n"),
        "another history": note.replace(root, "A" * 43 + "="),
        "is not a checkpoint": "good morning",
    }
    for message, text in changed.items():
        (folder / "checkpoint").write_text(text, "utf-8")
        with pytest.raises(Conflict, match=message):
            publish(context, folder)
        assert text == (folder / "checkpoint").read_text("utf-8")


def test_a_folder_that_cannot_be_written_says_so(context: Context, tmp_path: Path) -> None:
    """The message names the path."""
    (tmp_path / "log").write_text("a file")

    with pytest.raises(Unavailable, match="log"):
        publish(context, tmp_path / "log")


def test_a_log_without_a_checkpoint_has_no_files(place: Path, tmp_path: Path) -> None:
    """Without a signed checkpoint, nothing is published."""
    context = make_organisation(place)

    with pytest.raises(NotFound, match="jara proofs checkpoint"):
        publish(context, tmp_path / "log")
    assert not (tmp_path / "log").exists()


def test_only_entries_of_the_log_are_served(context: Context) -> None:
    """A narrower tile is the start of a wider one; a tile beyond the log is not found."""
    with context.store.read() as work:
        size = tiles.static_log(work).checkpoint.size
        hashes = tiles.tile_hashes(work, Tile(0, Span(0, size)))
        leaves: list[LogLeaf] = tiles.page_leaves(work, Span(0, size))
        assert hashes == b"".join(leaf.hash for leaf in leaves)
        assert hashes.startswith(tiles.tile_hashes(work, Tile(0, Span(0, 1))))
        with pytest.raises(NotFound):
            tiles.tile_hashes(work, Tile(0, Span(0, size + 1)))
        with pytest.raises(NotFound):
            tiles.tile_hashes(work, Tile(1, Span(0, 1)))
        with pytest.raises(NotFound):
            tiles.page_leaves(work, Span(0, size + 1))


def test_the_daily_run_writes_the_files(context: Context) -> None:
    """If a folder is set, the daily run has a step for it."""
    seen: list[StaticLog] = []

    def write(log: StaticLog) -> WrittenFiles:
        seen.append(log)
        return WrittenFiles(7, 2, 1)

    outcome = tiles_step(write).run(context)

    assert len(seen) == 1
    assert outcome.message == "2 tiles and 1 pages of leaves are new."
    assert outcome.counts == {"size": 7, "tiles": 2, "pages": 1}
