"""Cells and text tables of a file: amounts, dates, decoding, and what is refused."""

from datetime import UTC, date, datetime
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidAmount, InvalidInput
from jara.domain.money import plain_decimal
from jara.files.cells import parse_day, parse_instant, two_place_cents
from jara.files.reading import LINE_BYTES_MAX, read_table

BAD_AMOUNTS = [
    "",
    "10",
    "10.5",
    "10.005",
    "1e3",
    "NaN",
    "inf",
    "٣.٠٠",
    "-0",
    "-0.00",
    "+1.00",
    " 1.00",
    "1.234,50",
    "12,3456.00",
    "$1.00",
    "--1.00",
]


@given(st.integers(min_value=-(10**15) + 1, max_value=10**15 - 1))
def test_reading_undoes_plain_decimal(cents: int) -> None:
    """An amount written with two decimals reads as the same cents."""
    assert two_place_cents(plain_decimal(cents)) == cents


@pytest.mark.parametrize("text", BAD_AMOUNTS)
def test_amounts_of_another_form_are_refused(text: str) -> None:
    """An amount that is not dollars with two decimals is refused and named."""
    with pytest.raises(InvalidAmount, match=r"is not an amount|decimal comma"):
        two_place_cents(text)


def test_decimal_comma_is_named_and_not_guessed() -> None:
    """A comma instead of a point is refused, and the message names the option for it."""
    with pytest.raises(InvalidAmount) as refusal:
        two_place_cents("10,00")

    assert (
        refusal.value.message
        == "'10,00' has a decimal comma; if the whole file is written so, say `--decimal comma`."
    )


@pytest.mark.parametrize(
    ("text", "cents"), [("10,00", 1000), ("1.234,50", 123450), ("-1.000.000,01", -100000001)]
)
def test_decimal_comma_reads_when_chosen(text: str, cents: int) -> None:
    """With the option, points group thousands and the comma separates the cents."""
    assert two_place_cents(text, decimal_comma=True) == cents


@pytest.mark.parametrize("text", ["10.00", "1,234.50", "1.23,00", "10"])
def test_decimal_point_is_refused_when_the_comma_is_chosen(text: str) -> None:
    """With the option, a decimal point is an error."""
    with pytest.raises(InvalidAmount, match="two decimals after a comma"):
        two_place_cents(text, decimal_comma=True)


def test_grouped_dollars_read() -> None:
    """Commas that group thousands are accepted."""
    assert two_place_cents("1,234.50") == 123450


@pytest.mark.parametrize("text", ["2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01"])
def test_days_that_do_not_exist_are_refused(text: str) -> None:
    """A date that does not exist is refused and named."""
    with pytest.raises(InvalidInput) as refusal:
        parse_day(text)

    assert refusal.value.message == f"'{text}' is not a day of the calendar."


@pytest.mark.parametrize("text", ["", "20260101", "1/2/2026", "2026-1-1", "٢٠٢٦-01-01"])
def test_days_of_another_form_are_refused(text: str) -> None:
    """Dates are YYYY-MM-DD with ASCII digits."""
    with pytest.raises(InvalidInput, match="write it like 2026-11-20"):
        parse_day(text)


def test_days_and_times_read() -> None:
    """Reports have seconds, the Dashboard has minutes, and payouts have dates."""
    assert parse_day("2024-02-29") == date(2024, 2, 29)
    assert parse_instant("2026-03-01 12:01:07") == datetime(2026, 3, 1, 12, 1, 7, tzinfo=UTC)
    assert parse_instant("2026-03-01 12:01") == datetime(2026, 3, 1, 12, 1, tzinfo=UTC)
    assert parse_instant("2026-03-01") == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2026-02-30 10:00", "2026-02-03 24:00:00", "0000-02-03"])
def test_times_that_do_not_exist_are_refused(text: str) -> None:
    """A time that does not exist is refused and named."""
    with pytest.raises(InvalidInput, match="is not a time of the calendar"):
        parse_instant(text)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-03 1:00", "2026-02-03T10:00+02:00"])
def test_times_of_another_form_are_refused(text: str) -> None:
    """Times are in UTC and in Stripe's format."""
    with pytest.raises(InvalidInput, match="is not a time; write it like"):
        parse_instant(text)


def test_byte_order_mark_crlf_and_blank_lines_are_no_error() -> None:
    """Artefacts of spreadsheet programs are ignored."""
    table = read_table(BytesIO(b'\xef\xbb\xbfa,b\r\n\r\n1,"x\r\ny"\r\n2,z'), "f.csv")

    assert table.header == ["a", "b"]
    assert list(table.rows) == [(3, ["1", "x\r\ny"]), (5, ["2", "z"])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f.csv is empty; its first line should name the columns."),
        (
            b"a,b\n1,\xff\n",
            "f.csv, line 2: byte 0xff is not UTF-8; save the file as UTF-8 and try again.",
        ),
        (b"a,b\n1,\0\n", "f.csv, line 2: the line contains a zero byte."),
        (
            b'a,b\n1,2\n1,"never closed\n2,3\n',
            "f.csv, line 3: the line is not CSV (unexpected end of data); check its quotes.",
        ),
        (b"a" * (LINE_BYTES_MAX + 1), "f.csv, line 1: the line is longer than 1 MiB."),
        (
            b'a,b\n1,"' + b"x\n" * 100_000,
            (
                "f.csv, line 2: the line is not CSV (field larger than field limit (131072)); "
                "check its quotes."
            ),
        ),
    ],
    ids=["empty", "not UTF-8", "zero byte", "open quote", "long line", "long cell"],
)
def test_files_broken_as_a_whole_are_refused_by_line(content: bytes, message: str) -> None:
    """A file with such an error is refused as a whole, with the line."""
    with pytest.raises(InvalidInput) as refusal:
        list(read_table(BytesIO(content), "f.csv").rows)

    assert refusal.value.message == message
