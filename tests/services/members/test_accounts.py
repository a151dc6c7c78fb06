"""Accounts and their owners' data; leaving erases all of it."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from jara.documents import to_document
from jara.domain.errors import Conflict, EmailTaken, InvalidInput, NotFound, Refused, Unavailable
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.members import profiles
from jara.services.members.accounts import add_member, close_account, erase_member, find_member
from jara.services.members.contributors import email_handle, keep_handles
from jara.services.members.documents import export_member, list_payments, show_member
from jara.services.members.operators import PledgeQuery, list_pledges, search_members
from jara.services.notices.outbox import send_due
from jara.services.payments.importing import collect_movements
from tests.fakes.operators import enrol
from tests.harness import clock_of, make_organisation
from tests.services.ballots import voting_world
from tests.services.giving import joiners
from tests.services.giving.joiners import form, join
from tests.services.members.codes_world import a_member
from tests.services.news.news_world import Mailbox
from tests.services.stored_rows import rows_of


def password_holds(context: Context, member_id: str, password: str) -> bool:
    """Return whether a password is the member's."""
    with context.store.read() as work:
        stored = work.members.password_hash(member_id)
    return stored is not None and context.hasher.verify(stored, password)


def test_an_operator_adds_a_member_without_a_pledge(context: Context) -> None:
    """The audit log records the act without personal data."""
    member = add_member(context, form(notifications=True, language="fr"))

    assert member == find_member(context, "AMA@example.org")
    assert member.language == "fr"
    assert (
        show_member(context, member.id).subscription_amount,
        show_member(context, member.id).pledge_status,
    ) == (0, None)
    with context.store.read() as work:
        (row,) = work.operations.audit()
        assert [c.purpose for c in work.members.consents(member.id)] == ["notifications"]
    assert (row.action, row.subject, row.operator) == ("members.add", member.key, "tester")
    assert joiners.EMAIL not in str(row)


def test_an_operator_cannot_take_an_address(context: Context) -> None:
    """An address that belongs to a member or to a pending registration is refused."""
    join(context)
    with pytest.raises(EmailTaken):
        add_member(context, form())
    with pytest.raises(Unavailable):
        join(joiners.breaking(context, "create_customer"), "kofi@example.org")
    with pytest.raises(EmailTaken, match="signing up"):
        add_member(context, form("kofi@example.org"))


def test_a_member_is_renamed_here_and_at_the_provider(context: Context, member_id: str) -> None:
    """Both name fields are checked, and the provider gets the same name."""
    with pytest.raises(InvalidInput) as refusal:
        profiles.rename(context, member_id, firstname=" ", lastname="")
    assert set(refusal.value.fields) == {"firstname", "lastname"}

    member = profiles.rename(context, member_id, firstname="Akua", lastname="Owusu")

    assert member == find_member(context, member_id)
    names = {doc["name"] for doc in joiners.sandbox_of(context)._state.all("customer")}
    assert names == {"Akua Owusu"}


def test_a_new_password_ends_every_sign_in(context: Context, member_id: str) -> None:
    """The old password stops working; an invalid new one changes nothing."""
    with pytest.raises(InvalidInput):
        profiles.change_password(
            context, member_id, password="new password", confirmation="other one"
        )
    assert password_holds(context, member_id, joiners.PASSWORD)

    member = profiles.change_password(
        context, member_id, password="new password", confirmation="new password"
    )

    assert member.session_epoch == 1
    assert password_holds(context, member_id, "new password")
    assert not password_holds(context, member_id, joiners.PASSWORD)


def test_consents_are_kept_with_their_wording(context: Context, member_id: str) -> None:
    """Turning a consent on or off is recorded; repeating the same choice is not."""
    for wanted in (True, True, False):
        assert wanted is profiles.set_notifications(context, member_id, wanted=wanted).notifications
        joiners.pass_time(context, datetime(2026, 11, 21, 12, tzinfo=UTC))

    with context.store.read() as work:
        news = [c for c in work.members.consents(member_id) if c.purpose == "notifications"]
    assert [(c.given, c.source) for c in news] == [(True, "website"), (False, "website")]
    assert "voting sessions" in news[0].wording


def test_the_language_is_kept_with_the_member(context: Context, member_id: str) -> None:
    """The language starts as English and is in the profile; an invalid code changes nothing."""
    before = show_member(context, member_id).language
    member = profiles.set_language(context, member_id, "fr")
    with pytest.raises(InvalidInput):
        profiles.set_language(context, member_id, "French")

    assert (before, member.language) == ("en", "fr")
    assert show_member(context, member_id).language == "fr"


