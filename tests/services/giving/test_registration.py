"""Tests of joining through the website: limits, and retries that tell the truth."""

from __future__ import annotations

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
from jara.services.payments.charging import book_sandbox_rows
from tests.harness import clock_of
from tests.services.members.codes_world import ADDRESS, LIMITS, PASSWORD, a_member, form

KEY = "a-key-of-a-browser"


def enter(context: Context, **more: Any) -> StartedPledge:
    """Join, as the web API does: the sandbox's payment is booked at once."""
    card = more.pop("card", "pm_card_visa")
    key = more.pop("key", None)
    body = more.pop("body", b"{}")
    joined = join(
        context, LIMITS, form(**more), payment_method=card, address=ADDRESS, key=key, body=body
    )
    book_sandbox_rows(context)
    return joined


def gift(context: Context, **more: Any) -> GiftTaken:
    """Give once, as the web API does: the sandbox's payment is booked at once."""
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


def test_joining_books_the_payment_at_once(context: Context) -> None:
    """The sandbox has no webhooks: who joined may vote without waiting for one."""
    joined = enter(context)

    with context.store.read() as work:
        (payment,) = work.payments.of_member(joined.member.key)
    assert payment.is_kept


def test_the_same_request_again_gets_the_same_answer(context: Context) -> None:
    """A lost answer costs nothing, and nobody is charged twice."""
    first = enter(context, key=KEY)
    again = enter(context, key=KEY)

    assert (first.member.id, first.outcome) == (again.member.id, again.outcome)
    with context.store.read() as work:
        assert 1 == len(work.payments.of_member(first.member.key))


def test_a_confirmation_is_asked_for_again_under_the_same_key(context: Context) -> None:
    """The client gets the secret that it lost."""
    first = enter(context, key=KEY, card="pm_card_authenticationRequired")
    again = enter(context, key=KEY, card="pm_card_authenticationRequired")

    assert first.client_secret is not None
    assert (first.intent_type, first.client_secret) == (again.intent_type, again.client_secret)


def test_a_key_is_for_one_request(context: Context) -> None:
    """Another body under the key is refused, and so is one while the first runs."""
    enter(context, key=KEY, body=b"{}")

    with pytest.raises(idempotency.KeyTaken):
        enter(context, key=KEY, body=b"[]")


def test_a_request_under_way_is_not_begun_again(context: Context) -> None:
    """Unless it was cut off two minutes ago."""
    idempotency.begin(context, scope="register", key=KEY, body=b"{}")
    with pytest.raises(idempotency.StillRunning):
        enter(context, key=KEY)
    clock_of(context).advance(minutes=2)

    assert enter(context, key=KEY)


def test_a_refused_request_may_come_again_under_its_key(context: Context) -> None:
    """After a decline the same key takes another try."""
    with pytest.raises(CardDeclined):
        enter(context, key=KEY, card="pm_card_chargeDeclined")

    assert enter(context, key=KEY)


def test_the_answer_to_somebody_who_left_is_no_account(context: Context) -> None:
    """A key outlives neither member nor day."""
    joined = enter(context, key=KEY)
    erase_member(context, joined.member.id, why="asked")

    with pytest.raises(Exception, match="no member"):
        enter(context, key=KEY)
    clock_of(context).advance(days=1)
    idempotency.finish(context, scope="register", key=KEY, answer={})
    assert enter(context, key=KEY)


def test_an_answer_without_its_pledge_is_an_account_that_is_taken(context: Context) -> None:
    """The key names a member who came to have no pledge: sign in instead."""
    member = a_member(context)
    idempotency.begin(context, scope="register", key=KEY, body=b"{}")
    answer = {"member": member.id, "outcome": "paid", "intent": None, "secret": None}
    idempotency.finish(context, scope="register", key=KEY, answer=answer)

    with pytest.raises(EmailTaken):
        enter(context, key=KEY)


