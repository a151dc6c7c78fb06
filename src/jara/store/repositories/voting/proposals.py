"""Proposals in the database."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from jara.domain.content.fields import Document, fill
from jara.domain.content.kinds import PROPOSAL
from jara.domain.lookup import beginning_with, choose_one
from jara.domain.voting.proposal import LISTED, Proposal, ProposalStatus
from jara.domain.voting.tally import read_rule
from jara.records.voting import ProposalRecord
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import in_list, read_instant


class _Row(NamedTuple):
    """A row of the table: the proposal, its text as a document, and its state in the log."""

    id: str
    slug: str
    title: str
    status: ProposalStatus
    ends_at: datetime
    doc: Mapping[str, Any]
    created_at: datetime
    opened_at: datetime | None
    opened_index: int | None
    decided_at: datetime | None
    closed_index: int | None
    roll_size: int | None
    key_destroyed_at: datetime | None


PROPOSALS = Rows("proposals", _Row)


class ProposalRepository(Repository):
    """Proposals in every state."""

    def get(self, proposal_id: str) -> ProposalRecord | None:
        """Return a proposal by its id."""
        return _first(self._all("WHERE id = :id", id=proposal_id))

    def among(self, proposal_ids: Sequence[str]) -> list[ProposalRecord]:
        """Return the proposals with these ids, by id."""
        listed, params = in_list("id", proposal_ids)
        return self._all(f"WHERE id IN {listed} ORDER BY id", **params) if params else []

    def named(self, name: str) -> ProposalRecord | None:
        """Return the proposal with exactly that id or slug."""
        return _first(
            self._all(
                "WHERE id = :name OR slug = :name "
                "ORDER BY CASE WHEN id = :name THEN 0 ELSE 1 END LIMIT 1",
                name=name,
            )
        )

    def find(self, text: str) -> ProposalRecord:
        """Return the proposal with this id or slug, or a unique prefix of either.

        Raises:
            NotFound: no proposal matches.
            Conflict: several proposals match.
        """
        records = self._all(
            "WHERE (id >= :text AND id < :high) OR (slug >= :text AND slug < :high) "
            "ORDER BY CASE WHEN id = :text OR slug = :text THEN 0 ELSE 1 END, slug LIMIT 7",
            text=text,
            high=text + "~",
        )
        return choose_one(
            text,
            records or beginning_with(text, self.all(), lambda record: (record.proposal.title,)),
            kinds="proposals",
            label=lambda record: record.proposal.slug,
            missing=f"There is no proposal '{text}'; see `jara proposals list`.",
            names=lambda record: (record.proposal.id, record.proposal.slug),
            near=lambda: {
                name: record
                for record in self.all()
                for name in (record.proposal.slug, record.proposal.title)
            },
        )

    def put(self, record: ProposalRecord) -> None:
        """Add or update a proposal."""
        proposal = record.proposal
        row = _Row(
            id=proposal.id,
            slug=proposal.slug,
            title=proposal.title,
            status=proposal.status,
            ends_at=proposal.ends_at,
            doc={
                **_document(proposal),
                "languages": dict(record.languages),
                **({"opened_with": dict(record.opened_with)} if record.opened_with else {}),
            },
            created_at=record.created_at,
            opened_at=record.opened_at,
            opened_index=record.opened_index,
            decided_at=record.decided_at,
            closed_index=record.closed_index,
            roll_size=record.roll_size,
            key_destroyed_at=record.key_destroyed_at,
        )
        PROPOSALS.put(self._sql, row)

    def all(self, *statuses: ProposalStatus) -> list[ProposalRecord]:
        """Return the proposals in these states, or all.

        Open proposals come first, soonest end first; then the others, newest first.
        """
        names, params = in_list("s", [status.value for status in statuses or ProposalStatus])
        return self._all(
            f"WHERE status IN {names} ORDER BY CASE WHEN status = 'open' THEN 0 ELSE 1 END, "
            "CASE WHEN status = 'open' THEN ends_at END, "
            "COALESCE(decided_at, opened_at, created_at) DESC, id",
            **params,
        )

    def listed(self) -> list[ProposalRecord]:
        """Return the proposals that the site lists, in the same order."""
        return [record for record in self.all(*LISTED) if record.is_listed]

    def next_end(self, now: datetime) -> datetime | None:
        """Return when the next open vote ends; None if there is none."""
        query = "SELECT MIN(ends_at) FROM proposals WHERE status = 'open' AND ends_at > :now"
        return self._value(read_instant, query, now=now)

    def _all(self, rest: str, **params: object) -> list[ProposalRecord]:
        rows = self._sql.all(f"SELECT {PROPOSALS.columns()} FROM proposals {rest}", params)
        return [_record(row) for row in rows]


def _first(records: Sequence[ProposalRecord]) -> ProposalRecord | None:
    return records[0] if records else None


_STORED = {
    "countryCode": "country_code",
    "endDate": "ends_text",
    "fundingGoalCents": "goal_cents",
    "storySections": "story_html",
    "implementation": "implementation_html",
    "budgetList": "budget",
}
"""The fields that the store names otherwise; a new field keeps its name."""

_ROWS = {
    "budgetList": ("description", "amountCents"),
    "submitters": ("image", "linkedinUrl", "name"),
}
"""The fields whose items the store holds as rows of these values."""

_COLUMNS = ("id", "slug", "title")


def _document(proposal: Proposal) -> dict[str, Any]:
    return {
        **{
            _STORED.get(key, key): [[item[name] for name in _ROWS[key]] for item in value]
            if key in _ROWS
            else value
            for key, value in proposal.text.items()
            if key not in _COLUMNS
        },
        "rule": proposal.rule.document(),
    }


def _text(row: _Row) -> Document:
    stored = {**row.doc, "id": row.id, "slug": row.slug, "title": row.title}
    keys = [field.name for field in PROPOSAL.fields]
    named = {key: stored.get(_STORED.get(key, key)) for key in keys}
    for key, names in _ROWS.items():
        named[key] = [dict(zip(names, values, strict=True)) for values in named[key] or ()]
    return fill(PROPOSAL.fields, {**named, "sample": stored.get("sample") or None})


@lru_cache(maxsize=128)  # votes and lists read the same rows repeatedly
def _record(values: tuple[Any, ...]) -> ProposalRecord:
    row = PROPOSALS.read(values)
    proposal = Proposal(
        text=_text(row),
        status=row.status,
        rule=read_rule(row.doc["rule"]),
        opened_at=row.opened_at,
        decided_at=row.decided_at,
    )
    return ProposalRecord(
        proposal,
        created_at=row.created_at,
        opened_index=row.opened_index,
        closed_index=row.closed_index,
        roll_size=row.roll_size,
        key_destroyed_at=row.key_destroyed_at,
        languages=row.doc.get("languages", {}),
        opened_with=row.doc.get("opened_with", {}),
    )
