"""Sample content: seeding it, and removing it."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.overview import FixedCost
from jara.domain.content.kinds import KINDS, PROJECTS, UPDATES
from jara.domain.content.values import SLUG_MAX
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import Language
from jara.domain.organisation import DEFAULT_NAME
from jara.domain.voting.proposal import ProposalStatus
from jara.records.content import ContentItem
from jara.records.journal import FixedCostLine
from jara.records.operations import Approval
from jara.services.audit import record_act
from jara.services.books.policies import show_fixed_cost
from jara.services.content import ContentEditor, import_items, list_items, remove_unused, uses_of
from jara.services.context import Context
from jara.services.organisation import identity_of
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote, withdraw_proposal
from jara.services.samples.field import SamplePhoto, remove_partners, seed_partner
from jara.services.samples.words import in_own_words

CONTENT_KINDS = tuple(kind for kind in KINDS if kind != UPDATES)
"""The kinds that a seed file is named after; updates come with their projects."""

Document = Mapping[str, Any]


class SeedFiles(NamedTuple):
    """The documents of the seed files."""

    content: Mapping[str, list[dict[str, Any]]]  # the documents of each kind, in their order
    proposals: list[dict[str, Any]]
    fixed_costs: list[dict[str, Any]]  # the monthly costs
    partners: list[dict[str, Any]]  # the partners in the field, with their reports
    photos: Mapping[str, SamplePhoto]  # the photos of their reports, by the names in the files


class Seeded(NamedTuple):
    """How many items of a kind were added or restored, changed, or unchanged."""

    kind: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0


def seed_content(context: Context, files: SeedFiles) -> list[Seeded]:
    """Load everything, marked as sample; unchanged items are left alone.

    Raises:
        Conflict: it is no sandbox organisation; visitors would take the samples for real.
        InvalidInput: an item breaks a rule; its kind was not loaded.
    """
    if not context.payment_mode.is_sandbox:
        raise Conflict(
            "Samples are for sandbox organisations; load your own content, for example with `jara "
            "projects import`."
        )
    seeded = [seed_kind(context, kind, items) for kind, items in files.content.items()]
    return [
        *(one for ones in seeded for one in ones),
        seed_partners(context, files),
        seed_fixed_costs(context, files.fixed_costs),
        seed_proposals(context, files.proposals),
    ]


def seed_kind(context: Context, kind: str, documents: Iterable[Document]) -> list[Seeded]:
    """Load the items of one kind of content, and its updates; removed items are restored."""
    kinds = (kind, UPDATES) if kind == PROJECTS else (kind,)
    before = {each: _shown(context, each) for each in kinds}
    name = identity_of(context).name
    own = ({key: _named(one, name) for key, one in document.items()} for document in documents)
    import_items(context, kind, [_publish(mark_sample(document)) for document in own])
    return [_compare(each, before[each], _shown(context, each)) for each in kinds]


def _shown(context: Context, kind: str) -> dict[str, ContentItem]:
    """Return the samples of a kind that the site shows."""
    items = list_items(context, kind, published_only=True)
    return {item.id: item for item in items if item.doc.get("sample") is True}


def _compare(
    kind: str, before: Mapping[str, ContentItem], after: Mapping[str, ContentItem]
) -> Seeded:
    known = [before[name] == item for name, item in after.items() if name in before]
    return Seeded(kind, len(after) - len(known), known.count(False), known.count(True))


def seed_fixed_costs(context: Context, documents: Iterable[Document]) -> Seeded:
    """Load the budget of monthly costs."""
    lines = [read_fixed_cost(document, context.rules.language) for document in documents]
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


def seed_partners(context: Context, files: SeedFiles) -> Seeded:
    """Load the missing partners with their reports; their project has to be there."""
    added = sum(seed_partner(context, document, files.photos) for document in files.partners)
    return Seeded("partners", added, 0, len(files.partners) - added)


def seed_proposals(context: Context, documents: Iterable[Document]) -> Seeded:
    """Draft the missing proposals, and open those whose status in the samples is open.

    A withdrawn proposal stays in the public log; a copy with another id replaces it.
    """
    added = unchanged = 0
    for document in documents:
        free = _without_withdrawn(context, document)
        with context.store.read() as work:
            known = work.proposals.get(str(free.get("id", "")))
        if known is not None:
            unchanged += 1
            continue
        with context.together() as joined:
            record = draft_proposal(joined, mark_sample(free))
            if document.get("status") == ProposalStatus.OPEN:
                put_to_vote(joined, record.proposal.id)
        added += 1
    return Seeded("proposals", added, 0, unchanged)


def _without_withdrawn(context: Context, document: Document) -> Document:
    """Return a proposal with an id and a slug that no withdrawn proposal uses."""
    with context.store.read() as work:
        proposals = [record.proposal for record in work.proposals.all()]
    gone = {one.id: one.slug for one in proposals if one.status is ProposalStatus.WITHDRAWN}
    name = str(document.get("id", ""))
    found, number = document, 1
    while found.get("id") in gone:
        number += 1
        end = f"-{number}"
        slug = gone[name][: SLUG_MAX - len(end)].rstrip("-")
        found = {**document, "id": name + end, "slug": slug + end}
    return found


def _named(value: object, name: str) -> object:
    """Return what a sample says, with the organisation's own name."""
    if isinstance(value, str):
        return re.sub(rf"\b{DEFAULT_NAME}\b", lambda _: name, value)
    if isinstance(value, dict):
        return {key: _named(one, name) for key, one in value.items()}
    return [_named(one, name) for one in value] if isinstance(value, list) else value


