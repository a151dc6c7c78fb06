"""One bookkeeper alone, with limits of $100: every way that money can leave is counted."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.books.account import BANK, GIFTS, GRANTS, OPENING, STRIPE, SUSPENSE, Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.outflow import FIRST_ACCOUNTS
from jara.domain.books.provider_row import ProviderRow
from jara.domain.books.spending import grant_entry, opening_entry
from jara.domain.control.state import Limits, act_of_limits
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.records.operations import Approval
from jara.services.authority import read_control
from jara.services.bank.answering import book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import (
    move_between_funds,
    post_entry,
    return_payment,
    reverse_entry,
)
from jara.services.books.commitments import release_commitment, releases_of
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import IMPORT_ACTION, ImportOutcome
from jara.services.books.policies import add_account
from jara.services.books.posting import fund_balances
from jara.services.context import Context, Rules
from jara.services.field.claimants import add_purpose, list_purposes
from jara.services.operations.control import set_limits
from jara.services.operations.diagnosis_trust import check_approvals
from jara.services.operations.import_undo import list_imports, undo_import
from jara.services.payments.importing import book_rows
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import Refunded, refund_payment
from jara.services.payments.ways import set_way
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import TestSigner, acting, approve_as, enrol, signatures, waits
from tests.harness import COUNTRIES, clock_of, copy_of, make_organisation
from tests.rows import a_row
from tests.services.ballots.voting_world import add_former_payer
from tests.services.books.ledger_builders import account_sums, give, pass_proposal
from tests.services.books.test_entry_importing import an_item
from tests.services.giving.joiners import join, pass_time
from tests.services.operations.controlled_world import assert_good
from tests.services.operations.doctor import WELL

LIMIT_CENTS = 10_000
SMALL = 9_900


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with $20,000 at the bank, three operators, and limits of $100."""
    return copy_of(with_limits, place)


def with_limits(folder: Path) -> Context:
    """Make the organisation."""
    rules = Rules(countries=COUNTRIES, approval_cents=LIMIT_CENTS)
    context = make_organisation(folder, rules=rules)
    give(context, 100_000)
    post_entry(context, opening_entry(date(2026, 4, 30), {(BANK, Fund.OTHER): 2_000_000}))
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    return context


def kit(context: Context) -> Context:
    """Return the context of the bookkeeper's next command."""
    return acting(context, "kit")


def an_entry(
    cents: int,
    account: str,
    *,
    kind: str = "manual",
    day: date = date(2026, 11, 20),
    external_id: str | None = None,
) -> JournalEntry:
    """Return an entry that moves money from the bank to an account."""
    postings = (Posting(account, Fund.OTHER, cents), Posting(BANK, Fund.OTHER, -cents))
    return JournalEntry(
        day, EntryKind(kind), "An entry", postings, external_id=external_id, note="why"
    )


def post(context: Context, entry: JournalEntry) -> PostedEntry | Approval:
    """Post an entry as the bookkeeper."""
    return post_entry(kit(context), entry)


def posted(results: Iterable[object]) -> list[bool]:
    """Return which acts were carried out at once."""
    return [not isinstance(result, Approval) for result in results]


@pytest.mark.parametrize(
    "kind",
    ["suspense", "topup", "payout_arrived", "payout", "fee", "reserve", "refund", "pledge", "gift"],
)
@pytest.mark.parametrize("account", [SUSPENSE, "expenses:fees", GIFTS])
def test_kinds_of_the_provider_are_not_posted(context: Context, kind: str, account: str) -> None:
    """A label of the provider's made $500 a matter of one person."""
    with pytest.raises(InvalidInput, match=f"'{kind}' is for movements at the payment provider"):
        post(context, an_entry(50_000, account, kind=kind))


@pytest.mark.parametrize("kind", ["manual", "transfer", "opening", "grant", "commitment", "salary"])
@pytest.mark.parametrize("account", [SUSPENSE, OPENING, GIFTS, GRANTS, "expenses:fees:bank"])
def test_the_effect_counts_and_not_the_kind(context: Context, kind: str, account: str) -> None:
    """$500 out of the bank wait, whatever they are called and wherever they go."""
    done = post(context, an_entry(50_000, account, kind=kind))

    assert isinstance(done, Approval)
    assert account_sums(context)[BANK] == 2_000_000


