"""An operator sees that a member voted only after the ballot key was destroyed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from jara.domain.giving.pledge import PledgeState
from jara.services.members.documents import show_member
from jara.services.members.operators import MemberQuery, search_members, show_to_operator
from jara.services.proposals.closing import KEY_LIFETIME, close_due_votes, destroy_due_keys
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote


def test_votes_are_shown_once_their_key_is_destroyed(place: Path) -> None:
    """A member sees the own vote immediately, an operator only with the list of voters."""
    context = make_organisation(place)
    member = add_member(context, "ama")
    proposal = open_vote(context)
    vote(context, member)

    assert show_to_operator(context, "ama")["votes"] == {}
    assert list(show_member(context, member.id).votes) == [proposal]
    clock_of(context).advance(days=40)
    close_due_votes(context)
    assert show_to_operator(context, "ama")["votes"] == {}
    clock_of(context).advance(days=KEY_LIFETIME.days + 1)
    destroy_due_keys(context)

    assert show_to_operator(context, "ama")["votes"] == {proposal: "voted"}


def test_members_are_found_by_any_part(place: Path) -> None:
    """Any part of the name, the address or the id is found; all conditions must match."""
    context = make_organisation(place)
    ada, bob = add_member(context, "ada"), add_member(context, "bob")

    def found(**wanted: Any) -> set[str]:
        return {line.member.id for line in search_members(context, MemberQuery(**wanted))}

    assert found(text="DA@ex") == {ada.id}
    assert found(text=bob.id[3:]) == {bob.id}
    assert found(country="ca", states=(PledgeState.ACTIVE,)) == {ada.id, bob.id}
    assert found(text="ada", country="Ghana") == set()
    assert found(since=context.today()) == {ada.id, bob.id}
    assert found(since=context.today() + timedelta(days=1)) == set()
