"""Which lines of a statement are new: balances, days and references decide."""

from collections import Counter
from datetime import date
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.continuity import DoesNotFollow, Span, StoredBalances
from jara.domain.bank.identity import KnownLine
from jara.domain.bank.statement import Statement, StatementLine, account_number
from jara.domain.errors import InvalidInput
from tests.domain.bank.bank_lines import StoredAccount, a_line, a_statement

START = 10_000
FORMS = ["camt.053", "mt940", "ofx", "csv"]
AMOUNTS = [1000, -1000, 500, -700]
MOVES = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from(AMOUNTS), st.sampled_from(["GIFT", "RENT"])),
    min_size=1,
    max_size=14,
)
"""What happened at a bank: day, amount and text, in order of the day."""


def the_year(moves: list[tuple[int, int, str]], *, is_numbered: bool = True) -> list[StatementLine]:
    """Return the lines of an account in the order of the bank, with references of its own."""
    in_order = sorted(moves, key=lambda move: move[0])
    return [
        a_line(cents, text, day=day, bank_ref=f"B{n}" if is_numbered else "", line=n + 1)
        for n, (day, cents, text) in enumerate(in_order)
    ]


def a_file(
    lines: list[StatementLine], start: int, end: int, *, form: str = "ofx", balances: str = "both"
) -> Statement:
    """Return the file that a bank gives for the lines from one place to another."""
    opening = START + sum(line.cents for line in lines[:start])
    part = lines[start:end]
    return Statement(
        1,
        "1000200030",
        form,
        part[0].day,
        part[-1].day,
        opening if balances == "both" else None,
        None if balances == "none" else opening + sum(line.cents for line in part),
        part,
    )


@given(MOVES, st.booleans(), st.data())
def test_files_of_any_hour_bring_each_line_once(
    moves: list[tuple[int, int, str]], is_numbered: bool, data: st.DataObject
) -> None:
    """Files that overlap or meet at any hour, with one balance or two, bring each line once.

    No numbered line is marked, unless another of its day has its amount.
    """
    lines = the_year(moves, is_numbered=is_numbered)
    account, taken = StoredAccount(), 0
    while taken < len(lines):
        start = data.draw(st.integers(0, taken))
        end = data.draw(st.integers(taken + 1, len(lines)))
        balances = data.draw(st.sampled_from(["both", "closing"]))
        account.take(a_file(lines, start, end, balances=balances))
        taken = max(taken, end)

    assert account.amounts == Counter((line.day, line.cents) for line in lines)
    assert account.balances.base_cents == START
    assert not account.doubtful or not is_numbered or len({move[:2] for move in moves}) < len(moves)
    again = a_file(lines, 0, len(lines))
    assert account.take(again) == 0


@given(MOVES, st.lists(st.integers(2, 6), min_size=1, max_size=3), st.randoms())
def test_files_of_whole_days_may_come_in_any_order(
    moves: list[tuple[int, int, str]], days: list[int], random: Random
) -> None:
    """A file that does not follow yet is refused, and taken after the one before it.

    Files that meet within a day have to come in their order: balances alone cannot always tell
    which of its equal lines a file repeats.
    """
    lines = the_year(moves)
    before = [sum(line.day.day < day for line in lines) for day in days]
    places = sorted({0, len(lines), *before})
    files = [a_file(lines, a, b) for a, b in pairwise(places)]
    random.shuffle(files)
    account, left = StoredAccount(), files
    for _ in files:
        later = []
        for one in left:
            try:
                account.take(one)
            except DoesNotFollow:
                later.append(one)
        left = later

    assert left == []
    assert account.amounts == Counter((line.day, line.cents) for line in lines)


def test_lines_of_an_earlier_day_go_before_the_stored_ones() -> None:
    """Balances fit both after the stored lines and before them; the days decide."""
    lines, account = the_year([(1, -1000, "GIFT"), *3 * [(2, 500, "GIFT")]]), StoredAccount()
    account.take(a_file(lines, 2, 4))
    account.take(a_file(lines, 0, 2))

    assert account.amounts == Counter((line.day, line.cents) for line in lines)


