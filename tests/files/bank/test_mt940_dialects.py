"""MT940 as banks write it: each dialect of the line, of its text and of the file around them."""

from datetime import date

import pytest

from jara.domain.bank.statement import StatementLine, account_number, payer_number
from jara.domain.errors import InvalidInput
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport
from tests.files.bank.written_statements import read

GERMAN = "DE43500105170009876543"
RABO = "NL55RABO0107654321"
ING = "NL71INGB0009876543"
ABN = "NL91ABNA0417164300"
POLISH = "PL77114020040000300299887766"
FRENCH = "FR1420041010050500013M02606"

HEAD = ":20:STMT\n:25:0104004400\n:28C:7/1\n:60F:C260601USD100,00\n"
TAIL = ":62F:C260630USD112,50\n-\n"
LINE = ":61:2606090609C12,50NTRFNONREF//B77\n"

DIALECTS = {
    "german, with an IBAN": (
        LINE + ":86:166?00GUTSCHRIFT?109310?20EREF+CHOIR-2026-06?21SVWZ+June gift J7K3?22-QXW2\n"
        f"?30INGDDEFFXXX?31{GERMAN}?32KOJO ANNAN?34888\n",
        ("June gift J7K3 -QXW2 GUTSCHRIFT", "KOJO ANNAN", GERMAN, "CHOIR-2026-06"),
    ),
    "german, with an IBAN in the text": (
        LINE + f":86:166?00GUTSCHRIFT?20SVWZ+June gift?21IBAN+{GERMAN}?32KOJO\n",
        (f"June gift GUTSCHRIFT IBAN+{GERMAN}", "KOJO", GERMAN, ""),
    ),
    "german, with bank code and number": (
        LINE + ":86:051?00UEBERWEISUNG?20JUNE GIFT?3050010517?310009876543?32KOJO?33 ANNAN\n",
        ("JUNE GIFT UEBERWEISUNG", "KOJO ANNAN", GERMAN, ""),
    ),
    "german, broken anywhere, with the whole purpose": (
        LINE + ":86:166?00GUTSCHRIFT?20SVWZ+abcdefghijklmnopqrstuv?21wxyz0123456789abcdefghijklm?2"
        f"\n9EIGHT?60NINE?63TEN?31{GERMAN[:9]}\n{GERMAN[9:]}?32KOJO\n",
        (
            "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmEIGHT NINE TEN GUTSCHRIFT",
            "KOJO",
            GERMAN,
            "",
        ),
    ),
    "german, a direct debit": (
        LINE + ":86:105?00BASISLASTSCHRIFT?20MREF+M-4711?21CRED+DE98ZZZ09999999999?22SVWZ+Hosting"
        f"?23ABWA+Somebody Else?31{GERMAN}?32DATACENTER\n",
        ("Hosting BASISLASTSCHRIFT MREF+M-4711 CRED+DE98ZZZ09999999999", "Somebody Else", "", ""),
    ),
    "german, without a code of the transaction": (
        LINE + f":86:?20Gift?21of June?31{GERMAN}?32KOJO\n",
        ("Gift of June", "KOJO", GERMAN, ""),
    ),
    "triodos": (
        (
            f":61:260609C12,50NET NONREF\n:86:000>100000000000\n>20RABONL2U\n>21{RABO}\n"
            ">22K ANNAN\n>23June gift>310104004400\n"
        ),
        ("June gift", "K ANNAN", RABO, ""),
    ),
    "triodos, without another account": (
        LINE + ":86:000>100000000000\n>20CARD PAYMENT>310104004400\n",
        ("CARD PAYMENT", "", "", ""),
    ),
    "mbank": (
        (
            ":61:2606090609CN12,50NTRFNONREF//B77\n770-MT\n:86:770\n:86:770 PRZELEW KRAJOWY; Z RACH"
            f".: \n{POLISH[2:]}; OD: KOFI ANAN UL.\n LIPOWA 1; TYT.: June gift; \nTNR: 1234.01\n"
        ),
        (
            "770 770 PRZELEW KRAJOWY; TYT.: June gift; TNR: 1234.01 770-MT",
            "KOFI ANAN UL. LIPOWA 1",
            POLISH[2:],
            "",
        ),
    ),
    "czech": (
        LINE + ":86:020?00PLATBA?20Gift?300800?31000019-2000145399?32KOJO\n",
        ("Gift PLATBA", "KOJO", "08000000192000145399", ""),
    ),
    "polish": (
        LINE + ":86:073~00VC~20Gift of June~21~3011402004~310000300299887766"
        f"~32KOFI ANAN~33UL LIPOWA 1~38{POLISH}\n",
        ("Gift of June VC", "KOFI ANANUL LIPOWA 1", POLISH, ""),
    ),
    "polish, the number without its country": (
        LINE + f":86:073<00PRZELEW<20Gift<31{POLISH[2:]}<32KOFI\n",
        ("Gift PRZELEW", "KOFI", POLISH[2:], ""),
    ),
    "abn amro": (
        LINE + f":86:/TRTP/SEPA OVERBOEKING/IBAN/{RABO}/BIC/RABONL2U/NAME/K ANNA\n"
        "N/REMI/June gift J7K3-QXW2/EREF/NOTPROVIDED\n",
        ("SEPA OVERBOEKING June gift J7K3-QXW2", "K ANNAN", RABO, ""),
    ),
    "abn amro, without fields": (
        LINE + f":86:SEPA OVERBOEKING                 IBAN: {RABO}\n"
        "BIC: RABONL2U                    NAAM: K ANNAN\nOMSCHRIJVING: June gift J7K3-QXW2\n",
        ("SEPA OVERBOEKING OMSCHRIJVING: June gift J7K3-QXW2", "K ANNAN", RABO, ""),
    ),
    "account and bank in one": (
        LINE + f":86:/TRCD/00100/BENM//NAME/K ANNAN/ACCW/{RABO},RABONL2U/REMI/June gift\n",
        ("00100 June gift", "K ANNAN", RABO, ""),
    ),
    "german, in small letters": (
        LINE + f":86:166?20June gift?31{GERMAN.lower()}?32KOJO\n",
        ("June gift", "KOJO", GERMAN, ""),
    ),
    "ing": (
        (
            ":61:2606090609C12,50NTRFEREF//00000000000777/TRCD/00100/\n"
            f":86:/EREF/CHOIR-2026//CNTP/{ABN}/ABNANL2A/K Annan///REMI/USTD//June gift//PU\n"
            "RP/OTHR/\n"
        ),
        ("June gift OTHR", "K Annan", ABN, "CHOIR-2026"),
    ),
    "rabobank": (
        (
            f":61:260609C000000000012,50N541EREF            //0609\n{ABN}\n"
            ":86:/EREF/CHOIR-2026/TRCD/541/ORDP//NAME/K Annan/REMI/June gift\n/ISDT/2026-06-09\n"
        ),
        ("541 June gift 2026-06-09", "K Annan", ABN, "CHOIR-2026"),
    ),
    "rabobank, the account after the reference": (
        (
            f":61:260609C000000000012,50N102EREF {ABN}\n"
            ":86:/EREF/CHOIR-2026/ORDP//NAME/K Annan/REMI/June gift\n"
        ),
        ("June gift", "K Annan", ABN, "CHOIR-2026"),
    ),
    "rabobank, a structured reference": (
        (
            f":61:260609C000000000012,50N541NONREF\n{ABN} EUR\n"
            ":86:/ORDP//NAME/K Annan/REMI//CDTRREFTP//CD/SCOR/ISSR/CUR/CDTRREF/RF18539\n"
        ),
        ("SCOR CUR RF18539", "K Annan", ABN, ""),
    ),
    "asn": (
        f":61:2606090609C12,50NIDB{RABO}\nk annan\n:86:{RABO} k annan\n\nJune gift\n",
        ("June gift", "k annan", RABO, ""),
    ),
    "swift": (
        LINE + ":86:/EREF/CHOIR-2026/ORDP//NAME/K Annan/ACCW/8842190,BANKUS33/REMI/June gift\n",
        ("June gift", "K Annan", "", "CHOIR-2026"),
    ),
    "swift, with an IBAN": (
        LINE
        + f":86:/ORDP/K Annan\n/IBAN/{FRENCH}\n/EREF/CHOIR-2026\n/REMI/June gift\n/PURP/GDDS\n",
        ("June gift GDDS", "K Annan", FRENCH, "CHOIR-2026"),
    ),
    "danish": (
        LINE + ":86:/RREF/4711-99 /EREF/CHOIR-2026 /ORDP//NAME/K Annan/REMI/June gift\n",
        ("4711-99 June gift", "K Annan", "", "CHOIR-2026"),
    ),
    "unknown names": (LINE + ":86:/XYZ/June gift/OK/yes\n", ("XYZ/June gift/OK/yes", "", "", "")),
    "free text": (
        ":61:260609C12,5NMSCCHOIR-2026//B77\nCASHPOINT 4\n:86:JUNE GIFT\nK ANNAN\n",
        ("JUNE GIFT K ANNAN CASHPOINT 4", "", "", "CHOIR-2026"),
    ),
    "our own account": (LINE + ":86:166?20Gift?31104004400?32KOJO\n", ("Gift", "KOJO", "", "")),
    "two fields of text": (
        LINE + ":86:JUNE GIFT\n:86:K ANNAN\n",
        ("JUNE GIFT K ANNAN", "", "", ""),
    ),
    "no text": (LINE, ("", "", "", "")),
}


