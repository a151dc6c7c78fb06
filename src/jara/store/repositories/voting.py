"""Ballots and rolls in the database.

No table holds a member and a choice, none has the time of a ballot, and the tables of
ballots and participations have no order of insertion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jara.domain.errors import AlreadyVoted
from jara.domain.voting.ballot import Choice
from jara.services.ports.voting import BallotRecord
from jara.store.sql.connection import Row, Sql

_FIRST_COUNT = "INSERT INTO tallies (proposal, yes, no, void) VALUES (:proposal, 0, 0, 0)"


class SqlBallots:
    """Ballots and participations: who voted and what was chosen, never together."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql

    def has_voted(self, proposal: str, member_id: str) -> bool:
        """Return whether a member has voted."""
        return (
            self._sql.one(
                "SELECT 1 FROM participations WHERE proposal = :proposal AND member_id = :member",
                {"proposal": proposal, "member": member_id},
            )
            is not None
        )

    def participations(self, member_id: str) -> list[str]:
        """Return the proposals a member has voted on, sorted."""
        # Looked up for each proposal by key: a table scan would read every participant.
        rows = self._sql.all(
            "SELECT id FROM proposals WHERE EXISTS (SELECT 1 FROM participations x "
            "WHERE x.proposal = proposals.id AND x.member_id = :member) ORDER BY id",
            {"member": member_id},
        )
        return [row[0] for row in rows]

    def participants(self, proposal: str) -> set[str]:
        """Return the ids of the members who have voted."""
        rows = self._sql.all(
            "SELECT member_id FROM participations WHERE proposal = :proposal",
            {"proposal": proposal},
        )
        return {row[0] for row in rows}

    def add(self, ballot: BallotRecord, *, member_id: str) -> None:
        """Save a ballot, and separately that the member voted; count it.

        Raises:
            AlreadyVoted: the member has voted before.
        """
        is_first = self._sql.run(
            "INSERT INTO participations (proposal, member_id) VALUES (:proposal, :member) "
            "ON CONFLICT (proposal, member_id) DO NOTHING",
            {"proposal": ballot.proposal, "member": member_id},
        )
        if not is_first:
            raise AlreadyVoted("Your vote on this proposal is counted; a vote is final.")
        self._sql.run(
            "INSERT INTO ballots (proposal, voter, choice, log_index) "
            "VALUES (:proposal, :voter, :choice, :log_index)",
            {
                "proposal": ballot.proposal,
                "voter": ballot.voter,
                "choice": ballot.choice.value,
                "log_index": ballot.log_index,
            },
        )
        self._count(ballot, 1)

    def get(self, proposal: str, voter: str) -> BallotRecord | None:
        """Return the ballot of a voter token."""
        row = self._sql.one(
            "SELECT proposal, voter, choice, log_index FROM ballots "
            "WHERE proposal = :proposal AND voter = :voter",
            {"proposal": proposal, "voter": voter},
        )
        return None if row is None else _ballot(row)

    def void(self, ballot: BallotRecord, *, log_index: int) -> None:
        """Void a ballot; it stays listed and is no longer counted."""
        self._sql.run(
            "INSERT INTO ballot_voids (proposal, voter, log_index) "
            "VALUES (:proposal, :voter, :log_index)",
            {"proposal": ballot.proposal, "voter": ballot.voter, "log_index": log_index},
        )
        self._count(ballot, -1)

    def is_void(self, proposal: str, voter: str) -> bool:
        """Return whether a ballot was voided."""
        return (
            self._sql.one(
                "SELECT 1 FROM ballot_voids WHERE proposal = :proposal AND voter = :voter",
                {"proposal": proposal, "voter": voter},
            )
            is not None
        )

    def counts(self, proposal: str) -> tuple[int, int, int]:
        """Return the maintained counts: yes, no, void."""
        row = self._sql.one(
            "SELECT yes, no, void FROM tallies WHERE proposal = :proposal", {"proposal": proposal}
        )
        return (0, 0, 0) if row is None else (int(row[0]), int(row[1]), int(row[2]))

    def recount(self, proposal: str) -> tuple[int, int, int]:
        """Return yes, no, void recounted from the ballots."""
        row = self._sql.one(
            "SELECT COALESCE(SUM(CASE WHEN v.voter IS NULL AND b.choice = 'up' THEN 1 END), 0), "
            "COALESCE(SUM(CASE WHEN v.voter IS NULL AND b.choice = 'down' THEN 1 END), 0), "
            "COUNT(v.voter) FROM ballots b LEFT JOIN ballot_voids v "
            "ON v.proposal = b.proposal AND v.voter = b.voter WHERE b.proposal = :proposal",
            {"proposal": proposal},
        )
        return (0, 0, 0) if row is None else (int(row[0]), int(row[1]), int(row[2]))

    def ballots(self, proposal: str) -> Iterator[BallotRecord]:
        """Return the ballots of a proposal in order of the log."""
        for row in self._sql.each(
            "SELECT proposal, voter, choice, log_index FROM ballots "
            "WHERE proposal = :proposal ORDER BY log_index",
            {"proposal": proposal},
        ):
            yield _ballot(row)

    def unvoided_voters(self, proposal: str) -> list[str]:
        """Return the tokens of the ballots that count, sorted."""
        rows = self._sql.all(
            "SELECT b.voter FROM ballots b LEFT JOIN ballot_voids v "
            "ON v.proposal = b.proposal AND v.voter = b.voter "
            "WHERE b.proposal = :proposal AND v.voter IS NULL ORDER BY b.voter",
            {"proposal": proposal},
        )
        return [row[0] for row in rows]

    def voided_voters(self, proposal: str) -> list[str]:
        """Return the tokens of the ballots that were voided, sorted."""
        rows = self._sql.all(
            "SELECT voter FROM ballot_voids WHERE proposal = :proposal ORDER BY voter",
            {"proposal": proposal},
        )
        return [row[0] for row in rows]

    def freeze_roll(self, proposal: str, voters: Iterable[str]) -> None:
        """Save the roll of a closed vote."""
        for voter in sorted(voters):
            self._sql.append(
                "INSERT INTO rolls (proposal, voter) VALUES (:proposal, :voter)",
                (proposal, voter),
            )

    def roll(self, proposal: str) -> list[str]:
        """Return the roll of a closed vote, sorted."""
        rows = self._sql.all(
            "SELECT voter FROM rolls WHERE proposal = :proposal ORDER BY voter",
            {"proposal": proposal},
        )
        return [row[0] for row in rows]

    def _count(self, ballot: BallotRecord, step: int) -> None:
        column = "yes" if ballot.choice is Choice.UP else "no"
        count = (
            f"UPDATE tallies SET {column} = {column} + :step, void = void + :void "
            "WHERE proposal = :proposal"
        )
        params = {"step": step, "void": 1 if step < 0 else 0, "proposal": ballot.proposal}
        if not self._sql.run(count, params):
            self._sql.run(_FIRST_COUNT, {"proposal": ballot.proposal})
            self._sql.run(count, params)


def _ballot(row: Row) -> BallotRecord:
    proposal, voter, choice, log_index = row
    return BallotRecord(proposal, voter, Choice(choice), log_index)