def test_the_checklist_is_kept(context: Context, member_id: str) -> None:
    """The first item starts incomplete and the others complete (spec §4)."""
    before = [item.completed for item in show_member(context, member_id).todo]
    items = profiles.set_todo(context, member_id, "invite-a-friend", completed=True)

    assert (before, [i.completed for i in items]) == ([False, True, True], [True, True, True])
    with pytest.raises(NotFound):
        profiles.set_todo(context, member_id, "something", completed=True)


def test_the_profile_has_the_keys_of_the_dashboard(context: Context, member_id: str) -> None:
    """The profile has the keys of spec §3, with the day on which the vote starts."""
    profile = to_document(show_member(context, member_id))

    assert (
        profile.items()
        >= {
            "subscriptionAmount": 10,
            "billingDay": "current",
            "pledgeStatus": "active",
            "nextChargeOn": "2026-12-20",
            "nextCharges": [
                {"date": "2026-12-20", "amountCents": 1000},
                {"date": "2027-01-20", "amountCents": 1000},
                {"date": "2027-02-20", "amountCents": 1000},
            ],
            "skipsOn": None,
            "mayVote": True,
            "mayVoteFrom": "2026-11-20",
            "memberSince": "2026-11-20",
            "votes": {},
        }.items()
    )


def test_a_profile_without_a_card_shows_no_charges(context: Context, member_id: str) -> None:
    """Nothing is charged for payments by transfer, cash or mobile money."""
    with context.store.write() as work:
        pledge = work.pledges.get(member_id)
        assert pledge is not None
        work.pledges.put(replace(pledge, way=PaymentWay.CASH), member_key="key", at=context.now())

    assert show_member(context, member_id).next_charges == ()


def test_the_list_shows_how_pledges_stand(context: Context, member_id: str) -> None:
    """Members without a pledge are listed too, in the order of joining."""
    clock_of(context).advance(minutes=1)
    add_member(context, form("kofi@example.org"))

    first, second = search_members(context)
    assert (first.member.id, second.pledge) == (member_id, None)
    assert first.pledge is not None
    assert (first.pledge.state, first.pledge.dollars) == (PledgeState.ACTIVE, 10)


def test_everything_held_about_a_member_can_be_taken_along(
    context: Context, member_id: str
) -> None:
    """The export has payments, consents, emails, history and ids, as plain JSON."""
    document = json.loads(json.dumps(export_member(context, member_id)))

    assert document["profile"]["email"] == joiners.EMAIL
    assert [email["kind"] for email in document["letters"]] == ["welcome", "receipt"]
    assert {email["text"]["firstname"] for email in document["letters"]} == {""}
    assert "code=" not in json.dumps(document)
    assert [
        (p["kind"], p["amountCents"], p["returnedCents"], p["dispute"])
        for p in document["payments"]
    ] == [("pledge", 1000, 0, "none")]
    payments = list_payments(context, member_id)
    assert document["payments"] == [to_document(payment) for payment in payments]
    assert [change["state"] for change in document["pledgeHistory"]] == ["active"]
    assert document["paymentProvider"]["customer"].startswith("cus_")
    without = export_member(context, add_member(context, form("k@example.org")).id)
    assert without["paymentProvider"] == {"customer": None, "subscription": None}


def test_leaving_needs_the_provider_first(context: Context, member_id: str) -> None:
    """If the provider fails, the account stays open and the member gets an error."""
    with pytest.raises(Unavailable, match="still open"):
        close_account(joiners.breaking(context, "delete_customer"), member_id)

    assert member_id == find_member(context, joiners.EMAIL).id


def test_leaving_erases_the_person_and_keeps_the_books(tmp_path: Path) -> None:
    """The database file and its log contain no personal data; the entry stays under its key."""
    database = tmp_path / "jara.db"
    context = make_organisation(tmp_path, database=database)
    started = join(context, "erase.me@example.org", lastname="Vanishing")
    customer = started.pledge.customer_id or ""
    with context.store.read() as work:
        before = work.log.root()

    erase_member(context, started.member.id, why="asked by letter")
    assert send_due(context, Mailbox()).sent == 1  # the goodbye, which then goes
    context.store.truncate_log()

    kept = b"".join(path.read_bytes() for path in tmp_path.glob("jara.db*"))
    for trace in ("erase.me", "Vanishing", customer, started.pledge.subscription_id or ""):
        assert trace
        assert trace.encode() not in kept
    with context.store.read() as work:
        assert work.log.root() == before
        assert [p.cents for p in work.payments.of_member(started.member.key)] == [1000]
        assert [c.state.value for c in work.pledges.changes()] == ["active", "canceled"]
        assert work.operations.audit()[-1].action == "members.erase"
    joiners.pass_time(context, datetime(2027, 3, 1, tzinfo=UTC))
    assert collect_movements(context).posted == 0
    assert [row.amount for row in context.gateway.rows() if row.category == "charge"] == [1000]
    context.store.close()


