"""Lines are matched with entries and payouts or booked by rules; the others wait."""

from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.matching import NOTHING_FITS
from jara.domain.bank.rules import Direction, Rule
from jara.domain.books.account import Fund
from jara.domain.books.journal import PostedEntry
from jara.domain.books.spending import Spending, grant_entry, spending_entry
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.services.bank import answering
from jara.services.bank.answering import add_rule, book_line
from jara.services.bank.importing import import_statements, settle_again
from jara.services.books.bookkeeping import post_entry, return_payment, reverse_entry
from jara.services.context import Context, Rules
from jara.services.operations.years import close_year
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import make_organisation
from tests.rows import a_row, as_written
from tests.services.bank.bank_books import compared, open_with, take, waiting
from tests.services.books.ledger_builders import all_entries, book, give, money_findings

PAYOUT = a_row(
    "payout",
    -1000,
    0,
    created=datetime(2026, 5, 5, 12, tzinfo=UTC),
    txn_id="txn_p",
    source_id="po_12345678",
)
OPERATIONS = Part("expenses:operations")


def spend(context: Context, cents: int, *, day: int = 4, **facts: Any) -> PostedEntry:
    """Post a payment out of the bank in May."""
    spending = Spending("expenses:operations", Fund.OTHER, cents, note="Asked for", **facts)
    entry = spending_entry(date(2026, 5, day), spending, available_cents=cents)
    posted = post_entry(context, entry)
    assert isinstance(posted, PostedEntry)
    return posted


def a_rule(text: str = "hosting", **changes: Any) -> Rule:
    """Return a rule for running costs."""
    facts = {"id": "rule_1", "direction": Direction.OUT, "account": "expenses:operations"}
    facts["why"] = "Asked for"
    return Rule(**(facts | {"contains": text} | changes))


def line_id(context: Context) -> str:
    """Return the id of the first waiting line."""
    return answering.list_waiting(context)[0].id


def test_a_line_is_matched_with_the_entry_of_its_amount(context: Context) -> None:
    """An entry matches one line; a second line of that amount waits."""
    open_with(context, 10_000)
    spend(context, 1250)
    rent = a_statement(a_line(-1250, "RENT", day=5), opening=10_000, last=date(2026, 5, 5))
    first = take(context, rent)
    assert (first.settled.by_entry, first.settled.waiting) == (1, 0)

    lines = [a_line(-1250, "RENT", day=5), a_line(-1250, "AGAIN", day=6)]
    take(context, a_statement(*lines, opening=10_000))

    assert waiting(context) == [(-1250, NOTHING_FITS)]
    assert compared(context).difference_cents == -1250


def test_an_ambiguous_line_waits_with_that_reason(context: Context) -> None:
    """For two equal amounts on one day no rule books a line, and the operator decides."""
    open_with(context, 10_000)
    entries = [spend(context, 2600), spend(context, 2600)]
    add_rule(context, a_rule("rent"))
    lines = [a_line(-2600, "RENT", day=5), a_line(-2600, "SALARY", day=5)]
    taken = take(context, a_statement(*lines, opening=10_000))

    says = (
        "Ambiguous: 2 lines and 2 entries of this amount near this day; say which with --entry: "
        f"{entries[0].id}, {entries[1].id}."
    )
    assert waiting(context) == [(-2600, says)] * 2
    assert (taken.settled.by_rule, taken.settled.by_entry, taken.settled.waiting) == (0, 0, 2)

    answering.match_with_entries(context, line_id(context), [entries[0].id])
    assert settle_again(context).by_entry == 1
    assert waiting(context) == []
    assert compared(context).difference_cents == 0


