"""Bank files drawn at random, each with the lines that it truly holds.

They are written without the code that reads them: dialects, signs, charges, states, currencies,
accounts, zones and encodings vary, and a mapping names all, some or none of what matters.
"""

import csv
import io
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from jara.domain.time_zone import TimeZone
from jara.files.bank.csv_mapping import CsvMapping

ACCOUNT, OTHER = "1000200030", "1000200999"
ZONES = ("UTC", "America/Toronto", "Asia/Tokyo", "Europe/Berlin")
_TEXTS = ("Gift J7K3", "Host Co invoice", "Monthly fee", "Rent of May", "Cheque 17")
_NAMES = ("Ama Mensah", "Kofi Boateng", "Zoé Lefèvre", "Jürgen Müller")


class Truth(NamedTuple):
    """A line as it is: its day, what the account has more, and the charge in that."""

    day: date
    cents: int
    fee: int
    text: str
    is_return: bool = False


class Drawn(NamedTuple):
    """A file, how it is read, and its lines; `is_told` says that nothing is left to guess."""

    name: str
    data: bytes
    mapping: CsvMapping | None
    truth: list[Truth]
    zone: TimeZone
    is_told: bool
    inverted: bool = False
    charges: bool | None = None


def draw(number: int) -> Drawn:
    """Return the file of a number."""
    random = Random(number)
    return (_csv, _ofx, _camt, _mt940)[number % 4](random)


def _lines(random: Random, *, returns: bool = False) -> list[Truth]:
    day, found = date(2026, random.randint(1, 6), random.randint(1, 28)), []
    for number in range(random.randint(1, 9)):
        day += timedelta(days=random.choice((0, 1, 1, 2, 5)))
        cents = random.choice((1000, 2500, -4000, -150, 12345, -99, 7, 123456))
        fee = random.choice((0, 0, 0, 35, 59)) if abs(cents) > 59 else 0
        is_return = returns and cents < 0 and random.random() < 0.3
        text = f"{random.choice(_TEXTS)} {number}"
        found.append(Truth(day, cents - fee, fee, text, is_return))
    return found


def _amount(cents: int, decimal: str = ".", *, thousands: str = "") -> str:
    whole, part = divmod(abs(cents), 100)
    text = f"{whole:,}".replace(",", thousands)
    return f"{'-' if cents < 0 else ''}{text}{decimal}{part:02}"


def _moment(random: Random, day: date, zone: str) -> datetime:
    """Return an instant of a day in a zone, as another place writes it."""
    local = datetime(
        day.year, day.month, day.day, random.randint(0, 23), random.randint(1, 59),
        tzinfo=ZoneInfo(zone),
    )  # fmt: skip
    return local.astimezone(ZoneInfo(random.choice(ZONES)))


class _Sheet:
    """A CSV that grows column by column, and the mapping of it."""

    def __init__(self, random: Random, lines: list[Truth]) -> None:
        self.random, self.lines = random, lines
        self.decimal = random.choice((".", ".", ","))
        self.rows: list[dict[str, str]] = [{} for _ in lines]
        self.fields: dict[str, Any] = {"account": ACCOUNT, "decimal": self.decimal}
        self.is_told = True

    def column(self, name: str, cells: Iterable[str]) -> str:
        for row, cell in zip(self.rows, cells, strict=True):
            row[name] = cell
        return name

    def name(self, field: str, value: object, *, matters: bool) -> None:
        """Name a column in the mapping, or forget it; what matters is then not told."""
        if self.random.random() < 0.7:
            self.fields[field] = value
        elif matters:
            self.is_told = False


