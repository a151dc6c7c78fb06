"""An invited member sets the password; until then nobody can sign in."""

from __future__ import annotations

import pytest

from jara.domain.errors import Conflict, EmailTaken, InvalidInput
from jara.records.people import PendingRegistration
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import INVITATION_LIFE, InvitationForm, invite_member
from jara.services.members.password_resets import reset_password
from jara.services.notices.outbox import list_outbox
from jara.services.operations.operators import add_operator, invite_operator
from tests.harness import clock_of
from tests.sent_emails import code_in, values_of

PASSWORD = "kente-harbour-sunrise"
AMA = InvitationForm(firstname="Ama", lastname="Mensah", email="ama@example.org", country="ghana")


def codes(context: Context) -> list[str]:
    """Return the codes of all invitations, oldest first."""
    mails = [mail for mail in reversed(list_outbox(context)) if mail.kind == "invitation"]
    return [code_in(values_of(context, mail)["link"]) for mail in mails]


def accept(context: Context, code: str) -> None:
    """Set the password with a code."""
    reset_password(context, code=code, password=PASSWORD, confirmation=PASSWORD)


def test_an_invited_member_sets_the_password(context: Context) -> None:
    """The link confirms the address, and emails before that contain no name."""
    member = invite_member(context, AMA)
    assert (member.email_confirmed, member.country) == (False, "Ghana")
    assert {mail.doc["firstname"] for mail in list_outbox(context)} == {""}

    accept(context, codes(context)[0])

    with context.store.read() as work:
        known, stored = work.members.get(member.id), work.members.password_hash(member.id)
    assert known is not None
    assert known.email_confirmed
    assert context.hasher.verify(stored or "", PASSWORD)
    with pytest.raises(EmailTaken, match="has an account already"):
        invite_member(context, AMA)


def test_a_second_invitation_replaces_the_first(context: Context) -> None:
    """There is one account, the old link stops working, and a link expires after a week."""
    first = invite_member(context, AMA)
    clock_of(context).advance(minutes=1)
    assert first.id == invite_member(context, AMA).id

    old, new = codes(context)
    with pytest.raises(UnusableCode):
        accept(context, old)
    clock_of(context).advance(days=INVITATION_LIFE.days)
    clock_of(context).advance(minutes=1)
    with pytest.raises(UnusableCode):
        accept(context, new)


def test_wrong_fields_are_named_together(context: Context) -> None:
    """All wrong fields are reported together, as when joining."""
    form = InvitationForm(firstname="", lastname="M", email="x", country="nowhere at all")

    with pytest.raises(InvalidInput) as refused:
        invite_member(context, form)

    assert set(refused.value.fields) == {"firstname", "email", "country"}


def test_a_sign_up_under_way_is_left_alone(context: Context) -> None:
    """A person who is already joining gets no invitation."""
    pending = PendingRegistration("r1", AMA.email, "m1", "k1", context.now(), {})
    with context.store.write() as work:
        work.registrations.put(pending)

    with pytest.raises(EmailTaken, match="is signing up"):
        invite_member(context, AMA)


def test_an_operator_is_invited_without_any_secret(context: Context) -> None:
    """The email says how to make a key; nothing else changes."""
    invite_operator(context, "ben", email="ben@example.org")

    (mail,) = list_outbox(context)
    assert (
        mail.kind,
        mail.address,
        mail.doc["name"],
    ) == ("operator_invitation", "ben@example.org", "ben")
    with pytest.raises(InvalidInput):
        invite_operator(context, "ben", email="nobody")
    add_operator(context, "tester")
    with pytest.raises(Conflict, match="is an operator already"):
        invite_operator(context, "tester", email="t@example.org")
