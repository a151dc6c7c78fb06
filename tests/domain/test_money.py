"""Amounts are read and shown exactly, and ambiguous input is refused."""

from __future__ import annotations

import pytest
from babel.numbers import get_currency_symbol
from hypothesis import given

from jara.domain.currency import DECIMALS, use_currency
from jara.domain.errors import InvalidAmount
from jara.domain.money import format_cents, format_dollars, format_short, parse_cents, plain_decimal
from tests.strategies import cents


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10", 1000),
        ("10.5", 1050),
        ("10.05", 1005),
        ("$1,457.00", 145700),
        (" 0 ", 0),
        ("1457", 145700),
        ("1,234,567.89", 123456789),
    ],
)
def test_the_usual_ways_to_write_an_amount_are_read(text: str, expected: int) -> None:
    """Dollars are read with or without sign, grouping and one or two decimals."""
    assert parse_cents(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "$", "10.", ".5", "10.005", "1e3", "NaN", "inf", "Infinity", "10,00", "1.234,50",
        "1234,567", "0,123", "1,23,456", "٣", "１０", "--1", "+1", "1_000", "10\n", "€10", "1 000",
    ],
)  # fmt: skip
def test_what_is_not_an_amount_is_refused_by_name(text: str) -> None:
    """Exponents, other scripts, other decimal marks and too many decimals are refused."""
    with pytest.raises(InvalidAmount) as refusal:
        parse_cents(text)

    assert text in refusal.value.message


def test_a_negative_amount_passes_only_where_it_is_allowed() -> None:
    """A minus is refused unless the caller allows it; minus zero is always refused."""
    assert parse_cents("-12.00", allow_negative=True) == -1200
    assert parse_cents("-$12", allow_negative=True) == -1200
    for text, allowed in (("-12.00", False), ("-0", True), ("-0.00", False)):
        with pytest.raises(InvalidAmount, match=r"is negative|zero has no sign"):
            parse_cents(text, allow_negative=allowed)


@pytest.mark.parametrize(
    ("amount", "shown", "headline", "plain"),
    [
        (145700, "$1,457.00", "$1,457", "1457.00"),
        (-1200, "-$12.00", "-$12", "-12.00"),
        (0, "$0.00", "$0", "0.00"),
        (5, "$0.05", "$0", "0.05"),
        (-5, "-$0.05", "$0", "-0.05"),
        (199, "$1.99", "$1", "1.99"),
        (100000000, "$1,000,000.00", "$1,000,000", "1000000.00"),
    ],
)
def test_amounts_are_shown_as_the_design_says(
    amount: int, shown: str, headline: str, plain: str
) -> None:
    """Two decimals with grouping, whole dollars rounded towards zero, and plain text for files."""
    assert (shown, headline, plain) == (
        format_cents(amount),
        format_dollars(amount),
        plain_decimal(amount),
    )


@given(amount=cents)
def test_what_is_written_is_read_back(amount: int) -> None:
    """Both ways of writing an amount give the same cents again."""
    assert parse_cents(format_cents(amount), allow_negative=True) == amount
    assert parse_cents(plain_decimal(amount), allow_negative=True) == amount


@pytest.mark.parametrize("currency", sorted(set(DECIMALS) - {"XCG"}))  # new in 2025
def test_a_currency_is_written_as_cldr_does(currency: str) -> None:
    """English writes the symbol of CLDR, with a space if that is letters, and reads it again."""
    symbol = get_currency_symbol(currency, "en")
    before = f"{symbol}\u00a0" if symbol.isalpha() else symbol
    if DECIMALS[currency] == 2:
        use_currency(currency)
        assert format_cents(145_750) == f"{before}1,457.50"
        assert format_dollars(-145_750) == f"-{before}1,457"
        assert parse_cents(format_cents(145_750)) == 145_750


@pytest.mark.parametrize(
    ("currency", "typed"),
    [("CAD", "$5"), ("CAD", "CA$5"), ("EUR", "5 €"), ("GBP", "£5.00"), ("CHF", "CHF 5")],
)
def test_the_marks_of_the_books_are_read(currency: str, typed: str) -> None:
    """The symbol, its short form or the code may stand before or after an amount."""
    use_currency(currency)

    assert parse_cents(typed) == 500


@pytest.mark.parametrize("typed", ["€5", "CA$5", "CAD 5", "$5$", "$$5", "$ CAD 5"])
def test_the_mark_of_another_currency_is_refused(typed: str) -> None:
    """Dollars of another country are not those of the books; a mark stands once."""
    with pytest.raises(InvalidAmount, match=r"write USD with at most two decimals"):
        parse_cents(typed)


@pytest.mark.parametrize(
    ("currency", "short"),
    [
        ("USD", "$5"),
        ("CAD", "$5"),
        ("AUD", "$5"),
        ("BRL", "R$5"),
        ("EUR", "€5"),
        ("CHF", "CHF\u00a05"),
    ],
)
def test_a_short_amount_has_a_bare_sign(currency: str, short: str) -> None:
    """The letters that say whose dollars they are, are left out; those of a sign are not."""
    use_currency(currency)

    assert format_short(500) == short