def _csv(random: Random) -> Drawn:
    lines = _lines(random)
    zone = random.choice(ZONES)
    sheet = _Sheet(random, lines)
    _draw_days(sheet, zone)
    fees = random.random() < 0.4
    if not fees:
        lines = [one._replace(cents=one.cents, fee=0) for one in lines]
    sheet.lines = lines
    sheet.fields["text"] = (sheet.column("Details", [one.text for one in lines]),)
    _draw_amounts(sheet, has_fees=fees)
    balance = 0
    balances = [balance := balance + one.cents for one in lines]
    if random.random() < 0.5:
        cells = [_amount(one, sheet.decimal) for one in balances]
        sheet.name("balance", sheet.column("Balance", cells), matters=False)
    rows = _draw_meaning(sheet)
    if random.random() < 0.5:
        rows.reverse()
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(sheet.rows[0]) if lines else ["Day"], delimiter=random.choice(",;\t")
    )
    writer.writeheader()
    writer.writerows(rows)
    encoding = random.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252"))
    mapping = CsvMapping(**sheet.fields)
    data = out.getvalue().encode(encoding)
    return Drawn("csv", data, mapping, lines, TimeZone(zone), sheet.is_told)


def _draw_days(sheet: _Sheet, zone: str) -> None:
    random, days = sheet.random, [one.day for one in sheet.lines]
    form = random.choice(("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%dT%H:%M:%S%z"))
    if "%z" in form:
        cells = [_moment(random, day, zone).strftime(form) for day in days]
    else:
        cells = [day.strftime(form) for day in days]
    sheet.fields["date"] = sheet.column("Day", cells)
    sheet.fields["date_format"] = form
    if "/" in form and random.random() < 0.5:
        sheet.fields["date_format"], sheet.is_told = "%m/%d/%Y|%d/%m/%Y", False


def _draw_amounts(sheet: _Sheet, *, has_fees: bool) -> None:
    random, lines = sheet.random, sheet.lines
    is_net = has_fees and random.random() < 0.5
    amounts = [one.cents if is_net or not has_fees else one.cents + one.fee for one in lines]

    def written(cents: Iterable[int | None]) -> list[str]:
        return ["" if one is None else _amount(one, sheet.decimal) for one in cents]

    way = random.choice(("signed", "inverted", "two", "minus", "owed", "word", "word and sign"))
    if is_net and way != "signed":
        way = "signed"
    out = [-one if one < 0 else None for one in amounts]
    into = [one if one > 0 else None for one in amounts]
    if way in {"signed", "inverted"}:
        sign = -1 if way == "inverted" else 1
        sheet.fields["amount"] = sheet.column("Amount", written(sign * one for one in amounts))
        if way == "inverted":
            sheet.fields["inverted"] = True
    elif way in {"two", "minus", "owed"}:
        first = [None if one is None else -one for one in out] if way == "minus" else out
        second = [None if one is None else -one for one in into] if way == "owed" else into
        if way == "two" and random.random() < 0.4:
            # A charge that is given back stands in its column with the other sign.
            first = [one if two is None else -two for one, two in zip(first, second, strict=True)]
            second, sheet.is_told = [None for _ in first], False
            if sum(1 if one > 0 else -1 for one in first if one) < 1:
                first, second = out, into
        sheet.fields["debit"] = sheet.column("Debit", written(first))
        sheet.fields["credit"] = sheet.column("Credit", written(second))
    else:
        words = random.choice((("D", "C"), ("Debit", "Credit"), ("Af", "Bij"), ("Soll", "Haben")))
        cells = amounts if way == "word and sign" else [abs(one) for one in amounts]
        sheet.fields["amount"] = sheet.column("Amount", written(cells))
        sheet.column("Kind", [words[one > 0] for one in amounts])
        sheet.name("sign", f"Kind={words[0]}", matters=way == "word")
    if has_fees:
        sign = random.choice((1, -1))
        name = random.choice(("Fee", "Gebühren", "Frais", "Comisión", "Charges"))
        charges = written(sign * one.fee for one in lines)
        sheet.name("fee", sheet.column(name, charges), matters=any(one.fee for one in lines))
        sheet.name("amount_is", "net" if is_net else "gross", matters=True)
        if "fee" not in sheet.fields:
            sheet.fields.pop("amount_is", None)