@given(MOVES, st.integers(1, 14), st.integers(0, 14))
def test_files_without_balances_bring_each_line_once(
    moves: list[tuple[int, int, str]], first_end: int, start: int
) -> None:
    """Without balances, a line that may be known is stored and marked, never left out."""
    lines = the_year(moves)
    end = min(first_end, len(lines))
    account = StoredAccount()
    account.take(a_file(lines, 0, end, balances="none"))
    account.take(a_file(lines, min(start, end, len(lines) - 1), len(lines), balances="none"))

    assert account.amounts == Counter((line.day, line.cents) for line in lines)


@given(MOVES, st.sampled_from(FORMS), st.sampled_from(["both", "closing"]))
def test_other_references_and_texts_add_nothing(
    moves: list[tuple[int, int, str]], form: str, balances: str
) -> None:
    """The bank changes every reference and text: no line is stored without a mark."""
    lines = the_year(moves)
    account = StoredAccount()
    account.take(a_file(lines, 0, len(lines)))
    renamed = [
        a_line(line.cents, f"OTHER {n}", day=line.day.day, bank_ref=f"N{n}")
        for n, line in enumerate(lines)
    ]
    added = account.take(a_file(renamed, 0, len(lines), form=form, balances=balances))

    assert added == len(account.doubtful)


@pytest.mark.parametrize("balances", ["both", "closing"])
def test_a_file_ends_within_a_day(balances: str) -> None:
    """A file of noon, then the whole month: the lines of the evening are new, and June goes on."""
    lines = [
        a_line(1000, "GIFT", day=10),
        a_line(1000, "GIFT in the morning", day=15),
        a_line(500, "GIFT in the evening", day=15),
        a_line(1000, "GIFT", day=20),
    ]
    account = StoredAccount()
    account.take(a_file(lines, 0, 2, balances=balances))
    added = account.take(a_file(lines, 0, 4, balances=balances))
    june = a_statement(a_line(5, "JUNE", day=35), opening=START + 3500, first=date(2026, 6, 1))

    assert (added, account.take(june)) == (2, 1)
    rest = StoredAccount()
    rest.take(a_file(lines, 0, 2))
    with pytest.raises(DoesNotFollow, match="the rest of that day"):
        rest.take(a_file(lines, 3, 4))


def test_a_line_is_dated_before_its_statement() -> None:
    """A late line counts in its own statement; the older statement is not blamed."""
    april = a_statement(
        a_line(2000, "GIFT", day=-1), opening=START, first=date(2026, 4, 29),
        last=date(2026, 4, 30),
    )  # fmt: skip
    late = [a_line(-150, "FEE", day=-2), a_line(1000, "GIFT", day=10)]
    may = a_statement(*late, opening=START + 2000, first=date(2026, 4, 28))
    june = a_statement(a_line(1, "X", day=40), opening=START + 2850, first=date(2026, 6, 1))
    for files in permutations([april, may]):
        account = StoredAccount()
        added = [account.take(one) for one in files]
        assert (sum(added), account.balances.base_cents) == (3, START)
        assert (account.take(june), account.take(may)) == (1, 0)


def test_a_late_line_equal_to_a_known_one_is_stored() -> None:
    """The balances tell it from the known line of its day and amount."""
    april = a_statement(
        a_line(1000, "GIFT ADA", day=-2), a_line(1, "X", day=0), opening=START,
        first=date(2026, 4, 1), last=date(2026, 4, 30),
    )  # fmt: skip
    late = [a_line(1000, "GIFT ADA", day=-2), a_line(7, "GIFT", day=-3), a_line(5, "Y", day=9)]
    may = a_statement(*late, opening=START + 1001, first=date(2026, 4, 28))
    account = StoredAccount()

    assert (account.take(april), account.take(may)) == (2, 3)
    assert account.take(may) == 0


def test_a_file_may_lead_to_the_known_lines_and_go_on_after_them() -> None:
    """What it has before and after them is new; its opening balance is the base then."""
    lines = [a_line(cents, f"GIFT {day}", day=day) for day, cents in ((2, 300), (4, 500), (6, 200))]
    account = StoredAccount()
    account.take(a_file(lines, 1, 2))

    assert account.take(a_file(lines, 0, 3)) == 2
    assert account.balances.base_cents == START


