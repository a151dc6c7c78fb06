"""Sample content goes as it came: all of it, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from jara.domain.payment_mode import PaymentMode
from jara.domain.voting.proposal import ProposalStatus
from jara.services.books.policies import list_fixed_costs
from jara.services.content.editing import import_items
from jara.services.content.kinds import KINDS
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes
from jara.services.samples.removing import Removed, remove_samples
from jara.services.samples.seeding import seed_content, seed_proposals
from tests.harness import clock_of, make_organisation
from tests.services.giving.giving_year import WELLS
from tests.services.samples.demonstration_stage_setup import seed_files


def shown(context: Context) -> list[str]:
    """Return the ids of everything on the website."""
    with context.store.read() as work:
        return [i.id for kind in KINDS for i in work.content.all(kind, published_only=True)]


def test_samples_are_removed_and_nothing_else(place: Path) -> None:
    """Own items stay; a second time there is nothing to do; seeding brings them back."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files)
    import_items(context, "projects", [WELLS])
    real = replace(context, payment_mode=PaymentMode.LIVE)

    removed = remove_samples(real, files.fixed_costs)

    assert ["wells", "first-water"] == shown(context)
    assert [] == list_fixed_costs(context)
    assert Removed("proposals", 1) == removed[-1]
    with context.store.read() as work:
        (record,) = work.proposals.all()
    assert ProposalStatus.WITHDRAWN is record.proposal.status
    assert {0} == {one.removed + one.kept for one in remove_samples(real, files.fixed_costs)}
    seed_content(context, files)
    assert len(shown(context)) > 40


def test_what_was_changed_or_decided_stays(place: Path) -> None:
    """A cost with a new amount is the operator's own, and a decided vote is in the public log."""
    context = make_organisation(place)
    files = seed_files()
    seed_proposals(context, files.proposals)
    clock_of(context).set(datetime(2027, 2, 1, tzinfo=UTC))
    close_due_votes(context)
    cost, *_ = files.fixed_costs
    own = {**cost, "amountCents": 123}
    seed_content(context, replace(files, content={}, fixed_costs=[own]))

    removed = remove_samples(context, files.fixed_costs)

    assert [Removed("fixed-costs", 0, 1), Removed("proposals", 0, 1)] == removed[-2:]
