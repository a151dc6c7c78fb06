"""Charges, movements and balances of the provider, fetched and reconciled."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Conflict, InvalidInput, Refused, Unavailable, YearLocked
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context, Rules
from jara.services.giving.pledging import cancel_pledge, find_pledge, refresh_stored, replace_card
from jara.services.members.documents import list_payments
from jara.services.operations import years
from jara.services.operations.daily_run import queue_due_emails
from jara.services.operations.operators import add_operator
from jara.services.operations.start_page import read_start_page
from jara.services.operations.years import close_year, open_year
from jara.services.payments.charging import charge_due, refresh_pledges
from jara.services.payments.importing import collect_movements
from jara.services.payments.reconciling import Unmatched, reconcile, repair
from jara.services.ports.payments import PaymentGateway, ProviderBalance
from tests.harness import NOON, clock_of, make_organisation
from tests.rows import a_row
from tests.services.books.ledger_builders import all_entries, book, newest
from tests.services.giving.joiners import FAILS, join, sandbox_of

LAST_YEAR = datetime(2025, 6, 1, 12, tzinfo=UTC)


@dataclass
class Provider:
    """A provider that returns the given values; the tests ask nothing else of it."""

    movements: list[ProviderRow]
    late: list[ProviderRow]
    other_cents: int = 0
    name = "stripe"

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the movements; late ones appear after the balance was read."""
        assert since is None
        return iter(self.movements)

    def balance(self) -> list[ProviderBalance]:
        """Return a balance in two currencies."""
        self.movements += self.late
        self.late = []
        cents = sum(row.net for row in self.movements) + self.other_cents
        return [
            ProviderBalance("usd", cents - 100, 100, 0, 0),
            ProviderBalance("cad", 999, 0, 0, 0),
        ]


def charge(number: int, cents: int = 1000) -> ProviderRow:
    """Return a charge of last year."""
    return a_row(
        "charge", cents, 0, txn_id=f"txn_{number}", source_id=f"ch_{number}", created=LAST_YEAR
    )


def with_provider(
    context: Context, *rows: ProviderRow, late: tuple[ProviderRow, ...] = (), other_cents: int = 0
) -> Context:
    """Return the context with a provider that has these movements."""
    provider = Provider(list(rows), list(late), other_cents)
    gateway: PaymentGateway = provider  # type: ignore[assignment] # as much of a gateway as is asked for
    return replace(context, gateway=gateway)


def test_equal_books_match(context: Context) -> None:
    """Every movement is known, including one from a file without transaction ids."""
    book(context, charge(1), charge(2)._replace(txn_id=None))
    told: list[tuple[int, int]] = []

    found = reconcile(
        with_provider(context, charge(1), charge(2)),
        progress=lambda done, total: told.append((done, total)),
    )

    assert told == [(2, 2), (2, 4)]  # the books know one of them by its id
    assert (found.rows, found.matched, found.ok, found.difference_cents) == (2, 2, True, 0)


def test_each_difference_is_named_by_its_transaction(context: Context) -> None:
    """A transaction may be missing on either side, or have another amount."""
    book(context, charge(1), charge(2), charge(4, 300))

    found = reconcile(with_provider(context, charge(1), charge(2, 1100), charge(3)))

    assert not found.ok
    assert found.matched == 1
    assert found.missing_in_ledger == (Unmatched("txn_3", "charge", 1000, None),)
    assert found.missing_at_provider == (Unmatched("txn_4", "charge", None, 300),)
    assert found.mismatched == (Unmatched("txn_2", "charge", 1100, 1000),)
    assert found.difference_cents == 1000 + 1100 + 1000 - 2300


def test_repair_books_missing_movements(context: Context) -> None:
    """A movement that appears while the balance is being read is booked too."""
    provider = with_provider(context, charge(1), late=(charge(2),))

    outcome, found = repair(provider)

    assert (outcome.posted, found.ok) == (2, True)


def test_money_that_no_movement_explains_is_a_difference(context: Context) -> None:
    """The balances are compared as well."""
    book(context, charge(1))

    found = reconcile(with_provider(context, charge(1), other_cents=5))

    assert (found.ok, found.difference_cents) == (False, 5)


# Years