def _draw_meaning(sheet: _Sheet) -> list[dict[str, str]]:
    """Add columns that change the meaning, and rows that are not ours."""
    random = sheet.random
    kinds: list[tuple[str, str, str, str, object]] = []
    state = random.choice(
        (
            ("Status", "Completed", "Failed"),
            ("Zustand", "gebucht", "vorgemerkt"),
            ("Statut", "Effectué", "Annulé"),
            ("Estado", "Completado", "Rechazado"),
            ("State", "COMPLETED", "REVERTED"),
        )
    )
    kinds.append(("only", *state, (f"{state[0]}={state[1]}",)))
    kinds.append(("currency", "Currency", "USD", "JPY", "Currency"))
    kinds.append(("account_column", "Account number", ACCOUNT, OTHER, "Account number"))
    rows = [dict(row) for row in sheet.rows]
    for field, column, ours, other, value in kinds:
        if random.random() < 0.6:
            continue
        for row in (*rows, *sheet.rows):
            row[column] = ours
        strangers = random.random() < 0.7 and bool(sheet.rows)
        sheet.name(field, value, matters=strangers)
        if strangers:
            stranger = {**random.choice(sheet.rows), column: other}
            if "Balance" in stranger:
                stranger["Balance"] = ""
            rows.insert(random.randint(0, len(rows)), stranger)
    for row in rows:
        for column in rows[0]:
            row.setdefault(column, next(one[column] for one in sheet.rows if column in one))
    return rows


def _ofx(random: Random) -> Drawn:
    lines = [one._replace(fee=0) for one in _lines(random)]
    zone = random.choice(ZONES)
    way = random.choice(("signed", "signed", "unsigned", "inverted"))
    typed = way != "inverted" or random.random() < 0.5
    says = way == "inverted"
    rows = []
    for number, one in enumerate(lines):
        cents = {"signed": one.cents, "unsigned": abs(one.cents), "inverted": -one.cents}[way]
        kind = (
            ("CREDIT" if one.cents > 0 else random.choice(("DEBIT", "FEE", "CHECK")))
            if typed
            else "OTHER"
        )
        rows.append(_ofx_row(random, one, cents, kind, f"F{number}", zone))
        if random.random() < 0.1:
            wrong = one._replace(cents=one.cents + 100)
            rows.append(_ofx_row(random, wrong, wrong.cents, "OTHER", f"W{number}", zone))
            rows.append(
                f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260601<TRNAMT>0.01<FITID>X{number}"
                f"<CORRECTFITID>W{number}<CORRECTACTION>DELETE<NAME>x</STMTTRN>"
            )
    investment = (
        "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>777"
        "</INVACCTFROM></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>"
    )
    text = (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>"
        "<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>"
        f"{ACCOUNT}</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20261231\n"
        + "\n".join(rows)
        + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>"
        + (investment if random.random() < 0.2 else "")
        + "</OFX>"
    )
    data = text.encode(random.choice(("utf-8", "cp1252")))
    is_told = way == "signed" or says
    return Drawn("ofx", data, None, lines, TimeZone(zone), is_told, inverted=says)


def _ofx_row(random: Random, one: Truth, cents: int, kind: str, fitid: str, zone: str) -> str:
    posted = f"{one.day:%Y%m%d}"
    if random.random() < 0.4:
        moment = _moment(random, one.day, zone)
        hours = (moment.utcoffset() or timedelta()).total_seconds() / 3600
        posted = f"{moment:%Y%m%d%H%M%S}[{hours:+.0f}:ZZZ]"
    return (
        f"<STMTTRN><TRNTYPE>{kind}<DTPOSTED>{posted}<TRNAMT>{_amount(cents)}<FITID>{fitid}"
        f"<NAME>{random.choice(_NAMES)}<MEMO>{one.text}</STMTTRN>"
    )


def _camt(random: Random) -> Drawn:
    lines, zone = _lines(random, returns=True), random.choice(ZONES)
    version = random.choice(("02", "08"))
    entries = "".join(_camt_entry(random, one, zone) for one in lines)
    if random.random() < 0.3:
        entries += _camt_entry(random, Truth(date(2026, 6, 1), 999, 0, "later"), zone, state="PDNG")
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:'
        f'camt.053.001.{version}"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>{ACCOUNT}</Id></Othr>'
        "</Id><Ccy>USD</Ccy></Acct>"
        + _camt_balance("OPBD", 0, "2026-01-01")
        + _camt_balance("CLBD", sum(one.cents for one in lines), "2026-12-31")
        + f"{entries}</Stmt></BkToCstmrStmt></Document>"
    )
    data = text.encode(random.choice(("utf-8", "utf-16")))
    return Drawn(
        "camt", data.replace(b"UTF-8", b"UTF-8"), None, lines, TimeZone(zone), is_told=True
    )


