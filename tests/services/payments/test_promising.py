"""Joining with a promise: nothing opens, and nothing is taken, before the first payment."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Conflict, EmailTaken, InvalidInput, NotFound, TooManyRequests
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay, parse_reference
from jara.domain.giving.pledge import PledgeState, parse_pledge
from jara.services.ballots.casting import changemakers
from jara.services.context import Context
from jara.services.giving import joining
from jara.services.giving.pledge_changes import PledgeChange
from jara.services.giving.pledging import cancel_pledge, find_pledge, start_again
from jara.services.members.documents import show_member
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import (
    PromiseForm,
    change_or_promise,
    join_by_promise,
    show_payment,
)
from jara.services.payments.receiving import follow_payments, receive
from jara.services.payments.ways import list_ways, remove_way, set_way
from tests.harness import clock_of, make_organisation
from tests.services.giving.joiners import ASKS, EMAIL, form, take_cash
from tests.services.members.codes_world import ADDRESS, LIMITS

IBAN = "DE89 3704 0044 0532 0130 00"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that takes cash and transfers in euros."""
    context = make_organisation(place)
    take_cash(context)
    set_way(
        context,
        PaymentWay.TRANSFER,
        ledger="assets:bank",
        details="",
        iban=IBAN,
        holder=" Jara e.V. ",
        takes_euro=True,
    )
    return context


def enter(context: Context, way: PaymentWay = PaymentWay.TRANSFER, **more: Any) -> Member:
    """Join with a promise."""
    key = more.pop("key", None)
    return join_by_promise(
        context, LIMITS, PromiseForm(form(**more), way), address=ADDRESS, key=key, body=b"{}"
    )


def test_a_promise_opens_nothing(context: Context) -> None:
    """A promise gives no vote and leaves the address free, and shows how to pay."""
    member = enter(context)
    shown = show_payment(context, member.id)
    profile = show_member(context, member.id)

    assert (profile.pledge_status, profile.way, profile.may_vote) == (
        "incomplete",
        "transfer",
        False,
    )
    assert joining.is_email_available(context, EMAIL)
    with context.store.read() as work:
        assert changemakers(work, context.now()).count == 0
        assert work.registrations.by_member(member.id) is not None
        assert len(work.members.consents(member.id)) == 1
    assert parse_reference(shown["reference"])
    assert (shown["iban"], shown["holder"], shown["paidUntil"], shown["subscriptionAmount"]) == (
        "DE89 3704 0044 0532 0130 00",
        "Jara e.V.",
        None,
        10,
    )
    assert shown["code"].endswith(
        f"\nJara e.V.\nDE89370400440532013000\n\n\n\n{shown['reference']}"
    )


def test_the_nightly_run_opens_no_unpaid_promise(context: Context) -> None:
    """Only a payment opens the account, however often the pledges are followed."""
    member = enter(context)

    follow_payments(context)

    with context.store.read() as work:
        assert work.registrations.by_member(member.id) is not None
        assert "welcome" not in [email.kind for email in work.outbox.all()]
    assert joining.is_email_available(context, EMAIL)


def test_the_first_payment_opens_the_account(context: Context) -> None:
    """The member gets the address, the vote and a welcome email."""
    member = enter(context, notifications=True)
    reference = show_payment(context, member.id)["reference"]
    receive(context, reference, 2000)
    shown = show_payment(context, member.id)

    assert (shown["pledgeStatus"], shown["paidUntil"]) == ("active", "2027-01-20")
    assert show_member(context, member.id).may_vote
    assert not joining.is_email_available(context, EMAIL)
    with context.store.read() as work:
        assert work.registrations.by_member(member.id) is None
        assert len(work.members.consents(member.id)) == 2
        kinds = [email.kind for email in work.outbox.all()]
    assert "welcome" in kinds
    with pytest.raises(EmailTaken):
        enter(context)


def test_too_little_is_a_contribution_without_a_vote(context: Context) -> None:
    """The account opens with a payment that does not cover a month, without a vote."""
    member = enter(context)
    receive(context, EMAIL, 300)

    assert show_payment(context, member.id)["pledgeStatus"] == "incomplete"
    assert not joining.is_email_available(context, EMAIL)


def test_the_same_person_may_try_again(context: Context) -> None:
    """The reference stays; another password is treated as another person."""
    first = enter(context)
    before = show_payment(context, first.id)
    again = enter(context, PaymentWay.CASH, contribution="25")
    after = show_payment(context, again.id)

    assert first.id == again.id
    assert before["reference"] == after["reference"]
    assert (
        after["way"],
        after["subscriptionAmount"],
        after["code"],
        after["details"],
        after["iban"],
    ) == ("cash", 25, None, "At the office.", "")
    clock_of(context).advance(hours=1)  # each try may send an email
    with pytest.raises(EmailTaken):
        enter(context, password="not the same one")


