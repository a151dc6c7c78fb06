"""CSV as banks write it: signs in columns, footers, pending rows, files without a header."""

from typing import Any

import pytest

from jara.domain.errors import InvalidInput
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport
from tests.domain.bank.bank_lines import NUMBER

FACTS: dict[str, Any] = {"account": NUMBER, "date": "Day", "amount": "Sum", "text": ("Text",)}
Shown = list[tuple[str, int, str]]


def read(text: str, report: FileReport | None = None, **changes: Any) -> Shown:
    """Read a file by a mapping; return day, cents and text of each line."""
    mappings = {"m": CsvMapping(**(FACTS | changes))}
    data, report = text.encode(), report or FileReport()
    found = read_statements(data, "may.csv", report, mappings=mappings, mapping="m")
    return [(str(line.day), line.cents, line.text) for one in found for line in one.lines]


def left_out(text: str, **changes: Any) -> tuple[Shown, list[tuple[int, str]]]:
    """Read a file, and return its lines and what was left out."""
    report = FileReport()
    return read(text, report, **changes), [(one.line, one.message) for one in report.left_out]


@pytest.mark.parametrize(
    ("out", "into"),
    [
        ("D", "C"),
        ("DR", "CR"),
        ("dbit", "crdt"),
        ("Debit", "Credit"),
        ("S", "H"),
        ("Soll", "Haben"),
        ("Af", "Bij"),
        ("Débit", "Crédit"),
        ("Cargo", "Abono"),
        ("Sortie", "Entrée"),
        ("-", "+"),
    ],
)
def test_a_column_tells_the_sign(out: str, into: str) -> None:
    """The word of `--sign` means money out, whatever sign the amount has."""
    rows = f"Day,Kind,Text,Sum\n2026-05-04,{into},Gift,40\n2026-05-05,{out.upper()},Fee,-3.00\n"

    assert read(rows, sign=f"Kind={out}") == [
        ("2026-05-04", 4000, "Gift"),
        ("2026-05-05", -300, "Fee"),
    ]


def test_a_sign_that_says_neither_is_refused() -> None:
    """A fee never becomes income because its word is unknown."""
    with pytest.raises(InvalidInput, match=r"line 2: 'X' in column Kind is neither .* nor "):
        read("Day,Kind,Text,Sum\n2026-05-04,X,Fee,3.00\n", sign="Kind=D")
    with pytest.raises(InvalidInput, match="line 2: '' in column Kind"):
        read("Day,Kind,Text,Sum\n2026-05-04,,Fee,3.00\n", sign="Kind=Sortie")
    assert read("Day,Kind,Text,Sum\n2026-05-04,Soll,Fee,3\n", sign="Kind=D")[0][1] == -300


def test_a_sign_that_the_mapping_misses_is_named() -> None:
    """A file with amounts and a column of signs is refused without `--sign`."""
    rows = "Day,D/C,Text,Sum\n2026-05-04,C,Gift,40\n2026-05-05,D,Fee,3.00\n"

    with pytest.raises(InvalidInput, match="column D/C tells money out: --sign D/C=D"):
        read(rows)
    assert [cents for _, cents, _ in read(rows.replace(",3.00", ",-3.00"))] == [4000, -300]


@pytest.mark.parametrize("word", ["D", "S"])
def test_a_file_of_money_out_alone_is_asked_about(word: str) -> None:
    """A letter may mean anything, so it is asked about where no amount has a sign."""
    rows = f"Day,Kind,Text,Sum\n2026-05-05,{word},Fee,3.00\n"

    with pytest.raises(InvalidInput, match=f"--sign Kind={word}"):
        read(rows)
    assert read(rows, ignored=("Kind",))[0][1] == 300
    assert read(rows.replace("3.00", "-3.00"))[0][1] == -300