def _camt_balance(code: str, cents: int, day: str) -> str:
    mark = "CRDT" if cents >= 0 else "DBIT"
    return (
        f'<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">{_amount(abs(cents))}'
        f"</Amt><CdtDbtInd>{mark}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
    )


def _camt_entry(random: Random, one: Truth, zone: str, state: str = "BOOK") -> str:
    day = f"<Dt>{one.day}</Dt>"
    if random.random() < 0.4:
        day = f"<DtTm>{_moment(random, one.day, zone).isoformat()}</DtTm>"
    gross = f'<InstdAmt><Amt Ccy="USD">{_amount(abs(one.cents + one.fee))}</Amt></InstdAmt>'
    charges = (
        f'<Chrgs><Rcrd><Amt Ccy="USD">{_amount(one.fee)}</Amt><CdtDbtInd>DBIT</CdtDbtInd>'
        "<ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>"
    )
    details = f"<AmtDtls>{gross}</AmtDtls>" if one.fee and random.random() < 0.7 else ""
    if one.fee and (not details or random.random() < 0.5):
        details += charges
    where = random.choice(
        (
            "<RmtInf><Ustrd>{}</Ustrd></RmtInf>",
            "<Refs><InstrId>{}</InstrId></Refs>",
            "<Refs><Prtry><Ref>{}</Ref></Prtry></Refs>",
            "<RmtInf><Strd><RfrdDocInf><Nb>{}</Nb></RfrdDocInf></Strd></RmtInf>",
        )
    ).format(one.text)
    mark = ""
    if one.is_return:
        mark = random.choice(
            (
                "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>",
                (
                    "<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly>"
                    "</Domn></BkTxCd>"
                ),
                "<BkTxCd><Prtry><Cd>NRTI+109+931</Cd></Prtry></BkTxCd>",
            )
        )
    return (
        f'<Ntry><Amt Ccy="USD">{_amount(abs(one.cents))}</Amt>'
        f"<CdtDbtInd>{'CRDT' if one.cents > 0 else 'DBIT'}</CdtDbtInd><Sts>{state}</Sts>"
        f"<BookgDt>{day}</BookgDt><NtryDtls><TxDtls>{where}{details}{mark}</TxDtls></NtryDtls></Ntry>"
    )


def _mt940(random: Random) -> Drawn:
    lines, zone = _lines(random, returns=True), random.choice(ZONES)
    total = sum(one.cents for one in lines)
    rows = [f":20:X\n:25:{ACCOUNT}\n:28C:1/1\n:60F:C260101USD0,00"]
    for one in lines:
        kind = "NRTI" if one.is_return and random.random() < 0.5 else "NTRF"
        code = "109" if one.is_return else "166"
        text = f"?20SVWZ+{one.text}"
        if one.fee:
            text += f"?21OAMT+{_amount(abs(one.cents + one.fee), ',')}"
            text += f"?22COAM+{_amount(one.fee, ',')}"
        mark = "C" if one.cents > 0 else "D"
        rows.append(
            f":61:{one.day:%y%m%d}{one.day:%m%d}{mark}{_amount(abs(one.cents), ',')}{kind}NONREF\n"
            f":86:{code}?00BUCHUNG{text}?32{random.choice(_NAMES)}"
        )
    mark = "C" if total >= 0 else "D"
    rows.append(f":62F:{mark}261231USD{_amount(abs(total), ',')}\n-\n")
    data = "\n".join(rows).encode(random.choice(("utf-8", "cp1252", "cp850")))
    return Drawn("mt940", data, None, lines, TimeZone(zone), is_told=True, charges=True)