def the_line(text: str) -> StatementLine:
    """Return the only line of a statement with this text."""
    ((line,),) = [one.lines for one in read((HEAD + text + TAIL).encode())]
    return line


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_payer_account_and_reference_are_told_apart(dialect: str) -> None:
    """The payer's account is stored apart from the name, in every dialect."""
    text, expected = DIALECTS[dialect]
    line = the_line(text)

    assert (line.day, line.cents) == (date(2026, 6, 9), 1250)
    name, account = line.party, line.party_account
    stored = account_number(account) if "/" in account else account
    assert (line.text, name, stored, line.own_ref) == expected


@pytest.mark.parametrize(
    "text",
    [
        f":86:166?20SVWZ+gift?31{GERMAN}?30ABCDEFGH?31{FRENCH}?32KOJO\n",
        f":86:/TRTP/SEPA/IBAN/{ABN}/NAME/K/IBAN/{RABO}/REMI/gift\n",
        f":86:/EREF/a/CNTP/{RABO}/x//CNTP/{ABN}/ABNANL2A/K Annan///REMI/USTD//gift/\n",
        f":86:/ORDP//NAME/K Annan/REMI/gift/IBAN/{RABO}\n",
        f":86:GIFT {RABO}\n",
        f":86:SEPA OVERBOEKING OMSCHRIJVING: x IBAN: {RABO} NAAM: y\n",
        ":86:166?20gift?310000000000?32KOJO\n",
    ],
)
def test_an_account_that_the_payer_may_have_written_counts_for_nothing(text: str) -> None:
    """Otherwise a payer could use up the ballot of somebody else's account."""
    assert payer_number(the_line(LINE + text).party_account) == ""


