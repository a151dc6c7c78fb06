"""Mappings of CSV files."""

from typing import Any

import pytest

from jara.domain.errors import InvalidInput
from jara.files.bank.csv_mapping import CsvMapping, decimal_sign, read_mapping
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport

FACTS: dict[str, Any] = {"account": "12345678", "date": "Day", "amount": "Sum"}
TWO = {"amount": "", "debit": "Out", "credit": "In", "skip": 2, "text": ("A", "B")}
MORE = {"sign": "K=D", "only": ("S=x",), "columns": ("Day", "Sum", "K", "S", "N?")}


def test_a_mapping_is_stored_whole() -> None:
    """A mapping is read back equal, also one of an earlier version, which has fewer fields."""
    more = CsvMapping(**(FACTS | MORE))
    old = {key: value for key, value in more.document().items() if key not in MORE}

    assert read_mapping(more.document()) == more
    assert read_mapping(old) == CsvMapping(**FACTS)
    mapping = CsvMapping(**(FACTS | TWO))

    assert read_mapping(mapping.document()) == mapping
    assert mapping.required == ["Day", "Out", "In", "A", "B"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"amount": ""}, "needs --amount, or both"),
        ({"debit": "Out", "credit": "In"}, "needs --amount, or both"),
        ({"decimal": ";"}, "not a decimal sign"),
        ({"delimiter": "||"}, "must be one character"),
        ({"date": ""}, "needs --date"),
        ({"sign": "D"}, "not COLUMN=VALUE"),
        ({"only": ("=x",)}, "not COLUMN=VALUE"),
        ({"amount": "", "debit": "A", "credit": "B", "sign": "C=D"}, "--sign needs --amount"),
        ({"columns": ("Day", "Text")}, "but not Sum"),
        ({"encoding": "utf-99"}, "not an encoding"),
        ({"date_format": "YYYY-MM-DD"}, "not a date format"),
        ({"account": "-"}, "not an account number"),
    ],
)
def test_a_mapping_that_cannot_work_is_refused(changes: dict[str, Any], message: str) -> None:
    """An unusable mapping is refused when it is defined, not when it is used."""
    with pytest.raises(InvalidInput, match=message):
        CsvMapping(**(FACTS | changes))


def test_debits_and_credits_have_columns_of_their_own() -> None:
    """Debit and credit columns may stand below extra lines; both at once is an error."""
    mapping = CsvMapping(**(FACTS | TWO))
    head = "My bank\nMay\nDay,Out,In,A,B\n"

    def cents(rows: str) -> list[int]:
        data = (head + rows).encode()
        found = read_statements(data, "f", FileReport(), mappings={"m": mapping})
        return [line.cents for one in found for line in one.lines]

    assert cents('2026-05-01,1.50,,x,y\n2026-05-02,,"2.50",x,\n') == [-150, 250]
    with pytest.raises(InvalidInput, match="f, line 4: the line has both a debit and a credit"):
        cents("2026-05-01,1.50,2.00,x,y\n")


def test_signs_have_words() -> None:
    """Decimal signs have names, because a shell treats many signs as special."""
    assert [decimal_sign(word) for word in ("point", "comma", ";")] == [".", ",", ";"]
