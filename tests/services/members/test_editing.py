"""What operators see of members and mend."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import EmailTaken, InvalidInput, NotFound
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.records.operations import AuditRow
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import InvitationForm, invite_member
from jara.services.members.documents import export_member, show_member
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.members.operators import MemberQuery, search_members, show_to_operator
from jara.services.members.password_resets import reset_password
from jara.services.members.profiles import confirm_address, rename, set_country
from jara.services.proposals.closing import KEY_LIFETIME, close_due_votes, destroy_due_keys
from tests.fakes.kills import survive
from tests.harness import clock_of, make_organisation
from tests.sent_emails import code_in, mailed_code, values_of
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.giving.joiners import EMAIL, join
from tests.services.members.codes_world import PASSWORD, a_member

NEW = "amina@example.org"


def stored(context: Context, member: Member) -> Member:
    """Return the member as stored now."""
    with context.store.read() as work:
        person = work.members.get(member.id)
    assert person is not None
    return person


def acts(context: Context) -> list[AuditRow]:
    """Return what the audit log has about edits."""
    with context.store.read() as work:
        return [row for row in work.operations.audit() if row.action == "members.edit"]


def test_name_and_country_change_at_once(context: Context) -> None:
    """The audit log and the member's export name the reason, and no values."""
    member = join(context).member
    edit = MemberEdit(firstname="Amina", country="ke")
    edited = edit_member(context, member.email, edit, why="moved to Nairobi")

    assert edited == stored(context, member)
    assert (edited.firstname, edited.lastname, edited.country) == ("Amina", "Mensah", "Kenya")
    [act] = acts(context)
    assert (act.subject, act.why, act.after["changed"]) == (
        member.key,
        "moved to Nairobi",
        ["country", "firstname"],
    )
    exported = export_member(context, member.id)
    assert exported["profile"]["country"] == "Kenya"
    assert [one["why"] for one in exported["actsOfOperators"]] == ["moved to Nairobi"]


def test_a_new_address_counts_once_it_is_confirmed(context: Context) -> None:
    """The old address stays until then, and learns of the change with a link to undo it."""
    member = a_member(context)
    edit_member(context, member.id, MemberEdit(email=NEW), why="asked by phone")
    assert stored(context, member) == member

    confirm_address(context, mailed_code(context, "address_confirm", NEW))
    assert (stored(context, member).email, stored(context, member).email_confirmed) == (NEW, True)
    with context.store.read() as work:
        told = {mail.address for mail in work.outbox.all() if mail.kind == "address_changed"}
    assert told == {member.email, NEW}
    assert [act.after["changed"] for act in acts(context)] == [["email"]]


def test_an_invitation_to_a_mistyped_address_moves(context: Context) -> None:
    """Whoever has the mistyped address can do nothing with the earlier link."""
    form = InvitationForm(firstname="Ama", lastname="M", email="ama@exmaple.org", country="Ghana")
    member = invite_member(context, form)
    with context.store.read() as work:
        [first] = [mail for mail in work.outbox.all() if mail.kind == "invitation"]
    old = code_in(values_of(context, first)["link"])
    edit_member(context, member.id, MemberEdit(email=EMAIL), why="mistyped")
    new = mailed_code(context, "invitation", EMAIL)

    assert first.address == "ama@exmaple.org"
    with pytest.raises(UnusableCode):
        reset_password(context, code=old, password=PASSWORD, confirmation=PASSWORD)
    reset_password(context, code=new, password=PASSWORD, confirmation=PASSWORD)
    assert (stored(context, member).email, stored(context, member).email_confirmed) == (EMAIL, True)


def test_an_invalid_member_edit_changes_nothing(context: Context) -> None:
    """All faults at once; taken addresses, unknown members and equal values are refused."""
    member = join(context).member
    other = a_member(context, NEW)
    with pytest.raises(InvalidInput) as error:
        edit_member(context, EMAIL, MemberEdit(firstname="", country="Atlantis", email="x"))
    assert set(error.value.fields) == {"firstname", "country", "email"}
    with pytest.raises(EmailTaken):
        edit_member(context, EMAIL, MemberEdit(firstname="Amina", email=NEW))
    with pytest.raises(NotFound):
        edit_member(context, "nobody@example.org", MemberEdit(country="Kenya"))
    for edit in (MemberEdit(), MemberEdit(country="canada"), MemberEdit(email=NEW)):
        with pytest.raises(InvalidInput, match="has these values already"):
            edit_member(context, NEW, edit)

    assert (stored(context, member), stored(context, other)) == (member, other)
    assert acts(context) == []


class RecordingGateway:
    """A provider that remembers what each customer is called."""

    def __init__(self, real: object) -> None:
        """Wrap the real gateway."""
        self._real = real
        self.known: tuple[str, str] | None = None

    def __getattr__(self, name: str) -> Any:
        """Pass every other call on."""
        return getattr(self._real, name)

    def change_customer(self, customer_id: str, *, email: str, name: str) -> None:
        """Remember the newest name and address."""
        assert customer_id
        self.known = (name, email)


def confirm_new(context: Context, member: Member) -> None:
    """Follow the link in the new mailbox."""
    assert member
    confirm_address(context, mailed_code(context, "address_confirm", NEW))


CHANGES: dict[str, Callable[[Context, Member], object]] = {
    "operator": lambda context, member: edit_member(
        context, member.email, MemberEdit(firstname="Amina", email="new@example.org")
    ),
    "member": lambda context, member: rename(
        context, member.id, firstname="Amina", lastname="Addo"
    ),
    "address": confirm_new,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_reaches_the_provider_whole_or_not_at_all(
    place: Path, change: Callable[[Context, Member], object]
) -> None:
    """Whatever statement fails, the provider has the name and address of the books."""
    real = make_organisation(place)
    member = join(real).member
    edit_member(real, member.email, MemberEdit(email=NEW))
    gateway: Any = RecordingGateway(real.gateway)
    context = replace(real, gateway=gateway)
    step, ended = 0, False
    while not ended:
        ended = survive(lambda: change(context, member), step)
        step += 1
        now = stored(context, member)
        own = (f"{now.firstname} {now.lastname}", now.email)
        assert gateway.known in {own, *([] if ended else [None])}, step

    assert step >= 2


def test_members_set_their_country(context: Context) -> None:
    """By any of its names."""
    member = join(context).member

    assert set_country(context, member.id, "CA").country == "Canada"
    assert stored(context, member).country == "Canada"
    with pytest.raises(InvalidInput, match="Atlantis"):
        set_country(context, member.id, "Atlantis")


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
