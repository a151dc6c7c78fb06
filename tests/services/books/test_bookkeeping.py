"""The operators' bookkeeping: post, reverse, take back, move, pay."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, Foreign, PostedEntry
from jara.domain.errors import Conflict, FundOverdrawn, InvalidInput, NotFound, UnknownAccount
from jara.domain.voting.proposal import ProposalStatus
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books import bookkeeping
from jara.services.books.bank_charges import HANDLERS, post_bank_charge
from jara.services.books.bookkeeping import (
    move_between_funds,
    post_entry,
    return_payment,
    reverse_entry,
)
from jara.services.books.tracing import trace_project
from jara.services.context import Context, Rules
from jara.services.operations.operators import add_operator
from jara.services.projects import disbursing
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.harness import make_organisation
from tests.rows import as_written
from tests.services.books import ledger_builders
from tests.services.books.entry_writing import TODAY, an_entry, with_posting
from tests.services.books.ledger_builders import give, pass_proposal


@pytest.fixture
def context(place: Path) -> Context:
    """Return books in which each fund has something: $800, $70, $90, $40."""
    context = make_organisation(place)
    ledger_builders.give(context, 100_000)
    return context


def done(result: PostedEntry | Approval) -> PostedEntry:
    """Assert for the type checker that nothing waits for approval."""
    assert isinstance(result, PostedEntry)
    return result


def commitment_of(context: Context) -> Commitment:
    """Return the proposal's commitment."""
    with context.store.read() as work:
        record = work.commitments.get("prop_wells")
    assert record is not None
    return record.commitment


def test_an_operator_posts_an_entry(context: Context) -> None:
    """The books hold it, and the audit log says who did it."""
    posted = done(post_entry(context, an_entry()))

    assert as_written(posted.entry) == "expenses:operations o +1250 · assets:bank o -1250"
    with context.store.read() as work:
        assert work.journal.notes_of([posted.index]) == {posted.index: "Domain name"}
        acts = [row.action for row in work.operations.audit()]
    assert acts[-1:] == ["ledger.post"]


def test_a_fund_cannot_be_overspent(context: Context) -> None:
    """The refusal names the fund, its balance and the amount, and nothing changes."""
    rows = [
        {"account": "expenses:operations", "fund": "other", "amount": "40.01"},
        {"account": "assets:bank", "fund": "other", "amount": "-40.01"},
    ]
    with pytest.raises(FundOverdrawn, match=r"'other' has \$40.00; \$40.01 was requested"):
        post_entry(context, an_entry(postings=rows))
    assert len(ledger_builders.all_entries(context)) == 1


@pytest.mark.parametrize(
    ("account", "fund", "words"),
    [
        ("expenses:projects:wells", "projects", "only for a proposal that passed"),
        ("expenses:operations", "committed", "by votes only"),
    ],
)
def test_voted_money_is_not_posted_by_hand(
    context: Context, account: str, fund: str, words: str
) -> None:
    """Projects are paid only for a proposal, and only votes fill `committed`."""
    rows = [
        {"account": account, "fund": fund, "cents": 100},
        {"account": "assets:bank", "fund": fund, "cents": -100},
    ]
    with pytest.raises(Conflict, match=words):
        post_entry(context, an_entry(postings=rows))


def test_a_new_account_is_in_the_chart_at_once(context: Context) -> None:
    """A transaction reads the chart once, and again after it added an account."""
    with context.store.write() as work:
        assert "assets:cash" not in work.book_settings.chart()
        work.book_settings.put_account("assets:cash", kind="assets", meaning="Cash.")

        assert "assets:cash" in work.book_settings.chart()


def test_an_unknown_account_is_refused(context: Context) -> None:
    """Only accounts in the chart are accepted."""
    with pytest.raises(UnknownAccount, match="yachts"):
        post_entry(context, an_entry(**with_posting(account="expenses:yachts")))


def test_money_moves_between_free_funds(context: Context) -> None:
    """Money held by votes cannot be moved, and neither can more than a fund has."""
    moved = move_between_funds(
        context, source=Fund.OTHER, target=Fund.STAFF, cents=1000, note="March"
    )

    assert isinstance(moved, PostedEntry)
    assert as_written(moved.entry) == (
        "equity:transfers o +1000 · assets:stripe o -1000 s +1000 · equity:transfers s -1000"
    )
    with pytest.raises(FundOverdrawn, match="'other'"):
        move_between_funds(context, source=Fund.OTHER, target=Fund.STAFF, cents=10_000)
    with pytest.raises(Conflict, match="votes only"):
        move_between_funds(context, source=Fund.COMMITTED, target=Fund.STAFF, cents=1)


