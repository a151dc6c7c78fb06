"""Seeding adds marked sample content once, and overwrites nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.voting.proposal import ProposalStatus
from jara.services.content import remove_item
from jara.services.field.partners import list_links
from jara.services.field.publishing import list_reports
from jara.services.samples.field import seed_partner
from jara.services.samples.seeding import (
    CONTENT_KINDS,
    Seeded,
    seed_content,
    seed_fixed_costs,
    seed_proposals,
)
from tests.harness import make_organisation
from tests.services.samples.demonstration_stage_setup import seed_files

COST = {"id": "post", "name": "Postage", "amountCents": 900, "validFrom": "2026-01-01"}


def test_everything_is_loaded_and_marked_as_sample(place: Path) -> None:
    """Each file of data/ has its items on the site, and each item says that it is a sample."""
    context = make_organisation(place)
    files = seed_files()

    seeded = {one.kind: one for one in seed_content(context, files)}

    assert set(seeded) == {*CONTENT_KINDS, "updates", "partners", "fixed-costs", "proposals"}
    assert (seeded["projects"].added, seeded["updates"].added) == (9, 7)
    assert len(files.content["donations"]) == seeded["donations"].added == 7
    with context.store.read() as work:
        for kind in (*CONTENT_KINDS, "updates"):
            assert all(item.doc["sample"] is True for item in work.content.all(kind)), kind
        (proposal,) = work.proposals.all()
        assert work.journal.count() == 0
        assert list(work.members.all()) == []
    assert proposal.proposal.is_sample
    assert ProposalStatus.OPEN is proposal.proposal.status
    days = proposal.proposal.ends_at - context.now()
    assert timedelta(days=30) <= days <= timedelta(days=31)


def test_seeding_twice_changes_nothing(place: Path) -> None:
    """A second run adds and changes nothing."""
    context = make_organisation(place)
    seed_content(context, seed_files())

    again = seed_content(context, seed_files())

    assert {(one.added, one.changed) for one in again} == {(0, 0)}
    assert sum(one.unchanged for one in again) > 40


def test_a_changed_cost_is_changed(place: Path) -> None:
    """An item with a known id gets the new values."""
    context = make_organisation(place)
    seed_fixed_costs(context, [COST])

    assert seed_fixed_costs(
        context, [{**COST, "amountCents": 1000, "validTo": "2026-12-31"}]
    ) == Seeded("fixed-costs", changed=1)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"name": None, "id": "x"}, "has no 'amountCents'"),
        ({**COST, "validFrom": "soon"}, "Invalid fixed cost"),
        ({**COST, "amountCents": None}, "Invalid fixed cost"),
    ],
)
def test_a_broken_cost_is_refused(place: Path, broken: dict[str, Any], complaint: str) -> None:
    """A missing or invalid value is named."""
    with pytest.raises(InvalidInput, match=complaint):
        seed_fixed_costs(make_organisation(place), [broken])


def test_only_an_open_proposal_is_opened(place: Path) -> None:
    """Other proposals stay drafts."""
    context = make_organisation(place)
    (document,) = seed_files().proposals

    seed_proposals(context, [{**document, "status": "draft"}])

    with context.store.read() as work:
        (record,) = work.proposals.all()
    assert ProposalStatus.DRAFT is record.proposal.status


def test_files_may_be_missing(place: Path) -> None:
    """A folder with a single file loads that file."""
    files = seed_files()._replace(content={}, proposals=[], fixed_costs=[COST])

    assert sum(one.added for one in seed_content(make_organisation(place), files)) == 1


@pytest.mark.parametrize("lacking", ["id", "project", "name", "language"])
def test_a_broken_partner_is_refused(place: Path, lacking: str) -> None:
    """The missing value is named, and nothing of the partner is added."""
    context = make_organisation(place)
    files = seed_files()
    (document,) = files.partners
    broken = {name: value for name, value in document.items() if name != lacking}

    with pytest.raises(InvalidInput, match=f"A sample partner has no '{lacking}'"):
        seed_content(context, files._replace(partners=[broken]))
    assert list_links(context) == []


def test_a_partner_with_a_wrong_value_is_refused(place: Path) -> None:
    """A consent that YAML reads as a truth is a usual one: without quotes, yes is no text."""
    context = make_organisation(place)
    files = seed_files()
    (document,) = files.partners
    broken = {**document, "reports": [{**document["reports"][-1], "consent": True}]}

    with pytest.raises(InvalidInput, match="Invalid sample partner: True"):
        seed_content(context, files._replace(partners=[broken]))
    assert list_links(context) == []


def test_a_report_whose_update_is_not_there_is_left_out(place: Path) -> None:
    """An operator removed the update; the other reports are added."""
    context = make_organisation(place)
    files = seed_files()
    seed_content(context, files._replace(partners=[]))
    remove_item(context, "updates", "second-tank")
    (document,) = files.partners

    assert seed_partner(context, document, files.photos)
    titles = {one.title for one in list_reports(context, undecided_only=False)}
    assert titles == {"Water at 62 m!", "The committee had its first training day"}