def test_a_closed_year_takes_no_entries_until_it_is_opened(context: Context) -> None:
    """It stores its balances per fund and the head of the log; reopening needs a reason."""
    book(context, charge(1))
    provider = with_provider(context, charge(1))
    log_size = newest(context).index + 1

    lock = close_year(provider, 2025)

    assert (lock.year, lock.log_size) == (2025, log_size)
    assert dict(lock.balances) == {
        "projects": 800,
        "staff": 70,
        "marketing": 90,
        "other": 40,
        "committed": 0,
    }
    with pytest.raises(YearLocked, match="2025"):
        reverse_entry(context, newest(context).id, why="No.", day=date(2025, 6, 1))
    with pytest.raises(Conflict, match="closed already"):
        close_year(provider, 2025)
    with pytest.raises(InvalidInput, match="--why"):
        open_year(context, 2025, why="")
    assert open_year(context, 2025, why="A late statement.") is None
    with pytest.raises(Conflict, match="are open"):
        open_year(context, 2025, why="Again.")
    with context.store.read() as work:
        acts = [row.action for row in work.operations.audit()]
    assert acts[-2:] == ["years.close", "years.open"]


def test_a_year_is_closed_only_when_it_is_over_and_agrees(context: Context) -> None:
    """The books must agree with the provider, if there is one."""
    with pytest.raises(Conflict, match="2026 is not over"):
        close_year(context, 2026)
    book(context, charge(1))
    with pytest.raises(Conflict, match="differ from the payment provider"):
        close_year(with_provider(context, charge(2)), 2025)
    assert close_year(context, 2025).year == 2025


def test_books_that_do_not_verify_stay_open(context: Context) -> None:
    """The refusal gives the first finding."""
    book(context, charge(1))
    index = newest(context).index
    with context.store.write() as work:
        work.payments.update(index, returned_cents=5, dispute="none")

    with pytest.raises(Conflict, match="do not verify, so 2025 stays open"):
        close_year(context, 2025)


def test_with_approvals_opening_a_year_waits(place: Path) -> None:
    """Reopening a year needs two people."""
    first = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(first, name)
    close_year(first, 2025)

    waiting = open_year(first, 2025, why="A late statement.")

    assert isinstance(waiting, Approval)
    document = {
        "date": "2025-03-06",
        "postings": [
            {"account": "assets:bank", "fund": "other", "cents": 50},
            {"account": "income:grants", "fund": "other", "cents": -50},
        ],
    }
    entry = read_entry(document, today=date(2025, 3, 6))
    with pytest.raises(YearLocked):
        post_entry(first, entry)
    approve(replace(first, operator="second"), waiting.id, handlers=years.HANDLERS)
    post_entry(first, entry)


def test_a_clock_behind_the_providers_is_normal(tmp_path: Path) -> None:
    """If the provider's charges are ahead of our clock, a failed one is dated today."""
    context = make_organisation(tmp_path)
    joined = join(context)
    replace_card(context, joined.member.id, FAILS)

    report = charge_due(context, sandbox_of(context), until=NOON + timedelta(days=35))

    assert report.refreshed.failures == ()
    with context.store.read() as work:
        kinds = [email.kind for email in work.outbox.all()]
    pledge = find_pledge(context, joined.member.id)
    assert pledge.past_due_since is not None
    assert pledge.past_due_since > context.now()
    assert kinds.count("charge_failed") == 1


def test_one_pledge_that_fails_is_reported_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even a bug of ours stops no other pledge; an unreachable provider stops the run."""
    context = make_organisation(tmp_path)
    joined = [join(context, f"{name}@example.org") for name in ("ama", "kofi", "efua")]
    real, asked = refresh_stored, []

    def refresh(context: Context, pledge: Pledge, *, is_joining: bool) -> Pledge:
        asked.append(pledge.member_id)
        if pledge.member_id == joined[0].member.id:
            raise IndexError("list index out of range")
        if pledge.member_id == joined[1].member.id:
            raise Refused("Not this one.")
        return real(context, pledge, is_joining=is_joining)

    monkeypatch.setattr("jara.services.payments.charging.refresh_stored", refresh)

    report = refresh_pledges(context)

    assert {one.member.id for one in joined} == set(asked)
    assert sorted(failure.partition(": ")[2] for failure in report.failures) == [
        "IndexError: list index out of range (a defect of Jara)",
        "Not this one.",
    ]


def test_a_provider_that_is_away_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider is asked once, since each pledge would fail after its own wait."""
    context = make_organisation(tmp_path)
    for name in ("ama", "kofi"):
        join(context, f"{name}@example.org")
    asked = []

    def away(_context: Context, pledge: Pledge, *, is_joining: bool) -> Pledge:
        asked.append(pledge.member_id)
        raise Unavailable("Stripe could not be reached.")

    monkeypatch.setattr("jara.services.payments.charging.refresh_stored", away)

    with pytest.raises(Unavailable):
        refresh_pledges(context)

    assert len(asked) == 1


