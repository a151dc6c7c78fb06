"""Proposals, ballots and rolls in the database.

No table holds a member and a choice, none has the time of a ballot, and the tables of
ballots and participations have no order of insertion (trust §2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jara.domain.content import Category
from jara.domain.errors import AlreadyVoted, Conflict, NotFound
from jara.domain.voting.ballot import Choice
from jara.domain.voting.proposal import (
    BudgetLine,
    Proposal,
    ProposalStatus,
    Submitter,
    VoteRule,
)
from jara.services.ports.voting import BallotRecord, ProposalRecord
from jara.store.codecs import (
    document_text,
    in_list,
    instant_text,
    optional_instant,
    optional_instant_text,
    read_document,
    read_instant,
)
from jara.store.sql import Row, Sql

_PROPOSAL = (
    "id, slug, title, status, ends_at, doc, created_at, opened_at, opened_index, decided_at, "
    "closed_index, roll_size, key_destroyed_at"
)
_COUNT = (
    "INSERT INTO tallies (proposal, yes, no, void) VALUES (:proposal, :yes, :no, :void) "
    "ON CONFLICT (proposal) DO UPDATE SET yes = tallies.yes + excluded.yes, "
    "no = tallies.no + excluded.no, void = tallies.void + excluded.void"
)


class SqlProposals:
    """Proposals in every state."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql

    def get(self, proposal_id: str) -> ProposalRecord | None:
        """Return a proposal by its id."""
        row = self._sql.one(
            f"SELECT {_PROPOSAL} FROM proposals WHERE id = :id", {"id": proposal_id}
        )
        return None if row is None else _record(row)

    def find(self, text: str) -> ProposalRecord:
        """Return the proposal with that id, slug, or unique beginning of either.

        Raises:
            NotFound: none fits.
            Conflict: several do.
        """
        rows = self._sql.all(
            f"SELECT {_PROPOSAL} FROM proposals WHERE (id >= :text AND id < :high) "
            "OR (slug >= :text AND slug < :high) "
            "ORDER BY CASE WHEN id = :text OR slug = :text THEN 0 ELSE 1 END, slug LIMIT 2",
            {"text": text, "high": text + "~"},
        )
        if not rows or not text:
            raise NotFound(f"There is no proposal '{text}'.")
        if len(rows) > 1 and text not in rows[0][:2]:
            raise Conflict(f"Several proposals begin with '{text}'; write more of it.")
        return _record(rows[0])

    def put(self, record: ProposalRecord) -> None:
        """Keep a proposal as it is now."""
        proposal = record.proposal
        params: dict[str, object] = {
            "id": proposal.id,
            "slug": proposal.slug,
            "title": proposal.title,
            "status": proposal.status.value,
            "ends_at": instant_text(proposal.ends_at),
            "doc": document_text(_document(proposal)),
            "created_at": instant_text(record.created_at),
            "opened_at": optional_instant_text(record.opened_at),
            "opened_index": record.opened_index,
            "decided_at": optional_instant_text(record.decided_at),
            "closed_index": record.closed_index,
            "roll_size": record.roll_size,
            "key_destroyed_at": optional_instant_text(record.key_destroyed_at),
        }
        names = ", ".join(f":{name}" for name in params)
        kept = ", ".join(f"{name} = excluded.{name}" for name in params if name != "id")
        self._sql.run(
            f"INSERT INTO proposals ({_PROPOSAL}) VALUES ({names}) "
            f"ON CONFLICT (id) DO UPDATE SET {kept}",
            params,
        )

    def all(self, *statuses: ProposalStatus) -> list[ProposalRecord]:
        """Return the proposals in these states, or all.

        Open ones come first, the one that ends soonest first, then the others, newest first.
        """
        names, params = in_list("s", [status.value for status in statuses or ProposalStatus])
        rows = self._sql.all(
            f"SELECT {_PROPOSAL} FROM proposals WHERE status IN {names} ORDER BY "
            "CASE WHEN status = 'open' THEN 0 ELSE 1 END, "
            "CASE WHEN status = 'open' THEN ends_at END, "
            "COALESCE(decided_at, opened_at, created_at) DESC, id",
            params,
        )
        return [_record(row) for row in rows]


