"""The public log: leaves, inner nodes, the head, checkpoints, and witnesses of these."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from jara.domain.errors import NotFound
from jara.domain.publiclog import canonical, merkle
from jara.domain.publiclog.leaves import LeafType
from jara.domain.publiclog.merkle import Frontier, NewNode
from jara.domain.voting.tally import RuleChange, read_rule
from jara.records.log import Checkpoint, Cosignature, Extent, LogLeaf, Witness
from jara.store.rows import Repository, Rows, counter, stored
from jara.store.sql.connection import Row, Sql

CHECKPOINTS = Rows("checkpoints", Checkpoint)
WITNESSES = Rows("witnesses", Witness, key="vkey")
COSIGNATURES = Rows("cosignatures", Cosignature)

BALLOT = LeafType.BALLOT.value
_CONTROL = (
    LeafType.OPERATOR_KEY,
    LeafType.CONTROL_POLICY,
    LeafType.WAYS_IN,
    LeafType.APPROVAL,
)
_FREQUENT = (LeafType.ENTRY, LeafType.BALLOT)
_RARE = f"AND type NOT IN ('{LeafType.ENTRY.value}', '{BALLOT}') "
"""The condition of the index of the rare leaves, in its words: so both engines use it."""
_MOVING = (
    "(SELECT idx, hash, body, type FROM log UNION ALL "
    f"SELECT c.first_index + p.place, p.hash, p.body, '{BALLOT}' FROM closings c "
    "JOIN prepared_leaves p ON p.proposal = c.proposal AND p.place >= c.ballots_moved "
    "WHERE c.first_index IS NOT NULL) AS moving"
)
"""The leaves, while those of a vote that was closed are being moved to their table."""
_HASH_BYTES = 32
_BEYOND = 2**62
"""Larger than any log, so that rows that should not exist are found too."""


class LogRepository(Repository):
    """The append-only Merkle log.

    It stores every complete subtree, so that old proofs stay cheap.
    """

    add_checkpoint = CHECKPOINTS.new_adder()
    checkpoints = CHECKPOINTS.lister("ORDER BY size")

    def __init__(self, sql: Sql) -> None:
        super().__init__(sql)
        self._frontier: Frontier | None = None
        self._stored_size = 0
        self._table = ""

    @property
    def _leaves(self) -> str:
        """The SQL of all leaves."""
        if not self._table:
            is_moving = self._sql.one("SELECT 1 FROM closings WHERE first_index IS NOT NULL")
            self._table = "log" if is_moving is None else _MOVING
        return self._table

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
        self._add_nodes(nodes)
        return leaf

    def move_on(self, after: Frontier, nodes: Iterable[NewNode]) -> None:
        """Take a later head and its new nodes; the caller has prepared the leaves."""
        self._table = ""
        self._head()
        self._frontier = after
        self._add_nodes(nodes)

    def _add_nodes(self, nodes: Iterable[NewNode]) -> None:
        for node in nodes:
            self._sql.append(
                "INSERT INTO log_nodes (level, idx, hash) VALUES (:level, :idx, :hash)", node
            )

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
            f"SELECT idx, hash, body, type FROM {self._leaves} WHERE idx = :idx", {"idx": index}
        )
        if row is None:
            raise NotFound(f"The log has {self.size()} leaves; there is no leaf {index}.")
        return _leaf(row)

    def leaves(self, start: int = 0, stop: int | None = None) -> Iterator[LogLeaf]:
        """Return the leaves from start up to, not including, stop."""
        rows = self._sql.each(
            f"SELECT idx, hash, body, type FROM {self._leaves} WHERE idx >= :start AND idx < :stop "
            "ORDER BY idx",
            {"start": start, "stop": self.size() if stop is None else stop},
        )
        return (_leaf(row) for row in rows)

    def leaves_of(self, *types: str, start: int = 0) -> Iterator[LogLeaf]:
        """Return the leaves of these types in order, from an index on."""
        wanted = {f"type{number}": str(one) for number, one in enumerate(types)}
        rows = self._sql.each(
            f"SELECT idx, hash, body, type FROM {self._leaves} "
            f"WHERE type IN ({', '.join(f':{name}' for name in wanted)}) AND idx >= :start "
            f"{'' if any(one in _FREQUENT for one in types) else _RARE}ORDER BY idx",
            {**wanted, "start": start},
        )
        return (_leaf(row) for row in rows)

    def corrections(self) -> dict[str, list[dict[str, Any]]]:
        """Return the corrections of translations by proposal, oldest first."""
        found: dict[str, list[dict[str, Any]]] = {}
        for leaf in self.leaves_of(LeafType.PROPOSAL_CORRECT):
            fields = canonical.decode(leaf.body)
            if isinstance(fields, dict):
                found.setdefault(str(fields.get("proposal")), []).append(fields)
        return found

    def vote_rules(self, before: int | None = None) -> tuple[RuleChange, ...]:
        """Return the rules of new proposals in the order they were set, up to an index."""
        leaves = (
            canonical.decode(leaf.body)
            for leaf in self.leaves_of(LeafType.VOTE_RULE)
            if before is None or leaf.index < before
        )
        return tuple(
            RuleChange(date.fromisoformat(str(leaf["from"])), read_rule(leaf["rule"]))
            for leaf in leaves
            if isinstance(leaf, dict)
        )

    def plans(self) -> dict[str, dict[str, Any]]:
        """Return the newest leaf with the milestones of each proposal that has one."""
        leaves = (canonical.decode(leaf.body) for leaf in self.leaves_of(LeafType.MILESTONES))
        return {str(leaf.get("proposal")): leaf for leaf in leaves if isinstance(leaf, dict)}

    def note_plan(self, leaf: dict[str, Any], *, is_first: bool = False) -> None:
        """Append the milestones of a voted project if they changed since they were logged.

        Milestones that were never logged are appended only if `is_first`.
        """
        known = self.plans().get(leaf["proposal"])
        if known != leaf and (is_first or known is not None):
            self.append(leaf)

    def control_leaves(self, *others: str) -> Iterator[LogLeaf]:
        """Return the leaves about keys, limits, ways in, approvals, and of others, in order."""
        return self.leaves_of(*_CONTROL, *others)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that a leaf is in the tree of that size."""
        self._require(size)
        return merkle.inclusion_proof(self._node, index, size)

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        self._require(second)
        return merkle.consistency_proof(self._node, first, second)

    def checkpoint(self, size: int) -> Checkpoint | None:
        """Return the signed note of a size, if there is one."""
        return CHECKPOINTS.one(self._sql, "WHERE size = :size", size=size)

    def extents(self, size: int) -> list[Extent]:
        """Return the number and bytes of leaves of each type, up to a size of the log."""
        rows = self._sql.all(
            f"SELECT type, COUNT(*), SUM(LENGTH(body)) FROM {self._leaves} WHERE idx < :size "
            "GROUP BY type ORDER BY type",
            {"size": size},
        )
        return [Extent(kind, int(count), int(total)) for kind, count, total in rows]

    def nodes(
        self, level: int, first: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Return index and hash of the stored nodes of a level, in order; level 0 is the leaves."""
        of_level = "log_nodes WHERE level = :level AND" if level else f"{self._leaves} WHERE"
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


class WitnessRepository(Repository):
    """The witnesses that the organisation chose, and their cosignatures."""

    all = WITNESSES.lister("ORDER BY name")
    put = WITNESSES.putter()
    count = counter("SELECT COUNT(*) FROM witnesses")

    def remove(self, name: str) -> bool:
        """Remove a witness and its cosignatures; return whether it existed."""
        self._delete("cosignatures", {"witness": name})
        return bool(self._delete("witnesses", {"name": name}))

    def keep(self, cosignature: Cosignature) -> None:
        """Store a cosignature; it replaces an older one by the same witness for the same size."""
        self._sql.run(
            "INSERT INTO cosignatures (size, witness, line, seen_at) "
            "VALUES (:size, :witness, :line, :seen_at) "
            "ON CONFLICT (size, witness) DO UPDATE SET line = excluded.line, "
            "seen_at = excluded.seen_at WHERE excluded.seen_at > cosignatures.seen_at",
            stored(cosignature._asdict()),
        )

    def cosignatures(self, size: int | None = None) -> list[Cosignature]:
        """Return the cosignatures of one size or all, largest size first."""
        if size is None:
            return COSIGNATURES.all(self._sql, "ORDER BY size DESC, witness")
        return COSIGNATURES.all(self._sql, "WHERE size = :size ORDER BY witness", size=size)

    def newest_size(self, least: int) -> int | None:
        """Return the largest size that at least ``least`` witnesses signed, or None."""
        return self._value(
            int,
            "SELECT size FROM cosignatures GROUP BY size HAVING COUNT(*) >= :least "
            "ORDER BY size DESC LIMIT 1",
            least=least,
        )


def _leaf(row: Row) -> LogLeaf:
    index, digest, body, kind = row
    return LogLeaf(index, bytes(digest), bytes(body), kind)
