"""A statement that one operator imported gives no vote until a second one has approved it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, JaraError
from jara.domain.giving.newcomer import Promised
from jara.domain.giving.payment_way import PaymentProof, PaymentWay
from jara.records.operations import Approval
from jara.records.payments import PaymentRecord
from jara.services.approvals import approve
from jara.services.ballots.casting import changemakers
from jara.services.bank.answering import list_waiting, match_with_entries
from jara.services.bank.importing import BankOutcome, settle_again
from jara.services.context import Context, Rules
from jara.services.giving.pledging import cancel_pledge
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.operations.import_undo import undo_import
from jara.services.operations.operators import add_operator
from jara.services.payments.promising import PromiseRow, promise, promise_all
from jara.services.payments.receiving import receive
from jara.services.proposals.lifecycle import withdraw_proposal
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of
from tests.services.ballots.voting_world import open_vote
from tests.services.bank.bank_books import take, takes_transfers, waiting
from tests.services.bank.test_contributions import pledge_of, promised
from tests.services.operations.controlled_world import verify


@pytest.fixture
def references(context: Context) -> list[str]:
    """The references of two members who promised $10 a month."""
    return [promised(context, name) for name in ("ada", "bo")]


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that accepts transfers."""
    return takes_transfers(place, day=1)


def with_keys(context: Context) -> Context:
    """Enrol the keys of three operators; later in May."""
    enrol(context, eve="admin", ben="approver", kit="bookkeeper")
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    return context


def voters(context: Context) -> int:
    """Return how many members may vote."""
    with context.store.read() as work:
        assert list(work.electors.discrepancies()) == []
        return changemakers(work, context.now()).count


def payments_of(context: Context, name: str) -> list[PaymentRecord]:
    """Return a member's payments."""
    with context.store.read() as work:
        return work.payments.of_member(work.members.find(f"{name}@example.org").key)


def imported(context: Context, references: list[str]) -> BankOutcome:
    """Import a statement of two contributions and a fee, as the bookkeeper."""
    lines = [a_line(1000, f"GIFT {one}", day=4 + n) for n, one in enumerate(references)]
    statement = a_statement(*lines, a_line(-5, "FEE", day=9), last=date(2026, 5, 20))
    return take(acting(context, "kit"), statement)


def test_one_approval_of_the_file_gives_every_vote(
    context: Context, references: list[str], tmp_path: Path
) -> None:
    """The approver sees who paid; the bookkeeper cannot approve; the log verifies."""
    outcome = imported(with_keys(context), references)
    (approval,) = outcome.settled.approvals
    assert (outcome.settled.by_member, voters(context)) == (2, 0)
    with pytest.raises(JaraError, match="admin or approver"):
        approve(acting(context, "kit"), approval.id, handlers=HANDLERS)

    shown = show_approval(context, approval.id)
    assert (shown["about"], shown["cents"], shown["payload"]["payments"]) == ("may.xml", 2000, 2)
    assert [one["payer"] for one in shown["payers"]] == [
        "Ada Test <ada@example.org>",
        "Bo Test <bo@example.org>",
    ]
    approve_as(context, approval, "ben")

    assert voters(context) == 2
    assert {one.proof for one in payments_of(context, "ada")} == {PaymentProof.STATEMENT}
    assert verify(context, tmp_path, by="eve")[0] == 0


def test_later_matches_of_an_approved_file_are_proven(
    context: Context, references: list[str]
) -> None:
    """One approval is enough for the file; a file without payments asks nobody."""
    with_keys(context)
    lines = [a_line(-5, "FEE", day=3), a_line(1000, f"GIFT {references[0]}", day=4)]
    first = take(acting(context, "kit"), a_statement(lines[0], last=date(2026, 5, 3)))
    assert first.settled.approvals == []
    second = a_statement(lines[1], opening=-5, first=date(2026, 5, 4), last=date(2026, 5, 20))
    (approval,) = take(acting(context, "kit"), second).settled.approvals
    assert settle_again(acting(context, "kit")).approvals == [], "it is asked once"
    approve_as(context, approval, "ben")

    assert voters(context) == 1
    assert settle_again(acting(context, "kit")).approvals == []


def test_a_match_by_hand_proves_nothing(context: Context, references: list[str]) -> None:
    """A bookkeeper books a payment and matches it with a stranger's line of an approved file."""
    with_keys(context)
    lines = [a_line(1000, f"GIFT {references[0]}", day=4), a_line(1000, "A STRANGER", day=6)]
    outcome = take(acting(context, "kit"), a_statement(*lines))
    booked = receive(acting(context, "kit"), references[1], 1000, day=date(2026, 5, 5))
    (line,) = list_waiting(context)
    match_with_entries(acting(context, "kit"), line.id, [booked.posted.id])
    approve_as(context, outcome.settled.approvals[0], "ben")

    assert (voters(context), waiting(context)) == (1, [])
    assert [one.proof for one in payments_of(context, "bo")] == [PaymentProof.NONE]
    approve_as(context, booked.waiting, "ben")
    assert voters(context) == 2


def test_a_match_by_hand_asks_for_no_second_approval(
    context: Context, references: list[str]
) -> None:
    """The line of a signed statement fits two payments; each of them waits by itself."""
    kit = acting(with_keys(context), "kit")
    first, _ = (
        receive(kit, references[1], 1000, day=date(2026, 5, day), name=str(day)) for day in (4, 5)
    )
    approve_as(context, imported(kit, references).settled.approvals[0], "ben")
    line, _ = list_waiting(kit)
    match_with_entries(kit, line.id, [first.posted.id])

    assert settle_again(kit).approvals == []
    assert {one.proof for one in payments_of(context, "bo")} == {PaymentProof.NONE}


