"""Refunds: once per request, and with a second operator over the limit."""

import threading
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.posting import Books
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import show_approval
from jara.services.payments.refunding import ACTION, Refunded, refund_approved, refund_payment
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import COUNTRIES, clock_of, make_organisation
from tests.places import is_on_server
from tests.services.giving.joiners import breaking, join
from tests.sizes import PATIENCE_SECONDS, fewer_examples


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with one member who paid $10."""
    context = make_organisation(place)
    join(context)
    return context


def charge_of(context: Context) -> str:
    """Return the id of the first charge."""
    return next(iter(context.gateway.rows())).charge_id or ""


def limited(place: Path, cents: int) -> tuple[Context, str]:
    """Return an organisation with a limit, and the id of the charge of a member who paid $10."""
    context = make_organisation(place, rules=Rules(countries=COUNTRIES, approval_cents=cents))
    join(context)
    return context, charge_of(context)


def waiting_refund(place: Path) -> tuple[Context, Approval]:
    """Return an organisation with keys, and a refund of $5 that waits for Ben."""
    context, charge = limited(place, 500)
    enrol(context, ada="admin", ben="approver")
    waiting = refund_payment(acting(context, "ada"), charge, cents=500, why="large")
    assert isinstance(waiting, Approval)
    return context, waiting


def returned_cents(context: Context) -> int:
    """Return the refunded amount in the books."""
    with context.store.read() as work:
        return next(iter(work.payments.all())).returned_cents


def test_a_payment_is_refunded_whole(context: Context) -> None:
    """Without an amount, everything left is refunded and booked immediately."""
    charge = charge_of(context)

    refunded = refund_payment(context, charge, why="double payment")

    assert isinstance(refunded, Refunded)
    assert (refunded.charge_id, refunded.cents) == (charge, 1000)
    assert returned_cents(context) == 1000
    with context.store.read() as work:
        (row,) = work.operations.audit()
    assert (row.action, row.subject, row.why, row.after["cents"]) == (
        ACTION,
        charge,
        "double payment",
        1000,
    )
    with pytest.raises(Conflict, match="given back in full"):
        refund_payment(context, charge, why="again")


def test_a_payment_is_found_by_its_entry_too(context: Context) -> None:
    """The beginning of the entry's id is enough."""
    with context.store.read() as work:
        (payment,) = work.payments.all()
        entry = work.journal.get(payment.index).id

    refund_payment(context, entry[:10], cents=400, why="part")

    assert returned_cents(context) == 400


def test_only_a_payment_can_be_refunded(context: Context) -> None:
    """A refund's own entry, an unknown id, an invalid amount and a missing reason are refused."""
    charge = charge_of(context)
    refund_payment(context, charge, cents=100, why="part")
    with context.store.read() as work:
        newest = work.journal.newest()
    assert newest is not None
    for text in (newest.id, "nothing"):
        with pytest.raises(NotFound):
            refund_payment(context, text, why="wrong")
    for cents in (0, -5):
        with pytest.raises(InvalidInput, match="must be positive"):
            refund_payment(context, charge, cents=cents, why="wrong")
    with pytest.raises(Conflict, match=r"\$9\.00 is left"):
        refund_payment(context, charge, cents=901, why="too much")
    with pytest.raises(InvalidInput, match="reason"):
        refund_payment(context, charge, why=" ")


def test_money_that_came_another_way_is_not_refunded_here(context: Context) -> None:
    """A gift that was posted by hand has no charge at the provider."""
    entry = JournalEntry(
        day=context.today(),
        kind=EntryKind.GIFT,
        description="Cash at the fair",
        postings=(
            Posting("assets:bank", Fund.OTHER, 500),
            Posting("income:gifts", Fund.OTHER, -500),
        ),
        source="manual",
    )
    with context.store.write() as work:
        posted = Books(context, work).post(entry)

    with pytest.raises(Conflict, match="did not come through"):
        refund_payment(context, posted.id, why="asked")


def test_a_lost_answer_gives_nothing_back_twice(context: Context) -> None:
    """The idempotency key is derived from the payment and the amount refunded before."""
    charge = charge_of(context)
    with pytest.raises(Unavailable):
        refund_payment(breaking(context, "refund", after=True), charge, cents=400, why="part")

    refund_payment(context, charge, cents=400, why="part")
    assert returned_cents(context) == 400

    refund_payment(context, charge, cents=400, why="another part")
    assert returned_cents(context) == 800


def test_over_the_limit_a_second_operator_decides(place: Path) -> None:
    """The refund waits, moves nothing, and is made when another operator approves it."""
    context, charge = limited(place, 500)

    assert isinstance(refund_payment(context, charge, cents=499, why="small"), Refunded)
    # With it, $4.99 of this payment were refunded today: the next cent reaches the limit.
    again = refund_payment(context, charge, cents=1, why="another small one")
    assert isinstance(again, Approval)
    shown = show_approval(context, again.id)
    assert (shown["about"], shown["effect"]) == ("Ama Mensah", "$0.01 go back to Ama Mensah.")
    waiting = refund_payment(context, charge, cents=500, why="large")
    assert isinstance(waiting, Approval)
    assert returned_cents(context) == 499

    other = replace(context, operator="second")
    approve(other, waiting.id, handlers={ACTION: refund_approved})
    assert returned_cents(context) == 999


