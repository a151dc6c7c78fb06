"""An interrupted or overtaken registration is completed or undone, with at most one charge."""

import pytest

from jara.domain.errors import Conflict, EmailTaken, Unavailable
from jara.domain.giving.member import parse_registration
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving import joining
from jara.services.giving.joining import FinishReport, expire_incomplete, finish_registrations
from jara.services.giving.pledging import cancel_pledge, start_again
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import Attempt, PaymentOutcome
from tests.harness import clock_of
from tests.services.giving import joiners
from tests.services.giving.joiners import breaking, charged_cents, join

STEPS = ("create_customer", "start_subscription", "subscription")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [Unavailable("no answer"), RuntimeError("killed")])
def test_a_registration_cut_off_and_sent_again_charges_once(
    context: Context, step: str, after: bool, error: BaseException
) -> None:
    """Law: after a failure before or after any step, a retry ends with exactly one charge."""
    with pytest.raises(type(error)):
        join(breaking(context, step, after=after, error=error))

    started = join(context)

    assert PaymentOutcome.PAID is started.outcome
    assert charged_cents(context) == 1000
    assert [doc["id"] for doc in joiners.sandbox_of(context)._state.all("customer")] == [
        started.pledge.customer_id
    ]
    with context.store.read() as work:
        assert [p.cents for p in work.payments.of_member(started.member.key)] == [1000]
        assert work.registrations.all() == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_a_registration_cut_off_is_finished_or_undone_by_the_daily_run(
    context: Context, step: str, after: bool
) -> None:
    """Within a day a charged person gets the account; otherwise nothing remains."""
    with pytest.raises(Unavailable):
        join(breaking(context, step, after=after))
    paid = charged_cents(context) > 0

    assert _counts(finish_registrations(context)) == (0, 0)
    clock_of(context).advance(hours=1)
    assert _counts(finish_registrations(context)) == (int(paid), 0)
    clock_of(context).advance(hours=23)
    assert _counts(finish_registrations(context)) == (0, int(not paid))

    assert paid == (not joining.is_email_available(context, joiners.EMAIL))
    assert paid == bool(joiners.leftovers(context))


def test_charged_without_an_account_for_a_day_is_refunded(context: Context) -> None:
    """After 24 hours it is cancelled, refunded and deleted."""
    with pytest.raises(Unavailable):
        join(breaking(context, "start_subscription", after=True))
    clock_of(context).advance(hours=24)

    assert _counts(finish_registrations(context)) == (0, 1)

    assert charged_cents(context) == 0
    assert joiners.leftovers(context) == []
    assert (collect_movements(context).posted, collect_movements(context).posted) == (2, 0)


def test_an_undoing_cut_off_refunds_once(context: Context) -> None:
    """A refund made before the provider failed is not repeated."""
    with pytest.raises(Unavailable):
        join(breaking(context, "subscription"))
    clock_of(context).advance(hours=24)

    assert len(finish_registrations(breaking(context, "delete_customer")).failures) == 1
    assert _counts(finish_registrations(context)) == (0, 1)

    assert charged_cents(context) == 0
    assert joiners.leftovers(context) == []


def test_money_booked_before_the_account_is_its_members(context: Context) -> None:
    """A charge may be booked before its registration is complete."""
    with pytest.raises(Unavailable):
        join(breaking(context, "subscription"))
    collect_movements(context)

    started = join(context)

    with context.store.read() as work:
        assert [p.cents for p in work.payments.of_member(started.member.key)] == [1000]


def test_the_slower_of_two_sign_ups_is_not_charged(context: Context) -> None:
    """Two sign-ups with one address at once: one wins, the other pays nothing."""
    slow = breaking(context, "start_subscription", error=RuntimeError("cut off"))
    with pytest.raises(RuntimeError):
        join(slow)
    with context.store.read() as work:
        (pending,) = work.registrations.all()
    join(context)

    late = joining._start_at_provider(context, pending, "pm_card_mastercard")
    with pytest.raises(Conflict, match="was faster"):
        joining._open_account(context, pending, late)
    assert charged_cents(context) == 1000


def test_two_that_begin_at_once_do_not_both_begin(context: Context) -> None:
    """The second registration is refused because its address is in use."""
    registration = parse_registration(
        joiners.form(), countries=context.rules.countries, common_passwords=()
    )
    joining.begin(context, registration, "website")

    with pytest.raises(EmailTaken):
        joining.begin(context, registration, "website")


def test_a_customer_deleted_meanwhile_gives_a_conflict(context: Context) -> None:
    """A customer that another try has deleted cannot be charged."""
    gone = breaking(context, "start_subscription")
    sandbox = joiners.sandbox_of(context)

    class Deleting(type(gone.gateway)):  # type: ignore[misc] # a class known at run time
        """Deletes the customer before the subscription is created."""

        def start_subscription(self, **request: object) -> object:
            sandbox.delete_customer(str(request["customer_id"]))
            return sandbox.start_subscription(**request)  # type: ignore[arg-type] # handed on as it came

    gone.gateway.__class__ = Deleting
    with pytest.raises(Conflict, match="was faster"):
        join(gone)
    assert joiners.leftovers(context) == []


def test_webhook_and_response_finish_a_registration_once(context: Context) -> None:
    """Webhook and response may both finish it; the second one finds the account of the first."""
    with pytest.raises(Unavailable):
        join(breaking(context, "subscription"))
    with context.store.read() as work:
        (pending,) = work.registrations.all()
    first = join(context)

    facts = joining.find_running(context, pending)
    assert facts is not None
    assert first.member == joining.finish_account(context, pending, facts).member
    again = joining._open_account(context, pending, _paid(facts.subscription_id))
    assert first.member == again.member
    assert charged_cents(context) == 1000


def test_an_unfinished_pledge_of_a_member_ends_after_a_day(context: Context) -> None:
    """We end a set-up that nobody finishes, since Stripe never does."""
    member = join(context).member
    cancel_pledge(context, member.id)
    start_again(context, member.id, payment_method=joiners.ASKS, billing_day="1")
    assert expire_incomplete(context) == 0
    clock_of(context).advance(hours=24)

    assert expire_incomplete(context) == 1
    assert expire_incomplete(context) == 0
    with context.store.read() as work:
        assert work.members.get(member.id) == member
        assert [p.state for p in work.pledges.all()] == [PledgeState.CANCELED]


def test_a_confirmed_pledge_is_not_ended(context: Context) -> None:
    """The provider is asked again before a pledge is ended."""
    member = join(context).member
    cancel_pledge(context, member.id)
    again = start_again(context, member.id, payment_method=joiners.ASKS)
    joiners.sandbox_of(context).confirm(again.client_secret or "", succeed=True)
    clock_of(context).advance(hours=25)

    assert expire_incomplete(context) == 0


def test_the_pledge_of_a_registration_is_undone_with_it(context: Context) -> None:
    """The cardholder has a day to confirm; only `finish_registrations` ends it then."""
    join(context, card=joiners.ASKS)
    clock_of(context).advance(hours=23)
    assert _counts(finish_registrations(context)) == (0, 0)
    clock_of(context).advance(hours=1)

    assert expire_incomplete(context) == 0
    assert _counts(finish_registrations(context)) == (0, 1)


def _counts(report: FinishReport) -> tuple[int, int]:
    return report.finished, report.undone


def _paid(reference: str) -> Attempt:
    return Attempt(PaymentOutcome.PAID, reference)