def test_another_gateway_tells_by_itself_what_it_charged(context: Context) -> None:
    """Only the sandbox is asked at once; a real one sends webhooks."""

    class Live:
        name = "stripe"

    book_sandbox_rows(replace(context, gateway=Live()))  # type: ignore[arg-type] # as much of a gateway as is asked for


def test_declined_cards_are_limited(context: Context) -> None:
    """Two for one address of mail in these tests; a card that works then waits too."""
    for _ in range(2):
        with pytest.raises(CardDeclined):
            enter(context, card="pm_card_chargeDeclined")

    with pytest.raises(TooManyRequests):
        enter(context)


def test_only_successful_registrations_count(context: Context) -> None:
    """Three an hour from one address in these tests; forms with mistakes cost nothing."""
    for number in range(3):
        with pytest.raises(InvalidInput):
            enter(context, password="short")
        enter(context, email=f"{number}@example.org")

    with pytest.raises(TooManyRequests):
        enter(context, email="4@example.org")


def test_another_password_for_an_address_counts_as_a_failed_sign_in(context: Context) -> None:
    """Joining is no way around the limit of guesses."""
    enter(context)
    for _ in range(3):
        with pytest.raises(EmailTaken):
            enter(context, password="another-guess")

    with pytest.raises(TooManyRequests):
        enter(context)


def test_the_first_step_looks_at_the_email_first(context: Context) -> None:
    """Then at the password; and not more often than the limit says."""

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

    assert {"email", "password"} == set(refused.value.fields)


def test_a_gift_is_taken_once_for_its_key(context: Context) -> None:
    """The same request under the same key is the same gift."""
    assert gift(context, key=KEY) == gift(context, key=KEY)
    with context.store.read() as work:
        assert 1 == len(list(work.payments.all()))
    with pytest.raises(idempotency.KeyTaken):
        gift(context, key=KEY, cents=5000)


def test_a_gift_may_need_the_cardholder(context: Context) -> None:
    """The bank is asked, and a retry gets the same secret."""
    card = "pm_card_authenticationRequired"
    first, again = (gift(context, key=KEY, card=card) for _ in range(2))

    assert first.client_secret
    assert first == again


def test_a_sign_up_and_a_gift_may_have_the_same_key(context: Context) -> None:
    """A key is one call's own: the gift is neither refused nor taken for the sign-up."""
    enter(context, key=KEY)

    assert 2500 == gift(context, key=KEY).cents
    with context.store.read() as work:
        assert ["pledge", "gift"] == [payment.kind for payment in work.payments.all()]


@pytest.mark.parametrize("changes", [{"cents": 99}, {"email": "none"}, {"name": "\u202e"}])
def test_a_gift_obeys_its_rules(context: Context, changes: dict[str, Any]) -> None:
    """An amount from one dollar, an address, a name that can be written."""
    with pytest.raises(InvalidInput) as refused:
        gift(context, **changes)

    assert refused.value.fields


def test_a_gift_without_a_card_costs_nothing(context: Context) -> None:
    """A payment method that is none is no declined card."""
    for _ in range(3):
        with pytest.raises(InvalidInput):
            gift(context, card="pm_card_none")

    assert gift(context)


def test_declined_gifts_are_limited_like_cards(context: Context) -> None:
    """A form without an account is no place to try cards."""
    assert gift(context, name="")
    for _ in range(2):
        with pytest.raises(CardDeclined):
            gift(context, key=KEY, card="pm_card_chargeDeclined")

    with pytest.raises(TooManyRequests):
        gift(context)


def test_a_taken_address_is_told_a_few_times_only(context: Context) -> None:
    """Signing up asks whether an address has an account, like every other such question."""
    a_member(context)
    for number in range(3):
        with pytest.raises(EmailTaken):
            enter(context, password=f"another-password-{number}")
    with pytest.raises(TooManyRequests):
        enter(context, password="another-password")
    clock_of(context).advance(hours=2)

    for number in range(3):
        assert enter(context, email=f"new{number}@example.org")