def test_the_end_of_a_pledge_that_was_not_paid_is_reported_once(tmp_path: Path) -> None:
    """Each failed attempt gets one email, and so does the end, whoever ended the pledge."""
    context = make_organisation(tmp_path)
    joined = join(context)
    replace_card(context, joined.member.id, FAILS)

    for days in range(28, 70):
        clock_of(context).set(NOON + timedelta(days=days))
        charge_due(context, sandbox_of(context))
        queue_due_emails(context)

    with context.store.read() as work:
        kinds = [email.kind for email in work.outbox.all()]
    assert kinds.count("charge_failed") == 3
    assert kinds.count("pledge_ended") == 1
    assert PledgeState.CANCELED is find_pledge(context, joined.member.id).state


def test_a_pledge_that_ended_between_two_looks_is_reported(tmp_path: Path) -> None:
    """This holds even if it was never seen past due; a member who leaves gets no such email."""
    context = make_organisation(tmp_path)
    left, unpaid = (join(context, f"{name}@example.org").member for name in ("ama", "kofi"))
    for member in (left, unpaid):
        replace_card(context, member.id, FAILS)
    charge_due(context, sandbox_of(context), until=NOON + timedelta(days=32))
    cancel_pledge(context, left.id)

    charge_due(context, sandbox_of(context), until=NOON + timedelta(days=60))

    with context.store.read() as work:
        ended = [mail.member_id for mail in work.outbox.all() if mail.kind == "pledge_ended"]
    assert ended == [unpaid.id]


class LateGateway:
    """A provider whose movements may appear later than they were made."""

    def __init__(self, real: Any) -> None:
        """Wrap the sandbox."""
        self._real = real
        self.made: list[ProviderRow] = []
        self.asked: list[datetime | None] = []

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the movements from an instant on."""
        self.asked.append(since)
        return (row for row in self.made if since is None or row.created >= since)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_a_movement_that_appears_within_a_week_is_found(context: Context) -> None:
    """Each run asks again from seven days before the start of the last run."""
    gateway = LateGateway(context.gateway)
    context = replace(context, gateway=gateway)
    first = context.now()
    collect_movements(context)
    for number, days in enumerate((7, 3)):
        gateway.made.append(
            a_row("charge", 1000, 59, txn_id=f"txn_{number}", source_id=f"ch_{number}",
                  created=first - timedelta(days=days))
        )  # fmt: skip
    clock_of(context).set(first + timedelta(hours=1))

    outcome = collect_movements(context)

    assert gateway.asked == [None, first - timedelta(days=7)]
    assert 2 == outcome.posted == len(all_entries(context))
    assert collect_movements(context).skipped == 1
    assert gateway.asked[-1] == first + timedelta(hours=1) - timedelta(days=7)


def state_of(context: Context, member_key: str) -> tuple[str, bool]:
    """Return the state of a member's payment, and whether the start page lists a dispute."""
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member_key)
    waiting = [one.command for one in read_start_page(context).waiting]
    return payment.state.value, "jara payments list --state disputed" in waiting


@pytest.mark.parametrize(("won", "state"), [(True, "paid"), (False, "lost")])
def test_a_dispute_waits_until_it_is_decided(place: Path, won: bool, state: str) -> None:
    """The start page lists an open dispute, since an operator must answer it."""
    context = make_organisation(place)
    member = join(context).member
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
    dispute = sandbox_of(context).dispute(str(payment.source_id))

    collect_movements(context)
    assert state_of(context, member.key) == ("disputed", True)
    sandbox_of(context).settle_dispute(dispute, won=won)
    collect_movements(context)
    assert state_of(context, member.key) == (state, False)


def test_only_the_lost_dispute_is_closed(place: Path) -> None:
    """Only the lost dispute is closed; the others stay open."""
    context = make_organisation(place)
    disputes = []
    for name in ("ada", "bob"):
        member = join(context, email=f"{name}@example.org").member
        with context.store.read() as work:
            (payment,) = work.payments.of_member(member.key)
        disputes.append(sandbox_of(context).dispute(str(payment.source_id)))
    sandbox_of(context).settle_dispute(disputes[0], won=False)

    collect_movements(context)

    with context.store.read() as work:
        assert [
            member.email
            for member in work.members.all()
            for payment in work.payments.of_member(member.key)
            if payment.dispute == "open"
        ] == ["bob@example.org"]


def test_a_dispute_won_brings_no_reversed_payment_back(place: Path) -> None:
    """A reversed payment is not listed, and is no contribution even if its dispute is won."""
    context = make_organisation(place)
    member = join(context).member
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        entry = work.journal.get(payment.index)
        assert work.electors.member_ids(context.now()) == {member.id}
    reverse_entry(context, entry.id, why="A test charge.")
    assert list_payments(context, member.id) == []
    dispute = sandbox_of(context).dispute(str(payment.source_id))
    collect_movements(context)
    sandbox_of(context).settle_dispute(dispute, won=True)
    collect_movements(context)

    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        assert (payment.dispute, payment.returned_cents) == ("reversed", 0)
        assert work.electors.member_ids(context.now()) == frozenset()