def tranche(**changes: object) -> Disbursement:
    """Return a first payment of $40 to the project."""
    payment = Disbursement(Payee.PROJECTS, "wells", 4000, proposal="wells")
    return payment._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def test_a_project_is_paid_from_its_proposals_money(context: Context) -> None:
    """The payment reduces the commitment of the proposal."""
    pass_proposal(context, 5000)

    posted = done(disburse(context, tranche(foreign=Foreign("KES", 516_000, "129.00"))))

    assert as_written(posted.entry) == "expenses:projects:wells c +4000 · assets:bank c -4000"
    assert posted.entry.reference == "prop_wells"
    assert commitment_of(context) == Commitment("prop_wells", 5000, held=1000, paid=4000)
    with pytest.raises(FundOverdrawn, match=r"\$10.00 is held for the proposal prop_wells"):
        disburse(context, tranche())
    assert ledger_builders.money_findings(context) == []


def test_a_project_needs_a_proposal_that_passed(context: Context) -> None:
    """Without a passed proposal and a commitment, nothing is paid to a project."""
    proposal = pass_proposal(context, 5000)
    with context.store.write() as work:
        record = work.proposals.find("wells")
        rejected = replace(proposal, status=ProposalStatus.REJECTED).with_text(
            id="prop_no", slug="no"
        )
        work.proposals.put(record._replace(proposal=rejected))
        unpromised = proposal.with_text(id="prop_bare", slug="bare")
        work.proposals.put(record._replace(proposal=unpromised))

    with pytest.raises(InvalidInput, match="say which: --proposal"):
        disburse(context, tranche(proposal=None))
    with pytest.raises(Conflict, match="'no' is rejected"):
        disburse(context, tranche(proposal="no"))
    with pytest.raises(NotFound, match="has no commitment"):
        disburse(context, tranche(proposal="bare"))


@pytest.mark.parametrize("payee", [Payee.GRANTS, Payee.DONATIONS])
def test_grants_and_donations_are_paid_from_the_projects_fund(
    context: Context, payee: Payee
) -> None:
    """They need no proposal."""
    posted = done(disburse(context, Disbursement(payee, "school", 1000, day=date(2026, 11, 1))))

    assert as_written(posted.entry) == f"expenses:{payee}:school p +1000 · assets:bank p -1000"
    with pytest.raises(InvalidInput, match="omit --proposal"):
        disburse(context, Disbursement(payee, "school", 1000, proposal="wells"))
    with pytest.raises(FundOverdrawn, match="'projects'"):
        disburse(context, Disbursement(payee, "school", 100_000))


def test_an_entry_is_reversed_once_and_for_a_reason(context: Context) -> None:
    """A mistake is undone by a new entry with opposite signs."""
    posted = done(post_entry(context, an_entry()))
    with pytest.raises(InvalidInput, match="--why"):
        reverse_entry(context, posted.id, why=" ")

    undone = done(
        reverse_entry(context, posted.id[:8], why="Booked twice.", day=date(2026, 11, 19))
    )

    assert as_written(undone.entry) == "expenses:operations o -1250 · assets:bank o +1250"
    assert (undone.entry.reverses, undone.entry.day) == (posted.index, date(2026, 11, 19))
    with pytest.raises(Conflict, match="already reversed"):
        reverse_entry(context, posted.id, why="Again.")
    with pytest.raises(Conflict, match="itself a reversal"):
        reverse_entry(context, undone.id, why="No.")


def test_a_reversed_tranche_is_held_again(context: Context) -> None:
    """The commitment is as it was before; money held by other votes stays."""
    pass_proposal(context, 5000)
    held = ledger_builders.all_entries(context)[-1]
    posted = done(disburse(context, tranche()))

    reverse_entry(context, posted.id, why="The bank refused it.")

    assert commitment_of(context) == Commitment("prop_wells", 5000, held=5000)
    assert ledger_builders.money_findings(context) == []
    assert held.kind == EntryKind.COMMITMENT
    with context.store.read() as work:
        holding = work.journal.get(posted.index - 1).id
    with pytest.raises(Conflict, match="promised to a proposal"):
        reverse_entry(context, holding, why="No.")


