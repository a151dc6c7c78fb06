"""Bank statements in each format: reading equals writing; errors and damage are named."""

import io
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.errors import InvalidInput, NotFound
from jara.files.bank import reader
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.reader import read_statements, read_whole, recognise
from jara.files.bank.writing import write_camt, write_csv, write_mt940, write_ofx
from jara.files.reading import FileReport
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement, numbered
from tests.files.bank.written_statements import WRITERS, read, zipped
from tests.sizes import size

WORDS = st.from_regex(
    r"[A-Za-zäöüßÉ&<>'0-9](?:[ A-Za-zäöü&<>;'./0-9]{0,30}[A-Za-z0-9])?", fullmatch=True
)
LINES = st.lists(
    st.builds(
        a_line,
        st.integers(-(10**9), 10**9).filter(bool),
        WORDS,
        day=st.integers(1, 31),
        bank_ref=st.from_regex(r"[A-Z0-9]{1,16}", fullmatch=True),
    ),
    min_size=1,
    max_size=6,
).map(lambda lines: sorted(lines, key=lambda line: line.day))
"""In the order of their dates, as banks list them."""

MAY = a_statement(a_line(1000, "GIFT ADA", day=4), a_line(-250, "FEE", day=5), opening=100)


def facts(lines: list[StatementLine]) -> list[tuple[date, int, str]]:
    """Return the values of each line that every format has."""
    return [(line.day, line.cents, line.words) for line in lines]


@pytest.mark.parametrize("form", WRITERS)
@given(lines=LINES, opening=st.integers(-(10**9), 10**9))
def test_bank_formats_round_trip(form: str, lines: list[StatementLine], opening: int) -> None:
    """Days, amounts, texts with any character, references and balances are read back."""
    written = a_statement(*lines, opening=opening)

    found = read(WRITERS[form]([written]))

    assert facts(lines) == facts(list(found[0].lines))
    assert (found[0].account, found[0].closing_cents) == (NUMBER, written.closing_cents)
    assert found[0].opening_cents in {opening, None}


@pytest.mark.parametrize("form", ["camt.053", "mt940", "ofx"])
def test_a_file_may_hold_several_statements(form: str) -> None:
    """A file may hold one statement for each day; each has its own first line number."""
    other = a_statement(a_line(5, "B", day=8), opening=850)
    found = read(WRITERS[form]([MAY, other]))

    assert [numbered(one.lines) for one in found] == [numbered(MAY.lines), numbered(other.lines)]
    assert found[0].line < found[1].line


@pytest.mark.parametrize("form", ["camt.053", "mt940"])
def test_a_reversed_line_is_marked(form: str) -> None:
    """The amount has the sign of the reversal, not of the reversed line."""
    lines = [a_line(-250, "FEE"), a_line(250, "FEE", is_reversal=True)]
    lines += [a_line(100, "A", day=2), a_line(-100, "A", day=2, is_reversal=True)]
    found = read(WRITERS[form]([a_statement(*lines)]))[0].lines

    assert [(line.cents, line.is_reversal) for line in found] == [
        (-250, False),
        (250, True),
        (100, False),
        (-100, True),
    ]


@pytest.mark.parametrize(
    ("data", "old", "new", "message"),
    [
        (write_camt([MAY]), b">10.00<", b">10.005<", "line 7.*'10.005' has a fraction of a cent"),
        (write_camt([MAY]), b">10.00<", b">ten<", "line 7.*'ten' is not an amount"),
        (write_camt([MAY]), b">10.00<", b">-10.00<", "line 7.*'-10.00' is negative; CRDT or DBIT"),
        (write_camt([MAY]), b">8.50<", b">-8.50<", "line 4.*'-8.50' is negative"),
        (write_camt([MAY]), b">CRDT<", b">PLUS<", "'PLUS' is neither CRDT nor DBIT"),
        (write_camt([MAY]), b"2026-05-04", b"2026-02-30", "'2026-02-30' is not a day"),
        (write_camt([MAY]), b"camt.053", b"camt.054", "line 1: this is camt.054.* ask the bank"),
        (write_camt([MAY]), NUMBER.encode(), b"/", "line 4: '/' is not an account number"),
        (write_camt([MAY]), b"</Stmt>", b"</Smt>", r"line \d+: the file is not XML"),
        (write_camt([MAY]), b"<Document", b"<!DOCTYPE a [<!ENTITY b 'c'>]><Document", "DTD"),
        (write_camt([MAY]), b'"UTF-8"', b'"UTF-99"', "not XML"),
        (write_mt940([MAY]), b"C10,00", b"C10,005", "a fraction of a cent"),
        (write_ofx([MAY]), b"<TRNAMT>10.00", b"<TRNAMT>1,000.00", r"line \d+: '1,000.00' is not"),
        (write_ofx([MAY]), b"<DTPOSTED>20260504", b"<DTPOSTED>soon", "is not a day"),
        (write_ofx([MAY], version=2), b"<OFX>", b"<!DOCTYPE a><OFX>", "DTD"),
        (write_csv([MAY]), b"10,00", b"10.00", "line 3: '10.00' is not an amount"),
        (write_csv([MAY]), b"04.05.2026", b"2026-05-04", "line 3: '2026-05-04' is not a day"),
        (write_csv([MAY]), b"-2,50", b"-2,40", "line 2: the balance is .8.50, but .8.60 follows"),
        (write_csv([MAY]), b";USD", b"", "line 2: the row is too short"),
        (write_csv([MAY]), b"GIFT", b"GI\x81FT", "line 3: byte 0x81 is not cp1252"),
        (write_csv([MAY]), b"GIFT", b'"GI"FT', "line 3: the line is not CSV"),
        (
            write_csv([MAY]),
            b"Purpose",
            b"Text",
            "The nearest mapping is sample, which also needs Purpose",
        ),
    ],
)
def test_errors_are_named_by_line(data: bytes, old: bytes, new: bytes, message: str) -> None:
    """The message names the file, the line and the value."""
    assert old in data

    with pytest.raises(InvalidInput, match=message):
        read(data.replace(old, new))


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (write_camt([MAY, MAY]), b"</Document>"),
        (write_mt940([MAY]), b":62F:"),
        (write_ofx([MAY, MAY]), b"</OFX>"),
        (write_ofx([MAY, MAY], version=2), b"</OFX>"),
    ],
)
def test_a_file_that_is_cut_off_is_refused(data: bytes, end: bytes) -> None:
    """A file that breaks off anywhere is refused, so half a month never passes for a whole one."""
    whole = data[: data.rindex(end)]
    ends = [place for place in range(whole.index(NUMBER.encode()), len(whole)) if whole[place] < 33]
    for place in [*ends, len(whole)]:
        with pytest.raises(InvalidInput):
            read(whole[:place])


