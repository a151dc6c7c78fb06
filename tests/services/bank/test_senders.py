"""A sender is remembered: whose payments its lines are is said once, and signed for a vote."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput
from jara.domain.giving.payment_way import PaymentProof, PaymentWay
from jara.services.approvals import refuse
from jara.services.bank.answering import (
    list_waiting,
    match_with_entries,
    match_with_members,
)
from jara.services.bank.importing import settle_again
from jara.services.bank.senders import forget_sender, list_senders
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.deaths import record_death
from jara.services.giving.pledging import cancel_pledge
from jara.services.members.accounts import InvitationForm, add_without_address, erase_member
from jara.services.members.documents import export_member
from jara.services.operations.import_undo import list_imports, undo_import
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as, enrol
from tests.harness import clock_of, copy_of
from tests.services.ballots.voting_world import add_former_payer
from tests.services.bank.bank_books import compared, take
from tests.services.bank.sender_books import (
    ADA,
    BO,
    MONTHS,
    from_sender,
    imported,
    make_payers,
    match,
    paid,
    reasons,
)
from tests.services.bank.test_contributions import pledge_of
from tests.services.bank.test_statement_vouching import payments_of, voters
from tests.services.books.ledger_builders import money_findings


@pytest.fixture
def context(place: Path) -> Context:
    """Members Ada and Bo, who promised $10 a month by transfer, in August."""
    return copy_of(make_payers, place)


def test_a_sender_is_remembered_once(context: Context) -> None:
    """A line of another amount is said by hand again; it is the same sender."""
    imported(context, from_sender("A MENSAH"))
    first = match(context, ADA).sender
    imported(context, from_sender("A MENSAH", cents=1500), month=6)

    assert match(context, ADA, cents=1500).sender == first
    assert len(list_senders(context)) == 1


def test_waiting_lines_of_the_sender_follow_at_once(context: Context) -> None:
    """A year that is imported as one file needs one word."""
    imported(context, from_sender("A MENSAH", day=4))
    imported(context, from_sender("A MENSAH", day=5), month=6)
    imported(context, from_sender("A MENSAH", day=6), month=7)
    matched = match(context, ADA)

    assert (matched.settled.matched, list_waiting(context)) == (2, [])
    assert paid(context, "ada") == [1000] * 3


def test_an_account_is_remembered_before_a_text(context: Context) -> None:
    """A line that has the payer's account is known by it, whatever its text is."""
    accounts = {"ada": "GB33BUKB20201555555555", "bo": "GB94BARC10201530093459"}
    imported(context, a_line(1000, "GIFT", party_account=accounts["ada"]))
    match(context, ADA)
    imported(context, a_line(1000, "THANKS", party_account=accounts["ada"]), month=6)
    other = imported(context, a_line(1000, "GIFT", party_account=accounts["bo"]), month=7)

    assert (paid(context, "ada"), other.settled.waiting) == ([1000, 1000], 1)


def test_a_reference_is_worth_more_than_a_memory(context: Context) -> None:
    """The sender of Ada's payments pays for Bo, and says so."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    reference = pledge_of(context, "bo").reference
    imported(context, from_sender(f"A MENSAH {reference}"), month=6)

    assert (paid(context, "ada"), paid(context, "bo")) == ([1000], [1000])


@pytest.mark.parametrize(
    "text",
    ["INTERAC E-TRANSFER", "MOBILE DEPOSIT 12345", "VIREMENT REÇU", "Transfer from JO", "12 34 56"],
)
def test_a_text_that_names_nobody_is_not_remembered(context: Context, text: str) -> None:
    """The next such deposit may be anybody's."""
    imported(context, a_line(1000, text))
    assert match(context, ADA).sender is None
    later = imported(context, a_line(1000, text), month=6)

    assert (later.settled.waiting, list_senders(context)) == (1, [])