def test_a_part_of_a_known_day_in_other_words_brings_nothing_new() -> None:
    """Its balances are of an hour that no other file began or ended with."""
    day = [a_line(cents, f"GIFT {cents}", day=3) for cents in (1000, 500, -700)]
    reworded = [a_line(line.cents, f"OTHER {line.cents}", day=3) for line in day]
    account = StoredAccount()
    account.take(a_file(day, 0, 3, form="camt.053"))

    assert account.take(a_file(reworded, 1, 2, form="mt940")) == 0


@pytest.mark.parametrize(("count", "added"), [(10, 4), (60, None)])
def test_the_balances_pick_among_a_few_lines(count: int, added: int | None) -> None:
    """Which of the reworded lines are new follows from their sum; among many it is not sought."""
    day = [a_line(2**n, f"GIFT {n}", day=3) for n in range(count)]
    account = StoredAccount()
    account.take(a_file(day, 0, count))
    reworded = [a_line(line.cents, f"OTHER {n}", day=3) for n, line in enumerate(day)]
    later = a_file([*reworded, a_line(3, "NEW", day=3)], 0, count + 1)
    shifted = later._replace(opening_cents=START + 7, closing_cents=START + 2**count + 9)

    if added is None:
        with pytest.raises(DoesNotFollow):
            account.take(shifted)
    else:
        assert account.take(shifted) == added
        assert account.amounts[date(2026, 5, 3), 4] == 2


def test_a_known_day_without_balances_brings_nothing_new() -> None:
    """Balances that are complete without a line show that it is missing or wrong."""
    account = StoredAccount()
    account.take(a_statement(a_line(1000, "GIFT", day=4), opening=START))
    extra = a_statement(a_line(5, "NEW", day=9), opening=None)
    again = a_statement(a_line(1000, "OTHER", day=4), opening=None, first=date(2026, 5, 4),
                        last=date(2026, 5, 4))  # fmt: skip

    with pytest.raises(InvalidInput, match=r"Line 9: .0.05 on 2026-05-09 is not among"):
        account.take(extra)
    assert account.take(again) == 0


def test_without_balances_a_doubtful_line_is_marked() -> None:
    """A reworded line of the only day may be another one: it is stored with a mark."""
    account = StoredAccount()
    day = date(2026, 5, 4)
    for text in ("E-TRANSFER ADA", "INTERAC E-TRANSFER OF ADA"):
        account.take(a_statement(a_line(1000, text, day=4), opening=None, first=day, last=day))

    assert (len(account.known), len(account.doubtful)) == (2, 1)
    whole = a_statement(a_line(1000, "THIRD", day=4), opening=None)
    assert account.take(whole) == 0


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (a_statement(a_line(5, day=20), opening=START + 7), r"begins with .100\.07.* has .110\.00"),
        (a_statement(a_line(5, day=20))._replace(closing_cents=9), r"but its lines lead to .0\.05"),
        (
            a_statement(a_line(1000, "GIFT", day=4), a_line(5, day=9), opening=START + 1),
            r"ends with .110\.06, but its new lines lead to .110\.05",
        ),
        (a_statement(opening=START + 7), "begins with"),
    ],
)
def test_a_gap_is_named(statement: Statement, message: str) -> None:
    """A missing line shows in the balance before or after it."""
    account = StoredAccount()
    account.take(a_statement(a_line(1000, "GIFT", day=4), opening=START))

    with pytest.raises(InvalidInput, match=message):
        account.take(statement)


@pytest.mark.parametrize(("opening", "closing"), [(None, 500), (400, None)])
def test_one_balance_and_the_lines_give_the_other(opening: int | None, closing: int | None) -> None:
    """The lines give the other one."""
    account = StoredAccount()
    statement = a_statement(a_line(100, "A"))
    account.take(statement._replace(opening_cents=opening, closing_cents=closing))

    assert account.balances.base_cents == 400