@pytest.mark.parametrize("currency", ["EUR", "XYZ"])
@pytest.mark.parametrize("form", ["camt.053", "csv"])
def test_a_line_in_another_currency_is_rejected(form: str, currency: str) -> None:
    """Lines in foreign currencies and unused codes are rejected; the others can be imported."""
    report = FileReport()
    data = WRITERS[form]([a_statement(a_line(1000, "A"), a_line(5000, "B", day=2), opening=None)])
    if form == "csv":
        data = data.replace(b";USD;50,00;60,00", f";{currency};50,00;".encode())
    else:
        data = data.replace(b'<Amt Ccy="USD">50.00', f'<Amt Ccy="{currency}">50.00'.encode())

    found = read(data, report)

    assert [line.cents for line in found[0].lines] == [1000]
    assert [one.message for one in report.rejected] == [f"the amount is in {currency}, not USD."]


def test_a_line_without_a_currency_is_rejected() -> None:
    """CAMT.053 requires a currency with each amount."""
    report = FileReport()
    data = write_camt([MAY]).replace(b'<Amt Ccy="USD">10.00', b"<Amt>10.00")

    assert [line.cents for line in read(data, report)[0].lines] == [-250]
    assert [one.message for one in report.rejected] == ["the amount is in no currency, not USD."]


def test_ofx_names_the_currency_of_a_line() -> None:
    """A line in another currency is rejected in OFX too."""
    report = FileReport()
    data = write_ofx([MAY]).replace(
        b"<MEMO>FEE", b"<CURRENCY><CURRATE>1.1\n<CURSYM>EUR\n</CURRENCY><MEMO>FEE"
    )

    assert [line.cents for line in read(data, report)[0].lines] == [1000]
    assert len(report.rejected) == 1


@pytest.mark.parametrize("form", WRITERS)
def test_lines_of_zero_and_lines_that_are_not_booked_are_ignored(form: str) -> None:
    """Lines without an amount or not yet booked are ignored."""
    report = FileReport()
    data = WRITERS[form]([MAY])
    for text in (b"10.00", b"C10,00", b";10,00"):
        data = data.replace(text, text.replace(b"10", b"0"))
    data = data.replace(b"BOOK", b"PDNG", 1)
    balanced = data.replace(b";8,50", b";1,00").replace(b";11,00", b";3,50")

    assert [line.cents for one in read(balanced, report) for line in one.lines] == [-250]
    starts = {"camt.053": b"<Ntry>", "mt940": b":61:", "csv": b"04.05.2026"}
    start = starts.get(form, b"<STMTTRN>")
    reason = "not booked yet" if form == "camt.053" else "the amount is zero"
    assert (report.ignored, [o.message for o in report.left_out]) == (1, [f"{reason}; left out"])
    assert data.splitlines()[report.left_out[0].line - 1].startswith(start)


def test_a_balance_of_another_day_is_no_closing_balance() -> None:
    """Some banks give the balance at the time of the download, which is not a closing balance."""
    data = write_ofx([MAY])

    assert read(data)[0].closing_cents == 850
    assert read(data.replace(b"<DTASOF>20260531", b"<DTASOF>20260602"))[0].closing_cents is None