@pytest.mark.parametrize(("cents", "is_booked"), [(1000, True), (3000, True), (1500, False)])
def test_only_whole_months_are_booked(context: Context, cents: int, *, is_booked: bool) -> None:
    """Another amount is proposed, with the command."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    later = imported(context, from_sender("A MENSAH", cents=cents), month=6)

    assert later.settled.by_member == is_booked
    if not is_booked:
        (line,) = list_waiting(context)
        assert line.reason == (
            "Its sender is remembered, but the amount is not whole months. "
            f"Perhaps Ada Test: jara bank match {line.id} --member {ADA}"
        )


def test_two_senders_of_one_name_wait(context: Context) -> None:
    """J Smith is John and Jane: their lines come within half a month, so neither is certain."""
    imported(context, from_sender("J SMITH", day=4), from_sender("J SMITH", day=9))
    match(context, ADA)
    assert reasons(context)[0].startswith("Its sender is remembered, but")
    match(context, BO)
    imported(context, from_sender("J SMITH", day=4), from_sender("J SMITH", day=20), month=6)

    assert (paid(context, "ada"), paid(context, "bo")) == ([1000], [1000])
    assert [why.partition(".")[0] for why in reasons(context)] == [
        "Its sender is remembered for several members whom the amount fits"
    ] * 2


def test_two_of_one_name_with_other_amounts_are_told_apart(context: Context) -> None:
    """A couple pays from one account, each their own promise."""
    promise(context, BO, dollars=15, way=PaymentWay.TRANSFER)
    couple = {"party_account": "GB33BUKB20201555555555"}
    imported(context, a_line(1000, "A", day=3, **couple), a_line(1500, "B", day=4, **couple))
    match(context, ADA)
    match(context, BO, cents=1500)
    later = [a_line(1500, "X", day=3, **couple), a_line(1000, "Y", day=4, **couple)]
    assert imported(context, *later, month=6).settled.by_member == 2

    assert (paid(context, "ada"), paid(context, "bo")) == ([1000] * 2, [1500] * 2)
    assert money_findings(context) == []


def test_a_sender_who_pays_for_two_is_remembered_as_that_split(context: Context) -> None:
    """The line is booked as two payments; another sum is proposed."""
    promise(context, BO, dollars=15, way=PaymentWay.TRANSFER)
    imported(context, from_sender("A MENSAH", cents=2500))
    (line,) = list_waiting(context)
    for wrong in ([(ADA, 1000), (BO, 1400)], [(ADA, None), (BO, 1500)], [(ADA, 1000), (ADA, 1500)]):
        with pytest.raises(InvalidInput):
            match_with_members(context, line.id, wrong)
    match_with_members(context, line.id, [(ADA, 1000), (BO, 1500)])
    later = imported(context, from_sender("A MENSAH", cents=2500), month=6)
    assert later.settled.by_member == 1
    other = imported(context, from_sender("A MENSAH", cents=3500), month=7)

    assert (paid(context, "ada"), paid(context, "bo")) == ([1000] * 2, [1500] * 2)
    assert other.settled.waiting == 1
    assert compared(context, MONTHS[6]).difference_cents == 0
    assert money_findings(context) == []


def test_a_split_waits_once_a_promise_changes(context: Context) -> None:
    """Ada promises 12 now, so the parts of 10 and 10 are not whole months."""
    imported(context, from_sender("A MENSAH", cents=2000))
    (line,) = list_waiting(context)
    match_with_members(context, line.id, [(ADA, 1000), (BO, 1000)])
    promise(context, ADA, dollars=12, way=PaymentWay.TRANSFER)

    assert imported(context, from_sender("A MENSAH", cents=2000), month=6).settled.waiting == 1


def test_a_sender_who_pays_for_somebody_else_this_time(context: Context) -> None:
    """The wrong entry is reversed; then the line waits, and is Bo's without being remembered."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    imported(context, from_sender("A MENSAH"), month=6)
    index = payments_of(context, "ada")[-1].index
    with context.store.read() as work:
        newest = work.journal.get(index)
    reverse_entry(context, newest.id, why="for Bo")
    assert settle_again(context).by_member == 0
    assert "its entry was reversed. Perhaps Ada" in reasons(context)[0]
    match(context, BO, is_remembered=False)
    imported(context, from_sender("A MENSAH"), month=7)

    assert (paid(context, "ada"), paid(context, "bo")) == ([1000, 1000], [1000])
    assert len(list_senders(context)) == 1
    assert money_findings(context) == []


def test_a_sender_without_an_address_is_named_too(context: Context) -> None:
    """The proposal can be typed as it stands, and the list of senders says who it is."""
    kofi = add_without_address(
        context, InvitationForm(firstname="Kofi", lastname="Mensah", email="", country="Ghana")
    )
    promise(context, kofi.id, dollars=10, way=PaymentWay.TRANSFER)
    imported(context, from_sender("KOFI MENSAH"))
    (line,) = list_waiting(context)
    match_with_members(context, line.id, [(kofi.id, None)])

    assert f"jara bank match {line.id} --member {kofi.id}" in line.reason
    assert [one.members for one in list_senders(context)] == [(f"Kofi Mensah ({kofi.id})",)]


def test_the_line_of_a_member_who_left_waits(context: Context) -> None:
    """A promise that ended is paid no more; the line says who it may be."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    cancel_pledge(context, pledge_of(context, "ada").member_id)
    later = imported(context, from_sender("A MENSAH"), month=6)

    assert (later.settled.waiting, paid(context, "ada")) == (1, [1000])
    with pytest.raises(Conflict, match="no pledge paid without a card"):
        match(context, ADA)


def test_the_line_of_a_member_who_died_waits(context: Context) -> None:
    """A standing order goes on after a death; what it pays is no contribution of theirs."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    with context.store.read() as work:
        member = work.members.find(ADA)
    record_death(context, member, died_on=date(2026, 6, 1))
    later = imported(context, from_sender("A MENSAH"), month=6)

    assert (later.settled.waiting, later.settled.by_member) == (1, 0)
    assert "Perhaps" in reasons(context)[0]
    with pytest.raises(Conflict, match="no pledge paid without a card"):
        match(context, member.id)


