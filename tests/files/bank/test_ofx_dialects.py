"""OFX as banks write it: headers, encodings, bodies, days, amounts and texts."""

from datetime import date

import pytest

from jara.domain.bank.statement import Statement
from jara.domain.errors import InvalidInput
from jara.files.reading import FileReport
from tests.files.bank.written_statements import read

SGML = (
    "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n"
    "COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="220"?>\n'
LINE = (
    "<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20260609120000[-5:EST]\n<TRNAMT>12.50\n"
    "<FITID>B77\n<NAME>Gift of Kojo\n</STMTTRN>\n"
)
BODY = (
    "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS></SONRS></SIGNONMSGSRSV1>\n"
    "<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD\n"
    "<BANKACCTFROM><BANKID>021<ACCTID>4004400<ACCTTYPE>CHECKING</BANKACCTFROM>\n"
    "<BANKTRANLIST><DTSTART>20260601<DTEND>20260630\n" + LINE + "</BANKTRANLIST>\n"
    "<LEDGERBAL><BALAMT>112.50<DTASOF>20260630</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
)


def closed(body: str) -> str:
    """Return the body as XML: each value with its end tag."""
    lines = body.replace("<", "\n<").split("\n")
    return "\n".join(
        f"{row}</{row[1:].partition('>')[0]}>" if row.rpartition(">")[2] else row
        for row in lines
        if row
    )


def the_statement(text: str | bytes, report: FileReport | None = None) -> Statement:
    """Return the only statement of a file."""
    (statement,) = read(text if isinstance(text, bytes) else text.encode(), report)
    return statement


@pytest.mark.parametrize(
    "text",
    [
        SGML + BODY,
        SGML.replace("\n", "\r\n") + BODY.replace("\n", "\r\n"),
        SGML.replace("\n", "\r") + BODY.replace("\n", "\r"),
        SGML.replace("\n", " ") + BODY,
        BODY,
        "\ufeff\n" + SGML + BODY,
        XML + closed(BODY),
        XML + BODY,
        SGML + closed(BODY),
        XML.replace("UTF-8", "USASCII") + closed(BODY),
        XML.replace("UTF-8", "no-such-encoding") + closed(BODY),
        XML + closed(BODY).replace("<OFX>", '<OFX xmlns="http://ofx.net/types/2003/04">'),
        XML + closed(BODY).replace("<OFX>", "<!-- <STMTRS>\n -->\n<OFX>"),
        XML + closed(BODY).replace(">12.50<", ">\n   12.50\n<"),
        SGML + BODY.replace("<NAME>Gift of Kojo", "<NAME><![CDATA[Gift of Kojo]]>"),
        SGML + BODY.replace("<NAME>Gift of Kojo", "<NAME>Gift<BR/>of<br>Kojo"),
        SGML + BODY.replace("<NAME>Gift of Kojo", "<NAME>Gift&lt;BR/&gt;of&nbsp;Kojo"),
        SGML + BODY.replace("<FITID>", "<INTU.BID>3000<FITID>"),
        SGML + BODY.replace("<NAME>", "<MEMO></MEMO><NAME>"),
        SGML + BODY.replace("<NAME>", "<MEMO/><NAME>"),
        SGML + BODY.lower().replace("gift of kojo", "Gift of Kojo").replace("usd", "USD"),
        SGML + BODY.replace("20260609120000[-5:EST]", "20260609"),
        SGML + BODY.replace("<DTPOSTED>20260609", "<DTPOSTED><DTUSER>20260609"),
        SGML + BODY.replace("<DTSTART>20260601", "<DTSTART>00000000"),
    ],
)
def test_every_header_goes_with_every_body(text: str) -> None:
    """Versions, line ends, end tags, comments, sections and breaks change nothing."""
    statement = the_statement(text.replace("b77", "B77"))
    line = statement.lines[0]

    assert (statement.account, statement.closing_cents) == ("4004400", 11_250)
    assert statement.last_day == date(2026, 6, 30)
    assert (line.day, line.cents, line.text, line.bank_ref) == (
        date(2026, 6, 9),
        1250,
        "Gift of Kojo",
        "B77",
    )


@pytest.mark.parametrize(
    ("header", "name", "encoding"),
    [
        (SGML, "ÉLOÏSE ÁVILA", "utf-8"),
        (SGML, "ÉLOÏSE ÁVILA", "cp1252"),
        (SGML.replace("1252", "NONE"), "Éloïse Ávila", "utf-8"),
        (SGML.replace("1252", "8859-1"), "Éloïse Ávila", "latin-1"),
        (SGML.replace("1252", "ISO-8859-2"), "Zażółć", "iso-8859-2"),
        (SGML.replace("1252", "punycode"), "Éloïse Ávila", "cp1252"),
        (SGML.replace("1252", "850"), "Jürgen Müller", "cp850"),
        (SGML.replace("1252", "NONE"), "Jürgen Müller", "cp850"),
        (SGML.replace("USASCII", "UNICODE"), "Éloïse", "utf-16"),
        (XML, "Éloïse Ávila", "utf-8"),
        (XML.replace("UTF-8", "ISO-8859-1"), "Éloïse Ávila", "latin-1"),
        (XML, "Éloïse Ávila", "latin-1"),
        (XML.replace("UTF-8", "UTF-16"), "Éloïse Ávila", "utf-16"),
    ],
)
def test_a_name_is_read_in_its_encoding(header: str, name: str, encoding: str) -> None:
    """Many files are in another encoding than their header says."""
    text = header + BODY.replace("Gift of Kojo", name)

    assert the_statement(text.encode(encoding)).lines[0].party == name


@pytest.mark.parametrize(
    ("amount", "cents"),
    [(".03", 3), ("-.03", -3), ("+12.5", 1250), ("12,50", 1250), ("12", 1200), ("-0012.50", -1250)],
)
def test_an_amount_may_lack_its_zeros(amount: str, cents: int) -> None:
    """The sign of the decimals may be a point or a comma."""
    text = SGML + BODY.replace("<TRNAMT>12.50", f"<TRNAMT>{amount}")

    assert the_statement(text.replace("CREDIT", "OTHER")).lines[0].cents == cents


@pytest.mark.parametrize(
    ("values", "text", "party"),
    [
        (
            "<NAME>ZELLE FROM KOJO J7K3-QXW2",
            "ZELLE FROM KOJO J7K3-QXW2",
            "ZELLE FROM KOJO J7K3-QXW2",
        ),
        ("<NAME>KOJO<MEMO>gift J7K3-QXW2", "KOJO gift J7K3-QXW2", "KOJO"),
        ("<NAME>GIFT OF KOJO AND AMA J7K3-<MEMO>QXW2", "GIFT OF KOJO AND AMA J7K3- QXW2", None),
        ("<NAME>ZELLE KOJO J7K<MEMO>ZELLE KOJO J7K3-QXW2", "ZELLE KOJO J7K3-QXW2", None),
        ("<NAME>KOJO ANN<EXTDNAME>KOJO ANNAN<MEMO>J7K3-QXW2", "KOJO ANNAN J7K3-QXW2", "KOJO ANNAN"),
        ("<PAYEE><NAME>KOJO<ADDR1>Main St</PAYEE><MEMO>J7K3-QXW2", "KOJO J7K3-QXW2", "KOJO"),
        ("<MEMO>2 < 3 & 4<5 J7K3-QXW2", "2 < 3 & 4<5 J7K3-QXW2", ""),
    ],
)
def test_name_and_memo_are_text(values: str, text: str, party: str | None) -> None:
    """Many banks write the whole text into NAME, or break it between NAME and MEMO."""
    line = the_statement(SGML + BODY.replace("<NAME>Gift of Kojo", values)).lines[0]

    assert line.text == text
    assert party in {line.party, None}
    assert "j7k3qxw2" in line.words


def test_the_account_of_the_other_side_is_read() -> None:
    """A transfer may name the account of the other side, with its bank."""
    other = "<BANKACCTTO><BANKID>021<ACCTID>{}<ACCTTYPE>CHECKING</BANKACCTTO><NAME>"
    numbers = ["99887766", "NL55RABO0107654321"]
    lines = [the_statement(SGML + BODY.replace("<NAME>", other.format(one))) for one in numbers]

    assert [one.lines[0].party_account for one in lines] == ["021 99887766", numbers[1]]
    assert [one.account for one in lines] == ["4004400", "4004400"]


@pytest.mark.parametrize("day", ["00000000", "", "20260702", "0"])
def test_a_balance_of_another_day_does_not_count(day: str) -> None:
    """Some banks write zeros instead of the day."""
    text = SGML + BODY.replace("<DTASOF>20260630", f"<DTASOF>{day}")

    assert the_statement(text).closing_cents is None
    assert the_statement(SGML + BODY.replace("112.50", "")).closing_cents is None


def test_a_statement_without_lines_has_the_day_of_its_balance() -> None:
    """Savings accounts often have a balance only."""
    start, end = BODY.index("<BANKTRANLIST>"), BODY.index("<LEDGERBAL>")
    statement = the_statement(SGML + BODY[:start] + BODY[end:])

    assert (statement.first_day, statement.last_day) == (date(2026, 6, 30), date(2026, 6, 30))
    assert (statement.closing_cents, statement.lines) == (11_250, [])


def test_a_statement_may_name_no_account() -> None:
    """The import then needs the account as an option."""
    assert the_statement(SGML + BODY.replace("<ACCTID>4004400", "")).account == ""


def test_a_credit_card_is_named() -> None:
    """Messages say that the number is that of a card."""
    card = BODY.replace("STMTRS>", "CCSTMTRS>").replace("BANKACCTFROM>", "CCACCTFROM>")

    assert (the_statement(SGML + BODY).kind, the_statement(SGML + card).kind) == (
        "account",
        "credit card",
    )


def test_pending_lines_are_left_out() -> None:
    """OFX 2.2 lists them apart."""
    report = FileReport()
    pending = "<BANKTRANLISTP><DTASOF>20260630<STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260630<TRNAMT>-5"
    text = SGML + BODY.replace(
        "<LEDGERBAL>", f"{pending}<NAME>Card</STMTTRNP></BANKTRANLISTP><LEDGERBAL>"
    )

    assert [line.cents for line in the_statement(text, report).lines] == [1250]
    assert [one.message for one in report.left_out] == ["not booked yet; left out"]


def test_an_account_in_another_currency_is_read_without_its_lines() -> None:
    """Its lines may have another number of decimals."""
    statement = the_statement(
        SGML + BODY.replace("<CURDEF>USD", "<CURDEF>KWD").replace("12.50", "12.505")
    )

    assert (statement.currency, statement.lines, statement.closing_cents) == ("KWD", [], None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<STMTRS>", "<INVSTMTRS>", r"line 12: this is a statement of an investment account"),
        ("<STMTRS>", "<LOANSTMTRS>", r"line 12: this is a statement of a loan"),
        ("</STMTRS>", "", r"line 12: the statement does not end; is the file cut off"),
        (BODY[BODY.index("<STMTRS>") : BODY.index("</STMTRS>") + 9], "", "has no statement of a"),
        ("</OFX>", "", "is cut off: it has no </OFX>"),
        ("<DTPOSTED>20260609120000[-5:EST]", "<DTPOSTED>0", r"line 15: the line names no day"),
        ("<DTPOSTED>20260609120000[-5:EST]", "<DTPOSTED>20261309", r"line 15: '20261309' is not"),
        ("<TRNAMT>12.50", "<TRNAMT>", r"line 15: '' is not an amount"),
        ("<OFX>", "<!ENTITY a 'b'><OFX>", "has a DTD or entities"),
    ],
)
def test_errors_are_named(old: str, new: str, message: str) -> None:
    """The message names the line, or what the file is."""
    assert old in BODY

    with pytest.raises(InvalidInput, match=message):
        the_statement(SGML + BODY.replace(old, new))


def test_messages_of_the_bank_are_shown() -> None:
    """A failed download is a file of OFX without a statement."""
    text = SGML + (
        "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR"
        "<MESSAGE>Signon invalid</STATUS></SONRS></SIGNONMSGSRSV1></OFX>"
    )

    with pytest.raises(InvalidInput, match=r"no statement .* The bank says: Signon invalid"):
        read(text.encode())