def test_a_charge_that_no_balance_proves_is_asked_about() -> None:
    """The balance before the first row is not in the file."""
    first = "Day,Text,Sum,Fee,Left\n2026-05-04,Gift,10.00,0.50,10.00\n"
    named: dict[str, Any] = {"fee": "Fee", "balance": "Left"}

    with pytest.raises(InvalidInput, match="--amount-is gross or --amount-is net"):
        read(f"{first}2026-05-05,Gift,1.00,0.00,11.00\n", **named)
    assert [
        cents for _, cents, _ in read(f"{first}2026-05-05,Gift,1.00,0.20,10.80\n", **named)
    ] == [950, 80]


def test_columns_are_named_for_a_file_without_header() -> None:
    """`--columns` names the columns; a last one with a question mark may be absent."""
    names = ("Day", "Text", "Out", "In", "Card?")
    changes: dict[str, Any] = {"columns": names, "amount": "", "debit": "Out", "credit": "In"}
    rows = "2026-05-04,Gift,,10.00\n2026-05-05,Fee,2.50,\n2026-05-06,Gift,,1.00,4500*1\n"

    assert read(rows, **changes) == [
        ("2026-05-04", 1000, "Gift"),
        ("2026-05-05", -250, "Fee"),
        ("2026-05-06", 100, "Gift"),
    ]


def test_a_mapping_without_a_header_is_found_by_its_first_row() -> None:
    """The first row has its number of cells, a day and an amount."""
    two = {
        "plain": CsvMapping(**FACTS, columns=("Day", "Text", "Sum")),
        "swiss": CsvMapping(**FACTS, columns=("Day", "Text", "Sum"), date_format="%d.%m.%Y"),
    }

    def days(text: str) -> list[str]:
        found = read_statements(text.encode(), "f", FileReport(), mappings=two)
        return [str(line.day) for one in found for line in one.lines]

    assert days("2026-05-04,Gift,10\n") == ["2026-05-04"]
    assert days("04.05.2026;Gift;10\n") == ["2026-05-04"]
    with pytest.raises(InvalidInput, match="no mapping fits"):
        days("Day,Text,Sum\n2026-05-04,Gift,10\n")


def test_only_some_rows_are_read() -> None:
    """`--only` leaves the other rows out, and says why; values of one column are alternatives."""
    rows = (
        "Day,Status,Account,Text,Sum\n2026-05-04,Completed,1-0,Gift,10\n"
        "2026-05-04,Pending,1-0,Gift,20\n2026-05-05,settled,10,Gift,30\n"
        "2026-05-06,Completed,2-0,Gift,40\n"
    )
    only = ("Status=completed", "Status=Settled", "Account=10")

    lines, left = left_out(rows, only=only)

    assert [cents for _, cents, _ in lines] == [1000, 3000]
    assert left == [
        (3, "Status is 'Pending', not completed or Settled; left out"),
        (5, "Account is '2-0', not 10; left out"),
    ]


def test_rows_without_a_day_are_left_out() -> None:
    """Totals, footers and pending rows are listed; lines before the header are skipped."""
    rows = (
        "Statement of May;;\nAccount;12345678;\n\nDay;Text;Sum\n;Opening balance;5,00\n"
        "04.05.2026;Gift;10,00\nPending;Gift;7,00\n;;\n;Closing balance;15,00\nTotal: 1 line\n"
    )

    lines, left = left_out(rows, date_format="%d.%m.%Y", decimal=",", delimiter="")

    assert lines == [("2026-05-04", 1000, "Gift")]
    assert left == [(line, "it has no day; left out") for line in (5, 7, 9, 10)]


@pytest.mark.parametrize(
    "footer", ["Balance on 31/05/2026,,15.00", "12 transactions,,15.00", "Saldo 31.05.2026,,15.00"]
)
def test_a_footer_may_hold_digits_and_an_amount(footer: str) -> None:
    """Its words tell that it is no line with a day in another form."""
    assert left_out(f"Day,Text,Sum\n2026-05-04,Gift,10.00\n{footer}\n") == (
        [("2026-05-04", 1000, "Gift")],
        [(3, "it has no day; left out")],
    )