def test_a_payout_in_transit_arrives_with_its_line(context: Context) -> None:
    """It arrives on the line's day, in its own funds; Stripe's later report adds nothing."""
    give(context, 1000)
    book(context, PAYOUT)
    take(context, a_statement(a_line(1000, "STRIPE PAYOUT po_12345678", day=7)))
    arrives = date(2026, 5, 6)
    book(context, PAYOUT._replace( arrives_on=arrives
    ))  # fmt: skip

    arrived = all_entries(context)[-1]
    assert arrived.external_id == "po_12345678:arrived"
    assert (arrived.day, len(all_entries(context))) == (date(2026, 5, 7), 3)
    assert compared(context).difference_cents == 0


def test_payouts_come_to_the_main_account_alone(context: Context) -> None:
    """A payout is not matched by its amount on another account."""
    with context.store.write() as work:
        work.book_settings.put_account("assets:savings", kind="assets", meaning="Savings.")
    give(context, 1000)
    book(context, PAYOUT)
    import_statements(
        context,
        [a_statement(a_line(1000, "STRIPE po_12345678", day=7))],
        file="f",
        new_account="assets:savings",
    )

    assert waiting(context) == [(1000, NOTHING_FITS)]


def test_a_payout_to_an_account_that_is_not_ours_waits(place: Path) -> None:
    """While the limits do not name the account, a large payout to it needs a signature."""
    context = make_organisation(place, rules=Rules(approval_cents=500))
    with context.store.write() as work:
        work.book_settings.put_account("assets:bank:td", kind="assets", meaning="Another bank.")
    give(context, 1000)
    book(context, PAYOUT)
    statement = a_statement(a_line(1000, "STRIPE PAYOUT po_12345678", day=7))
    import_statements(context, [statement], file="f", new_account="assets:bank:td")

    ((cents, reason),) = waiting(context)
    assert (cents, len(all_entries(context))) == (1000, 2)
    assert "It spends $10.00, which needs another operator's approval" in reason


def test_a_payout_that_failed_is_not_awaited(context: Context) -> None:
    """The money of a failed payout is back at Stripe, so a line of its amount does not match."""
    give(context, 1000)
    back = datetime(2026, 5, 6, 12, tzinfo=UTC)
    failed = a_row(
        "payout_reversal", 1000, 0, created=back, txn_id="txn_r", source_id="po_12345678"
    )
    book(context, PAYOUT, failed)
    take(context, a_statement(a_line(1000, "STRIPE PAYOUT", day=7)))

    assert waiting(context) == [(1000, NOTHING_FITS)]


def test_a_bank_rule_books_matching_lines(context: Context) -> None:
    """Rules book waiting lines and lines of later files; the entry names its line."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-500, "HOSTING May", day=3), opening=10_000))
    assert add_rule(context, a_rule()).by_rule == 1
    later = a_statement(
        a_line(-600, "hosting june", day=33),
        opening=9_500,
        last=date(2026, 6, 30),
        first=date(2026, 6, 1),
    )

    assert take(context, later).settled.by_rule == 1
    entries = all_entries(context)[1:]
    assert [entry.source for entry in entries] == ["bank", "bank"]
    assert as_written(entries[0]) == "expenses:operations o +500 · assets:bank o -500"
    with context.store.read() as work:
        found = work.bank.find((entries[0].external_id or "").removeprefix("bank:"))
        assert (found.file, found.line.line) == ("may.xml", 3)
    assert money_findings(context) == []


def test_the_money_of_a_fund_is_counted_line_by_line(context: Context) -> None:
    """Lines use up a fund's money in order; a bank fee is booked even without money."""
    open_with(context, 800)
    add_rule(context, a_rule())
    add_rule(context, a_rule("charge", id="rule_2", account="expenses:fees:bank"))
    lines = [a_line(-500, "HOSTING 1"), a_line(-500, "HOSTING 2"), a_line(-100, "A charge")]
    take(context, a_statement(*lines, opening=1100))

    assert [why for _, why in waiting(context)] == [
        "The fund 'other' has $3.00; $5.00 was requested."
    ]
    assert len(all_entries(context)[1:]) == 2


