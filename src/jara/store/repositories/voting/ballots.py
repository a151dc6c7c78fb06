"""Ballots that the public log lists, their results and rolls.

While a ballot key exists, no table shows that a member voted. The list of who took part is
written in one go, sorted, when the key is destroyed.
"""

from collections.abc import Iterable, Iterator

from jara.domain.voting.tally import Choice
from jara.records.voting import BallotRecord
from jara.store.repositories.voting.closings import BALLOTS, ROLLS
from jara.store.rows import Repository
from jara.store.sql.connection import Row

_DROPPED = "SELECT voter FROM dropped_ballots WHERE proposal = :proposal"


class BallotRepository(Repository):
    """Ballots and participants: never stored together while the ballot key exists.

    Until the key is destroyed, only the voter's token shows that a member has voted. The list
    of participants is written once, sorted, when the key is destroyed.
    """

    def participations(self, member_id: str) -> list[str]:
        """Return the proposals that list a member as a participant, sorted."""
        return [proposal for proposal, is_listed in self.votes_to_search(member_id) if is_listed]

    def votes_to_search(self, member_id: str) -> list[tuple[str, bool]]:
        """Return the votes a member may have taken part in, sorted, and whether a list names them.

        While the ballot key exists there is no list; search the ballots for the member's token.
        """
        # Looked up for each proposal by key: a table scan would read every participant.
        rows = self._sql.all(
            "SELECT id, is_listed FROM (SELECT id, opened_index, key_destroyed_at, EXISTS "
            "(SELECT 1 FROM participations x WHERE x.proposal = o.id AND x.member_id = :member) "
            "AS is_listed FROM proposals o) o "
            "WHERE is_listed OR (opened_index IS NOT NULL AND key_destroyed_at IS NULL) "
            "ORDER BY id",
            {"member": member_id},
        )
        return [(proposal, bool(is_listed)) for proposal, is_listed in rows]

    def participants(self, proposal: str) -> set[str]:
        """Return the ids of the participants; empty while the ballot key exists."""
        query = "SELECT member_id FROM participations WHERE proposal = :proposal"
        return set(self._column(query, proposal=proposal))

    def write_participants(self, proposal: str, member_ids: Iterable[str]) -> None:
        """Write the list of participants, sorted."""
        for member_id in sorted(member_ids):
            self._sql.append(
                "INSERT INTO participations (proposal, member_id) VALUES (:proposal, :member)",
                (proposal, member_id),
            )

    def drop(self, proposal: str, voters: Iterable[str]) -> None:
        """Store whose ballots do not count, sorted by token."""
        for voter in sorted(voters):
            self._sql.append(
                "INSERT INTO dropped_ballots (proposal, voter) VALUES (:proposal, :voter)",
                (proposal, voter),
            )

    def save_counts(self, proposal: str, yes: int, no: int, void: int) -> None:
        """Store the result of a vote."""
        self._insert("tallies", {"proposal": proposal, "yes": yes, "no": no, "void": void})

    def get(self, proposal: str, voter: str) -> BallotRecord | None:
        """Return the ballot of a voter token."""
        row = self._sql.one(
            f"SELECT proposal, voter, choice, log_index FROM {BALLOTS} AS b "
            "WHERE proposal = :proposal AND voter = :voter",
            {"proposal": proposal, "voter": voter},
        )
        return None if row is None else _ballot(row)

    def is_dropped(self, proposal: str, voter: str) -> bool:
        """Return whether a voter's ballot was dropped at the close."""
        query = f"{_DROPPED} AND voter = :voter"
        return bool(self._column(query, proposal=proposal, voter=voter))

    def dropped(self, proposal: str) -> list[str]:
        """Return the voters whose ballots were dropped at the close, sorted."""
        return self._column(f"{_DROPPED} ORDER BY voter", proposal=proposal)

    def counts(self, proposal: str) -> tuple[int, int, int]:
        """Return the stored result: yes, no, void; zeros until the vote closes."""
        row = self._sql.one(
            "SELECT yes, no, void FROM tallies WHERE proposal = :proposal", {"proposal": proposal}
        )
        return (0, 0, 0) if row is None else (int(row[0]), int(row[1]), int(row[2]))

    def ballots(self, proposal: str) -> Iterator[BallotRecord]:
        """Return the ballots of a proposal in log order."""
        for row in self._sql.each(
            f"SELECT proposal, voter, choice, log_index FROM {BALLOTS} AS b "
            "WHERE proposal = :proposal ORDER BY log_index",
            {"proposal": proposal},
        ):
            yield _ballot(row)

    def roll(self, proposal: str) -> list[str]:
        """Return the roll of a closed vote, sorted."""
        query = f"SELECT voter FROM {ROLLS} AS r WHERE proposal = :proposal ORDER BY voter"
        return self._column(query, proposal=proposal)


def _ballot(row: Row) -> BallotRecord:
    proposal, voter, choice, log_index = row
    return BallotRecord(proposal, voter, Choice(choice), log_index)
