"""Codes of emails are in no copy of the database, so a stolen copy opens no account."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Unavailable
from jara.security.keys import SecretsFolder
from jara.services.context import Context
from jara.services.members.accounts import InvitationForm, invite_member
from jara.services.members.profiles import request_email_change
from jara.services.notices.emails import queue_member_email
from jara.services.notices.newsletter import subscribe
from jara.services.rate_limits import Limits
from tests.harness import make_organisation
from tests.places import database_of, is_on_server
from tests.services.giving.joiners import join
from tests.services.members.codes_world import ADDRESS, LIMITS, ask_for_reset, set_password
from tests.services.members.mail_thief import Mailbox, codes_in, copies, deliver, opened

KINDS = {
    "address_confirm",
    "amount_changed",
    "invitation",
    "newsletter_confirmation",
    "password_changed",
    "password_reset",
    "vote_opened",
    "welcome",
}


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation whose database is on disk."""
    return make_organisation(place, database=database_of(place))


def write_emails(context: Context, limits: Limits = LIMITS) -> None:
    """Cause an email of every kind that has a link with power."""
    ama, esi, yaw = (join(context, f"{name}@example.org").member for name in ("ama", "esi", "yaw"))
    invite_member(
        context,
        InvitationForm(
            firstname="Kofi", lastname="Mensah", email="kofi@example.org", country="Ghana"
        ),
    )
    set_password(context, esi.id)
    request_email_change(context, limits, yaw.id, "yaw@example.net", network=ADDRESS)
    ask_for_reset(context, ama.email)
    subscribe(context, limits, "reader@example.org", network=ADDRESS)
    values = {"title": "Wells", "link": "https://jara.example/proposals/wells"}
    with context.store.write() as work:
        wanted = ama._replace(email_choice=EmailChoice.MONTHLY)
        work.members.update(wanted)
        queue_member_email(context, work, "vote_opened", wanted, values=values)
        queue_member_email(context, work, "amount_changed", ama, values={})


def make_due(context: Context) -> None:
    """Let the emails that failed be sent again at once."""
    with context.store.write() as work:
        for email in work.outbox.all(unsent_only=True):
            work.outbox.failed(email.id, reason="", due_at=context.now())


def test_no_copy_of_the_database_opens_an_account(context: Context, place: Path) -> None:
    """Neither before an email is sent, nor while its server is away, nor afterwards."""
    write_emails(context)
    stolen = set()
    mailbox = Mailbox(away={"invitation", "password_reset"})
    for moment in ("queued", "failed"):
        if not is_on_server(place):  # the last copy has the server's whole log of writes
            for data in copies(context, place, moment):
                stolen |= set(codes_in(data))
        deliver(context, mailbox)
    mailbox.away = set()
    make_due(context)
    deliver(context, mailbox)
    for data in copies(context, place, "sent"):
        stolen |= set(codes_in(data))

    assert {email.kind for email in mailbox.emails} >= KINDS
    doors = {code: opened(context, code) for code in sorted(stolen)}
    assert {code: found for code, found in doors.items() if found} == {}
    # The codes in the mailbox do open the doors, so the thief tried the right ones.
    assert {door for code in mailbox.codes() for door in opened(context, code)} == {
        "confirm an address",
        "reset a password",
        "stop a pledge",
        "subscribe",
        "undo a change",
        "unsubscribe",
    }


def test_a_link_serves_the_email_that_it_was_made_for(context: Context) -> None:
    """Somebody who can write to the database, without the keys, redirects no email."""
    ask_for_reset(context, join(context).member.email)
    with context.store.write() as work:
        work.sql.run("UPDATE outbox SET address = 'thief@example.org'")

    mailbox = Mailbox()
    run = deliver(context, mailbox)

    assert "password_reset" not in {email.kind for email in mailbox.emails}
    assert "cannot be read" in run.failure


@pytest.mark.parametrize("other", [None, b"0" * 64], ids=["missing", "another"])
def test_a_lost_key_is_named_with_the_way_out(
    context: Context, place: Path, other: bytes | None
) -> None:
    """No email is sent without its links; all are when the secrets folder is restored."""
    ask_for_reset(context, join(context).member.email)
    key = place / "secrets" / "index.key"
    kept = key.read_bytes()
    key.unlink() if other is None else key.write_bytes(other)
    mailbox = Mailbox()
    with pytest.raises(Unavailable, match="restore the secrets folder"):
        deliver(replace(context, vault=SecretsFolder(place / "secrets", durable=False)), mailbox)
    assert mailbox.emails == []
    key.write_bytes(kept)
    deliver(replace(context, vault=SecretsFolder(place / "secrets", durable=False)), mailbox)

    assert sorted(email.kind for email in mailbox.emails) == [
        "password_reset",
        "receipt",
        "welcome",
    ]
