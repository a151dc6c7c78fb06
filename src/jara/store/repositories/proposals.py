"""Proposals in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from jara.domain.content.values import Category
from jara.domain.lookup import beginning_with, choose_one
from jara.domain.voting.proposal import (
    BudgetLine,
    Proposal,
    ProposalStatus,
    Submitter,
    VoteRule,
)
from jara.records.voting import ProposalRecord
from jara.store.sql.codecs import (
    document_text,
    in_list,
    instant_text,
    optional_instant,
    optional_instant_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_PROPOSAL = (
    "id, slug, title, status, ends_at, doc, created_at, opened_at, opened_index, decided_at, "
    "closed_index, roll_size, key_destroyed_at"
)


class ProposalRepository:
    """Proposals in every state."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def get(self, proposal_id: str) -> ProposalRecord | None:
        """Return a proposal by its id."""
        row = self._sql.one(
            f"SELECT {_PROPOSAL} FROM proposals WHERE id = :id", {"id": proposal_id}
        )
        return None if row is None else _record(row)

    def among(self, proposal_ids: Sequence[str]) -> list[ProposalRecord]:
        """Return the proposals with these ids, by id."""
        if not proposal_ids:
            return []
        listed, params = in_list("id", proposal_ids)
        rows = self._sql.all(
            f"SELECT {_PROPOSAL} FROM proposals WHERE id IN {listed} ORDER BY id", params
        )
        return [_record(row) for row in rows]

    def named(self, name: str) -> ProposalRecord | None:
        """Return the proposal with exactly that id or slug."""
        row = self._sql.one(
            f"SELECT {_PROPOSAL} FROM proposals WHERE id = :name OR slug = :name "
            "ORDER BY CASE WHEN id = :name THEN 0 ELSE 1 END LIMIT 1",
            {"name": name},
        )
        return None if row is None else _record(row)

    def find(self, text: str) -> ProposalRecord:
        """Return the proposal with this id or slug, or a unique prefix of either.

        Raises:
            NotFound: no proposal matches.
            Conflict: several proposals match.
        """
        rows = self._sql.all(
            f"SELECT {_PROPOSAL} FROM proposals WHERE (id >= :text AND id < :high) "
            "OR (slug >= :text AND slug < :high) "
            "ORDER BY CASE WHEN id = :text OR slug = :text THEN 0 ELSE 1 END, slug LIMIT 7",
            {"text": text, "high": text + "~"},
        )
        found = [_record(row) for row in rows]
        return choose_one(
            text,
            found or beginning_with(text, self.all(), lambda one: (one.proposal.title,)),
            kinds="proposals",
            label=lambda one: one.proposal.slug,
            missing=f"There is no proposal '{text}'; see `jara proposals list`.",
            names=lambda one: (one.proposal.id, one.proposal.slug),
        )

    def put(self, record: ProposalRecord) -> None:
        """Add or update a proposal."""
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

        Open proposals come first, soonest end first; then the others, newest first.
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

    def next_end(self, now: datetime) -> datetime | None:
        """Return when the next open vote ends; None if there is none."""
        row = self._sql.one(
            "SELECT MIN(ends_at) FROM proposals WHERE status = 'open' AND ends_at > :now",
            {"now": instant_text(now)},
        )
        return optional_instant(None if row is None else row[0])


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


@lru_cache(maxsize=128)  # votes and lists read the same rows repeatedly
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