def test_a_card_states_what_is_owed() -> None:
    """Its balances grow with money out; they are stored as what the account has."""
    rows = "Day,Text,Sum,Left\n2026-05-04,Ink,-12.50,112.50\n2026-05-05,Paid,100.00,12.50\n"
    mappings = {"m": CsvMapping(**FACTS, balance="Left")}

    (found,) = read_statements(rows.encode(), "f", FileReport(), mappings=mappings)

    assert (found.opening_cents, found.closing_cents) == (-10000, -1250)


def test_only_lines_that_are_read_tell_of_a_sign() -> None:
    """A column of signs matters not if the money out is in rows that are left out."""
    rows = (
        "Day,Text,Sum,Kind,State\n2026-05-04,Gift,10.00,Credit,Done\n"
        "2026-05-05,Hold,-3.00,Debit,Pending\n"
    )

    assert read(rows, only=("State=Done",)) == [("2026-05-04", 1000, "Gift")]


def test_a_line_with_a_broken_day_is_refused() -> None:
    """A day in another form is not a footer, so no line is lost; the message names every form."""
    with pytest.raises(
        InvalidInput, match=r"line 2: '5/2026' is not a day of the form %Y-%m-%d or %d/%m/%Y\."
    ):
        read("Day,Text,Sum\n5/2026,Gift,10\n", date_format="%Y-%m-%d|%d/%m/%Y")
    with pytest.raises(InvalidInput, match="line 2: the row is too short"):
        read("Day,Text,Sum\n2026-05-04,Gift\n")


def test_all_faults_of_a_file_are_named_at_once() -> None:
    """Wrong rows up to a number, and the columns to explain; the file is named once."""
    wrong = "2026-13-01,Gift,1,\n2026-05-04,Gift,ten,\n2026-05-05,Gift\n"
    rows = f"Day,Text,Sum,State\n2026-05-03,Gift,1,Done\n{wrong}2026-05-06,Gift,1,Failed\n"

    with pytest.raises(InvalidInput) as found:
        read(rows)
    assert found.value.message == (
        "may.csv, line 3: '2026-13-01' is not a day of the form %Y-%m-%d. Line 4: 'ten' is not an "
        "amount. Line 5: the row is too short: 2 cells under 4 columns. Column State has Done, "
        "Failed: --only State=Done. Add this to the mapping; a column that does not matter is "
        "named with --ignore."
    )
    with pytest.raises(InvalidInput, match=r"Line 6: [^.]*\. 2 more such lines\.$"):
        read("Day,Text,Sum\n" + "2026-05-04,Gift,ten\n" * 7)


def test_faults_of_a_whole_file_are_named_at_once() -> None:
    """Days of two forms, amounts of two signs, and a column to explain."""
    days = "05/04/2026,Fee,1,,USD\n06/04/2026,Fee,-1,,EUR\n04/04/2026,Gift,,2,USD\n"

    with pytest.raises(InvalidInput) as found:
        read(
            f"Day,Text,Out,In,Currency\n{days}",
            date_format="%d/%m/%Y|%m/%d/%Y",
            amount="",
            debit="Out",
            credit="In",
        )
    assert found.value.message.startswith("may.csv: Column Currency has EUR: --currency Currency.")
    for text in (" The days fit both ", " Amounts of column Out have both signs"):
        assert text in found.value.message


def test_unused_columns_are_named() -> None:
    """Columns that a mapping names, and those that it ignores, are used."""
    report = FileReport()
    read("Day,Text,Sum,Branch,,Ref\n2026-05-04,Gift,1,7,,x\n", report, ignored=("Ref",))

    assert report.unused == ["Branch"]


def test_a_row_without_an_amount_is_left_out() -> None:
    """Such a row states a balance."""
    assert left_out("Day,Text,Sum\n2026-05-01,Opening,\n2026-05-04,Gift,1\n") == (
        [("2026-05-04", 100, "Gift")],
        [(2, "it has no amount; left out")],
    )