def test_without_any_balance_none_is_known() -> None:
    """A balance that no statement gives is unknown."""
    account = StoredAccount()
    account.take(a_statement(a_line(100, "A"), opening=None))

    assert account.balances.base_cents is None


def test_days_are_covered_by_statements_that_follow() -> None:
    """Days between statements are covered if the balances or the days meet."""
    spans = [
        Span(date(2026, 5, 1), date(2026, 5, 5), 0, 100),
        Span(date(2026, 5, 2), date(2026, 5, 3), 0, 0),  # within the first
        Span(date(2026, 5, 8), date(2026, 5, 9), 100, 300),
        Span(date(2026, 5, 10), date(2026, 5, 12), None, None),
        Span(date(2026, 5, 14), date(2026, 5, 15), 7, 7),
    ]
    stored = StoredBalances(spans, {}, 0)

    assert stored.covers(date(2026, 5, 2), date(2026, 5, 12))
    assert not stored.covers(date(2026, 5, 2), date(2026, 5, 14))
    assert stored.covers(date(2026, 5, 14), date(2026, 5, 15))
    assert not StoredBalances([], {}, None).covers(date(2026, 5, 1), date(2026, 5, 1))


LINES = st.builds(
    a_line,
    st.sampled_from([1000, -1000, 2500]),
    st.sampled_from(["GIFT ADA", "Gift, Ada", "RENT", ""]),
    day=st.integers(1, 3),
    bank_ref=st.sampled_from(["", "NONREF", "B1", "B2"]),
)


def kept(lines: list[StatementLine], form: str = "camt.053", *known: KnownLine) -> list[KnownLine]:
    """Return the stored lines after importing a statement without balances of the whole month."""
    account = StoredAccount(known=list(known))
    account.take(a_statement(*lines, opening=None, first=date(2026, 4, 30), form=form))
    return account.known


@given(st.lists(LINES, max_size=12), st.sampled_from(["camt.053", "mt940"]))
def test_the_same_statement_twice_adds_nothing(lines: list[StatementLine], form: str) -> None:
    """Importing the same statement again adds nothing, in its own format or in another."""
    once = kept(lines)

    assert kept(lines, form, *once) == once
    assert len(lines) == len({one.id for one in once})


@given(st.lists(LINES, max_size=12), st.data())
def test_overlapping_statements_keep_each_line_once(
    lines: list[StatementLine], data: st.DataObject
) -> None:
    """Whatever days the first statement covers, the second adds the missing lines."""
    days = data.draw(st.sets(st.integers(1, 3)))
    first = [line for line in lines if line.day.day in days]

    assert len(lines) == len(kept(lines, "camt.053", *kept(first)))


def test_a_line_with_another_reference_is_counted() -> None:
    """A file with the whole day has as many lines as before, or more: those are new."""
    one = kept([a_line(1000, "GIFT", bank_ref="B1")])
    lines = [a_line(1000, "GIFT", bank_ref=f"B{n}") for n in (2, 3)]

    assert kept(lines[:1], "camt.053", *one) == one
    assert len(kept(lines, "camt.053", *one)) == 2


def test_another_format_is_paired_by_its_text_first() -> None:
    """A truncated text is paired with the line whose text starts with it."""
    known = kept([a_line(1000, "GIFT ADA EXAMPLE"), a_line(1000, "GIFT BO EXAMPLE")])

    assert kept([a_line(1000, "Gift Bo")], "mt940", *known) == known
    assert len(kept([a_line(1000, f"gift {n}") for n in "abc"], "mt940", *known)) == 3


@pytest.mark.parametrize("text", ["", " / ", "9" * 65])
def test_an_account_number_has_letters_or_digits(text: str) -> None:
    """A text without letters and digits is not an account number."""
    with pytest.raises(InvalidInput, match="account number"):
        account_number(text)


def test_texts_are_plain_and_short() -> None:
    """Texts are stored without control characters and with a limited length."""
    line = a_line(5, "A\0B\x1b[31m\n", party="P" * 5000)

    assert (line.text, len(line.party)) == ("A B [31m", 1000)
