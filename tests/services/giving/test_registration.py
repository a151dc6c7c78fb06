"""Tests of joining through the website: limits and retries."""

from dataclasses import replace
from typing import Any

import pytest

from jara.domain.errors import CardDeclined, EmailTaken, InvalidInput, TooManyRequests
from jara.services import idempotency
from jara.services.context import Context
from jara.services.giving.gifts import GiftForm, GiftTaken, give
from jara.services.giving.registration import check_credentials, join
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.accounts import erase_member
from jara.services.members.sessions import sign_in
from jara.services.payments.charging import book_sandbox_rows
from tests.harness import clock_of
from tests.services.members.codes_world import ADDRESS, LIMITS, PASSWORD, a_member, form, issuer

KEY = "a-key-of-a-browser"


def enter(context: Context, **more: Any) -> StartedPledge:
    """Join as the web API does, which books the sandbox's payment immediately."""
    card = more.pop("card", "pm_card_visa")
    key = more.pop("key", None)
    body = more.pop("body", b"{}")
    joined = join(
        context, LIMITS, form(**more), payment_method=card, address=ADDRESS, key=key, body=body
    )
    book_sandbox_rows(context)
    return joined


def gift(context: Context, **more: Any) -> GiftTaken:
    """Give once as the web API does, which books the sandbox's payment immediately."""
    card, key = more.pop("card", "pm_card_visa"), more.pop("key", None)
    fields = {"cents": 2500, "email": "g@example.org", "name": "Gift", **more}
    given = give(
        context,
        LIMITS,
        GiftForm(**fields, payment_method=card),
        address=ADDRESS,
        key=key,
        body=str(fields).encode(),
    )
    book_sandbox_rows(context)
    return given


def test_the_same_request_again_gets_the_same_answer(context: Context) -> None:
    """A retry after a lost answer charges nobody twice."""
    first = enter(context, key=KEY)
    again = enter(context, key=KEY)

    assert (first.member.id, first.outcome) == (again.member.id, again.outcome)
    with context.store.read() as work:
        assert len(work.payments.of_member(first.member.key)) == 1


def test_a_confirmation_is_asked_for_again_under_the_same_key(context: Context) -> None:
    """The client gets the secret that it lost."""
    first = enter(context, key=KEY, card="pm_card_authenticationRequired")
    again = enter(context, key=KEY, card="pm_card_authenticationRequired")

    assert first.client_secret is not None
    assert (first.intent_type, first.client_secret) == (again.intent_type, again.client_secret)


def test_a_key_is_for_one_request(context: Context) -> None:
    """Another body under the key is refused, and so is a retry while the first one runs."""
    enter(context, key=KEY, body=b"{}")

    with pytest.raises(idempotency.KeyTaken):
        enter(context, key=KEY, body=b"[]")


REQUEST = idempotency.Request("register", KEY, b"{}")
NAME = idempotency.name_of("register", KEY)


def answer(context: Context, document: dict[str, Any]) -> None:
    """Store the answer of the request."""
    with context.store.write() as work:
        idempotency.answer_within(context, work, NAME, document)


def test_a_request_under_way_is_not_begun_again(context: Context) -> None:
    """An interrupted request can be repeated after two minutes."""
    idempotency.begin(context, REQUEST, NAME, attempt="first")
    with pytest.raises(idempotency.StillRunning):
        enter(context, key=KEY)
    clock_of(context).advance(minutes=2)

    assert enter(context, key=KEY)


def test_a_refused_request_may_come_again_under_its_key(context: Context) -> None:
    """After a decline, the same key accepts another attempt."""
    with pytest.raises(CardDeclined):
        enter(context, key=KEY, card="pm_card_chargeDeclined")

    assert enter(context, key=KEY)


def test_a_repeated_request_after_leaving_finds_no_account(context: Context) -> None:
    """A key is forgotten after a day, and its answer needs an existing member."""
    joined = enter(context, key=KEY)
    erase_member(context, joined.member.id, why="asked")

    with pytest.raises(Exception, match="no member"):
        enter(context, key=KEY)
    clock_of(context).advance(days=1)
    answer(context, {})
    assert enter(context, key=KEY)


def test_an_answer_without_its_pledge_is_an_account_that_is_taken(context: Context) -> None:
    """If the member of the stored answer has no pledge, the address is taken."""
    member = a_member(context)
    idempotency.begin(context, REQUEST, NAME, attempt="first")
    answer(context, {"member": member.id, "outcome": "paid", "intent": None, "secret": None})

    with pytest.raises(EmailTaken):
        enter(context, key=KEY)