@pytest.mark.parametrize("kind", ["transfer", "manual"])
def test_an_account_of_ones_own_making_is_outside(context: Context, kind: str) -> None:
    """Money that moves to an account added after the limits counts."""
    add_account(kit(context), "assets:second", meaning="Second bank.")

    assert isinstance(post(context, an_entry(50_000, "assets:second", kind=kind)), Approval)
    day = [post(context, an_entry(SMALL, "assets:second", kind=kind)) for _ in range(2)]
    assert posted(day) == [True, False]


def test_money_moves_freely_between_accounts_of_before(context: Context) -> None:
    """A transfer between accounts that the limits know takes nothing out."""
    done = post(context, an_entry(50_000, STRIPE, kind="transfer"))

    assert isinstance(done, PostedEntry)


def test_fees_of_a_day_count_together(context: Context) -> None:
    """Bank charges count on their account."""
    done = [post_bank_charge(kit(context), cents=SMALL) for _ in range(5)]

    assert posted(done) == [True, False, False, False, False]


def test_the_daily_limit_counts_the_day_of_booking(context: Context) -> None:
    """What one person books today counts today, whatever day the entries name."""
    days = [context.today() - timedelta(days=back) for back in range(5)]
    payees = [f"expenses:grants:payee-{number}" for number in range(5)]

    done = [
        post(context, an_entry(SMALL, payee, day=day))
        for payee, day in zip(payees, days, strict=True)
    ]

    assert posted(done) == [True, False, False, False, False]


def test_approved_money_leaves_the_day_to_others(context: Context) -> None:
    """What two people signed does not count in the day's limit over all."""
    big = post(context, an_entry(50_000, "expenses:grants:school"))
    approve_as(context, big, "ben")

    done = [post(context, an_entry(SMALL, "expenses:operations")) for _ in range(2)]

    assert posted(done) == [True, False]


def test_card_refunds_to_one_payer_count_together(context: Context) -> None:
    """Refunds of several payments count for their payer, and wait from the limit on."""
    join(context, contribution=20)
    for month in range(1, 7):
        pass_time(context, clock_of(context).at.replace(year=2027, month=month, day=28))
    with context.store.read() as work:
        charges = [one.source_id or "" for one in work.payments.all() if one.cents == 2000]

    done = [refund_payment(kit(context), charge, why="asked") for charge in charges[:6]]

    assert posted(done) == [True] * 4 + [False] * 2


def test_cash_refunds_to_one_payer_count_together(context: Context) -> None:
    """25 refunds of $20 on one day wait from the fifth on; an approved one is paid."""
    payments = cash_payments(context, 25)

    done = [refund_payment(kit(context), one.id, why="asked") for one in payments]

    assert posted(done) == [True] * 4 + [False] * 21
    assert isinstance(approve_as(context, done[-1], "ben"), Refunded)


def test_an_approved_refund_in_cash_is_bound_to_its_entry(context: Context, tmp_path: Path) -> None:
    """The verifier finds the approval of a refund above the limit."""
    (payment,) = cash_payments(context, 1, cents=50_000)
    waiting = refund_payment(kit(context), payment.id, why="asked")
    approve_as(context, waiting, "ben")

    assert_good(context, tmp_path, by="ada")


def test_an_import_pays_no_project(context: Context) -> None:
    """A journal is no way to pay a project without a vote, or committed money."""
    wells = an_entry(500, "expenses:projects:wells", kind="disbursement")
    committed = JournalEntry(
        date(2026, 11, 20),
        EntryKind.DISBURSEMENT,
        "Paid",
        (Posting("expenses:operations", Fund.COMMITTED, 500), Posting(BANK, Fund.COMMITTED, -500)),
    )

    for number, entry in enumerate((wells, committed)):
        outcome = take_file(context, replace(entry, external_id=f"j:{number}"))
        assert (outcome.posted, len(outcome.rejected)) == (0, 1)


