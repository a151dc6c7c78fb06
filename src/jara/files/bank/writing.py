"""Writes sample statements in each supported format, as banks write them."""

import csv
import io
from collections.abc import Sequence
from datetime import date
from html import escape

from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.currency import books_currency
from jara.domain.lookup import plain_text
from jara.domain.money import plain_decimal
from jara.files.bank.csv_amount import CREDIT_WORDS
from jara.files.bank.csv_mapping import CsvMapping, split_pair
from jara.files.bank.presets import read_preset

_NO_LINE = StatementLine(line=0, day=date(2026, 1, 1), cents=0)
_CAMT_SPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"
_EURO = "PAYMENT IN EUROS"
_MT940_WIDTH = 65
_PART_WIDTH = 27
_OFX_HEADER = (
    "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\n"
    "CHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n"
)
_OFX_2_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n'


def sample_mapping(account: str) -> CsvMapping:
    """Return the mapping that reads the CSV of this module."""
    return read_preset("sample", account=account)


def write_camt(statements: Sequence[Statement]) -> bytes:
    """Write CAMT.053 in UTF-8."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', f'<Document xmlns="{_CAMT_SPACE}">']
    parts += ["<BkToCstmrStmt>", *map(_camt_statement, statements), "</BkToCstmrStmt>"]
    return "\n".join([*parts, "</Document>", ""]).encode()


def write_with_euro(statement: Statement) -> dict[str, bytes]:
    """Write a statement with a line in euros, or in dollars to euro books, in three formats."""
    ours = books_currency()
    other = "USD" if ours == "EUR" else "EUR"
    line = StatementLine(line=0, day=statement.last_day, cents=5000, text=_EURO)
    longer = [statement._replace(lines=[*statement.lines, line])]
    before, mark, after = write_camt(longer).rpartition(f'<Ntry><Amt Ccy="{ours}">'.encode())
    memo, row = f"<MEMO>{_EURO}".encode(), f"{_EURO};;;;{ours}".encode()
    currency = f"<CURRENCY>\r\n<CURRATE>1.1\r\n<CURSYM>{other}\r\n</CURRENCY>\r\n".encode()
    return {
        "camt.xml": before + mark.replace(ours.encode(), other.encode()) + after,
        "ofx": write_ofx(longer).replace(memo, currency + memo),
        "csv": write_csv(longer).replace(row, row.replace(ours.encode(), other.encode())),
    }


def write_mt940(statements: Sequence[Statement]) -> bytes:
    """Write MT940 as German banks do, in Latin-1, with the line ends of Windows."""
    text = "".join(map(_mt940_statement, statements))
    return text.replace("\n", "\r\n").encode("cp1252", "replace")


def write_ofx(statements: Sequence[Statement], *, version: int = 1) -> bytes:
    """Write OFX: SGML without end tags of values, or XML."""
    inner = [_ofx_statement(one, version) for one in statements]
    body = "\n".join(["<OFX><BANKMSGSRSV1>", *inner, "</BANKMSGSRSV1></OFX>", ""])
    if version == 1:
        return (_OFX_HEADER + body.replace("\n", "\r\n")).encode("cp1252", "replace")
    return (_OFX_2_HEADER + body).encode()


def write_csv(statements: Sequence[Statement], mapping: CsvMapping | None = None) -> bytes:
    """Write the lines, newest first, as one CSV of a mapping, by default `sample_mapping`."""
    form = mapping or sample_mapping("1")
    rows: list[dict[str, str]] = []
    for statement in statements:
        balance = statement.opening_cents or 0
        for line in statement.lines:
            balance += line.cents
            rows.append(_csv_row(line, balance, form))
    columns = form.columns or tuple(rows[0] if rows else _csv_row(_NO_LINE, 0, form))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=form.delimiter or ",", lineterminator="\r\n")
    writer.writerows([] if form.columns else [columns])
    writer.writerows([row.get(column, "") for column in columns] for row in reversed(rows))
    return out.getvalue().encode(form.encoding or "utf-8", "replace")


def _csv_row(line: StatementLine, balance: int, mapping: CsvMapping) -> dict[str, str]:
    def amount(cents: int) -> str:
        return plain_decimal(cents).replace(".", mapping.decimal)

    column, word = split_pair(mapping.sign) if mapping.sign else ("", "")
    into = "D" if plain_text(word) in CREDIT_WORDS else "C"
    cells = {
        mapping.date: line.day.strftime(mapping.date_format.split("|")[0]),
        **dict.fromkeys(mapping.text[1:], ""),
        **dict.fromkeys(mapping.text[:1], line.text),
        mapping.party: line.party,
        mapping.party_account: line.party_account,
        mapping.reference: line.bank_ref,
        mapping.currency_column: books_currency(),
        mapping.amount: amount(abs(line.cents) if column else line.cents),
        mapping.debit: amount(-line.cents) if line.cents < 0 else "",
        mapping.credit: amount(line.cents) if line.cents > 0 else "",
        column: word if line.cents < 0 else into,
        mapping.balance: amount(balance),
        **dict(map(split_pair, mapping.only)),
    }
    return {column: text for column, text in cells.items() if column}


def _camt_statement(statement: Statement) -> str:
    head = (
        f"<Stmt><Id>{statement.first_day:%Y%m%d}</Id><FrToDt>"
        f"<FrDtTm>{statement.first_day}T00:00:00</FrDtTm>"
        f"<ToDtTm>{statement.last_day}T23:59:59</ToDtTm></FrToDt>"
        f"<Acct><Id><IBAN>{statement.account}</IBAN></Id><Ccy>{books_currency()}</Ccy></Acct>"
    )
    balances = [
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{_camt_amount(cents)}"
        f"<Dt><Dt>{day}</Dt></Dt></Bal>"
        for code, cents, day in (
            ("OPBD", statement.opening_cents, statement.first_day),
            ("CLBD", statement.closing_cents, statement.last_day),
        )
        if cents is not None
    ]
    return "\n".join([head, *balances, *map(_camt_line, statement.lines), "</Stmt>"])


def _camt_amount(cents: int) -> str:
    sign = "DBIT" if cents < 0 else "CRDT"
    amount = f'<Amt Ccy="{books_currency()}">{plain_decimal(abs(cents))}</Amt>'
    return f"{amount}<CdtDbtInd>{sign}</CdtDbtInd>"


def _camt_line(line: StatementLine) -> str:
    side = "Dbtr" if line.cents > 0 else "Cdtr"
    other = _element("IBAN", line.party_account)
    parties = (
        f"<{side}><Pty>{_element('Nm', line.party)}</Pty></{side}>" if line.party else ""
    ) + (f"<{side}Acct><Id>{other}</Id></{side}Acct>" if other else "")
    details = [
        f"<Refs>{_element('EndToEndId', line.own_ref)}</Refs>" if line.own_ref else "",
        f"<RltdPties>{parties}</RltdPties>" if parties else "",
        f"<RmtInf>{_element('Ustrd', line.text)}</RmtInf>" if line.text else "",
    ]
    return (
        f"<Ntry>{_camt_amount(line.cents)}"
        + ("<RvslInd>true</RvslInd>" if line.is_reversal else "")
        + f"<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{line.day}</Dt></BookgDt>"
        f"<ValDt><Dt>{line.day}</Dt></ValDt>{_element('AcctSvcrRef', line.bank_ref)}\n"
        f"<NtryDtls><TxDtls>{''.join(details)}</TxDtls></NtryDtls></Ntry>"
    )


def _mt940_statement(statement: Statement) -> str:
    opening = _mt940_balance("60F", statement.opening_cents or 0, f"{statement.first_day:%y%m%d}")
    closing = _mt940_balance("62F", statement.closing_cents or 0, f"{statement.last_day:%y%m%d}")
    lines = "".join(map(_mt940_line, statement.lines))
    return (
        f":20:JARA{statement.first_day:%y%m%d}\n:25:{statement.account}\n:28C:1/1\n"
        f"{opening}{lines}{closing}-\n"
    )


def _mt940_balance(tag: str, cents: int, day: str) -> str:
    sign = "D" if cents < 0 else "C"
    return f":{tag}:{sign}{day}{books_currency()}{plain_decimal(abs(cents)).replace('.', ',')}\n"


def _mt940_line(line: StatementLine) -> str:
    sign = "C" if line.cents > 0 else "D"
    if line.is_reversal:
        sign = "RD" if line.cents > 0 else "RC"
    amount = plain_decimal(abs(line.cents)).replace(".", ",")
    bank_ref = f"//{line.bank_ref[:16]}" if line.bank_ref else ""
    own_ref = f"EREF+{line.own_ref} " if line.own_ref else ""
    purpose = f"{own_ref}SVWZ+{line.text}"
    parts = [purpose[at : at + _PART_WIDTH] for at in range(0, len(purpose), _PART_WIDTH)]
    named = [(20 + place, part) for place, part in enumerate(parts[:10])]
    named += [(31, line.party_account), (32, line.party[:_PART_WIDTH])]
    code = "166" if line.cents > 0 else "177"
    details = code + "".join(f"?{number}{part}" for number, part in named if part)
    rows = [details[at : at + _MT940_WIDTH] for at in range(0, len(details), _MT940_WIDTH)]
    return (
        f":61:{line.day:%y%m%d}{line.day:%m%d}{sign}{amount}NTRFNONREF{bank_ref}\n"
        f":86:{chr(10).join(rows)}\n"
    )


def _ofx_statement(statement: Statement, version: int) -> str:
    def value(tag: str, text: str) -> str:
        ending = f"</{tag}>" if version > 1 else ""
        return f"<{tag}>{escape(text, quote=False)}{ending}\n" if text else ""

    lines = [
        f"<STMTTRN>\n{value('TRNTYPE', 'CREDIT' if line.cents > 0 else 'DEBIT')}"
        f"{value('DTPOSTED', f'{line.day:%Y%m%d}120000')}"
        f"{value('TRNAMT', plain_decimal(line.cents))}{value('FITID', line.bank_ref)}"
        f"{value('REFNUM', line.own_ref)}{value('NAME', line.party[:32])}"
        f"{value('MEMO', line.text)}</STMTTRN>\n"
        for line in statement.lines
    ]
    closing = ""
    if statement.closing_cents is not None:
        closing = (
            f"<LEDGERBAL>\n{value('BALAMT', plain_decimal(statement.closing_cents))}"
            f"{value('DTASOF', f'{statement.last_day:%Y%m%d}')}</LEDGERBAL>\n"
        )
    return (
        f"<STMTTRNRS><STMTRS>\n{value('CURDEF', books_currency())}<BANKACCTFROM>\n"
        f"{value('BANKID', 'JARABANK')}{value('ACCTID', statement.account)}</BANKACCTFROM>\n"
        f"<BANKTRANLIST>\n{value('DTSTART', f'{statement.first_day:%Y%m%d}')}"
        f"{value('DTEND', f'{statement.last_day:%Y%m%d}')}{''.join(lines)}</BANKTRANLIST>\n"
        f"{closing}</STMTRS></STMTTRNRS>"
    )


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text, quote=False)}</{tag}>" if text else ""