def test_a_payee_returns_parts_of_a_payment(context: Context) -> None:
    """Each is at its cost, rate differences go to expenses:fx, and the payment is the limit."""
    pass_proposal(context, 5000)
    posted = done(disburse(context, tranche()))

    back = done(
        return_payment(context, posted.id, cost_cents=1000, received_cents=990, note="Pump")
    )
    return_payment(context, posted.id, cost_cents=1000, received_cents=1000)

    assert as_written(back.entry) == (
        "assets:bank c +990 · expenses:projects:wells c -1000 · expenses:fx c +10"
    )
    assert (back.entry.kind, back.entry.of, back.entry.reverses) == (
        EntryKind.RETURN,
        posted.index,
        None,
    )
    assert commitment_of(context) == Commitment("prop_wells", 5000, held=2990, paid=2000)
    assert trace_project(context, "wells").paid_cents == 2000
    assert ledger_builders.money_findings(context) == []
    with pytest.raises(InvalidInput, match=r"\$20.00 of it is left"):
        return_payment(context, posted.id, cost_cents=2001, received_cents=1)
    with pytest.raises(InvalidInput, match="not a payment to one payee"):
        return_payment(context, back.id, cost_cents=1, received_cents=1)


def test_an_ordinary_expense_may_come_back_too(context: Context) -> None:
    """The money goes to the fund that paid."""
    posted = done(post_entry(context, an_entry()))

    back = done(
        return_payment(context, posted.id, cost_cents=50, received_cents=50, day=date(2026, 11, 20))
    )

    assert as_written(back.entry) == "assets:bank o +50 · expenses:operations o -50"
    assert ledger_builders.funds(context)[Fund.OTHER] == 4000 - 1250 + 50


def test_over_the_limit_an_act_waits_for_a_second_operator(place: Path) -> None:
    """A prepared act is carried out unchanged after another operator approves it."""
    first = make_organisation(place, rules=Rules(approval_cents=1000))
    ledger_builders.give(first, 100_000)
    pass_proposal(first, 5000)
    add_operator(first, "tester")
    add_operator(first, "second")
    payment = tranche(foreign=Foreign("KES", 516_000, "129.00"), day=date(2026, 11, 18), note="1")

    waiting = [
        post_entry(first, an_entry()),
        disburse(first, payment),
        disburse(first, Disbursement(Payee.GRANTS, "school", 1000)),
    ]

    second = replace(first, operator="second")
    handlers = {**bookkeeping.HANDLERS, **disbursing.HANDLERS}
    results = []
    for act in waiting:
        assert isinstance(act, Approval)
        results.append(approve(second, act.id, handlers=handlers).result)
    entries = [result.entry for result in results if isinstance(result, PostedEntry)]
    assert replace(an_entry(), note=None) == replace(entries[0], note=None)
    assert (entries[1].day, entries[1].foreign) == (date(2026, 11, 18), payment.foreign)
    assert as_written(entries[2]) == "expenses:grants:school p +1000 · assets:bank p -1000"
    assert isinstance(post_entry(first, an_entry(**_small())), PostedEntry)


def _small() -> dict[str, object]:
    return {
        "postings": [
            {"account": "expenses:marketing", "fund": "other", "cents": 999},
            {"account": "assets:bank", "fund": "other", "cents": -999},
        ]
    }


def test_the_banks_charge_is_borne_by_the_overhead(context: Context) -> None:
    """The charge is split by the weights of the policy in force."""
    posted = post_bank_charge(context, cents=20, external_id="bank:7", note="November")

    assert isinstance(posted, PostedEntry)
    assert (
        as_written(posted.entry) == "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4"
    )
    assert posted.entry.day == TODAY


def test_a_large_bank_charge_is_no_way_around_approval(place: Path) -> None:
    """From the limit on, a bank charge waits for another operator, who approves it."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)

    waiting = post_bank_charge(context, cents=1000)

    assert isinstance(waiting, Approval)
    second = replace(context, operator="second")
    carried_out = approve(second, waiting.id, handlers=HANDLERS).result
    assert isinstance(carried_out, PostedEntry)
    assert carried_out.entry.kind is EntryKind.FEE