def test_what_the_split_decided_is_not_moved_alone(context: Context, tmp_path: Path) -> None:
    """A transfer out of `projects` counts like a payment; one person moved $4,818 to salaries."""

    def move(cents: int) -> PostedEntry | Approval:
        return move_between_funds(
            kit(context), source=Fund.PROJECTS, target=Fund.STAFF, cents=cents, note="salaries"
        )

    waiting = [move(50_000), *(move(SMALL) for _ in range(2))]

    assert posted(waiting) == [False, True, False]
    assert fund_of(context, Fund.PROJECTS) == 80_000 - SMALL
    approve_as(context, waiting[0], "ben")
    assert fund_of(context, Fund.PROJECTS) == 30_000 - SMALL
    assert_good(context, tmp_path, by="ada")


def test_what_a_vote_decided_is_not_released_alone(context: Context) -> None:
    """A release counts like a payment, also of what is not held yet, and is published."""
    pass_proposal(context, 50_000)
    pass_proposal(context, 90_000, "reef")

    def release(name: str, cents: int | None) -> Commitment | Approval:
        return release_commitment(kit(context), f"prop_{name}", cents=cents, why="Cheaper pump")

    waiting = waits(release("wells", None))
    with pytest.raises(Conflict, match="The reason says where to send money"):
        release_commitment(kit(context), "prop_wells", cents=1, why="To DE89 3704 0044 0532")
    assert isinstance(release("wells", SMALL), Commitment)
    assert isinstance(release("wells", SMALL), Approval)
    with pytest.raises(Conflict, match="changed since the release was asked for"):
        approve_as(context, waiting, "ben")
    approve_as(context, release("wells", None), "ben")
    approve_as(context, release("reef", None), "ben")  # $300 of it are held

    assert fund_of(context, Fund.COMMITTED) == 0
    with context.store.read() as work:
        alone, shared = releases_of(work, "prop_wells")
        reef = releases_of(work, "prop_reef")
    kits, bens = (TestSigner(name).key.fingerprint for name in ("kit", "ben"))
    assert (alone.cents, alone.reason, alone.signers) == (SMALL, "Cheaper pump", (kits,))
    assert (shared.cents, set(shared.signers)) == (50_000 - SMALL, {kits, bens})
    assert [one.cents for one in reef] == [90_000]


def test_the_name_of_a_purpose_does_not_say_where_to_pay(context: Context) -> None:
    """Whoever claims reads it at once."""
    with pytest.raises(Conflict, match="The purpose says where to send money"):
        add_purpose(context, "Pay to GB33 BUKB 2020 1555 5555 55", "expenses:operations", None)

    assert list_purposes(context) == []


def test_an_import_takes_no_more_than_a_fund_has(context: Context) -> None:
    """Entries of a file that overdraw a fund together are rejected, also below the limit."""
    left = fund_of(context, Fund.MARKETING)
    move_between_funds(kit(context), source=Fund.MARKETING, target=Fund.OTHER, cents=left - 5_000)
    postings = (
        Posting("expenses:marketing", Fund.MARKETING, 3_000),
        Posting(BANK, Fund.MARKETING, -3_000),
    )
    entry = JournalEntry(date(2026, 11, 20), EntryKind.EXPENSE, "Poster", postings)
    posters = [replace(entry, external_id=f"j:{number}") for number in range(3)]

    outcome = take_file(context, *posters, partial=True)

    assert (outcome.posted, len(outcome.rejected)) == (1, 2)
    assert "The fund 'marketing' has $20.00" in outcome.rejected[0].message


@pytest.mark.parametrize("kind", ["suspense", "topup", "payout_arrived", "fee", "pledge", "gift"])
def test_an_import_brings_no_entry_of_the_provider(context: Context, kind: str) -> None:
    """In a journal the kinds of the provider are a label like any other."""
    outcome = take_file(context, an_entry(500, SUSPENSE, kind=kind, external_id="j:1"))

    assert (outcome.posted, len(outcome.rejected)) == (0, 1)
    assert f"'{kind}' is for movements at the payment provider" in outcome.rejected[0].message