def test_days_have_several_forms() -> None:
    """A bank may write days in two ways, and the time may follow."""
    form = "%Y-%m-%d %H:%M:%S|%d/%m/%Y %H:%M"
    rows = "Day,Text,Sum\n2026-05-04 16:21:00,A,1\n05/05/2026 07:00,B,2\n"

    assert [day for day, _, _ in read(rows, date_format=form)] == ["2026-05-04", "2026-05-05"]


@pytest.mark.parametrize(
    ("text", "decimal", "cents"),
    [
        ("(30.00)", ".", -3000),
        ("($30.00)", ".", -3000),
        ("$400.00", ".", 40000),
        ("-$5", ".", -500),
        ("$ -5.00", ".", -500),
        ("30.00-", ".", -3000),
        ("\u221230.00", ".", -3000),
        ("30.00 DR", ".", -3000),
        ("30.00CR", ".", 3000),
        ("30,00 S", ",", -3000),
        ("30,00 H", ",", 3000),
        ("-30.00 DR", ".", -3000),
        ("USD 30.00", ".", 3000),
        ("30.00 USD", ".", 3000),
        ("US$30.00", ".", 3000),
        ("+30.00", ".", 3000),
        (".03", ".", 3),
        ("1\u202f234,56", ",", 123456),
        ("1\u00a0234,56", ",", 123456),
        ("1\u2009234,56", ",", 123456),
        ("1.234,56", ",", 123456),
        ("1\u2019234.56", ".", 123456),
        ("1'234.56", ".", 123456),
        ("1,234,567.89", ".", 123456789),
        ("1,00,234.50", ".", 10023450),
    ],
)
def test_amounts_as_banks_write_them(text: str, decimal: str, cents: int) -> None:
    """Parentheses, words, signs on either side and all kinds of spaces are read."""
    rows = f'Day,Text,Sum\n2026-05-04,Gift,"{text}"\n'

    assert read(rows, decimal=decimal) == [("2026-05-04", cents, "Gift")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("30,00", "'30,00' is not an amount"),
        ("3.000", "'3.000' is not an amount"),
        ("1.2.3", "is not an amount"),
        ("(30.00", "is not an amount"),
        ("-30.00 CR", "'-30.00 CR' has two signs"),
        ("30.00 EUR", "the amount is in EUR, not USD"),
        ("\u20ac30.00", "the amount is in \u20ac, not USD"),
        ("n/a", "'n/a' is not an amount"),
    ],
)
def test_invalid_amounts_are_refused(text: str, message: str) -> None:
    """Nothing is guessed: a wrong decimal sign or another currency is named."""
    with pytest.raises(InvalidInput, match=message):
        read(f'Day,Text,Sum\n2026-05-04,Gift,"{text}"\n')


def test_the_currency_is_a_code_or_a_column() -> None:
    """A code holds for a file without such a column; a column is compared line by line."""
    rows = "Day,Text,Sum,Ccy\n2026-05-04,A,1,usd\n2026-05-05,B,2,CAD\n"
    report = FileReport()

    assert [cents for _, cents, _ in read(rows, report, currency="Ccy")] == [100]
    assert [one.message for one in report.rejected] == ["the amount is in CAD, not USD."]
    assert [cents for _, cents, _ in read(rows.replace("CAD", "USD"), currency="USD")] == [100, 200]
    with pytest.raises(InvalidInput, match="Column Ccy has CAD: --currency Ccy"):
        read(rows, currency="USD")
    with pytest.raises(
        InvalidInput, match=r"The mapping is in CAD, but the books are in USD; .* --currency USD"
    ):
        read(rows, currency="CAD")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_delimiter_and_encoding_are_detected(delimiter: str, encoding: str) -> None:
    """A mapping needs to name neither."""
    rows = "Day,Text,Sum\n2026-05-04,Dön,1\n".replace(",", delimiter)
    mappings = {"m": CsvMapping(**FACTS)}

    (found,) = read_statements(rows.encode(encoding), "f", FileReport(), mappings=mappings)

    assert [(line.cents, line.text) for line in found.lines] == [(100, "Dön")]
