"""Removes sample content: items are hidden, votes withdrawn, sample costs removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from jara.domain.content.kinds import KINDS
from jara.domain.voting.proposal import ProposalStatus
from jara.services.audit import record_act
from jara.services.books.policies import show_fixed_cost
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.samples.seeding import read_fixed_cost

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

    Content items keep their history, but are hidden everywhere. Decided votes stay.

    Args:
        context: the application's context.
        fixed_costs: the documents of the sample costs; changed lines stay.
    """
    removed = [_hide_items(context, kind) for kind in KINDS]
    return [*removed, _remove_costs(context, fixed_costs), _withdraw_proposals(context)]


def _hide_items(context: Context, kind: str) -> Removed:
    with context.store.write() as work:
        editor = ContentEditor(context, work, KINDS[kind])
        found = [item for item in editor.items.values() if item.doc.get("sample") is True]
        shown = [item for item in found if item.published]
        for item in shown:
            editor.put(dict(item.doc), published=False, position=item.position)
    return Removed(kind, len(shown))


def _remove_costs(context: Context, documents: Iterable[Mapping[str, Any]]) -> Removed:
    samples = [read_fixed_cost(document) for document in documents]
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
        samples = [r.proposal for r in work.proposals.all() if r.proposal.sample]
    going = [proposal for proposal in samples if proposal.status in _WITHDRAWABLE]
    for proposal in going:
        withdraw_proposal(context, proposal.id, reason=REASON)
    decided = sum(
        proposal.status not in {*_WITHDRAWABLE, ProposalStatus.WITHDRAWN} for proposal in samples
    )
    return Removed("proposals", len(going), decided)