def test_a_limit_of_a_day_counts_that_day_alone(place: Path) -> None:
    """Yesterday's refund of the payment does not count towards today's limit."""
    context, charge = limited(place, 500)
    refund_payment(context, charge, cents=300, why="part")
    clock_of(context).advance(days=1)

    assert isinstance(refund_payment(context, charge, cents=300, why="another"), Refunded)
    assert isinstance(refund_payment(context, charge, cents=200, why="too much"), Approval)
    assert returned_cents(context) == 600


@fewer_examples(3)
@given(st.lists(st.integers(1, 1200), max_size=6))
def test_refunds_never_exceed_the_payment(tmp_path_factory: object, wishes: list[int]) -> None:
    """Law: any requests in any order refund at most the payment, and the books agree."""
    context = make_organisation(tmp_path_factory.mktemp("law"))  # type: ignore[attr-defined] # pytest's factory, behind a fixture of ours
    join(context)
    charge = charge_of(context)
    given_back = 0
    for cents in wishes:
        if given_back + cents <= 1000:
            refund_payment(context, charge, cents=cents, why="wish")
            given_back += cents
        else:
            left = format_cents(1000 - given_back)[1:]
            why = f"{left} is left" if given_back < 1000 else "given back in full"
            with pytest.raises(Conflict, match=why):
                refund_payment(context, charge, cents=cents, why="wish")

    assert given_back == returned_cents(context)
    assert sum(row.amount for row in context.gateway.rows()) == 1000 - given_back


class Queue:
    """A store whose writers wait until they may."""

    def __init__(self, real: Any) -> None:
        """Wrap a real store."""
        self._real = real
        self.is_waiting, self.may = threading.Event(), threading.Event()

    def write(self) -> Any:
        """Wait, then write."""
        self.is_waiting.set()
        assert self.may.wait(timeout=PATIENCE_SECONDS)
        return self._real.write()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@pytest.mark.parametrize("cents", [400, 700, None])
def test_wishes_asked_at_the_same_time_are_one_refund(place: Path, cents: int | None) -> None:
    """The amount refunded before counts at the time of the request, even if a request waits."""
    context = make_organisation(place, database=None if is_on_server(place) else place / "a.db")
    join(context)
    charge = charge_of(context)
    queue = Queue(context.store)
    late = replace(context, store=cast("Any", queue))
    found: list[object] = []

    def wish_late() -> None:
        found.append(refund_payment(late, charge, cents=cents, why="retry"))
        context.store.close()

    waiting = threading.Thread(target=wish_late)
    waiting.start()
    assert queue.is_waiting.wait(timeout=PATIENCE_SECONDS)  # it has made its request
    first = refund_payment(context, charge, cents=cents, why="asked")
    queue.may.set()
    waiting.join(timeout=PATIENCE_SECONDS)

    assert found == [first]
    assert (cents or 1000) == returned_cents(context)


def test_a_key_names_a_refund_for_good(context: Context) -> None:
    """The same key gives the same refund, another key another one; a key has one amount."""
    charge = charge_of(context)

    first = refund_payment(context, charge, cents=400, why="asked", key="case-17")
    again = refund_payment(context, charge, cents=400, why="asked", key="case-17")
    other = refund_payment(context, charge, cents=400, why="asked", key="case-18")

    assert first == again != other
    assert returned_cents(context) == 800
    with pytest.raises(Conflict):
        refund_payment(context, charge, cents=100, why="asked", key="case-17")


def test_a_payment_by_card_goes_back_to_the_card(context: Context) -> None:
    """No account of our own is named for it, and nothing is refunded."""
    with pytest.raises(InvalidInput, match="refunded by the payment provider; omit --from"):
        refund_payment(context, charge_of(context), why="asked", paid_from="assets:bank")
    with pytest.raises(InvalidInput, match="provider books what happens"):
        refund_payment(context, charge_of(context), why="asked", returned_on=date(2026, 3, 1))

    assert returned_cents(context) == 0


def test_an_approved_refund_is_the_one_that_was_asked_for(place: Path) -> None:
    """The same refund waits once, and another amount is another one."""
    context, charge = limited(place, 400)
    waiting = refund_payment(context, charge, cents=400, why="large")
    assert isinstance(waiting, Approval)
    with pytest.raises(Conflict, match=f"This refund waits as {waiting.id}: jara approvals"):
        refund_payment(context, charge, cents=400, why="large")
    assert isinstance(refund_payment(context, charge, cents=401, why="large"), Approval)

    approve(replace(context, operator="second"), waiting.id, handlers={ACTION: refund_approved})

    assert returned_cents(context) == 400


def test_an_approved_refund_that_failed_is_approved_again(place: Path) -> None:
    """With keys, the same people sign again, and the log has one approval."""
    context, waiting = waiting_refund(place)
    away = acting(breaking(context, "refund"), "ben")

    with pytest.raises(Unavailable):
        approve(away, waiting.id, handlers={ACTION: refund_approved})
    assert returned_cents(context) == 0
    approve_as(context, waiting, "ben")

    assert returned_cents(context) == 500
    with context.store.read() as work:
        assert len(list(work.log.leaves_of("jara/v1/approval"))) == 1
        assert [one.state for one in work.operations.approvals(waiting_only=False)] == ["approved"]