def test_a_new_member_of_the_same_name_stops_the_memory(context: Context) -> None:
    """From then on a line with that name may be the other one's."""
    imported(context, from_sender("CY TEST"))
    match(context, ADA)
    add_former_payer(context, "cy")
    later = imported(context, from_sender("CY TEST"), month=6)

    assert (later.settled.waiting, paid(context, "ada")) == (1, [1000])
    assert reasons(context)[0].startswith(
        "Its sender is remembered, but another member has that name. Perhaps Ada Test: "
    )
    assert "Perhaps Cy Test: " in reasons(context)[0]


def test_a_sender_is_gone_with_the_member(context: Context) -> None:
    """Also the split that it was a part of; the export of a member names the senders."""
    imported(context, from_sender("A MENSAH"), from_sender("C MENSAH", cents=2000, day=9))
    match(context, ADA)
    (line,) = list_waiting(context)
    match_with_members(context, line.id, [(ADA, 1000), (BO, 1000)])
    with context.store.read() as work:
        member = work.members.find(ADA)
        stored = str(work.bank_rules.senders())
    told = export_member(context, member.id)["senders"]
    assert {one["amountCents"]: one["text"][25:33] for one in told} == {
        None: "A MENSAH",
        1000: "C MENSAH",
    }
    assert "MENSAH" not in stored.upper()
    erase_member(context, member.id, why="asked")

    assert list_senders(context) == []
    later = imported(context, from_sender("A MENSAH"), month=6)
    assert later.settled.waiting == 1
    assert "Perhaps" not in reasons(context)[0]


def test_a_forgotten_sender_waits(context: Context) -> None:
    """What was booked stays."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    (shown,) = list_senders(context)
    assert forget_sender(context, shown.sender.id) == shown

    assert imported(context, from_sender("A MENSAH"), month=6).settled.waiting == 1
    assert paid(context, "ada") == [1000]


def test_the_same_and_overlapping_statements_book_nothing_twice(context: Context) -> None:
    """A remembered sender makes no second payment of a known line, also with another text."""
    lines = [from_sender("A MENSAH", day=28)]
    imported(context, *lines, opening=0)
    match(context, ADA)
    assert imported(context, *lines, opening=0).added == 0
    both = a_statement(
        lines[0],
        replace(lines[0], day=date(2026, 6, 28)),
        opening=0,
        first=date(2026, 5, 15),
        last=date(2026, 6, 30),
    )
    assert take(context, both).added == 1
    other = replace(lines[0], day=date(2026, 6, 28), text="INTERAC E-TFR A MENSAH 998877")
    again = a_statement(other, opening=None, first=date(2026, 6, 20), last=date(2026, 6, 30))
    take(context, again)

    assert paid(context, "ada") == [1000, 1000]
    assert money_findings(context) == []


def test_a_payment_that_is_booked_already_is_matched_not_doubled(context: Context) -> None:
    """An operator received it by hand first, on the same account."""
    receive(context, ADA, 1000, day=date(2026, 5, 3))
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    assert paid(context, "ada") == [1000]
    receive(context, ADA, 1000, day=date(2026, 6, 3))
    assert imported(context, from_sender("A MENSAH"), month=6).settled.by_member == 1

    assert paid(context, "ada") == [1000, 1000]
    assert compared(context, MONTHS[6]).difference_cents == 0
    assert money_findings(context) == []


def test_a_line_that_fits_two_payments_needs_a_decision(context: Context) -> None:
    """An operator received both by hand."""
    for day in (3, 4):
        receive(context, ADA, 1000, day=date(2026, 5, day))
    imported(context, from_sender("A MENSAH"))

    with pytest.raises(Conflict, match="Several payments of the member fit; say which"):
        match(context, ADA)


def test_an_undone_file_can_be_imported_again(context: Context) -> None:
    """The sender stays remembered, so the lines are matched at once."""
    imported(context, from_sender("A MENSAH"))
    outcome = match(context, ADA)
    assert outcome.sender is not None
    (import_,) = list_imports(context)
    undo_import(context, import_.id, why="wrong")
    assert paid(context, "ada") == []
    again = imported(context, from_sender("A MENSAH"))

    assert (again.settled.by_member, paid(context, "ada")) == (1, [1000])
    assert money_findings(context) == []


def test_money_out_has_no_sender(context: Context) -> None:
    """A refund to a remembered sender waits, and cannot be a member's payment."""
    imported(context, from_sender("A MENSAH"))
    match(context, ADA)
    imported(context, from_sender("A MENSAH", cents=-1000), month=6)

    assert len(list_waiting(context)) == 1
    with pytest.raises(InvalidInput, match="money out"):
        match(context, ADA, cents=-1000)


