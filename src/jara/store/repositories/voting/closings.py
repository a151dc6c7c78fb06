"""Votes that are being closed in steps: who closes one, what is prepared, and how far it is.

Prepared leaves and rolls are outside the public log until one transaction moves its head over them.
Then they are moved to their tables in pieces; `log`, `ballots` and `rolls` are read together with
what is not moved yet, so a vote is closed as a whole. No row says in which order ballots were cast.
"""

from collections.abc import Iterable

from jara.records.voting import Closing, PreparedLeaf
from jara.store.repositories.log import BALLOT
from jara.store.rows import Repository, Rows

BALLOTS = (
    "(SELECT proposal, voter, choice, log_index FROM ballots UNION ALL "
    "SELECT p.proposal, p.voter, p.choice, c.first_index + p.place FROM closings c "
    "JOIN prepared_leaves p ON p.proposal = c.proposal AND p.place >= c.ballots_moved "
    "WHERE c.first_index IS NOT NULL)"
)
"""The ballots that the log lists, moved or not."""
ROLLS = (
    "(SELECT proposal, voter FROM rolls UNION ALL SELECT p.proposal, p.voter FROM closings c "
    "JOIN prepared_rolls p ON p.proposal = c.proposal AND p.voter > c.roll_moved "
    "WHERE c.first_index IS NOT NULL)"
)
"""The rolls of closed votes, moved or not."""


CLOSINGS = Rows("closings", Closing)


class ClosingRepository(Repository):
    """The votes that are being closed."""

    get = CLOSINGS.finder("proposal")
    all = CLOSINGS.lister("ORDER BY proposal")
    put = CLOSINGS.putter()

    def forget(self, proposal: str) -> None:
        """Forget a close that is complete, or whose vote was withdrawn."""
        for table in ("prepared_leaves", "prepared_rolls", "closings"):
            self._sql.run(f"DELETE FROM {table} WHERE proposal = :proposal", {"proposal": proposal})

    def add_leaves(self, proposal: str, leaves: Iterable[PreparedLeaf]) -> None:
        """Store prepared leaves."""
        for leaf in leaves:
            self._sql.append(
                "INSERT INTO prepared_leaves (proposal, place, voter, choice, hash, body) "
                "VALUES (:proposal, :place, :voter, :choice, :hash, :body)",
                (proposal, *leaf),
            )

    def add_roll(self, proposal: str, voters: Iterable[str]) -> None:
        """Store a part of a prepared roll, sorted."""
        for voter in voters:
            self._sql.append(
                "INSERT INTO prepared_rolls (proposal, voter) VALUES (:proposal, :voter)",
                (proposal, voter),
            )

    def move_ballots(self, closing: Closing, count: int) -> int:
        """Move the next prepared leaves to the log's table and the ballots; return how many."""
        piece = {
            "proposal": closing.proposal,
            "first": closing.first_index,
            "start": closing.ballots_moved,
            "stop": closing.ballots_moved + count,
        }
        chosen = "FROM prepared_leaves WHERE proposal = :proposal AND place >= :start"
        self._sql.run(
            "INSERT INTO log (idx, hash, body, type) "
            f"SELECT :first + place, hash, body, '{BALLOT}' {chosen} AND place < :stop "
            "ORDER BY place",
            piece,
        )
        moved = self._sql.run(
            "INSERT INTO ballots (proposal, voter, choice, log_index) "
            f"SELECT proposal, voter, choice, :first + place {chosen} AND place < :stop "
            "ORDER BY voter",
            piece,
        )
        self.put(closing._replace(ballots_moved=closing.ballots_moved + moved))
        return moved

    def move_roll(self, closing: Closing, count: int) -> int:
        """Move the next tokens of the prepared roll to the rolls; return how many."""
        rows = self._sql.all(
            "SELECT voter FROM prepared_rolls WHERE proposal = :proposal AND voter > :start "
            "ORDER BY voter LIMIT :count",
            {"proposal": closing.proposal, "start": closing.roll_moved, "count": count},
        )
        for (voter,) in rows:
            self._sql.append(
                "INSERT INTO rolls (proposal, voter) VALUES (:proposal, :voter)",
                (closing.proposal, voter),
            )
        if rows:
            self.put(closing._replace(roll_moved=rows[-1][0]))
        return len(rows)

    def discard(self, proposal: str, count: int) -> int:
        """Delete some of the prepared rows of a vote; return how many."""
        gone = 0
        for table, key in (("prepared_leaves", "place"), ("prepared_rolls", "voter")):
            gone += self._sql.run(
                f"DELETE FROM {table} WHERE proposal = :proposal AND {key} IN "
                f"(SELECT {key} FROM {table} WHERE proposal = :proposal ORDER BY {key} "
                "LIMIT :count)",
                {"proposal": proposal, "count": count},
            )
        return gone
