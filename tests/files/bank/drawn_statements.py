"""CAMT, OFX and MT940 drawn at random, each with the lines that it truly holds."""

from datetime import date, timedelta
from random import Random

from jara.domain.time_zone import TimeZone
from tests.files.bank.drawn_files import (
    ACCOUNT,
    NAMES,
    OTHER,
    ZONES,
    Drawn,
    Truth,
    amount,
    draw_csv,
    draw_lines,
    moment,
)


def draw(number: int) -> Drawn:
    """Return the file of a number."""
    random = Random(number)
    return (draw_csv, _ofx, _camt, _mt940)[number % 4](random)


def _others(random: Random, *, fees: bool = False, returns: bool = False) -> list[list[Truth]]:
    """Return the lines of the accounts in a file: ours, and perhaps another one."""
    others = [OTHER] if random.random() < 0.3 else []
    return [draw_lines(random, one, fees=fees, returns=returns) for one in (ACCOUNT, *others)]


def _ofx(random: Random) -> Drawn:
    accounts = _others(random)
    zone = random.choice(ZONES)
    way = random.choice(("signed", "signed", "unsigned", "inverted"))
    typed = way != "inverted" or random.random() < 0.5
    says = way == "inverted"
    found = [
        (one[0].account, "USD", _ofx_rows(random, one, way, zone, typed=typed)) for one in accounts
    ]
    if random.random() < 0.3:
        found.append(
            ("1000200777", "JPY", [_ofx_row(random, accounts[0][0], 200000, "OTHER", "J", zone)])
        )
    statements = "".join(
        f"<STMTTRNRS><STMTRS><CURDEF>{currency}<BANKACCTFROM><BANKID>1<ACCTID>{account}"
        "</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20261231\n"
        + "\n".join(rows)
        + "</BANKTRANLIST></STMTRS></STMTTRNRS>"
        for account, currency, rows in found
    )
    investment = (
        "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>777"
        "</INVACCTFROM></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>"
    )
    text = (
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>"
        f"<BANKMSGSRSV1>{statements}</BANKMSGSRSV1>"
        + (investment if random.random() < 0.2 else "")
        + "</OFX>"
    )
    data = text.encode(random.choice(("utf-8", "cp1252")))
    lines = [line for one in accounts for line in one]
    is_told = way == "signed" or says
    return Drawn("ofx", data, None, lines, TimeZone(zone), is_told, inverted=says)


def _ofx_rows(random: Random, lines: list[Truth], way: str, zone: str, *, typed: bool) -> list[str]:
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
        if random.random() < 0.05:
            yen = _ofx_row(random, one, 200000, "OTHER", f"Y{number}", zone)
            rows.append(yen.replace("<NAME>", "<CURRENCY><CURRATE>150<CURSYM>JPY</CURRENCY><NAME>"))
    return rows


def _ofx_row(random: Random, one: Truth, cents: int, kind: str, fitid: str, zone: str) -> str:
    posted = f"{one.day:%Y%m%d}"
    if random.random() < 0.4:
        at = moment(random, one.day, zone)
        hours = (at.utcoffset() or timedelta()).total_seconds() / 3600
        posted = f"{at:%Y%m%d%H%M%S}[{hours:+.0f}:ZZZ]"
    was = "<ORIGCURRENCY><CURRATE>150<CURSYM>JPY</ORIGCURRENCY>" if random.random() < 0.1 else ""
    return (
        f"<STMTTRN><TRNTYPE>{kind}<DTPOSTED>{posted}<TRNAMT>{amount(cents)}<FITID>{fitid}"
        f"{was}<NAME>{random.choice(NAMES)}<MEMO>{one.text}</STMTTRN>"
    )


def _camt(random: Random) -> Drawn:
    accounts, zone = _others(random, fees=True, returns=True), random.choice(ZONES)
    version = random.choice(("02", "08"))
    statements = "".join(_camt_statement(random, one, zone) for one in accounts)
    if random.random() < 0.3:
        yen = [Truth(date(2026, 6, 1), 200000, 0, "Yen", account="1000200777")]
        statements += _camt_statement(random, yen, zone).replace("USD", "JPY")
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:'
        f'camt.053.001.{version}"><BkToCstmrStmt>{statements}</BkToCstmrStmt></Document>'
    )
    data = text.encode(random.choice(("utf-8", "utf-16")))
    lines = [line for one in accounts for line in one]
    return Drawn("camt", data, None, lines, TimeZone(zone), is_told=True)


def _camt_statement(random: Random, lines: list[Truth], zone: str) -> str:
    entries = "".join(_camt_entry(random, one, zone) for one in lines)
    if random.random() < 0.3:
        entries += _camt_entry(random, Truth(date(2026, 6, 1), 999, 0, "later"), zone, state="PDNG")
    if random.random() < 0.1:
        entries += _camt_entry(random, lines[0], zone).replace('"USD"', '"JPY"')
    return (
        f"<Stmt><Acct><Id><Othr><Id>{lines[0].account}</Id></Othr></Id><Ccy>USD</Ccy></Acct>"
        + _camt_balance("OPBD", 0, "2026-01-01")
        + _camt_balance("CLBD", sum(one.cents for one in lines), "2026-12-31")
        + f"{entries}</Stmt>"
    )


def _camt_balance(code: str, cents: int, day: str) -> str:
    mark = "CRDT" if cents >= 0 else "DBIT"
    return (
        f'<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">{amount(abs(cents))}'
        f"</Amt><CdtDbtInd>{mark}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
    )