def with_keys(context: Context) -> Context:
    """Enrol the keys of three operators; in the middle of May."""
    clock_of(context).at = clock_of(context).at.replace(month=5, day=5)
    enrol(context, eve="admin", ben="approver", kit="bookkeeper")
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    return context


def test_one_persons_word_gives_no_vote_and_a_signature_does(context: Context) -> None:
    """Ten matches of one statement wait as one approval, which lists them; then both vote."""
    kit = acting(with_keys(context), "kit")
    assert (
        imported(kit, from_sender("A MENSAH"), from_sender("B OWUSU", day=9)).settled.approvals
        == []
    )
    (first,) = match(acting(context, "kit"), ADA).settled.approvals
    (second,) = match(acting(context, "kit"), BO).settled.approvals
    assert voters(context) == 0
    with pytest.raises(Conflict, match="refused"):
        approve_as(context, first, "ben")
    approve_as(context, second, "ben")

    assert voters(context) == 2
    assert all(one.is_signed for one in list_senders(context))
    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.STATEMENT]


def test_a_signed_sender_needs_only_the_signature_of_a_statement(context: Context) -> None:
    """The next month is one import and one approval."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    clock_of(context).at = clock_of(context).at.replace(month=7, day=5)
    assert voters(context) == 0
    (waiting,) = imported(
        acting(context, "kit"), from_sender("A MENSAH"), month=6
    ).settled.approvals
    assert (waiting.payload["said"], voters(context)) == ([], 0)
    approve_as(context, waiting, "ben")

    assert voters(context) == 1


def test_a_word_after_the_signature_needs_another_one(context: Context) -> None:
    """The statement was signed while the line waited; who paid it is one person's word yet."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"), from_sender("B OWUSU", day=9))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    (later,) = match(acting(context, "kit"), BO).settled.approvals
    assert voters(context) == 1
    assert (later.payload["payments"], later.payload["cents"]) == (1, 1000)
    approve_as(context, later, "ben")

    assert voters(context) == 2


def test_an_unsigned_sender_gives_no_vote_on_a_signed_statement(context: Context) -> None:
    """Remembered on a later statement, it matches a line of an earlier, signed one."""
    reference = pledge_of(context, "bo").reference
    kit = acting(with_keys(context), "kit")
    old = imported(kit, from_sender("A MENSAH"), a_line(1000, f"GIFT {reference}", day=9))
    approve_as(context, old.settled.approvals[0], "ben")
    clock_of(context).at = clock_of(context).at.replace(month=6, day=30)
    imported(acting(context, "kit"), from_sender("A MENSAH", day=25), month=6)
    newest = list_waiting(context)[-1]
    matched = match_with_members(acting(context, "kit"), newest.id, [(ADA, None)])
    assert matched.settled.by_member == 1
    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.NONE] * 2
    of_june, of_may = sorted(matched.settled.approvals, key=lambda one: one.payload["statement"])
    refuse(acting(context, "ben"), of_may.id, why="not yet")
    approve_as(context, of_june, "ben")
    (of_may,) = settle_again(acting(context, "kit")).approvals  # it is asked again
    assert settle_again(acting(context, "kit")).approvals == []
    approve_as(context, of_may, "ben")

    assert [one.proof for one in payments_of(context, "ada")] == [PaymentProof.STATEMENT] * 2


def test_a_changed_row_of_a_signed_sender_is_not_signed(context: Context) -> None:
    """Who writes another member into the database has a sender that nobody signed."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    (waiting,) = match(acting(context, "kit"), ADA).settled.approvals
    approve_as(context, waiting, "ben")
    with context.store.write() as work:
        other = work.members.find(BO).id
        work.sql.run("UPDATE bank_senders SET member_id = :id", {"id": other})
    (shown,) = list_senders(context)

    assert (shown.members, shown.is_signed) == ((BO,), False)


def test_a_match_with_an_entry_still_proves_nothing(context: Context) -> None:
    """One operator matches a line with a payment of their own invention."""
    kit = acting(with_keys(context), "kit")
    imported(kit, from_sender("A MENSAH"))
    booked = receive(acting(context, "kit"), ADA, 1000, day=date(2026, 5, 4))
    (line,) = list_waiting(context)
    match_with_entries(acting(context, "kit"), line.id, [booked.posted.id])

    assert settle_again(acting(context, "kit")).approvals == []
    assert voters(context) == 0
