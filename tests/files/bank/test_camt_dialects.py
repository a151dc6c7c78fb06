"""CAMT as banks write it: accounts, currencies, reports of the day, payments booked as one."""

import codecs

import pytest

from jara.domain.bank.statement import StatementLine, payer_number
from jara.files.bank.writing import write_camt
from tests.domain.bank.bank_lines import NUMBER, a_line, a_statement
from tests.files.bank.written_statements import read

PAYER = "DE43500105170009876543"
MAY = a_statement(a_line(1000, "GIFT", party="Ama", party_account=PAYER), opening=100)
OTHER = "<Othr><Id>{}</Id></Othr>"
BANK = (
    "<FinInstnId><ClrSysMmbId><ClrSysId><Cd>DEBLZ</Cd></ClrSysId><MmbId>{}</MmbId></ClrSysMmbId>"
    "</FinInstnId>"
)


def changed(*changes: tuple[str, str]) -> bytes:
    """Return the statement with these texts replaced."""
    text = write_camt([MAY]).decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


@pytest.mark.parametrize("number", ["9876543", "0009876543", "98 765 43"])
def test_the_payers_bank_code_and_number_are_the_iban(number: str) -> None:
    """Else one payer would have an account in each format."""
    agent = f"<RltdAgts><DbtrAgt>{BANK.format('50010517')}</DbtrAgt></RltdAgts><RmtInf>"
    data = changed((f"<IBAN>{PAYER}</IBAN>", OTHER.format(number)), ("<RmtInf>", agent))

    assert payer_number(read(data)[0].lines[0].party_account) == PAYER


def test_a_number_of_another_country_stays() -> None:
    """Only German bank codes make an IBAN."""
    data = changed((f"<IBAN>{PAYER}</IBAN>", OTHER.format("9876543")))

    assert read(data)[0].lines[0].party_account == "9876543"


def test_our_bank_code_and_number_are_the_iban() -> None:
    """The bank is that of the account."""
    servicer = f"<Ccy>USD</Ccy><Svcr>{BANK.format('37040044')}</Svcr>"
    data = changed(
        (f"<IBAN>{NUMBER}</IBAN>", OTHER.format("532013000")), ("<Ccy>USD</Ccy>", servicer)
    )

    assert read(data)[0].account == NUMBER


def test_an_account_in_another_currency_is_read_without_its_lines() -> None:
    """Its amounts may have another number of decimals."""
    (statement,) = read(changed(("USD", "KWD"), ("10.00", "10.005")))

    assert (statement.currency, statement.lines, statement.closing_cents) == ("KWD", [], None)


@pytest.mark.parametrize(
    "space",
    [
        "urn:iso:std:iso:20022:tech:xsd:camt.053.001.02",
        "urn:iso:std:iso:20022:tech:xsd:camt.053.001.13",
        "ISO:camt.053.001.02:APC:STUZZA:payments:003",
        "",
    ],
)
def test_any_version_is_read(space: str) -> None:
    """Austrian banks have a namespace of their own, and some files have none."""
    data = changed(("urn:iso:std:iso:20022:tech:xsd:camt.053.001.08", space))

    assert [line.cents for line in read(data)[0].lines] == [1000]


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_empty_lines_may_stand_before_the_file(mark: bytes) -> None:
    """Lines are counted from the beginning of the file."""
    plain, moved = read(write_camt([MAY])), read(mark + b"\n \n" + write_camt([MAY]))

    assert [one.line for one in moved] == [one.line + 2 for one in plain]


def test_a_statement_may_name_no_account() -> None:
    """The import then needs the account as an option."""
    assert read(changed((f"<Id><IBAN>{NUMBER}</IBAN></Id>", "")))[0].account == ""


def test_a_report_of_the_day_is_read() -> None:
    """CAMT.052 differs from CAMT.053 by its names; lines not booked yet are left out."""
    pending = "<Sts><Cd>BOOK</Cd></Sts>"
    report = changed(("camt.053", "camt.052"), ("Stmt>", "Rpt>"))

    assert [line.cents for line in read(report)[0].lines] == [1000]
    assert read(report.replace(pending.encode(), b"<Sts><Cd>PDNG</Cd></Sts>"))[0].lines == []


