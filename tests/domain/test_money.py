"""Amounts of money and numbers: read and shown exactly, divided without a remainder."""

import re
from fractions import Fraction

import pytest
from babel.localedata import locale_identifiers
from babel.numbers import get_currency_symbol
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.currency import (
    DECIMALS,
    HOMES,
    MINOR_MAX,
    SYMBOLS,
    decimals_of,
    derive_rate,
    format_minor,
    parse_foreign_amount,
    plain_minor,
    use_currency,
    written_for,
)
from jara.domain.errors import InvalidAmount, InvalidInput
from jara.domain.money import divide_cents, format_cents, format_dollars, parse_cents, plain_decimal
from jara.domain.texts import count_of
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
def test_an_invalid_amount_is_refused_by_name(text: str) -> None:
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
def test_written_values_read_back_equal(amount: int) -> None:
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


def test_a_country_writes_its_own_dollars_without_saying_whose() -> None:
    """Those of the table are those whose English has a bare sign in CLDR, as browsers do too."""
    bare = {
        currency: " ".join(
            locale[3:]
            for locale in sorted(locale_identifiers())
            if re.fullmatch("en_[A-Z]{2}", locale)
            and get_currency_symbol(currency, locale) == symbol[-1]
        )
        for currency, symbol in SYMBOLS.items()
        if re.fullmatch("[A-Z]+.", symbol)
    }

    assert {currency: codes for currency, codes in bare.items() if codes} == HOMES


def test_an_amount_has_the_sign_of_the_reader() -> None:
    """In Canada a Canadian dollar is "$"; another currency, and another reader, keep theirs."""
    use_currency("CAD")
    with written_for("CA"):
        home = [format_cents(-1250), format_dollars(1000), format_cents(500, "USD")]
    with written_for("US"):
        abroad = format_cents(1250)

    assert [*home, abroad, format_cents(0)] == ["-$12.50", "$10", "$5.00", "CA$12.50", "CA$0.00"]


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


CURRENCIES = sorted(set(DECIMALS) - {"USD"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KES 464,400", ("KES", 46_440_000)),
        ("KES464400.5", ("KES", 46_440_050)),
        (" kes 0.01 ", ("KES", 1)),
        ("XOF 900", ("XOF", 900)),
        ("UGX 1,000,000", ("UGX", 1_000_000)),
        ("KWD 1.234", ("KWD", 1234)),
    ],
)
def test_an_amount_is_read_in_the_smallest_unit(text: str, expected: tuple[str, int]) -> None:
    """A code and an amount are read with the decimals of ISO 4217, with or without grouping."""
    assert parse_foreign_amount(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("464,400", "'464,400' is not an amount in another currency; write code and amount"),
        ("KES 464.400,00", "is not an amount in another currency"),
        ("KES 46,44", "is not an amount in another currency"),
        ("KES 1e3", "is not an amount in another currency"),
        ("KES 0", "'KES 0' is not above zero"),
        ("KES -5", "'KES -5' is not above zero"),
        ("KES 1.005", "'KES 1.005' has 3 decimals; KES has at most 2."),
        ("XOF 1.5", "'XOF 1.5' has 1 decimal; XOF has none."),
        ("KES 9,007,199,254,740,992", "is too large; the maximum is KES 90,071,992,547,409.91"),
    ],
)
def test_a_bad_amount_is_refused_by_name(text: str, words: str) -> None:
    """The message names the value and the rule."""
    with pytest.raises(InvalidAmount, match=re.escape(words)):
        parse_foreign_amount(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("KSH 5", "'KSH' is not a currency of ISO 4217, like KES."),
        ("XAU 5", "'XAU' is not a currency"),
        ("USD 5", "'USD 5' is in USD, as the books are"),
    ],
)
def test_the_currency_is_another_and_exists(text: str, words: str) -> None:
    """Unknown codes are refused; so are dollars, which need no rate."""
    with pytest.raises(InvalidInput, match=re.escape(words)):
        parse_foreign_amount(text)


def test_the_table_of_decimals_is_that_of_iso_4217() -> None:
    """Each code is three capital letters and occurs once in the table."""
    assert all(re.fullmatch("[A-Z]{3}", code) for code in DECIMALS)
    assert {code: decimals_of(code) for code in ("KES", "XOF", "UGX", "TND", "MGA")} == {
        "KES": 2,
        "XOF": 0,
        "UGX": 0,
        "TND": 3,
        "MGA": 2,
    }


@given(st.sampled_from(CURRENCIES), st.integers(1, MINOR_MAX))
def test_a_formatted_foreign_amount_reads_back(currency: str, minor: int) -> None:
    """A formatted amount reads back as the same amount, with and without grouping."""
    assert parse_foreign_amount(format_minor(currency, minor)) == (currency, minor)
    assert parse_foreign_amount(f"{currency} {plain_minor(currency, minor)}") == (currency, minor)


@pytest.mark.parametrize(
    ("currency", "minor", "expected", "plain"),
    [
        ("KES", 46_440_000, "KES 464,400", "464400.00"),
        ("KES", 50, "KES 0.50", "0.50"),
        ("XOF", -900, "-XOF 900", "-900"),
        ("KWD", 1005, "KWD 1.005", "1.005"),
        ("OLD", 1050, "OLD 10.50", "10.50"),
    ],
)
def test_amounts_are_shown_with_their_decimals(
    currency: str, minor: int, expected: str, plain: str
) -> None:
    """Zero decimals are not shown; an unknown currency has two decimals."""
    assert format_minor(currency, minor) == expected
    assert plain_minor(currency, minor) == plain


@pytest.mark.parametrize(
    ("currency", "minor", "cents", "expected"),
    [
        ("KES", 46_440_000, 360_000, "129.00"),
        ("KES", 46_440_100, 360_000, "129.00"),
        ("KES", 46_444_000, 360_000, "129.011"),
        ("XOF", 2_000_000, 333_333, "600.001"),
        ("VND", 91_234_567, 360_000, "25342.94"),
        ("EUR", 92_345, 100_000, "0.92345"),
        ("KWD", 30_712_349, 10_000_000, "0.307123"),
        ("KES", 1, 100_000_000, "0.00000001"),
    ],
)
def test_a_rate_has_six_digits_and_two_decimals_at_least(
    currency: str, minor: int, cents: int, expected: str
) -> None:
    """The rate is computed from both amounts and has no superfluous zeros at the end."""
    assert derive_rate(currency, minor, cents) == expected


WEIGHTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=40).filter(any)


@given(st.integers(0, 10**9), WEIGHTS)
def test_the_parts_are_the_amount_each_within_a_cent(cents: int, weights: list[int]) -> None:
    """Nothing is lost, nothing is added, and nothing without weight gets anything."""
    parts = divide_cents(cents, weights)

    assert sum(parts) == cents
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - Fraction(cents * weight, sum(weights))) < 1
        assert weight or not part


def test_the_cents_that_are_left_go_to_the_largest_remainders_ties_to_the_earlier() -> None:
    """A third of a dollar three times."""
    assert divide_cents(100, [1, 1, 1]) == [34, 33, 33]
    assert divide_cents(10, [0, 29, 11]) == [0, 7, 3]


def test_a_noun_follows_its_number() -> None:
    """One gift, two gifts, no entries."""
    assert count_of(1, "gift") == "1 gift"
    assert count_of(1200, "gift") == "1,200 gifts"
    assert count_of(0, "entry", "entries") == "0 entries"