SURE = {
    "named, before the payer's words": ":86:/TRCD/00100/CHGS/USD0,50/ORDP//NAME/K/REMI/gift\n",
    "named, the payer adds another": ":86:/OCMT/USD13,00//EREF/a/REMI/gift/OCMT/USD99,00\n",
    "numbered, before the payer's words": ":86:166?00X?20COAM+0,50 EUR?21OAMT+13,00?22SVWZ+a\n",
}
UNSURE = {
    "named, after the text": ":86:/ORDP//NAME/K/REMI/gift/OCMT/USD13,00/CHGS/USD0,50\n",
    "named, the bank's after the payer's": ":86:/REMI/a/CHGS/USD9,00/REMI//CHGS/USD0,50/\n",
    "named, in a reference": ":86:/EREF/a/OCMT/13,00/ORDP//NAME/K/REMI/gift\n",
    "named, in a name": ":86:/ORDP//NAME/K/CHGS/USD0,50/REMI/gift\n",
    "numbered, in the text": ":86:166?00X?20SVWZ+Gift J7K3 OAMT+13,00?32K\n",
    "numbered, after the reference": ":86:166?00X?20EREF+A?21COAM+0,50?22SVWZ+Gift\n",
    "numbered, without labels before": ":86:166?00X?20Gift?21OAMT+13,00?32K\n",
}

OFX = b"OFXHEADER:100\n\n<OFX></OFX>"


def fee(text: str, *, charges: bool | None = None, line: str = LINE) -> int:
    """Return the charge of the only line."""
    data = (HEAD + line + text + TAIL).encode()
    found = read_statements(data, "may", FileReport(), mappings={}, charges=charges)
    return next(found).lines[0].fee_cents


@pytest.mark.parametrize("text", SURE)
def test_a_charge_before_the_words_of_the_payer_is_the_banks(text: str) -> None:
    """What the payer writes into the text changes nothing."""
    assert [fee(SURE[text], charges=one) for one in (None, True, False)] == [50, 50, 50]