def mark_sample(document: Document) -> dict[str, Any]:
    """Return a document that is marked as sample, as is each update in it."""
    marked = {**document, "sample": True}
    if isinstance(marked.get("updates"), list):
        marked["updates"] = [{**update, "sample": True} for update in marked["updates"]]
    return marked


def _publish(document: Document) -> dict[str, Any]:
    updates = document.get("updates")
    brought = {"updates": list(map(_publish, updates))} if isinstance(updates, list) else {}
    return {"published": True, **document, **brought}


def read_fixed_cost(document: Document, language: Language) -> FixedCostLine:
    """Read a line of the budget, with its name in the language of the organisation if it has one.

    Raises:
        InvalidInput: a value is missing or invalid.
    """
    try:
        until = document.get("validTo")
        return FixedCostLine(
            id=str(document["id"]),
            cost=FixedCost(
                name=str(document.get(language, document["name"])),
                monthly_cents=int(document["amountCents"]),
                valid_from=date.fromisoformat(document["validFrom"]),
                valid_to=None if until is None else date.fromisoformat(until),
            ),
        )
    except KeyError as error:
        raise InvalidInput(f"A fixed cost has no {error}.") from error
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"Invalid fixed cost: {error}.") from error


REASON = "sample content removed"
_WITHDRAWABLE = frozenset({ProposalStatus.DRAFT, ProposalStatus.OPEN})


class Removed(NamedTuple):
    """How many sample items of a kind were removed, and how many have to stay."""

    kind: str
    removed: int
    kept: int = 0


def remove_samples(
    context: Context, fixed_costs: Iterable[Mapping[str, Any]] = ()
) -> list[Removed]:
    """Remove all sample content; what is in the public log stays there, marked as sample.

    Content that was changed, or that something refers to, is hidden. Decided votes stay.
    `fixed_costs` are the documents of the sample costs; changed lines stay.
    """
    partners = Removed("partners", remove_partners(context))
    # Updates first: a project with updates cannot be removed.
    by_kind = {kind: _remove_items(context, kind) for kind in (UPDATES, *KINDS)}
    removed = [by_kind[kind] for kind in KINDS]
    costs = _remove_costs(context, fixed_costs)
    return [*removed, partners, costs, _withdraw_proposals(context)]


def _remove_items(context: Context, kind: str) -> Removed:
    """Remove the samples of a kind; hide those that were changed or are used."""
    removed = 0
    with context.store.write() as work:
        editor = ContentEditor(context, work, KINDS[kind])
        first: dict[str, ContentItem] = {}
        for change in work.content.history(kind):
            first.setdefault(change.item.id, change.item)
        for item in list(editor.items.values()):
            if item.doc.get("sample") is not True:
                continue
            is_unchanged = first[item.id].doc == item.doc
            if is_unchanged and not any(uses_of(work, item)):
                remove_unused(context, work, item)
                removed += 1
            elif item.published:
                editor.put(dict(item.doc), published=False, position=item.position)
                removed += 1
    return Removed(kind, removed)


def _remove_costs(context: Context, documents: Iterable[Mapping[str, Any]]) -> Removed:
    samples = [read_fixed_cost(document, context.rules.language) for document in documents]
    with context.store.write() as work:
        known = {line.id: line for line in work.book_settings.fixed_costs()}
        same = [line for line in samples if known.get(line.id) == line]
        for line in same:
            work.book_settings.remove_fixed_cost(line.id)
            before = show_fixed_cost(line.cost)
            record_act(context, work, "fixed_costs.remove", line.id, before=before)
    changed = sum(line.id in known for line in samples) - len(same)
    return Removed("fixed-costs", len(same), changed)


def _withdraw_proposals(context: Context) -> Removed:
    with context.store.read() as work:
        samples = [r.proposal for r in work.proposals.all() if r.proposal.is_sample]
    going = [proposal for proposal in samples if proposal.status in _WITHDRAWABLE]
    reason = in_own_words(context, REASON)
    done = [withdraw_proposal(context, proposal.id, reason=reason) for proposal in going]
    waiting = sum(isinstance(one, Approval) for one in done)
    decided = sum(
        proposal.status not in {*_WITHDRAWABLE, ProposalStatus.WITHDRAWN} for proposal in samples
    )
    return Removed("proposals", len(going) - waiting, decided + waiting)
