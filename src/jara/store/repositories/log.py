"""The public log in the database: leaves, inner nodes, the head, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jara.domain.errors import NotFound
from jara.domain.publiclog import canonical, merkle
from jara.domain.publiclog.merkle import Frontier
from jara.records.log import Checkpoint, Extent, LogLeaf
from jara.store.sql.codecs import instant_text, read_instant
from jara.store.sql.connection import Row, Sql

_HASH_BYTES = 32
_BEYOND = 2**62
"""Larger than any log, so that rows that should not exist are found too."""


class LogRepository:
    """The append-only Merkle log.

    It stores every complete subtree, so that old proofs stay cheap.
    """

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql
        self._frontier: Frontier | None = None
        self._stored_size = 0

    def size(self) -> int:
        """Return the number of leaves."""
        return self._head().size

    def root(self, size: int | None = None) -> bytes:
        """Return the current root, or the root at a size."""
        head = self._head()
        if size is None or size == head.size:
            return head.root()
        self._require(size)
        return merkle.root_at(self._node, size)

    def append(self, document: Mapping[str, object]) -> LogLeaf:
        """Append a leaf document and return it as stored."""
        body = canonical.encode(document)
        digest = merkle.leaf_hash(body)
        head = self._head()
        self._frontier, nodes = head.append(digest)
        leaf = LogLeaf(head.size, digest, body, str(document["t"]))
        self._sql.append(
            "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :body, :type)",
            (leaf.index, digest, body, leaf.type),
        )
        for node in nodes:
            self._sql.append(
                "INSERT INTO log_nodes (level, idx, hash) VALUES (:level, :idx, :hash)", node
            )
        return leaf

    def save_head(self) -> None:
        """Write the head if leaves were appended; the unit of work calls this last."""
        if self._frontier is None or self._frontier.size == self._stored_size:
            return
        self._sql.run(
            "INSERT INTO log_head (id, size, peaks) VALUES (1, :size, :peaks) "
            "ON CONFLICT (id) DO UPDATE SET size = excluded.size, peaks = excluded.peaks",
            {"size": self._frontier.size, "peaks": b"".join(self._frontier.peaks)},
        )
        self._stored_size = self._frontier.size

    def leaf(self, index: int) -> LogLeaf:
        """Return one leaf.

        Raises:
            NotFound: the log is shorter.
        """
        row = self._sql.one(
            "SELECT idx, hash, body, type FROM log WHERE idx = :idx", {"idx": index}
        )
        if row is None:
            raise NotFound(f"The log has {self.size()} leaves; there is no leaf {index}.")
        return _leaf(row)

    def leaves(self, start: int = 0, stop: int | None = None) -> Iterator[LogLeaf]:
        """Return the leaves from start up to, not including, stop."""
        rows = self._sql.each(
            "SELECT idx, hash, body, type FROM log WHERE idx >= :start AND idx < :stop "
            "ORDER BY idx",
            {"start": start, "stop": self.size() if stop is None else stop},
        )
        return (_leaf(row) for row in rows)

    def leaves_of(self, leaf_type: str, start: int = 0) -> Iterator[LogLeaf]:
        """Return the leaves of a type in order, from an index on."""
        rows = self._sql.each(
            "SELECT idx, hash, body, type FROM log WHERE type = :type AND idx >= :start "
            "ORDER BY idx",
            {"type": leaf_type, "start": start},
        )
        return (_leaf(row) for row in rows)

    def control_leaves(self) -> Iterator[LogLeaf]:
        """Return the leaves about operators' keys and limits, in order."""
        # Literals instead of parameters, so that both engines use the partial index.
        rows = self._sql.each(
            "SELECT idx, hash, body, type FROM log "
            "WHERE type IN ('jara/v1/operator_key', 'jara/v1/control_policy') ORDER BY idx"
        )
        return (_leaf(row) for row in rows)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree of that size."""
        self._require(size)
        return merkle.inclusion_proof(self._node, index, size)

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        self._require(second)
        return merkle.consistency_proof(self._node, first, second)

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store a signed note; keep an existing one of the same size."""
        self._sql.run(
            "INSERT INTO checkpoints (size, root, note, made_at) "
            "VALUES (:size, :root, :note, :made_at) ON CONFLICT (size) DO NOTHING",
            {
                "size": checkpoint.size,
                "root": checkpoint.root,
                "note": checkpoint.note,
                "made_at": instant_text(checkpoint.made_at),
            },
        )

    def checkpoints(self) -> list[Checkpoint]:
        """Return all signed notes, oldest first."""
        rows = self._sql.all("SELECT size, root, note, made_at FROM checkpoints ORDER BY size")
        return [_checkpoint(row) for row in rows]

    def checkpoint(self, size: int) -> Checkpoint | None:
        """Return the signed note of a size, if there is one."""
        row = self._sql.one(
            "SELECT size, root, note, made_at FROM checkpoints WHERE size = :size", {"size": size}
        )
        return None if row is None else _checkpoint(row)

    def extents(self, size: int) -> list[Extent]:
        """Return the number and bytes of leaves of each type, up to a size of the log."""
        rows = self._sql.all(
            "SELECT type, COUNT(*), SUM(LENGTH(body)) FROM log WHERE idx < :size "
            "GROUP BY type ORDER BY type",
            {"size": size},
        )
        return [Extent(kind, int(count), int(total)) for kind, count, total in rows]

    def nodes(
        self, level: int, first: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Return index and hash of the stored nodes of a level, in order; level 0 is the leaves."""
        of_level = "log_nodes WHERE level = :level AND" if level else "log WHERE"
        between = {"first": first, "stop": _BEYOND if stop is None else stop}
        rows = self._sql.each(
            f"SELECT idx, hash FROM {of_level} idx >= :first AND idx < :stop ORDER BY idx",
            {"level": level, **between} if level else between,
        )
        for index, digest in rows:
            yield int(index), bytes(digest)

    def frontier(self, size: int) -> Frontier:
        """Return the head as it was at a size, from stored nodes."""
        self._require(size)
        return merkle.frontier_at(self._node, size)

    def head(self) -> Frontier:
        """Return the stored head."""
        return self._head()

    def _head(self) -> Frontier:
        if self._frontier is None:
            row = self._sql.one("SELECT size, peaks FROM log_head WHERE id = 1")
            size, peaks = (0, b"") if row is None else (int(row[0]), bytes(row[1]))
            self._frontier = Frontier(
                size,
                tuple(
                    peaks[place : place + _HASH_BYTES]
                    for place in range(0, len(peaks), _HASH_BYTES)
                ),
            )
            self._stored_size = size
        return self._frontier

    def _node(self, level: int, index: int) -> bytes:
        if level == 0:
            return self.leaf(index).hash
        row = self._sql.one(
            "SELECT hash FROM log_nodes WHERE level = :level AND idx = :idx",
            {"level": level, "idx": index},
        )
        if row is None:
            raise NotFound(f"The log has no complete subtree {index} of level {level}.")
        return bytes(row[0])

    def _require(self, size: int) -> None:
        if not 0 <= size <= self.size():
            raise NotFound(f"The log has {self.size()} leaves, not {size}.")


def _checkpoint(row: Row) -> Checkpoint:
    size, root, note, made_at = row
    return Checkpoint(int(size), bytes(root), note, read_instant(made_at))


def _leaf(row: Row) -> LogLeaf:
    index, digest, body, kind = row
    return LogLeaf(index, bytes(digest), bytes(body), kind)
