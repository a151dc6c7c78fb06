"""Ballots and rolls in the database.

While a ballot key exists, no table shows that a member voted: a page or a row of the
database reveals the order in which rows were added, and the public log has the same order.
The list of who took part is written in one go, sorted, when the key is destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jara.domain.errors import AlreadyVoted
from jara.domain.voting.tally import Choice
from jara.records.voting import BallotRecord
from jara.store.rows import Repository
from jara.store.sql.codecs import chunks, in_list
from jara.store.sql.connection import Row

_COUNTED_CLAIMS = (
    "FROM ballot_claims c WHERE c.proposal = :proposal AND NOT EXISTS (SELECT 1 "
    "FROM ballot_voids v WHERE v.proposal = c.proposal AND v.voter = c.voter)"
)
_FIRST_COUNT = "INSERT INTO tallies (proposal, yes, no, void) VALUES (:proposal, 0, 0, 0)"


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
        rows = self._sql.all(
            "SELECT member_id FROM participations WHERE proposal = :proposal",
            {"proposal": proposal},
        )
        return {row[0] for row in rows}

    def write_participants(self, proposal: str, member_ids: Iterable[str]) -> None:
        """Write the list of participants, sorted, and delete the vote's claims."""
        for member_id in sorted(member_ids):
            self._sql.append(
                "INSERT INTO participations (proposal, member_id) VALUES (:proposal, :member)",
                (proposal, member_id),
            )
        self._sql.run(
            "DELETE FROM ballot_claims WHERE proposal = :proposal", {"proposal": proposal}
        )

    def add(self, ballot: BallotRecord, *, claims: Iterable[str]) -> None:
        """Store a ballot with its claims, and count it.

        Raises:
            AlreadyVoted: the voter already has a ballot.
        """
        is_first = self._sql.run(
            "INSERT INTO ballots (proposal, voter, choice, log_index) "
            "VALUES (:proposal, :voter, :choice, :log_index) "
            "ON CONFLICT (proposal, voter) DO NOTHING",
            {
                "proposal": ballot.proposal,
                "voter": ballot.voter,
                "choice": ballot.choice.value,
                "log_index": ballot.log_index,
            },
        )
        if not is_first:
            raise AlreadyVoted("Your vote on this proposal is counted; a vote is final.")
        self.add_claims(ballot.proposal, ballot.voter, claims)
        self._count(ballot, 1)

    def add_claims(self, proposal: str, voter: str, claims: Iterable[str]) -> None:
        """Store the claims of a ballot."""
        self._sql.run_many(
            "INSERT INTO ballot_claims (proposal, token, voter) VALUES (:proposal, :token, :voter)",
            [{"proposal": proposal, "token": claim, "voter": voter} for claim in claims],
        )

    def claimed(self, proposal: str, claims: Iterable[str]) -> dict[str, list[str]]:
        """Return the sorted voters of each claim that has voters."""
        found: dict[str, list[str]] = {}
        for piece in chunks(claims):
            names, params = in_list("c", piece)
            rows = self._sql.all(
                "SELECT token, voter FROM ballot_claims WHERE proposal = :proposal "
                f"AND token IN {names} ORDER BY token, voter",
                {"proposal": proposal, **params},
            )
            for token, voter in rows:
                found.setdefault(token, []).append(voter)
        return found

    def open_participations(self) -> list[tuple[str, str]]:
        """Return proposal and member from the lists of an earlier version, sorted."""
        rows = self._sql.all(
            "SELECT proposal, member_id FROM open_participations ORDER BY proposal, member_id"
        )
        return [(row[0], row[1]) for row in rows]

    def forget_open_participations(self) -> None:
        """Delete the lists of an earlier version."""
        self._sql.run("DELETE FROM open_participations")

    def count_standing(self, proposal: str, claims: Iterable[str]) -> int:
        """Return how many counted ballots have one of these claims."""
        voters = {voter for found in self.claimed(proposal, claims).values() for voter in found}
        return sum(not self.is_void(proposal, voter) for voter in voters)

    def count_sharing(self, proposal: str) -> int:
        """Return how many counted ballots share a claim with another counted ballot."""
        return self._number(
            f"SELECT COUNT(DISTINCT c.voter) {_COUNTED_CLAIMS} AND c.token IN "
            f"(SELECT c.token {_COUNTED_CLAIMS} GROUP BY c.token HAVING COUNT(*) > 1)",
            {"proposal": proposal},
        )

    def get(self, proposal: str, voter: str) -> BallotRecord | None:
        """Return the ballot of a voter token."""
        row = self._sql.one(
            "SELECT proposal, voter, choice, log_index FROM ballots "
            "WHERE proposal = :proposal AND voter = :voter",
            {"proposal": proposal, "voter": voter},
        )
        return None if row is None else _ballot(row)

    def void(self, ballot: BallotRecord, *, log_index: int) -> None:
        """Void a ballot; it stays listed but is no longer counted."""
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
        """Return the ballots of a proposal in log order."""
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
