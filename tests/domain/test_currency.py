"""Amounts in other currencies are read and shown with each currency's decimals."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.currency import (
    DECIMALS,
    MINOR_MAX,
    decimals_of,
    derive_rate,
    format_minor,
    parse_foreign_amount,
    plain_minor,
)
from jara.domain.errors import InvalidAmount, InvalidInput

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
def test_what_is_shown_reads_back(currency: str, minor: int) -> None:
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