@pytest.mark.parametrize("text", UNSURE)
def test_a_charge_that_the_payer_may_have_written_is_asked_for(text: str) -> None:
    """Otherwise who pays a cent and names a charge of 1,000 would have given so much."""
    with pytest.raises(
        InvalidInput, match=r"line 5: its text names .* \$0\.50 in \$13\.00.*--charges"
    ):
        fee(UNSURE[text])
    assert [fee(UNSURE[text], charges=one) for one in (True, False)] == [50, 0]


@pytest.mark.parametrize("charges", [True, False])
def test_a_statement_of_another_form_refuses_the_answer(charges: bool) -> None:
    """Its charges are read by its own rules, so the answer would change nothing."""
    with pytest.raises(InvalidInput, match=r"^may is not MT940: --charges"):
        list(read_statements(OFX, "may", FileReport(), mappings={}, charges=charges))


def test_a_charge_of_money_out_needs_no_question() -> None:
    """We wrote the words; those of a payment that came back are another's."""
    text = ":86:/EREF/a/BENM//NAME/K/REMI/rent/CHGS/USD0,50\n"

    assert fee(text, line=LINE.replace("0609C", "0609D")) == 50
    with pytest.raises(InvalidInput, match="--no-charges"):
        fee(text, line=LINE.replace("0609C", "0609RC"))


@pytest.mark.parametrize(
    "text",
    [
        ":86:108?00RETOURE?20SVWZ+gift?32K\n",
        ":86:181?00RETOURE?20SVWZ+gift?32K\n",
        ":86:184?00RETOURE?20SVWZ+gift?32K\n",
        ":86:/RTRN/AC04/ORDP//NAME/K/REMI/gift\n",
    ],
)
def test_marks_of_a_return_are_read(text: str) -> None:
    """In the text of the payer, they are words."""
    assert the_line(LINE + text).is_reversal
    assert not the_line(LINE + ":86:/ORDP//NAME/K/REMI/gift/RTRN/AC04\n").is_reversal


@pytest.mark.parametrize(
    ("line", "day", "cents", "is_reversal"),
    [
        ("260609C12,50NTRF", (2026, 6, 9), 1250, False),
        ("2606090609CD12,50NTRFNONREF", (2026, 6, 9), 1250, False),
        ("2606090610DR12,5NTRFNONREF", (2026, 6, 10), -1250, False),
        ("2606090610RD12,NTRFNONREF", (2026, 6, 10), 1200, True),
        ("2606090610RCD,03NTRFNONREF", (2026, 6, 10), -3, True),
        ("260609    C 12.50NTRFNONREF", (2026, 6, 9), 1250, False),
        ("260609260610C12,50NTRFNONREF", (2026, 6, 10), 1250, False),
        ("2601020102C0000000000012,50S103X//Y", (2026, 1, 2), 1250, False),
        ("2512311231C1,00NTRF", (2025, 12, 31), 100, False),
        ("2512310102C1,00NTRF", (2026, 1, 2), 100, False),
        ("2601021231C1,00NTRF", (2025, 12, 31), 100, False),
        ("2602300302C1,00NINT", (2026, 3, 2), 100, False),
        ("2402290229C1,00NINT", (2024, 2, 29), 100, False),
    ],
)
def test_a_line_is_read_with_or_without_its_optional_parts(
    line: str, day: tuple[int, int, int], cents: int, is_reversal: bool
) -> None:
    """The day of booking takes its year from the value date, which may be 30 February."""
    found = the_line(f":61:{line}\n:86:text\n")

    assert (found.day, found.cents, found.is_reversal) == (date(*day), cents, is_reversal)


@pytest.mark.parametrize(
    "row",
    ["2606090231C1,00NTRF", "261309C1,00NTRF", "260609C1.0.0NTRF", "260609X1,00NTRF", "", "C1,00"],
)
def test_invalid_lines_are_named(row: str) -> None:
    """The message names the line of the file and the text."""
    with pytest.raises(InvalidInput, match=r"may, line 5: '.*' is not a line \(:61:\) of MT940"):
        the_line(f":61:{row}\n")