def test_charges_of_another_gateway_are_not_booked_here(context: Context) -> None:
    """Only the sandbox is asked immediately; a real provider sends webhooks."""

    class Live:
        name = "stripe"

    book_sandbox_rows(replace(context, gateway=Live()))  # type: ignore[arg-type] # as much of a gateway as is asked for


def test_declined_cards_are_limited(context: Context) -> None:
    """After two declines for one email address, even a valid card must wait."""
    for _ in range(2):
        with pytest.raises(CardDeclined):
            enter(context, card="pm_card_chargeDeclined")

    with pytest.raises(TooManyRequests):
        enter(context)


def test_only_successful_registrations_count(context: Context) -> None:
    """Three sign-ups an hour per address are allowed here; invalid forms do not count."""
    for number in range(3):
        with pytest.raises(InvalidInput):
            enter(context, password="short")
        enter(context, email=f"{number}@example.org")

    with pytest.raises(TooManyRequests):
        enter(context, email="4@example.org")


def test_another_password_for_an_address_counts_as_a_failed_sign_in(context: Context) -> None:
    """Sign-ups cannot be used to get around the limit on password guesses."""
    enter(context)
    for _ in range(3):
        with pytest.raises(EmailTaken):
            enter(context, password="another-guess")

    with pytest.raises(TooManyRequests):
        sign_in(
            context, issuer(), LIMITS, email="ama@example.org", password=PASSWORD, address=ADDRESS
        )


def test_the_first_step_looks_at_the_email_first(context: Context) -> None:
    """A taken email is reported before other faults, and the number of checks is limited."""

    def check(email: str, password: str) -> None:
        check_credentials(context, LIMITS, email=email, password=password, address=ADDRESS)

    check("free@example.org", PASSWORD)
    enter(context)
    with pytest.raises(EmailTaken):
        check("ama@example.org", "short")
    with pytest.raises(InvalidInput) as refused:
        check("no address", "short")
    with pytest.raises(TooManyRequests):
        check("free@example.org", PASSWORD)

    assert set(refused.value.fields) == {"email", "password"}


def test_a_gift_may_need_the_cardholder(context: Context) -> None:
    """If the bank asks for confirmation, a retry gets the same secret."""
    card = "pm_card_authenticationRequired"
    first, again = (gift(context, key=KEY, card=card) for _ in range(2))

    assert first.client_secret
    assert first == again


def test_a_sign_up_and_a_gift_may_have_the_same_key(context: Context) -> None:
    """Keys are separate for each call, so the gift is a new request."""
    enter(context, key=KEY)

    assert gift(context, key=KEY).cents == 2500
    with context.store.read() as work:
        assert [payment.kind for payment in work.payments.all()] == ["pledge", "gift"]


@pytest.mark.parametrize("changes", [{"cents": 99}, {"email": "none"}, {"name": "\u202e"}])
def test_a_gift_obeys_its_rules(context: Context, changes: dict[str, Any]) -> None:
    """A gift has at least one dollar, an address and a valid name."""
    with pytest.raises(InvalidInput) as refused:
        gift(context, **changes)

    assert refused.value.fields


def test_a_gift_without_a_card_costs_nothing(context: Context) -> None:
    """An invalid payment method does not count as a declined card."""
    for _ in range(3):
        with pytest.raises(InvalidInput):
            gift(context, card="pm_card_none")

    assert gift(context)


def test_declined_gifts_are_limited_like_cards(context: Context) -> None:
    """The limit stops card testing through a form that needs no account."""
    assert gift(context, name="")
    for _ in range(2):
        with pytest.raises(CardDeclined):
            gift(context, key=KEY, card="pm_card_chargeDeclined")

    with pytest.raises(TooManyRequests):
        gift(context)


def test_questions_about_taken_addresses_are_limited(context: Context) -> None:
    """A sign-up reveals that an address has an account only as often as other checks."""
    a_member(context)
    for number in range(3):
        with pytest.raises(EmailTaken):
            enter(context, password=f"another-password-{number}")
    with pytest.raises(TooManyRequests):
        enter(context, password="another-password")
    clock_of(context).advance(hours=2)

    for number in range(3):
        assert enter(context, email=f"new{number}@example.org")
