"""Mappings of CSV files."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.bank.statement import StatementLine
from jara.domain.errors import InvalidInput
from jara.files.bank.csv_mapping import CsvMapping, decimal_sign, read_mapping
from jara.files.bank.reader import read_statements
from jara.files.bank.writing import write_csv
from jara.files.reading import FileReport
from tests.domain.bank.bank_lines import NUMBER, a_statement
from tests.sizes import size

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


_ALPHABET = st.characters(codec="cp1252", exclude_categories=("C", "Zl", "Zp"))
_TEXTS = st.text(_ALPHABET, max_size=12).map(str.strip)
_LINES = st.lists(
    st.builds(
        StatementLine,
        line=st.just(0),
        day=st.dates(date(2000, 1, 1), date(2040, 12, 31)),
        cents=st.integers(-(10**12), 10**12).filter(bool),
        text=_TEXTS,
        party=_TEXTS,
        party_account=_TEXTS,
        bank_ref=_TEXTS,
    ),
    min_size=1,
    max_size=6,
)
_SIDES = st.sampled_from([
    {"amount": "Sum"},
    {"debit": "Out", "credit": "In"},
    *({"amount": "Sum", "sign": f"Side={word}"} for word in ("D", "Soll", "Af", "Sortie", "C")),
])  # fmt: skip


@st.composite
def mappings(draw: st.DrawFn) -> CsvMapping:
    """Draw a mapping with every column, in a file with or without a header."""
    sides: dict[str, Any] = draw(_SIDES)
    only = draw(st.sampled_from([(), ("Status=Completed",), ("Status=",)]))
    mapping = CsvMapping(
        account=NUMBER,
        date="Day",
        text=("Text", "More"),
        reference="Ref",
        party="Name",
        party_account="Account",
        balance=draw(st.sampled_from(["", "Balance"])),
        currency=draw(st.sampled_from(["", "USD", "Ccy"])),
        only=only,
        date_format=draw(st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d|%d-%m-%Y"])),
        decimal=draw(st.sampled_from([".", ","])),
        delimiter=draw(st.sampled_from(["", ",", ";", "\t", "|"])),
        encoding=draw(st.sampled_from(["", "utf-8-sig", "utf-16", "cp1252"])),
        **sides,
    )
    if not draw(st.booleans()):
        return mapping
    columns = tuple(draw(st.permutations([*mapping.required, "Unused"])))
    return CsvMapping(**{**{k: getattr(mapping, k) for k in mapping.__slots__}, "columns": columns})


@settings(max_examples=size(40, 1500), deadline=None)
@given(mapping=mappings(), lines=_LINES, opening=st.integers(-(10**9), 10**9))
def test_csv_mappings_round_trip(
    mapping: CsvMapping, lines: list[StatementLine], opening: int
) -> None:
    """No sign, amount, day or text changes, and nothing is left out."""
    lines.sort(key=lambda line: line.day)
    report = FileReport()
    data = write_csv([a_statement(*lines, opening=opening)], mapping)

    (found,) = read_statements(data, "f", report, mappings={"m": mapping})

    assert _facts(found.lines) == _facts(lines)
    assert (report.left_out, report.rejected) == ([], [])
    if mapping.balance:
        assert found.closing_cents == opening + sum(line.cents for line in lines)


def _facts(lines: Sequence[StatementLine]) -> list[tuple[date, int, str, str, str, str]]:
    return sorted(
        (one.day, one.cents, one.text, one.party, one.party_account, one.bank_ref) for one in lines
    )
