"""Entries of CAMT.053 in which the bank booked several payments as one."""

import pytest

from jara.files.bank.writing import write_camt
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.files.bank.written_statements import read

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


def lines_of(details: str) -> list[tuple[int, bool]]:
    """Return amount and mark of the lines of an entry of $10.00 with some details."""
    data = write_camt([a_statement(a_line(1000, "GIFT ADA", day=4), opening=100)])
    assert WHOLE in data
    (statement,) = read(data.replace(WHOLE, details.encode()))
    return [(line.cents, line.is_collective) for line in statement.lines]


@pytest.mark.parametrize("path", ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/InstdAmt/Amt"])
def test_parts_that_add_up_are_lines(path: str) -> None:
    """The amounts in the account's currency divide the entry, wherever the bank writes them."""
    assert lines_of(part(path, "4.00") + part(path, "6.00")) == [(400, False), (600, False)]


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