def test_a_promise_that_was_paid_meanwhile_stays(context: Context) -> None:
    """The first payment is booked while the password of the same form is checked."""
    first = enter(context)
    hasher = context.hasher

    class Slow:
        """Checks a password while something else happens."""

        def __getattr__(self, name: str) -> Any:
            return getattr(hasher, name)

        def verify(self, password_hash: str, password: str) -> bool:
            receive(context, first.id, 1000)
            return hasher.verify(password_hash, password)

    slow: Any = Slow()
    with pytest.raises(EmailTaken):
        enter(replace(context, hasher=slow), contribution="25")

    pledge = find_pledge(context, first.id)
    assert (pledge.state, pledge.dollars) == (PledgeState.ACTIVE, 10)


def test_a_key_repeats_the_answer(context: Context) -> None:
    """One request creates one account; after leaving, the stored answer is gone too."""
    first = enter(context, key="a-key-of-a-browser")

    assert first == enter(context, key="a-key-of-a-browser")
    with context.store.write() as work:
        pending = work.registrations.by_member(first.id)
        assert pending is not None
        work.registrations.remove(pending.id)
        work.members.erase(first.id)
    with pytest.raises(EmailTaken):
        enter(context, key="a-key-of-a-browser")


def test_a_promise_can_become_a_card_pledge(context: Context) -> None:
    """The member can sign up again with a card, or pay by card from the waiting account."""
    promised = enter(context)
    by_card = joining.register(context, form(), payment_method="pm_card_visa")
    other = enter(context, email="b@example.org")
    start_again(context, other.id, payment_method="pm_card_visa")

    assert promised.id != by_card.member.id
    for member in (by_card.member, other):
        assert (
            show_member(context, member.id).pledge_status,
            show_member(context, member.id).way,
        ) == ("active", "card")
        with context.store.read() as work:
            assert work.registrations.by_member(member.id) is None
        with pytest.raises(NotFound, match="no pledge that is paid without a card"):
            show_payment(context, member.id)


def test_an_unconfirmed_card_can_become_a_promise(context: Context) -> None:
    """An unconfirmed card is discarded; a confirmed one stays."""
    waiting = joining.register(context, form(), payment_method=ASKS)
    promised = enter(context)
    paid = joining.register(context, form("b@example.org"), payment_method=ASKS)
    context.gateway.confirm(paid.client_secret or "", succeed=True)  # type: ignore[attr-defined] # the sandbox's
    kept = enter(context, email="b@example.org")

    assert waiting.member.id != promised.id
    assert paid.member.id == kept.id
    assert show_member(context, kept.id).way is PaymentWay.CARD


def test_a_promise_by_a_missing_way_is_refused(context: Context) -> None:
    """A payment method that is not set up, or an invalid field, is refused."""
    with pytest.raises(NotFound, match="mobile money is not set up"):
        enter(context, PaymentWay.MOBILE)
    with pytest.raises(InvalidInput):
        enter(context, contribution="4")
    with pytest.raises(NotFound):
        show_payment(context, "nobody")


def test_a_way_that_was_removed_shows_the_reference_alone(context: Context) -> None:
    """The pledge stays and shows only its reference."""
    member = enter(context)
    remove_way(context, PaymentWay.TRANSFER)
    shown = show_payment(context, member.id)

    assert (shown["details"], shown["iban"], shown["code"]) == ("", "", None)
    assert shown["reference"]


def test_promises_are_limited_like_sign_ups(context: Context) -> None:
    """The limit is per network, as for cards."""
    for number in range(3):
        enter(context, email=f"p{number}@example.org")

    with pytest.raises(TooManyRequests):
        enter(context, email="more@example.org")


def test_a_promise_is_kept_for_sixty_days(context: Context) -> None:
    """Afterwards it is deleted, and the address is free."""
    member = enter(context)
    clock = clock_of(context)
    clock.advance(days=59)
    assert _finished(context) == (0, 0)
    assert joining.expire_incomplete(context) == 0
    clock.set(clock.now() + joining.PROMISE_KEPT_FOR - timedelta(days=59))

    assert _finished(context) == (0, 1)
    with context.store.read() as work:
        assert work.members.get(member.id) is None
        assert not work.pledges.in_states(PledgeState.INCOMPLETE)


def _finished(context: Context) -> tuple[int, int]:
    report = joining.finish_registrations(context)
    return report.finished, report.undone