def test_a_rule_never_passes_the_limit_for_approval(place: Path) -> None:
    """From the limit on, a line waits and cannot be booked; its approved entry can be matched."""
    context = make_organisation(place, rules=Rules(approval_cents=5000))
    with context.store.write() as work:
        work.meta.put("seen", "1")
    open_with(context, 5000)
    add_rule(context, a_rule())
    take(context, a_statement(a_line(-5000, "HOSTING"), opening=5000))

    assert "It spends $50.00, which needs another operator's approval" in waiting(context)[0][1]
    with pytest.raises(Conflict, match="another operator's approval"):
        book_line(context, line_id(context), [OPERATIONS], why="Asked for")


def test_an_operator_books_a_bank_line(context: Context) -> None:
    """The operator books a line on one or more accounts; it cannot be booked twice."""
    give(context, 100_000)
    open_with(context, 10_000)
    take(context, a_statement(a_line(-1500, "INVOICE 7"), opening=10_000))
    wanted = line_id(context)
    parts = [Part("expenses:operations", None, 1400), Part("expenses:fees:bank")]
    posted = book_line(context, wanted[:6], parts, why="Asked for")

    assert sum(p.cents for p in posted.entry.postings if p.account != "assets:bank") == 1500
    assert waiting(context) == []
    with pytest.raises(Conflict, match="is matched already; reverse its entry"):
        book_line(context, wanted, [OPERATIONS], why="Asked for")
    for text in ("", "zz"):
        with pytest.raises(NotFound, match="no bank line"):
            book_line(context, text, [OPERATIONS], why="Asked for")


def test_a_reversed_entry_lets_its_line_wait_again(context: Context) -> None:
    """After a reversal, the line waits and can be booked again under another number."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-1500, "INVOICE 7"), opening=10_000))
    for number in range(3):
        posted = book_line(context, line_id(context), [OPERATIONS], why="Asked for")
        suffix = f":{number + 1}" if number else ""
        assert (posted.entry.external_id or "").removeprefix("bank:")[12:] == suffix
        if number < 2:
            reverse_entry(context, posted.id, why="wrong", day=date(2026, 5, 2))
            assert waiting(context) == [(-1500, NOTHING_FITS)]
            assert compared(context).difference_cents == -1500

    assert compared(context).difference_cents == 0


def test_a_line_may_be_several_entries(context: Context) -> None:
    """A line may be a payment abroad and its charge; the entries must add up to the line."""
    open_with(context, 10_000)
    one, two = spend(context, 1000, day=1), spend(context, 250, day=1)
    abroad = a_statement(a_line(-1250, "ABROAD"), opening=10_000, last=date(2026, 5, 1))
    take(context, abroad)
    wanted = line_id(context)
    with pytest.raises(InvalidInput, match=r"add up to -.10.00; the line has -.12.50"):
        answering.match_with_entries(context, wanted, [one.id])
    answering.match_with_entries(context, wanted, [one.id, two.id, two.id])

    assert compared(context, date(2026, 5, 1)).difference_cents == 0
    take(context, a_statement(a_line(-1250, "ABROAD"), a_line(-1000, "X", day=9), opening=10_000))
    with pytest.raises(Conflict, match=f"{one.id} is matched already"):
        answering.match_with_entries(context, line_id(context), [one.id])


def test_ids_of_lines_and_rules_may_be_cut(context: Context) -> None:
    """A unique beginning of an id is enough; otherwise the candidates are listed."""
    lines = [a_line(n, str(n)) for n in range(1, 40)]
    take(context, a_statement(*lines))
    add_rule(context, a_rule(id="rule_aa"))
    add_rule(context, a_rule("other text", id="rule_ab"))
    ids = sorted(line.id for line in answering.list_waiting(context))
    start, *both = next((a[0], a, b) for a, b in pairwise(ids) if a[0] == b[0])

    with pytest.raises(
        Conflict, match=f"Several bank lines begin with '{start}': {both[0]}, {both[1]}"
    ):
        book_line(context, start, [Part("income:gifts")])
    with pytest.raises(Conflict, match="Several rules begin with 'rule_a': rule_aa, rule_ab"):
        answering.remove_rule(context, "rule_a")
    for text in ("", "x"):
        with pytest.raises(NotFound, match="no rule"):
            answering.remove_rule(context, text)
    assert answering.remove_rule(context, "rule_aa").id == "rule_aa"
    assert [rule.id for rule in answering.list_rules(context)] == ["rule_ab"]
    with pytest.raises(Conflict, match="these conditions already"):
        add_rule(context, a_rule("other text", id="rule_c"))


@pytest.mark.parametrize(("cents", "direction"), [(-500, Direction.OUT), (500, Direction.IN)])
def test_a_rule_is_made_from_a_line(context: Context, cents: int, direction: Direction) -> None:
    """The rule takes the line's direction; its text must occur in the line."""
    take(context, a_statement(a_line(cents, "REF 1234 SHOP"), opening=1000))
    part = Part("liabilities:suspense")
    rule = answering.rule_like(context, line_id(context), part, contains="ref 1234")

    assert (rule.direction, rule.account) == (direction, "liabilities:suspense")
    with pytest.raises(InvalidInput, match="does not contain 'shop 9'"):
        answering.rule_like(context, line_id(context), part, contains="shop 9")