def _camt_entry(random: Random, one: Truth, zone: str, state: str = "BOOK") -> str:
    day = f"<Dt>{one.day}</Dt>"
    if random.random() < 0.4:
        day = f"<DtTm>{moment(random, one.day, zone).isoformat()}</DtTm>"
    gross = f'<InstdAmt><Amt Ccy="USD">{amount(abs(one.cents + one.fee))}</Amt></InstdAmt>'
    charges = (
        f'<Chrgs><Rcrd><Amt Ccy="USD">{amount(one.fee)}</Amt><CdtDbtInd>DBIT</CdtDbtInd>'
        "<ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>"
    )
    details = f"<AmtDtls>{gross}</AmtDtls>" if one.fee and random.random() < 0.6 else ""
    if not details and random.random() < 0.2:
        details = '<AmtDtls><InstdAmt><Amt Ccy="EUR">9.99</Amt></InstdAmt></AmtDtls>'
        details += charges if one.fee else ""
    if one.fee and "Chrgs" not in details and (not details or random.random() < 0.5):
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
        f'<Ntry><Amt Ccy="USD">{amount(abs(one.cents))}</Amt>'
        f"<CdtDbtInd>{'CRDT' if one.cents > 0 else 'DBIT'}</CdtDbtInd><Sts>{state}</Sts>"
        f"<BookgDt>{day}</BookgDt><NtryDtls><TxDtls>{where}{details}{mark}</TxDtls></NtryDtls></Ntry>"
    )


_DIALECTS = {
    "german": ":86:{code}?00BUCHUNG?20{before}{text}{after}?32{name}",
    "polish": ":86:073~00VC~20{text}~32{name}",
    "triodos": ":86:000>100000000000\n>20RABONL2U\n>21NL55RABO0107654321\n>22{name}\n>23{text}",
    "swift": ":86:/TRCD/00100{mark}{before}/ORDP//NAME/{name}/REMI/{text}{after}",
    "abn": ":86:{mark}{before}/TRTP/SEPA/IBAN/NL55RABO0107654321/NAME/{name}/REMI/{text}{after}",
    "ing": ":86:/EREF/A//CNTP/NL55RABO0107654321/RABONL2U/{name}///REMI/USTD//{text}{after}",
    "mbank": ":86:770 PRZELEW; Z RACH.: 77114020040000300299887766; OD: {name}; TYT.: {text} ;",
    "free": ":86:{text} \n{name}",
}
_GERMAN, _NAMED = ("OAMT+", "COAM+", "?21"), ("/OCMT/USD", "/CHGS/USD", "")


def _mt940(random: Random) -> Drawn:
    dialect = random.choice(list(_DIALECTS))
    has_charges = "{after}" in _DIALECTS[dialect]
    accounts = _others(random, fees=has_charges, returns=True)
    # A payer may write a charge; whoever imports knows where the bank writes its own.
    is_forged = has_charges and random.random() < 0.3
    is_late = not is_forged and ("{before}" not in _DIALECTS[dialect] or random.random() < 0.5)
    if is_forged and "{before}" not in _DIALECTS[dialect]:
        accounts = [[line._replace(fee=0) for line in one] for one in accounts]
    charges = random.choice((None, is_late))
    statements = [
        _mt940_statement(random, one, dialect, is_late=is_late, is_forged=is_forged)
        for one in accounts
    ]
    if random.random() < 0.3:
        yen = Truth(date(2026, 6, 1), 200000, 0, "Yen", account="1000200777")
        statements.append(
            _mt940_statement(random, [yen], "free", is_late=False, is_forged=False).replace(
                "USD", "JPY"
            )
        )
    data = "".join(statements).encode(random.choice(("utf-8", "cp1252", "cp850")))
    lines = [line for one in accounts for line in one]
    is_told = charges is not None or not has_charges
    zone = TimeZone(random.choice(ZONES))
    return Drawn("mt940", data, None, lines, zone, is_told, charges=charges)


def _mt940_statement(
    random: Random, lines: list[Truth], dialect: str, *, is_late: bool, is_forged: bool
) -> str:
    rows = [f":20:X\n:25:{lines[0].account}\n:28C:1/1\n:60F:C260101USD0,00"]
    original, charge, part = _GERMAN if dialect == "german" else _NAMED
    for one in lines:
        says = random.choice(("kind", "mark", "text")) if one.is_return else ""
        if says == "text" and dialect not in {"german", "swift", "abn"}:
            says = "kind"
        gross, fee = amount(abs(one.cents + one.fee), ","), amount(one.fee, ",")
        words = random.choice(([f"{original}{gross}", f"{charge}{fee}"], [f"{charge}{fee}"]))
        named = part.join(words) if one.fee else ""
        after = f"{part}{named}" if is_late and named else ""
        if is_forged and random.random() < 0.4:
            after = f" {original}1000,00"
        text = _DIALECTS[dialect].format(
            code=random.choice(("108", "109", "159", "181", "184")) if says == "text" else "166",
            mark="/RTRN/AC04" if says == "text" else "",
            before="" if is_late or not named else f"{named}{part}",
            text=f"SVWZ+{one.text}" if dialect == "german" else one.text,
            after=after,
            name=random.choice(NAMES),
        )
        mark = "RC" if says == "mark" else "C" if one.cents > 0 else "D"
        kind = "NRTI" if says == "kind" else "NTRF"
        rows.append(
            f":61:{one.day:%y%m%d%m%d}{mark}{amount(abs(one.cents), ',')}{kind}NONREF\n{text}"
        )
    total = sum(one.cents for one in lines)
    mark = "C" if total >= 0 else "D"
    return "\n".join([*rows, f":62F:{mark}261231USD{amount(abs(total), ',')}\n-\n"])
