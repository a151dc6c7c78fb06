"""One operator alone cannot end a vote that has ballots."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.errors import Refused
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Approval
from jara.records.voting import ProposalRecord
from jara.services.context import Context
from jara.services.proposals import lifecycle
from jara.services.proposals.lifecycle import withdraw_proposal
from jara.services.proposals.views import list_public
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import copy_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.operations.controlled_world import verify

WHY = "The site was sold"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with four operators and an open vote that has a ballot."""
    return copy_of(with_a_vote, place)


def with_a_vote(folder: Path) -> Context:
    """Make the organisation."""
    context = make_organisation(folder)
    member = add_member(context, "ama")
    open_vote(context)
    vote(context, member)
    enrol(context, ada="admin", ben="approver", eve="editor", scheduler="scheduler")
    return context


def test_a_vote_with_ballots_is_withdrawn_by_two(context: Context, tmp_path: Path) -> None:
    """An admin's withdrawal waits; with an approver's signature it is carried out and listed."""
    waiting = withdraw_proposal(acting(context, "ada"), "prop_01", reason=WHY)
    assert isinstance(waiting, Approval)
    (listed,) = list_public(context)
    assert listed["status"] == "open"

    done = approve_as(context, waiting, "ben")

    assert isinstance(done, ProposalRecord)
    assert done.proposal.status is ProposalStatus.WITHDRAWN
    (listed,) = list_public(context)
    assert listed["withdrawal"] == {"reason": WHY, "ballots": 1}
    status, lines = verify(context, tmp_path)
    assert status == 0, lines
    assert "withdrawn with 1 ballots" in lines


def test_an_editor_cannot_withdraw_a_vote_with_ballots(context: Context) -> None:
    """An editor may withdraw drafts, but no vote that has ballots."""
    with pytest.raises(Refused, match=r"'votes\.withdraw' is for admin"):
        withdraw_proposal(acting(context, "eve"), "prop_01", reason=WHY)


def test_a_vote_without_ballots_is_withdrawn_by_one(context: Context) -> None:
    """Nobody's ballot is lost, so an editor may do it."""
    open_vote(acting(context, "eve"), id="prop_02", slug="prop-2")

    done = withdraw_proposal(acting(context, "eve"), "prop_02", reason=WHY)

    assert isinstance(done, ProposalRecord)


def test_the_verifier_refuses_a_withdrawal_by_one(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that skips the approval writes a log that the verifier refuses."""
    monkeypatch.setattr(lifecycle, "_ask_to_withdraw", lambda *_args, **_kwargs: None)
    withdraw_proposal(acting(context, "ada"), "prop_01", reason=WHY)

    status, lines = verify(context, tmp_path)

    assert status == 1
    assert "it withdraws 1 ballots without approval" in lines
