"""Files that programs and banks write, which an earlier version read wrongly without a word."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jara.domain.currency import use_currency
from jara.domain.errors import InvalidInput
from jara.domain.time_zone import TimeZone
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.presets import read_preset
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport

FOLDER = Path(__file__).parent / "as_they_are"
ACCOUNT = "1000200030"


class Line(NamedTuple):
    """What is compared of a line."""

    day: str
    cents: int
    fee: int = 0


def read(
    data: bytes | str, mapping: CsvMapping | None = None, report: FileReport | None = None
) -> Iterator[Any]:
    """Read a file of the folder, or a content."""
    content = (FOLDER / data).read_bytes() if isinstance(data, str) else data
    mappings = {} if mapping is None else {"m": mapping}
    report = report or FileReport()
    for statement in read_statements(content, "f", report, mappings=mappings):
        yield from statement.lines


def lines(data: bytes | str, mapping: CsvMapping | None = None, **more: Any) -> list[Line]:
    """Return day, amount and charge of each line."""
    found = read(data, mapping, **more)
    return [Line(str(one.day), one.cents, one.fee_cents) for one in found]


def mapped(**fields: Any) -> CsvMapping:
    """Return a mapping of the account."""
    return CsvMapping(**({"account": ACCOUNT} | fields))


@pytest.fixture(autouse=True)
def currency() -> Iterator[None]:
    """Set the currency of the books back after each test."""
    yield
    use_currency("USD")


PRESETS = {
    "paypal-fee.csv": ("paypal", [Line("2026-05-14", 941, 59), Line("2026-05-16", -4000)]),
    "revolut.csv": (
        "revolut",
        [Line("2026-05-04", 1000), Line("2026-05-05", -4080, 80), Line("2026-05-08", -920)],
    ),
    "momo.csv": ("momo", [Line("2026-05-04", 1000), Line("2026-05-06", -4040, 40)]),
    "wise-history.csv": (
        "wise-transfers",
        [Line("2026-05-04", 1000), Line("2026-05-06", -4045, 45)],
    ),
}


@pytest.mark.parametrize("file", PRESETS)
def test_a_preset_keeps_charges_apart(file: str) -> None:
    """The line is what the balance moved; its charge is known."""
    name, expected = PRESETS[file]
    found = read(file, read_preset(name, account=ACCOUNT))

    assert sorted(Line(str(one.day), one.cents, one.fee_cents) for one in found) == expected


@pytest.mark.parametrize(
    ("file", "name", "expected"),
    [
        ("desjardins.csv", "desjardins", [("2026-05-04", 1000), ("2026-05-06", -4000)]),
        ("bmo.csv", "bmo", [("2026-05-04", 1000), ("2026-05-06", -4000), ("2026-05-29", -150)]),
    ],
)
def test_a_canadian_file_is_read_by_its_preset(
    file: str, name: str, expected: list[tuple[str, int]]
) -> None:
    """A running number, a preamble and another account are no amounts."""
    preset = read_preset(name, account=ACCOUNT, changes={"currency": "USD"})

    assert lines(file, preset) == [Line(*one) for one in expected]


PROVEN = {
    "revolut.csv": (
        {"date": "Completed Date", "text": ("Description",), "only": ("State=COMPLETED",)},
        [Line("2026-05-04", 1000), Line("2026-05-05", -4080, 80), Line("2026-05-08", -920)],
    ),
    "momo.csv": (
        {
            "date": "Date",
            "text": ("To message",),
            "only": ("Status=Successful",),
            "sign": f"From=FRI:{ACCOUNT}/MM",
        },
        [Line("2026-05-04", 1000), Line("2026-05-06", -4040, 40)],
    ),
}


@pytest.mark.parametrize("file", PROVEN)
def test_a_charge_that_the_balances_prove_needs_no_name(file: str) -> None:
    """They follow only if the charges are taken off; without balances, the column is asked for."""
    fields, expected = PROVEN[file]
    more: dict[str, Any] = {"date_format": "%Y-%m-%d %H:%M:%S", "amount": "Amount"}

    assert lines(file, mapped(**fields, **more, balance="Balance")) == expected
    with pytest.raises(InvalidInput, match="--fee Fee"):
        lines(file, mapped(**fields, **more))


REFUSED = {
    "paypal-uk.csv": (read_preset("paypal", account=ACCOUNT), "--date-format"),
    "cashapp.csv": (
        mapped(
            date="Date",
            date_format="%Y-%m-%d %H:%M:%S PDT",
            amount="Net Amount",
            text=("Notes",),
            currency="Currency",
        ),
        "--only 'Status=PAYMENT RECEIVED' .*--fee Fee|--fee Fee.* --only 'Status=PAYMENT RECEIVED'",
    ),
    "revolut-currencies.csv": (
        mapped(date="Started Date", date_format="%Y-%m-%d %H:%M:%S", amount="Amount"),
        "--currency Currency",
    ),
    "discover.csv": (
        mapped(date="Post Date", date_format="%m/%d/%Y", amount="Amount"),
        "--invert if money out has positive amounts, else --no-invert",
    ),
    "gocardless.json": (mapped(date="Date", amount="Amount"), "JSON"),
}


@pytest.mark.parametrize("file", REFUSED)
def test_a_file_that_could_mean_two_things_is_refused(file: str) -> None:
    """The message has the option to add."""
    mapping, message = REFUSED[file]
    use_currency("GBP" if "-uk" in file else "USD")

    with pytest.raises(InvalidInput, match=message):
        lines(file, mapping)


@pytest.mark.parametrize(
    ("column", "value", "option"),
    [
        ("Status", "FAILED", "--only Status="),
        ("Currency", "JPY", "--currency Currency"),
        ("Fee", "0.59", "--fee Fee"),
        ("Account", "99990001", "--account-column Account"),
    ],
)
def test_a_new_column_that_matters_is_asked_about(column: str, value: str, option: str) -> None:
    """A mapping that read last year's file well refuses today's, and says what to add."""
    mapping = mapped(date="Date", amount="Amount", text=("Text",))
    head, rows = "Date,Amount,Text", ("2026-05-04,10.00,Ama", "2026-05-05,25.00,Kofi")
    usual = {"Status": "COMPLETED", "Currency": "USD", "Fee": "0.00", "Account": ACCOUNT}[column]
    today = f"{head},{column}\n{rows[0]},{usual}\n{rows[1]},{value}\n"

    assert [one.cents for one in lines("\n".join((head, *rows)).encode(), mapping)] == [1000, 2500]
    assert [
        one.cents for one in lines(today.replace(f",{value}", f",{usual}").encode(), mapping)
    ] == [1000, 2500]
    with pytest.raises(InvalidInput, match=option):
        lines(today.encode(), mapping)


def test_rows_of_another_account_are_asked_about() -> None:
    """A column of our own account must be named when it has several."""
    use_currency("EUR")
    fields: dict[str, Any] = {
        "date": "Buchungstag",
        "amount": "Betrag",
        "text": ("Verwendungszweck",),
        "currency": "Waehrung",
        "date_format": "%d.%m.%y",
        "decimal": ",",
    }

    with pytest.raises(InvalidInput, match="--account-column Auftragskonto"):
        lines("sparkasse-two.csv", mapped(**fields))
    first = (FOLDER / "sparkasse-two.csv").read_bytes().splitlines(keepends=True)[:2]
    with pytest.raises(InvalidInput, match="--account-column Auftragskonto"):
        lines(b"".join(first), mapped(**fields))
    named = mapped(**fields | {"account": "DE02120300000000202051"}, account_column="Auftragskonto")
    assert lines("sparkasse-two.csv", named) == [Line("2026-05-04", 1000)]


TWO: dict[str, Any] = {"date": "Date", "debit": "Debit", "credit": "Credit"}
CONVENTIONS = {
    "debit-negative.csv": (mapped(**TWO), [1000, -4000, -150, 150]),
    "citi.csv": (mapped(**TWO, date_format="%m/%d/%Y"), [-4801, 4801]),
    "discover.csv": (
        mapped(date="Post Date", date_format="%m/%d/%Y", amount="Amount", inverted=True),
        [-4801, -2524, 7325],
    ),
}


@pytest.mark.parametrize("file", CONVENTIONS)
def test_signs_follow_one_convention(file: str) -> None:
    """An amount with the other sign than its column usually has is given back."""
    mapping, cents = CONVENTIONS[file]

    assert [one.cents for one in lines(file, mapping)] == cents


def test_an_instant_is_on_the_day_of_the_organisation() -> None:
    """The evening of 31 December in Toronto is 1 January in UTC."""
    report = FileReport(zone=TimeZone("America/Toronto"))
    mapping = mapped(date="Date", date_format="%Y-%m-%dT%H:%M:%S%z", amount="Amount")

    found = lines("csv-utc.csv", mapping, report=report)

    assert sorted(one.day for one in found) == ["2025-12-31", "2026-05-03"]


def test_ofx_without_signs_is_refused_line_by_line() -> None:
    """The type DEBIT of a positive amount says another direction; nothing becomes income."""
    report = FileReport()

    assert [one.cents for one in lines("ofx-unsigned.ofx", report=report)] == [1000]
    assert [one.message.split(" ")[2] for one in report.rejected] == ["DEBIT", "SRVCHG"]


def test_ofx_of_the_opposite_sign_is_inverted() -> None:
    """Every type says the opposite of its amount."""
    data = (FOLDER / "ofx-unsigned.ofx").read_bytes().replace(b"<TRNAMT>10.00", b"<TRNAMT>-10.00")

    with pytest.raises(InvalidInput, match="say --invert"):
        lines(data)
    found = read_statements(data, "f", FileReport(), mappings={}, inverted=True)
    assert [line.cents for one in found for line in one.lines] == [1000, -3000, -150]


def test_a_corrected_line_of_ofx_is_no_payment() -> None:
    """The correction deletes the line of its id, and is none itself."""
    report = FileReport()
    data = (FOLDER / "ofx-correct.ofx").read_bytes()
    (statement,) = read_statements(data, "f", report, mappings={})

    assert [one.cents for one in statement.lines] == [-3000, -150]
    assert statement.corrected == ("1",)
    assert len(report.left_out) == 2


def test_an_investment_account_does_not_bar_the_others() -> None:
    """It is listed as left out."""
    report = FileReport()

    assert [one.cents for one in lines("bank-and-inv.qfx", report=report)] == [1000, -3000, -150]
    assert "investment account" in report.left_out[0].message


def test_camt_has_the_charge_apart() -> None:
    """What was instructed less what arrived is the charge."""
    assert lines("camt-in-charges.xml") == [Line("2026-05-04", 950, 50)]


@pytest.mark.parametrize("file", ["camt-return.xml", "mt940-return-gvc.sta"])
def test_every_mark_of_a_return_is_read(file: str) -> None:
    """A reason (RtrInf) and a code of German banks mark money that comes back."""
    assert [one.is_reversal for one in read(file)] == [False, True]


@pytest.mark.parametrize("file", ["camt-ref-doc.xml", "camt-ref-prtry.xml"])
def test_every_text_of_a_payer_is_read(file: str) -> None:
    """Programs put the reference into different elements."""
    assert [one.text for one in read(file)] == ["AAAA-AAAA"]


def test_who_pays_through_another_account_is_not_known_by_it() -> None:
    """The ultimate debtor is the payer; the account is that of a service."""
    found = [(one.party, one.party_account) for one in read("camt-ultimate.xml")]

    assert found == [("Ama Mensah", ""), ("Kofi Boateng", "")]


def test_a_guessed_encoding_is_named() -> None:
    """A Polish name is not read as DOS text, and the guess is said with one name."""
    report = FileReport()

    assert [one.party for one in read("mt940-latin2.sta", report=report)] == ["ŁUKASZ śWIERCZ"]
    assert "ISO 8859-2, which is a guess: 'ŁUKASZ śWIERCZ'" in report.notes[0]
