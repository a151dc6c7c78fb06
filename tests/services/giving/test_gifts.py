"""A gift is taken once, and its answer names its entry in the books."""

from jara.services.context import Context
from jara.services.giving.gifts import GiftForm, GiftTaken, booked_gift, give
from jara.services.idempotency import Request, run_once
from jara.services.payments.importing import collect_movements
from tests.services.books.ledger_builders import all_entries
from tests.services.members.codes_world import ADDRESS, LIMITS

KEY, BODY = "a-key-of-the-client", b"{}"


def take(context: Context) -> GiftTaken:
    """Take a gift of $25, or answer the same request again."""
    form = GiftForm(2500, "kofi@example.org", "Kofi", "pm_card_visa")
    return give(context, LIMITS, form, address=ADDRESS, key=KEY, body=BODY)


def test_a_gift_sent_twice_has_one_entry(context: Context) -> None:
    """The second answer equals the first."""
    first = take(context)
    collect_movements(context)
    again = take(context)
    with context.store.read() as work:
        (posted,) = work.journal.in_log_order()

    assert first == again
    assert booked_gift(context, again) == posted.id


def test_a_gift_that_an_earlier_version_took_is_answered_again(context: Context) -> None:
    """Version 0.1 kept no id of the payment with its answer, so no entry is named."""
    stored = {"gift": "gift-of-0.1", "intent": None, "secret": None}
    run_once(context, Request("gifts", KEY, BODY), dict, dump=lambda _: stored, load=dict)
    again = take(context)

    assert (again.gift_id, again.cents) == ("gift-of-0.1", 2500)
    assert booked_gift(context, again) is None
    assert booked_gift(context, again._replace(payment="pi_later")) is None
    collect_movements(context)
    assert all_entries(context) == []