@pytest.mark.parametrize(("instructed", "fee"), [("EUR", 50), ("USD", 0)])
def test_a_charge_is_read_beside_an_amount_in_another_currency(instructed: str, fee: int) -> None:
    """In our currency, the instructed amount tells that nothing was taken off."""
    charge = (
        f'<AmtDtls><InstdAmt><Amt Ccy="{instructed}">10.00</Amt></InstdAmt></AmtDtls><Chrgs><Rcrd>'
        '<Amt Ccy="USD">0.50</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs><RmtInf>'
    )

    assert read(changed(("<RmtInf>", charge)))[0].lines[0].fee_cents == fee


WHOLE = b"<TxDtls><RmtInf><Ustrd>GIFT ADA</Ustrd></RmtInf></TxDtls>"
MONEY_OUT = "<CdtDbtInd>DBIT</CdtDbtInd>"


def part(path: str, amount: str, currency: str = "USD", *, more: str = "") -> str:
    """Return a part whose amount stands at a path."""
    names = path.split("/")
    opened = "".join(f"<{name}>" for name in names[:-1])
    closed = "".join(f"</{name}>" for name in reversed(names[:-1]))
    return (
        f"<TxDtls>{opened}<{names[-1]} Ccy='{currency}'>{amount}</{names[-1]}>{closed}{more}"
        f"<RmtInf><Ustrd>GIFT {amount}</Ustrd></RmtInf></TxDtls>"
    )


def parts_of(details: str) -> list[StatementLine]:
    """Return the lines of an entry of $10.00 with some details."""
    data = write_camt([a_statement(a_line(1000, "GIFT ADA", day=4), opening=100)])
    assert WHOLE in data
    (statement,) = read(data.replace(WHOLE, details.encode()))
    return list(statement.lines)


def lines_of(details: str) -> list[tuple[int, bool]]:
    """Return amount and mark of these lines."""
    return [(line.cents, line.is_collective) for line in parts_of(details)]


@pytest.mark.parametrize("path", ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"])
def test_parts_that_add_up_are_lines(path: str) -> None:
    """The amounts in the account's currency divide the entry, wherever the bank writes them."""
    assert lines_of(part(path, "4.00") + part(path, "6.00")) == [(400, False), (600, False)]


def test_each_part_has_its_own_reference() -> None:
    """The bank names a part as it names a line."""
    refs = "<Refs><AcctSvcrRef>B{}</AcctSvcrRef></Refs>"
    details = "".join(part("Amt", f"{n}.00", more=refs.format(n)) for n in (4, 6))

    assert [line.key for line in parts_of(details)] == ["b4", "b6"]


def test_the_accounts_currency_comes_first() -> None:
    """An amount in another currency is passed over for one in that of the account."""
    euros = "<AmtDtls><InstdAmt><Amt Ccy='USD'>4.00</Amt></InstdAmt></AmtDtls>"
    details = part("Amt", "3.70", "EUR", more=euros) + part("Amt", "6.00")

    assert lines_of(details) == [(400, False), (600, False)]


def test_a_part_may_be_money_out() -> None:
    """A part with its own sign, such as the bank's charge, is a line of that sign."""
    details = part("Amt", "11.00") + part("Amt", "1.00", more=MONEY_OUT)

    assert lines_of(details) == [(1100, False), (-100, False)]


@pytest.mark.parametrize(
    "details",
    [
        part("Amt", "4.00") + part("Amt", "5.00"),
        part("Amt", "4.00") + part("Amt", "6.00", "EUR"),
        part("Amt", "10.00") + part("Amt", "0.00"),
        part("Amt", "14.00") + part("Amt", "-4.00"),
        part("Amt", "10.00") + "<TxDtls><RmtInf><Ustrd>two</Ustrd></RmtInf></TxDtls>",
        "<Btch><NbOfTxs>2</NbOfTxs></Btch>" + part("Amt", "4.00"),
        "<Btch><NbOfTxs>3</NbOfTxs></Btch>",
    ],
)
def test_parts_that_do_not_add_up_are_one_marked_line(details: str) -> None:
    """Charges, other currencies, parts without amounts, a list that is cut short or lacking."""
    assert lines_of(details) == [(1000, True)]


def test_a_single_payment_is_not_a_collective_entry() -> None:
    """A single detail need not give its amount."""
    alone = "<Btch><NbOfTxs>1</NbOfTxs></Btch><TxDtls><RmtInf><Ustrd>A</Ustrd></RmtInf></TxDtls>"

    assert lines_of(alone) == [(1000, False)]