def test_an_id_that_fits_a_strangers_line_proves_nothing(
    context: Context, references: list[str]
) -> None:
    """The operator chooses the id of a receipt, so that it names no line."""
    with_keys(context)
    take(acting(context, "kit"), a_statement(a_line(1000, "Payment received: 4 May", day=6)))
    receive(acting(context, "kit"), references[1], 1000, day=date(2026, 5, 5), name="4 May")

    assert settle_again(acting(context, "kit")).by_entry == 0
    assert voters(context) == 0


def test_an_approval_of_an_undone_file_proves_nothing(
    context: Context, references: list[str]
) -> None:
    """The file is imported again, and is approved again."""
    outcome = imported(with_keys(context), references)
    undo_import(acting(context, "kit"), outcome.id, why="wrong")
    with pytest.raises(Conflict, match="is undone"):
        approve_as(context, outcome.settled.approvals[0], "ben")

    again = imported(context, references)
    assert voters(context) == 0
    approve_as(context, again.settled.approvals[0], "ben")
    assert voters(context) == 2


def test_payments_imported_before_the_keys_keep_the_vote(
    context: Context, references: list[str]
) -> None:
    """Payments that gave the vote before operators had keys give it afterwards."""
    clock_of(context).at = clock_of(context).at.replace(month=5, day=30)
    line = a_line(1000, f"GIFT {references[0]}", day=4)
    assert take(context, a_statement(line, last=date(2026, 5, 5))).settled.approvals == []
    with_keys(context)

    assert voters(context) == 1


def test_a_matched_statement_line_proves_a_manual_payment(
    context: Context, references: list[str]
) -> None:
    """It came before the keys and waited; the payment that it names needs no further signature."""
    cancel_pledge(context, pledge_of(context, "ada").member_id)
    take(context, a_statement(a_line(1000, f"GIFT {references[0]}", day=4), last=date(2026, 5, 5)))
    with_keys(context)
    promise(acting(context, "eve"), "ada@example.org", dollars=10, way=PaymentWay.TRANSFER)
    receive(acting(context, "kit"), references[0], 1000, day=date(2026, 5, 4))
    assert voters(context) == 0

    assert settle_again(acting(context, "kit")).by_entry == 1
    assert voters(context) == 1
    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.STATEMENT]


def test_with_names_and_a_limit_another_name_approves(
    context: Context, references: list[str]
) -> None:
    """Limits without keys ask for another listed operator, as for cash."""
    for name in ("tester", "ben"):
        add_operator(context, name)
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    limited = replace(context, rules=Rules(approval_cents=5_000))
    line = a_line(1000, f"GIFT {references[0]}", day=4)
    (approval,) = take(limited, a_statement(line)).settled.approvals
    assert isinstance(approval, Approval)
    with pytest.raises(Conflict, match="another operator"):
        approve(limited, approval.id, handlers=HANDLERS)
    assert voters(context) == 0

    approve(replace(limited, operator="ben"), approval.id, handlers=HANDLERS)
    assert voters(context) == 1


def in_a_vote(
    context: Context, references: list[str], *, by_hand: Sequence[str] = ()
) -> tuple[Context, BankOutcome]:
    """Return the organisation with a limit, an open vote, and payments of today that two proved."""
    governed = replace(with_keys(context), rules=context.rules._replace(approval_cents=10_000))
    for reference in by_hand:
        receive(acting(governed, "kit"), reference, 1000)
    lines = [a_line(1000, f"GIFT {one}", day=31) for one in references]
    outcome = take(acting(governed, "kit"), a_statement(*lines, last=date(2026, 5, 31)))
    approve_as(governed, outcome.settled.approvals[0], "ben")
    open_vote(acting(governed, "eve"), endDate="2026-06-20")
    assert voters(governed) == 2
    return governed, outcome


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_the_undo_of_a_statement_takes_no_vote_alone(
    context: Context, references: list[str], tmp_path: Path, *, is_by_hand: bool
) -> None:
    """Below the limits too, and of payments that it proves only: another operator signs it."""
    by_hand = references if is_by_hand else []
    governed, outcome = in_a_vote(context, references, by_hand=by_hand)

    waits = undo_import(acting(governed, "kit"), outcome.id, why="wrong")

    assert (isinstance(waits, Approval), voters(governed)) == (True, 2)
    approve_as(governed, waits, "ben")
    assert voters(governed) == 0
    assert verify(governed, tmp_path, by="eve")[0] == 0


def test_a_new_promise_takes_no_vote_alone(context: Context, references: list[str]) -> None:
    """A payment of today would cover less than a month; after the vote it is anybody's to say."""
    governed, _ = in_a_vote(context, references)

    def more() -> object:
        return promise(acting(governed, "kit"), "ada", dollars=999, way=PaymentWay.TRANSFER)

    with pytest.raises(Conflict, match="takes the right to vote of ada@"):
        more()
    rows = [PromiseRow(2, "ada", Promised(999, PaymentWay.TRANSFER))]
    with pytest.raises(Conflict, match="takes the right to vote"):
        promise_all(acting(governed, "kit"), rows)
    assert voters(governed) == 2
    withdraw_proposal(acting(governed, "eve"), "prop_01", reason="moved")
    assert more()