def test_an_import_counts_like_a_posting(context: Context) -> None:
    """What a file takes out counts with its sum, and with the day's."""
    files = [an_entry(SMALL, f"expenses:grants:p-{n}", external_id=f"j:{n}") for n in range(5)]

    outcome = take_file(context, *files, partial=True)

    assert (outcome.posted, len(outcome.rejected)) == (1, 4)
    assert isinstance(post(context, an_entry(SMALL, "expenses:operations")), Approval)


def test_fees_in_a_provider_file_count_towards_limits(context: Context) -> None:
    """A report that one person wrote books no large fee, and no five small ones."""
    rows = [a_row("fee", -SMALL, txn_id=f"txn_f{number}") for number in range(5)]

    def take_rows(*taken: ProviderRow) -> ImportOutcome:
        return book_rows(kit(context), taken, partial=True, act=IMPORT_ACTION, is_file=True)

    assert take_rows(a_row("unknown", -50_000, txn_id="txn_u")).posted == 0
    assert [take_rows(row).posted for row in rows] == [1, 0, 0, 0, 0]
    assert take_rows(a_row("charge", 50_000, 900, txn_id="txn_c", source_id="ch_c")).posted == 1


def test_a_written_statement_counts(context: Context) -> None:
    """A line of a statement that the bookkeeper wrote is matched to suspense: $2,500."""
    bank = a_statement(
        a_line(-250_000, "ACME", day=20), a_line(-SMALL, "A", day=21), opening=2_000_000
    )
    import_statements(kit(context), [bank], file="may.xml", new_account=BANK)
    large, small = (line.id for line in list_waiting(context))

    with pytest.raises(Conflict, match="another operator's approval"):
        book_line(kit(context), large, [Part(SUSPENSE)])
    book_line(kit(context), small, [Part(SUSPENSE)])
    assert isinstance(post(context, an_entry(SMALL, SUSPENSE)), Approval)


@pytest.mark.parametrize("ledger", ["assets:stripe", "assets:in-transit", "assets:stripe-reserve"])
def test_no_statement_is_of_the_providers_account(context: Context, ledger: str) -> None:
    """A statement of the provider's account would pass for the provider's own movements."""
    with pytest.raises(InvalidInput, match=f"'{ledger}' is the payment provider's"):
        import_statements(kit(context), [a_statement()], file="may.xml", new_account=ledger)


def test_a_reversal_counts(context: Context) -> None:
    """Undoing a grant received takes it out of the books; it waits, and is approved."""
    grant = post(context, grant_entry(context.today(), {Fund.OTHER: 50_000}))
    assert isinstance(grant, PostedEntry)

    waiting = waits(reverse_entry(kit(context), grant.id, why="never came"))

    assert isinstance(approve_as(context, waiting, "ben"), PostedEntry)


def test_small_reversals_count_together(context: Context) -> None:
    """Small reversals count together, and reversing a payment takes nothing out."""
    grants = [post(context, grant_entry(context.today(), {Fund.OTHER: SMALL})) for _ in range(2)]
    paid = post(context, an_entry(SMALL, "expenses:operations"))
    assert isinstance(paid, PostedEntry)
    back = reverse_entry(kit(context), paid.id, why="not paid")

    done = [
        reverse_entry(kit(context), one.id, why="never came")
        for one in grants
        if isinstance(one, PostedEntry)
    ]

    assert isinstance(back, PostedEntry)
    assert posted(done) == [False, False]


def test_a_partial_return_counts_its_loss_towards_limits(context: Context) -> None:
    """A return of $1 for $900 writes off $899, which waits."""
    waiting = post(context, an_entry(90_000, "expenses:operations"))
    paid = approve_as(context, waiting, "ben")
    assert isinstance(paid, PostedEntry)

    done = waits(return_payment(kit(context), paid.id, cost_cents=90_000, received_cents=100))

    assert isinstance(approve_as(context, done, "ben"), PostedEntry)