def test_an_empty_month_is_a_statement() -> None:
    """A statement may have balances and no lines."""
    empty = a_statement(opening=500)
    for form in ("camt.053", "mt940", "ofx"):
        assert [(one.closing_cents, len(one.lines)) for one in read(WRITERS[form]([empty]))] == [
            (500, 0)
        ]
    assert read(write_csv([empty])) == []


def test_formats_are_known_by_their_content() -> None:
    """The format is detected by content, not by name or byte-order mark."""
    mark = b"\xef\xbb\xbf"

    assert [recognise(mark + write([MAY])) for write in WRITERS.values()] == [
        "camt.053",
        "mt940",
        "ofx",
        "ofx",
        "csv",
    ]
    assert recognise(b"{1:F01BANK}{4:\r\n:20:A") == "mt940"


def test_a_large_or_empty_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the limit and what to do."""
    monkeypatch.setattr(reader, "BYTES_MAX", 1 << 20)

    assert read_whole(io.BytesIO(b"a"), "f") == b"a"
    with pytest.raises(InvalidInput, match="f is larger than 1 MiB; export the year in parts"):
        read_whole(io.BytesIO(b"a" * ((1 << 20) + 1)), "f")
    with pytest.raises(InvalidInput, match="f is empty"):
        read_whole(io.BytesIO(b" \n"), "f")


def test_a_mapping_is_named_where_several_fit() -> None:
    """If several mappings fit, one must be named; an unknown one is not found."""
    mapping = {"a": CsvMapping(account="1", date="Day", amount="Sum")}
    two = {**mapping, "b": mapping["a"]}

    def found(data: bytes, mappings: dict[str, CsvMapping], name: str | None) -> list[Statement]:
        report = FileReport()
        return list(read_statements(data, "f", report, mappings=mappings, mapping=name))

    data = b"Day,Sum\n2026-05-01,$1.5\n2026-05-02,2.00-\n"
    assert [line.cents for line in found(data, two, "a")[0].lines] == [150, -200]
    with pytest.raises(InvalidInput, match="fits the mappings a, b"):
        found(data, two, None)
    with pytest.raises(NotFound, match="no mapping 'c'"):
        found(data, two, "c")
    with pytest.raises(InvalidInput, match=r"no mapping fits it\. Its columns are Day, Sum\."):
        found(data, {}, None)
    with pytest.raises(InvalidInput, match="line 1: the header lacks Sum"):
        found(b"Day\n2026-05-01\n", mapping, "a")


RICH = a_statement(
    a_line(1000, "GIFT ADA", day=4, party="Ada", own_ref="R1", bank_ref="B1"),
    a_line(-250, "FEE", day=5),
    opening=100,
)
FORMS = {form: write([RICH]) for form, write in WRITERS.items()}
FORMS |= {"zip": zipped(may=FORMS["ofx"], also=FORMS["mt940"])}
PIECES = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"<", b">", b"</Ntry>", b"<Ntry>", b"<TxDtls>", b"<Bal>", b":61:", b":86:", b":60F:",
         b":20:", b"-}", b"<STMTTRN>", b"</STMTRS>", b"<LEDGERBAL>", b"<OFX>", b'"', b";", b"\n",
         b"\r", b"\0", b"USD", b"EUR", b"1e9", b"NaN", b"-", b"99999999999999", b"&lol;", b"<!",
         b"CHARSET:idna", b"PK\x01\x02", b"?31", b"<![CDATA[", b"<!--"]
    ),
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=size(40, 1500))
@given(data=st.data())
def test_damaged_files_are_read_or_refused(form: str, data: st.DataObject) -> None:
    """After bytes are removed, added or doubled, a file is read or is invalid input."""
    broken = FORMS[form]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken)))
        lost = data.draw(st.sampled_from([0, 0, 1, 5, 40]))
        broken = broken[:at] + data.draw(PIECES) + broken[at + lost :]
    found: list[Statement] = []
    with suppress(InvalidInput):
        found = read(broken)

    assert all(line.cents for one in found for line in one.lines)


@pytest.mark.parametrize("form", ["camt.053", "ofx 2"])
def test_a_bomb_of_entities_is_refused(form: str) -> None:
    """The file is refused before any entity is expanded."""
    bomb = b"<!DOCTYPE a [<!ENTITY x 'ha'><!ENTITY y '&x;&x;&x;'>]>"
    data = WRITERS[form]([RICH])
    at = data.index(b"<Document" if form == "camt.053" else b"<OFX>")

    with pytest.raises(InvalidInput, match="DTD or entities"):
        read(data[:at] + bomb + data[at:])


def test_deep_nesting_is_refused() -> None:
    """The paths of 50,000 open elements would need gigabytes."""
    data = WRITERS["camt.053"]([RICH])
    at = data.index(b"<Bal>")
    deep = b"<a>" * 50_000 + b"</a>" * 50_000

    with pytest.raises(InvalidInput, match=r"line \d+: elements are nested deeper than 100"):
        read(data[:at] + deep + data[at:])
