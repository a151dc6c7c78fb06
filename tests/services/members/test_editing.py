"""An operator mends a member's name, country and address; the member does so on the site."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.errors import EmailTaken, InvalidInput, NotFound
from jara.domain.giving.member import Member
from jara.records.operations import AuditRow
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import InvitationForm, invite_member
from jara.services.members.documents import export_member
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.members.password_resets import reset_password
from jara.services.members.profiles import confirm_address, set_country
from tests.harness import make_organisation
from tests.sent_emails import code_in, mailed_code, values_of
from tests.services.giving.joiners import EMAIL, join
from tests.services.members.codes_world import PASSWORD, a_member

NEW = "amina@example.org"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation."""
    return make_organisation(place)


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


def test_what_is_wrong_changes_nothing(context: Context) -> None:
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


def test_members_set_their_country(context: Context) -> None:
    """By any of its names."""
    member = join(context).member

    assert set_country(context, member.id, "CA").country == "Canada"
    assert stored(context, member).country == "Canada"
    with pytest.raises(InvalidInput, match="Atlantis"):
        set_country(context, member.id, "Atlantis")
