"""Seeding: the sample content, so that a new site is not empty; no members, no money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from jara.domain.books.overview import FixedCost
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.voting.proposal import ProposalStatus
from jara.services.audit import record_act
from jara.services.books.policies import show_fixed_cost
from jara.services.content.editing import import_items
from jara.services.content.kinds import KINDS, UPDATES
from jara.services.context import Context
from jara.services.ports.book_settings import FixedCostLine
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote

CONTENT_KINDS = tuple(kind for kind in KINDS if kind != UPDATES)
"""The kinds that a seed file is named after; updates come with their projects."""

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeedFiles:
    """The documents of the seed files.

    Args:
        content: of each kind its documents, in their order.
        proposals: what is voted on.
        fixed_costs: what comes every month.
    """

    content: Mapping[str, list[dict[str, Any]]]
    proposals: list[dict[str, Any]]
    fixed_costs: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Seeded:
    """How many items of a kind were added and changed, and how many were the same."""

    kind: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0


def seed_content(context: Context, files: SeedFiles) -> list[Seeded]:
    """Load everything, marked as sample; what is there and the same is left alone.

    Raises:
        Conflict: the organisation is a real one; visitors would take the samples for projects.
        InvalidInput: an item breaks a rule; its kind was not loaded.
    """
    if not context.payment_mode.is_sandbox:
        raise Conflict(
            "Samples are for sandbox organisations; load your own content with `jara projects "
            "import` and the like."
        )
    seeded = [seed_kind(context, kind, items) for kind, items in files.content.items()]
    return [
        *seeded,
        seed_fixed_costs(context, files.fixed_costs),
        seed_proposals(context, files.proposals),
    ]


def seed_kind(context: Context, kind: str, documents: Iterable[Document]) -> Seeded:
    """Load the items of one kind of content; what was removed is shown again."""
    shown = [_publish(mark_sample(document)) for document in documents]
    result = import_items(context, kind, shown)
    return Seeded(kind, result.added, result.changed, result.unchanged)


def seed_fixed_costs(context: Context, documents: Iterable[Document]) -> Seeded:
    """Load the budget of what comes every month."""
    lines = [read_fixed_cost(document) for document in documents]
    added = changed = 0
    with context.store.write() as work:
        known = {line.id: line for line in work.book_settings.fixed_costs()}
        for line in lines:
            if known.get(line.id) == line:
                continue
            earlier = known.get(line.id)
            added += earlier is None
            changed += earlier is not None
            work.book_settings.put_fixed_cost(line)
            before = None if earlier is None else show_fixed_cost(earlier.cost)
            facts = show_fixed_cost(line.cost)
            record_act(context, work, "fixed_costs.put", line.id, before=before, facts=facts)
    return Seeded("fixed-costs", added, changed, len(lines) - added - changed)


def seed_proposals(context: Context, documents: Iterable[Document]) -> Seeded:
    """Draft the proposals that are not there, and open those that are to be voted on."""
    added = unchanged = 0
    for document in documents:
        with context.store.read() as work:
            known = work.proposals.get(str(document.get("id", "")))
        if known is not None:
            unchanged += 1
            continue
        record = draft_proposal(context, mark_sample(document))
        if document.get("status") == ProposalStatus.OPEN:
            put_to_vote(context, record.proposal.id)
        added += 1
    return Seeded("proposals", added, 0, unchanged)


def mark_sample(document: Document) -> dict[str, Any]:
    """Return a document that says that it is a sample, and so does each update in it."""
    marked = {**document, "sample": True}
    if isinstance(marked.get("updates"), list):
        marked["updates"] = [{**update, "sample": True} for update in marked["updates"]]
    return marked


def _publish(document: Document) -> dict[str, Any]:
    updates = document.get("updates")
    brought = {"updates": list(map(_publish, updates))} if isinstance(updates, list) else {}
    return {"published": True, **document, **brought}


def read_fixed_cost(document: Document) -> FixedCostLine:
    """Read a line of the budget.

    Raises:
        InvalidInput: a value is missing or invalid.
    """
    try:
        until = document.get("validTo")
        return FixedCostLine(
            id=str(document["id"]),
            cost=FixedCost(
                name=str(document["name"]),
                monthly_cents=int(document["amountCents"]),
                valid_from=date.fromisoformat(document["validFrom"]),
                valid_to=None if until is None else date.fromisoformat(until),
            ),
        )
    except KeyError as error:
        raise InvalidInput(f"A fixed cost has no {error}.") from error
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"Invalid fixed cost: {error}.") from error
