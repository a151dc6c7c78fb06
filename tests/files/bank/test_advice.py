"""What Jara advises to type for a CSV that no mapping reads, and what that does once typed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.currency import use_currency
from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport
from tests.files.bank.typed_advice import typed

FOLDER = Path(__file__).parent / "as_they_are"
PLAIN = "Date,Text,Amount\n{},Gift,1.00\n"
REVOLUT = (
    "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
    "TOPUP,Current,x,{},Gift,1.00,0.00,USD,COMPLETED,1.00\n"
)


def message(text: str | bytes, zone: TimeZone = UTC_ZONE) -> str:
    """Return why a file is refused without a mapping, with the advice."""
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(InvalidInput) as error:
        list(read_statements(data, "may.csv", FileReport(zone=zone), mappings={}))
    return error.value.message


def lines(data: bytes, mapping: CsvMapping) -> list[str]:
    """Return day and cents of each line that a mapping reads."""
    found = read_statements(data, "may.csv", FileReport(), mappings={"m": mapping})
    return [f"{line.day} {line.cents}" for one in found for line in one.lines]


@pytest.fixture(autouse=True)
def currency() -> Iterator[None]:
    """Set the currency of the books back after each test."""
    yield
    use_currency("USD")


def test_an_unknown_header_names_the_command() -> None:
    """The message names the columns, the nearest preset and what to type."""
    assert message("Booking date;Details;Amount\n04.05.2026;Gift;1\n") == (
        "may.csv is not CAMT.053, MT940 or OFX, and no mapping fits it. Its columns are Booking "
        "date, Details, Amount. The nearest preset is scotiabank, which also needs "
        "Date, Type of Transaction, Description. By this command its first lines are: 2026-05-04 "
        "$1.00 Gift. Type: jara bank mappings add NAME --account NUMBER --date 'Booking date' "
        "--date-format %d.%m.%Y --text Details --amount Amount"
    )
    assert message('Day,Kind,Sum,Text\n31/05/2026,D,"3,00",Fee\n31/05/2026,C,"1,00",A\n').endswith(
        "--date Day --date-format %d/%m/%Y --text Text --amount Sum --sign Kind=D --decimal comma"
    )
    assert "--date-format FORMAT" in message("Day,Sum\n04/05/2026,1\n")
    rbc = (
        "Account Type,Account Number,Transaction Date,Cheque Number,Description 1,Description 2,"
        "CAD$,USD$\n"
    )
    assert message(rbc).endswith(
        "The preset rbc fits. Type: jara bank mappings add rbc --preset rbc --account NUMBER"
    )
    assert message("04/05/2026,Gift,10.00,,5.00,x\n").endswith(
        "Its first row is no header: '04/05/2026', 'Gift', '10.00', '', '5.00', 'x'. Its days fit "
        "%d/%m/%Y and %m/%d/%Y: FORMAT is that of the bank. The file does not tell COLUMN: replace "
        "it by a column's name. Type: jara bank mappings add NAME --account NUMBER "
        "--columns Date,Text,Amount,Empty,Amount2,Text2 --date Date --date-format "
        "FORMAT --text Text --amount COLUMN"
    )
    assert "nearest" not in message("A,B\nx,y\n")
    assert "needs" not in message(
        "Date,Description,Debit,Credit,Balance\n14 May 2026,A,,5.00,5.00\n"
    )


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "2026-05-04,1,Gift,10.00,110.00\n2026-05-05,2,Host,-40.00,70.00\n",
            "--date Date --text Text2 --amount Amount --balance Amount2",
        ),
        (
            (
                "Valid on 2026-05-31\n\nNr;Datum;Wert;Text;Soll;Haben;Saldo\n"
                "1;04.05.2026;04.05.2026;Gift;;10,00;110,00\n2;14.05.2026;;Host;40,00;;70,00\n"
            ),
            "--debit Soll --credit Haben --balance Saldo --decimal comma",
        ),
        (
            "Date,Payee,Value,Reference,Amount (USD)\n2026-05-14,Ama,2026-05-15,AAAA,10.0\n",
            "--date Date --text Reference --party Payee --amount 'Amount (USD)'",
        ),
        (
            "Datum;IBAN Auftraggeber;Auftraggeber;Text;Betrag\n04.05.2026;DE1;Ama;Gift;10,00\n",
            "--party Auftraggeber --amount Betrag --decimal comma",
        ),
        (
            (
                "Date,Text,Amount,Fee,State\n2026-05-14,Gift,10.00,0.50,DONE\n"
                "2026-05-15,Gift,20.00,0.00,FAILED\n"
            ),
            "--date Date --text Text --amount Amount --fee Fee --only State=DONE",
        ),
    ],
)
def test_advice_is_a_reading(text: str, command: str) -> None:
    """Amounts have decimals, balances prove them, and no column that matters is left out."""
    assert message(text).endswith(command)


@pytest.mark.parametrize("time", ["", " 10:00", " 10:00:00", "T10:00:00Z", ", 10:00", " 9:00 AM"])
@pytest.mark.parametrize("day", ["05/04/2026", "05-04-2026", "5/4/26", "05-04-26", "26/04/05"])
@pytest.mark.parametrize("text", [PLAIN, REVOLUT])
def test_two_forms_of_a_day_are_asked_for(text: str, day: str, time: str) -> None:
    """FORMAT stands for them, also where a preset fits, and is refused until it is replaced."""
    said = message(text.format(f'"{day}{time}"'))

    assert "Its days fit %" in said
    with pytest.raises(InvalidInput, match="'FORMAT' is not a date format"):
        typed(said)


@pytest.mark.parametrize("text", [PLAIN, REVOLUT])
@pytest.mark.parametrize("day", ["31-05-2026 10:00", "05/31/2026", "31.05.2026", "2026-05-31"])
def test_a_day_that_fits_one_form_is_read_as_typed(text: str, day: str) -> None:
    """The lines that the advice shows are those that the command stores."""
    data = text.format(day)
    said = message(data)

    assert "its first lines are: 2026-05-31 $1.00 Gift. Type" in said
    assert lines(data.encode(), typed(said)) == ["2026-05-31 100"]


@pytest.mark.parametrize(
    ("file", "code", "first", "stored"),
    [
        ("desjardins.csv", "CAD", "2026-05-04 CA$10.00 Virement Interac", [1000, -4000]),
        ("bmo.csv", "CAD", "2026-05-04 CA$10.00 [CW]INTERAC", [1000, -4000, -150]),
        ("wise-history.csv", "USD", "2026-05-04 $10.00 ", [-4045, 1000]),
    ],
)
def test_a_preset_that_fits_is_tried(file: str, code: str, first: str, stored: list[int]) -> None:
    """Its first lines are shown as those of a mapping are."""
    use_currency(code)
    data = (FOLDER / file).read_bytes()
    said = message(data)

    assert f"its first lines are: {first}" in said
    assert sorted(line.split()[1] for line in lines(data, typed(said))) == sorted(map(str, stored))


def test_a_preset_that_refuses_the_file_says_why() -> None:
    """Such as one in another currency than the books."""
    said = message((FOLDER / "bmo.csv").read_bytes())

    assert "refuses the file as it is: The mapping is in CAD, but the books are in USD" in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "Money out,Money in\n2026-05-14,A,5.00,\n2026-05-15,B,-5.00,",
            "refuses the file as it is: am",
        ),
        ("Amount\n2026-05-14T10:00:00Z,A,1.00\n2026-05-15 00:00,B,1.00", "tell FORMAT: replace it"),
    ],
)
def test_advice_that_is_no_reading_says_why(text: str, reason: str) -> None:
    """A charge given back that no balance proves, and days in two forms."""
    assert reason in message(f"Date,Text,{text}\n")


def test_lines_are_shown_on_the_day_of_the_organisation() -> None:
    """As they are stored."""
    said = message(PLAIN.format("2026-01-01T02:00:00+00:00"), TimeZone("America/Toronto"))

    assert "2025-12-31 $1.00 Gift" in said


@pytest.mark.parametrize("column", ["Zweck", "Ref"])
def test_a_text_that_is_not_found_is_asked_for(column: str) -> None:
    """COLUMN stands for it, so that no reference is lost; it is refused until it is replaced."""
    data = PLAIN.replace("Text", column).format("2026-05-31")
    said = message(data)

    assert "--text COLUMN" in said
    with pytest.raises(InvalidInput, match="also needs COLUMN"):
        lines(data.encode(), typed(said))
    assert "--text" not in message("Date,Amount\n2026-05-31,1.00\n")