def test_grants_and_returns_are_matched_by_amount(context: Context) -> None:
    """Grants and returned payments match by amount; members' payments need their reference."""
    open_with(context, 10_000)
    paid = spend(context, 2000)
    post_entry(context, grant_entry(date(2026, 5, 6), {Fund.PROJECTS: 5000}))
    return_payment(context, paid.id, cost_cents=500, received_cents=500, day=date(2026, 5, 8))
    lines = [a_line(-2000, "OUT", day=4), a_line(5000, "G", day=6), a_line(500, "BACK", day=8)]
    outcome = take(context, a_statement(*lines, opening=10_000))

    assert outcome.settled.by_entry == 3
    assert compared(context).difference_cents == 0


def test_a_gift_by_the_bank_is_split_like_any_other(context: Context) -> None:
    """A gift from the bank can be refunded and counts as a contribution."""
    take(context, a_statement(a_line(1000, "A GIFT")))
    posted = book_line(context, line_id(context), [Part("income:gifts")])

    with context.store.read() as work:
        assert work.electors.contributions() == (1, 1000)
        record = work.payments.by_index(posted.index)
    assert record is not None
    assert dict(record.parts) == {"projects": 800, "staff": 70, "marketing": 90, "other": 40}


def test_lines_of_a_closed_year_are_booked_in_the_next(context: Context) -> None:
    """The line is booked in the open year, and keeps its true day."""
    close_year(context, 2025)
    early = a_line(1000, "GIFT", line=1, day=-150)
    take(context, a_statement(early, first=early.day, last=early.day))
    entry = book_line(context, line_id(context), [Part("income:gifts")]).entry

    assert (entry.day, entry.true_day) == (date(2026, 1, 1), early.day)


def test_money_of_projects_pays_no_other_purpose_by_a_line(context: Context) -> None:
    """A rule leaves such a line waiting with the reason, and booking it by hand is refused."""
    post_entry(context, grant_entry(date(2026, 4, 30), {Fund.PROJECTS: 5000}))
    add_rule(context, a_rule("pay roll", account="expenses:staff", fund=Fund.PROJECTS))
    take(context, a_statement(a_line(-700, "PAY ROLL"), opening=5000))
    ((cents, reason),) = waiting(context)

    assert cents == -700
    assert "jara ledger transfer projects staff 7.00 --why REASON" in reason
    line = answering.list_waiting(context)[0].id
    with pytest.raises(InvalidInput, match="not paid with money of 'projects'"):
        book_line(context, line, [Part("expenses:staff", Fund.PROJECTS)], why="Asked for")
    book_line(context, line, [Part("expenses:grants:school")], why="Asked for")
    assert waiting(context) == []