class SqlBallots:
    """Ballots and participations: who voted and what was chosen, never together."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql

    def has_voted(self, proposal: str, member_id: str) -> bool:
        """Tell whether a member has taken part."""
        return (
            self._sql.one(
                "SELECT 1 FROM participations WHERE proposal = :proposal AND member_id = :member",
                {"proposal": proposal, "member": member_id},
            )
            is not None
        )

    def participations(self, member_id: str) -> list[str]:
        """Return the proposals a member has taken part in, sorted."""
        rows = self._sql.all(
            "SELECT proposal FROM participations WHERE member_id = :member ORDER BY proposal",
            {"member": member_id},
        )
        return [row[0] for row in rows]

    def participants(self, proposal: str) -> set[str]:
        """Return the ids of the members who have taken part."""
        rows = self._sql.all(
            "SELECT member_id FROM participations WHERE proposal = :proposal",
            {"proposal": proposal},
        )
        return {row[0] for row in rows}

    def add(self, ballot: BallotRecord, *, member_id: str) -> None:
        """Keep a ballot, and apart from it that the member took part; count it.

        Raises:
            AlreadyVoted: the member has taken part before.
        """
        if self.has_voted(ballot.proposal, member_id):
            raise AlreadyVoted("Your vote on this proposal is counted; a vote is final.")
        self._sql.run(
            "INSERT INTO participations (proposal, member_id) VALUES (:proposal, :member)",
            {"proposal": ballot.proposal, "member": member_id},
        )
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
        """Tell whether a ballot was voided."""
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
        """Return yes, no, void counted anew from the ballots."""
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

    def freeze_roll(self, proposal: str, voters: Iterable[str]) -> None:
        """Keep the roll of a closed vote."""
        self._sql.run_many(
            "INSERT INTO rolls (proposal, voter) VALUES (:proposal, :voter)",
            [{"proposal": proposal, "voter": voter} for voter in sorted(voters)],
        )

    def roll(self, proposal: str) -> list[str]:
        """Return the roll of a closed vote, sorted."""
        rows = self._sql.all(
            "SELECT voter FROM rolls WHERE proposal = :proposal ORDER BY voter",
            {"proposal": proposal},
        )
        return [row[0] for row in rows]

    def _count(self, ballot: BallotRecord, step: int) -> None:
        # The first row of a proposal may not be negative, so it is made with zeros.
        self._sql.run(_COUNT, {"proposal": ballot.proposal, "yes": 0, "no": 0, "void": 0})
        column = "yes" if ballot.choice is Choice.UP else "no"
        self._sql.run(
            f"UPDATE tallies SET {column} = {column} + :step, void = void + :void "
            "WHERE proposal = :proposal",
            {"step": step, "void": 1 if step < 0 else 0, "proposal": ballot.proposal},
        )


def _ballot(row: Row) -> BallotRecord:
    proposal, voter, choice, log_index = row
    return BallotRecord(proposal, voter, Choice(choice), log_index)


def _document(proposal: Proposal) -> dict[str, Any]:
    return {
        "summary": proposal.summary,
        "goal_cents": proposal.goal_cents,
        "country": proposal.country,
        "country_code": proposal.country_code,
        "category": proposal.category.value,
        "ends_text": proposal.ends_text,
        "story_html": proposal.story_html,
        "implementation_html": proposal.implementation_html,
        "budget": [[line.description, line.amount_cents] for line in proposal.budget],
        "metrics": list(proposal.metrics),
        "submitters": [[one.image, one.linkedin_url, one.name] for one in proposal.submitters],
        "rule": [proposal.rule.num, proposal.rule.den, proposal.rule.of],
        "sample": proposal.sample,
    }


def _record(row: Row) -> ProposalRecord:
    doc = read_document(row[5])
    opened_at, decided_at = optional_instant(row[7]), optional_instant(row[9])
    proposal = Proposal(
        id=row[0],
        slug=row[1],
        title=row[2],
        status=ProposalStatus(row[3]),
        ends_at=read_instant(row[4]),
        summary=doc["summary"],
        goal_cents=doc["goal_cents"],
        country=doc["country"],
        country_code=doc["country_code"],
        category=Category(doc["category"]),
        ends_text=doc["ends_text"],
        story_html=doc["story_html"],
        implementation_html=doc["implementation_html"],
        budget=tuple(BudgetLine(*line) for line in doc["budget"]),
        metrics=tuple(doc["metrics"]),
        submitters=tuple(Submitter(*one) for one in doc["submitters"]),
        rule=VoteRule(*doc["rule"]),
        opened_at=opened_at,
        decided_at=decided_at,
        sample=doc["sample"],
    )
    return ProposalRecord(
        proposal,
        created_at=read_instant(row[6]),
        opened_at=opened_at,
        opened_index=row[8],
        decided_at=decided_at,
        closed_index=row[10],
        roll_size=row[11],
        key_destroyed_at=optional_instant(row[12]),
    )