@pytest.mark.parametrize(
    "text",
    [
        (
            "{1:F01BANKUS33AXXX0000000000}{2:O9400000BANKUS33AXXX00000000000000000000N}{4:\n"
            f"{HEAD}{LINE}:86:Gift\n{TAIL.rstrip()}}}{{5:{{CHK:123}}}}"
        ),
        f"{{1:F01BANKUS33}}{{2:I940BANKUS33N}}{{3:{{108:X}}}}{{4:{HEAD}{LINE}:86:Gift\n{TAIL}",
        f"BANKNL2A\n940\nBANKNL2A\n{HEAD}{LINE}:86:Gift\n{TAIL}",
        f":940:\n{HEAD}{LINE}:86:Gift\n{TAIL}",
        (
            f"{HEAD}:86:Of the account\n{LINE}:86:Gift\n{TAIL[:-2]}:64:C260630USD112,50\n"
            ":65:Dnullnull99,00\n:86:Of the statement\n"
        ),
        f"{HEAD}{LINE}:86:Gift\n{TAIL}".replace("\n", "\r\n"),
        f"{HEAD}{LINE}:86:Gift\n{TAIL}".replace("\n", "\r"),
        f"{HEAD}{LINE}:86:Gift\n{TAIL[:-3]}-}}\n",
        f"{HEAD.replace(':20:STMT', ':20:')}{LINE}:86:Gift\n{TAIL}",
        f"{HEAD.replace('28C', '28')}{LINE}:86:Gift\n{TAIL}",
        f"{HEAD.replace('C260601', 'C000000')}{LINE}:86:Gift\n{TAIL}",
        HEAD.replace(":25:0104004400", ":25P:0104004400\nBANKUS33") + f"{LINE}:86:Gift\n{TAIL}",
        f"{HEAD.replace(':25:0104004400', ':25:BANKUS33XXX/0104004400 USD')}{LINE}:86:Gift\n{TAIL}",
    ],
)
def test_the_file_around_a_statement_may_differ(text: str) -> None:
    """Blocks of SWIFT, unknown fields and texts of the statement are no text of a line."""
    (statement,) = read(text.encode())

    assert (statement.account, statement.opening_cents, statement.closing_cents) == (
        "0104004400",
        10_000,
        11_250,
    )
    assert [(line.cents, line.text, line.bank_ref) for line in statement.lines] == [
        (1250, "Gift", "B77")
    ]


def test_messages_may_have_several_balances() -> None:
    """Some banks write the days of a month into one message."""
    second = ":60F:C260630USD112,50\n:61:260701D2,50NCHG\n:86:Fee\n:62F:C260701USD110,00\n-\n"
    found = read((HEAD + LINE + ":86:Gift\n" + TAIL[:-2] + second).encode())

    assert [(one.account, one.opening_cents, one.closing_cents) for one in found] == [
        ("0104004400", 10_000, 11_250),
        ("0104004400", 11_250, 11_000),
    ]


def test_several_messages_may_stand_in_one_row() -> None:
    """The end of one block and the start of the next share a row."""
    text = f"{{1:F01A}}{{4:\n{HEAD}{LINE}{TAIL[:-2]}-}}"
    found = read(f"{text}{text}\n".encode())

    assert [len(one.lines) for one in found] == [1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            (
                ":20:DAY\n:25:0104004400\n:28C:1/1\n:34F:USD0,\n:13D:2606091200+0200\n"
                f"{LINE}:86:Gift\n:90D:0USD0,\n:90C:1USD12,50\n-\n"
            ),
            "may, line 1: this is MT942, a report within the day, .* import the MT940",
        ),
        (HEAD.replace(":60F:", ":65:") + TAIL, "line 1: the statement lacks its opening balance"),
        (HEAD + LINE, r"line 1: .* lacks its closing balance \(:62F:\); is the file cut off"),
        (HEAD + ":62F:C260630EUR1,00\n", "line 1: it begins in USD and ends in EUR"),
        (HEAD + ":62F:260630\n", "line 1: '260630' is not a balance of MT940"),
        (HEAD + ":62F:C261330USD1,00\n", "line 1: '261330' is not a day"),
    ],
)
def test_files_that_are_not_statements_are_named(text: str, message: str) -> None:
    """The message says what the file is, and what to import instead."""
    with pytest.raises(InvalidInput, match=message):
        read(text.encode())


def test_a_statement_may_name_no_account() -> None:
    """The import then needs the account as an option."""
    assert [
        one.account for one in read((HEAD.replace(":25:0104004400\n", "") + TAIL).encode())
    ] == [""]


def test_a_line_of_zero_is_left_out() -> None:
    """It is listed with its line in the file."""
    report = FileReport()
    read((HEAD + ":61:260609C0,00NMSC\n" + TAIL).encode(), report)

    assert [one.line for one in report.left_out] == [5]