def test_an_undone_import_counts_and_is_approved_as_a_whole(
    context: Context, tmp_path: Path
) -> None:
    """Undoing the import of grants takes them out; one approval covers all its reversals."""
    grants = [
        replace(grant_entry(date(2026, 11, 20), {Fund.OTHER: 50_000}), external_id=f"j:{number}")
        for number in range(3)
    ]
    assert take_file(context, *grants).posted == 3
    waiting = undo_import(kit(context), list_imports(context)[0].id, why="the wrong file")

    approve_as(context, waiting, "ben")

    assert_good(context, tmp_path, by="ada")


def test_limits_of_an_earlier_version_are_named(context: Context) -> None:
    """They count by effect at once; the doctor asks to set them again, which names our accounts."""
    old = shared_act_leaf(
        LeafType.CONTROL_POLICY, "0" * 64, {"approvals": 2, "limit_cents": LIMIT_CENTS}, []
    )
    with context.store.write() as work:
        here = read_control(context, work).organisation
        signers = (TestSigner("ada"), TestSigner("ben"))
        work.log.append(old | {"signatures": signatures(act_of_limits(old), here, *signers)})

    assert isinstance(post(context, an_entry(50_000, SUSPENSE, kind="manual")), Approval)
    assert any("earlier version" in one.message for one in check_approvals(context, WELL))
    limits = Limits(LIMIT_CENTS, LIMIT_CENTS, total_limit_cents=LIMIT_CENTS)
    approve_as(context, set_limits(acting(context, "ada"), limits, why="voted"), "ben")

    assert list(check_approvals(context, WELL)) == []
    with context.store.read() as work:
        assert read_control(context, work).own == FIRST_ACCOUNTS


def test_what_one_person_spends_in_a_month_is_limited(context: Context, tmp_path: Path) -> None:
    """Just below the limit of a day each day; an earlier date counts in its month too."""
    limits = Limits(LIMIT_CENTS, LIMIT_CENTS, 2, LIMIT_CENTS, 3 * LIMIT_CENTS)
    approve_as(context, set_limits(acting(context, "ada"), limits, why="voted"), "ben")
    first = context.today()
    days = [first + timedelta(days=back) for back in (0, 1, 2, 3, 20, 21)]
    paid = []
    for day in days:
        clock_of(context).set(context.zone.start_of(day) + timedelta(hours=12))
        paid.append(post(context, an_entry(SMALL, SUSPENSE, day=day)))
    clock_of(context).advance(days=1)
    paid += [post(context, an_entry(cents, SUSPENSE, day=days[3])) for cents in (100, 400)]

    assert posted(paid) == [True, True, True, False, True, True, True, False]
    assert_good(context, tmp_path, by="ada")


@pytest.mark.parametrize("ledger", ["assets:stripe", "assets:in-transit"])
def test_no_way_to_pay_is_the_providers_account(context: Context, ledger: str) -> None:
    """A refund in cash out of the provider's account would pass for the provider's own."""
    with pytest.raises(InvalidInput, match=f"'{ledger}' is the payment provider's"):
        set_way(acting(context, "ada"), PaymentWay.CASH, ledger=ledger, details="Here.", why="x")


def cash_payments(context: Context, count: int, *, cents: int = 2000) -> list[PostedEntry]:
    """Book payments of one member in cash."""
    with context.store.write() as work:
        work.book_settings.put_account("assets:cash", kind="assets", meaning="Cash.")
    way = set_way(
        acting(context, "ada"), PaymentWay.CASH, ledger="assets:cash", details="Here.", why="cash"
    )
    approve_as(context, way, "ben")
    member = add_former_payer(context, "ama")
    promise(kit(context), member.email, dollars=20, way=PaymentWay.CASH)
    return [receive(kit(context), member.email, cents, name=f"r{n}").posted for n in range(count)]


def take_file(context: Context, *entries: JournalEntry, partial: bool = False) -> ImportOutcome:
    """Import the entries of a journal as the bookkeeper."""
    items = [an_item(entry.external_id or "", entry) for entry in entries]
    return import_entries(kit(context), items, partial=partial)


def fund_of(context: Context, fund: Fund) -> int:
    """Return the balance of a fund."""
    return fund_balances(context.store.read_once())[fund]