@pytest.mark.parametrize(
    ("way", "changes", "words"),
    [
        (PaymentWay.CASH, {"iban": IBAN}, "An IBAN is for transfers; cash has none."),
        (PaymentWay.TRANSFER, {"iban": "DE00"}, "'DE00' is not an IBAN"),
        (PaymentWay.TRANSFER, {"takes_euro": True, "holder": "Jara"}, "IBAN of a SEPA country"),
        (PaymentWay.TRANSFER, {"takes_euro": True, "iban": IBAN}, "IBAN of a SEPA country"),
        (
            PaymentWay.TRANSFER,
            {"takes_euro": True, "holder": "J", "iban": "BR1500000000000010932840814P2"},
            "IBAN of a SEPA country",
        ),
        (PaymentWay.TRANSFER, {"holder": "x" * 71}, "has 71 characters; the maximum is 70"),
    ],
)
def test_an_account_that_payers_cannot_use_is_refused(
    context: Context, way: PaymentWay, changes: dict[str, Any], words: str
) -> None:
    """Euros need an account in the SEPA with a named holder."""
    before = list_ways(context)
    with pytest.raises(InvalidInput, match=words):
        set_way(context, way, ledger="assets:bank", details="", **changes)

    assert list_ways(context) == before
    assert before[1]._replace(iban="") != before[1]


def how_to_pay(context: Context) -> list[tuple[str, object, object]]:
    """Return the emails that say how to pay: address, amount and way."""
    with context.store.read() as work:
        emails = [email for email in work.outbox.all() if email.kind == "how_to_pay"]
    return [
        (one.address, one.doc["amountCents"], one.doc["way"])
        for one in sorted(emails, key=lambda one: one.created_at)
    ]


def test_a_promise_is_told_by_email_once(context: Context) -> None:
    """The email has what the page shows; the same promise again sends none, another one does."""
    enter(context)
    enter(context)
    clock_of(context).advance(hours=1)
    enter(context, PaymentWay.CASH)

    assert how_to_pay(context) == [(EMAIL, 1000, "bank transfer"), (EMAIL, 1000, "cash")]
    with context.store.read() as work:
        (first,) = [one for one in work.outbox.all() if one.doc.get("way") == "bank transfer"]
    assert (first.doc["iban"], first.doc["holder"]) == (IBAN, "Jara e.V.")


def change(context: Context, member: Member, **asked: Any) -> None:
    """Change the pledge as the website does."""
    wish = PledgeChange(named=asked.keys(), **asked)
    change_or_promise(context, LIMITS, member, wish, network=ADDRESS)


def test_a_member_changes_amount_and_way_of_a_promise(context: Context) -> None:
    """The reference stays, and nobody needs an operator; a card starts a pledge by card."""
    member = enter(context)
    receive(context, EMAIL, 1000)
    before = show_payment(context, member.id)
    clock_of(context).advance(hours=1)
    change(context, member, subscription_amount=20)
    change(context, member, way="cash")
    after = show_payment(context, member.id)

    assert (after["way"], after["subscriptionAmount"]) == ("cash", 20)
    assert after["reference"] == before["reference"]
    assert after["pledgeStatus"] == "active"
    with pytest.raises(InvalidInput, match="only a way to pay and an amount"):
        change(context, member, way="cash", paused=True)
    with pytest.raises(NotFound):
        change(context, member, way="mobile")
    change(context, member, payment_method_id="pm_card_visa")
    profile = show_member(context, member.id)
    assert (profile.way, profile.pledge_status) == ("card", "active")


@pytest.mark.parametrize("before", ["promise", "card"])
def test_a_promise_takes_no_card_pledge_that_began_meanwhile(
    context: Context, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """The provider would go on charging it; nothing is changed."""
    member = enter(context)
    if before == "card":
        change(context, member, payment_method_id="pm_card_visa")

    def begin_another(dollars: object) -> int:
        monkeypatch.undo()
        start_again(context, member.id, payment_method="pm_card_visa")
        return parse_pledge(dollars)

    def cancel(context: Context, member_id: str) -> None:
        cancel_pledge(context, member_id)
        start_again(context, member.id, payment_method="pm_card_visa")

    monkeypatch.setattr("jara.services.payments.promising.cancel_pledge", cancel)
    if before == "promise":
        monkeypatch.setattr("jara.services.payments.promising.parse_pledge", begin_another)
    with pytest.raises(Conflict, match="at the same time"):
        change(context, member, way="cash")

    shown = show_member(context, member.id)
    assert (shown.way, shown.pledge_status) == ("card", "active")


def test_a_pledge_by_card_becomes_a_promise(context: Context) -> None:
    """The provider stops charging, and the month paid by card still counts."""
    member = joining.register(context, form(), payment_method="pm_card_visa").member
    collect_movements(context)
    with context.store.read() as work:
        pledge = work.pledges.get(member.id)
    assert pledge is not None
    change(context, member, way="transfer")
    profile = show_member(context, member.id)

    assert (profile.way, profile.pledge_status, profile.may_vote) == ("transfer", "active", True)
    assert context.gateway.subscription(str(pledge.subscription_id)).state == PledgeState.CANCELED
    change(context, member, canceled=True)
    change(context, member, way="cash", subscription_amount=15)
    profile = show_member(context, member.id)
    assert (profile.way, profile.subscription_amount) == ("cash", 15)