def test_closing_an_account_sends_a_goodbye_email(context: Context) -> None:
    """The goodbye email is not linked to the member; a pending registration is deleted too."""
    member = join(context, card=joiners.ASKS).member

    close_account(context, member.id)

    with context.store.read() as work:
        assert [(x.kind, x.member_id) for x in work.outbox.all()] == [("account_closed", None)]
        assert work.registrations.all() == []
    with pytest.raises(NotFound):
        close_account(context, member.id)


def test_a_confirmed_card_leaves_no_question_behind(context: Context) -> None:
    """The confirmation of a card is erased with the customer."""
    started = join(context, card=joiners.ASKS)
    joiners.sandbox_of(context).confirm(started.client_secret or "", succeed=True)

    erase_member(context, started.member.id, why="asked")

    assert joiners.sandbox_of(context)._state.all("intent") == []


def test_pledges_are_listed_by_state(context: Context) -> None:
    """All pledges are listed unless states are given; members without a pledge are left out."""
    add_member(context, form("kofi@example.org"))
    joined = join(context)

    assert [line.member for line in list_pledges(context)] == [joined.member]
    assert [line.member for line in list_pledges(context, PledgeQuery([joined.pledge.state]))] == [
        joined.member
    ]
    assert list_pledges(context, PledgeQuery([PledgeState.CANCELED])) == []


def test_a_member_is_found_by_the_beginning_of_the_address(place: Path) -> None:
    """An ambiguous beginning names at most five candidates."""
    context = make_organisation(place)
    for name in ("ada.obi", "ada.ofori", "ben", *(f"cyd{number}" for number in range(7))):
        voting_world.add_member(context, name)

    assert find_member(context, "Ben@").email == "ben@example.org"
    assert find_member(context, "ada.ob").email == "ada.obi@example.org"
    with context.store.write() as work:
        work.members.update(work.members.find("ben")._replace(firstname="Ṣadé", lastname="Ọlá"))
    assert find_member(context, "ọlá").email == "ben@example.org"
    assert find_member(context, "ṢADÉ ọ").email == "ben@example.org"
    with pytest.raises(Conflict, match=r": ada\.obi@example\.org, ada\.ofori@example\.org\. Write"):
        find_member(context, "ada.")
    with pytest.raises(Conflict, match=r"cyd4@example\.org, …\. Write more of it\."):
        find_member(context, "cyd")


def test_an_unlisted_operator_erases_nobody(context: Context) -> None:
    """The refusal comes before the provider ends the pledge."""
    started = join(context)
    enrol(context, ada="admin")

    with pytest.raises(Refused):
        erase_member(replace(context, operator="eve"), started.member.id, why="asked")

    subscription = context.gateway.subscription(started.pledge.subscription_id or "")
    assert subscription.state is PledgeState.ACTIVE


def handles(context: Context) -> dict[str, str]:
    """Return the contributors' handles and keys."""
    return {row[0]: row[1] for row in rows_of(context, "contributors")}


def test_a_handle_needs_the_key(context: Context) -> None:
    """A plain hash can be compared with the hashes of a million known addresses."""
    member = a_member(context)

    assert handles(context) == {email_handle(context, joiners.EMAIL): member.key}
    assert sha256(joiners.EMAIL.encode()).hexdigest() not in str(handles(context))


def test_an_unconfirmed_address_leads_to_no_gifts(context: Context) -> None:
    """Otherwise a person who enters another's address would see that owner's gifts."""
    member = a_member(context)
    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=False))
    assert handles(context) == {}

    with context.store.write() as work:
        keep_handles(context, work, member._replace(email_confirmed=True))
    assert handles(context) == {email_handle(context, joiners.EMAIL): member.key}


def test_a_domain_in_any_script_has_one_handle(context: Context) -> None:
    """A file that writes it otherwise does not make another giver."""
    written = {
        email_handle(context, f" Ida@{name}.example") for name in ("Bücher", "xn--bcher-kva")
    }

    assert written == {email_handle(context, "ida@bücher.example")}
