"""The shipped mappings of banks' CSV."""

from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput, NotFound
from jara.files.bank import presets
from jara.files.bank.presets import preset_names, read_preset, read_presets
from jara.files.bank.reader import read_statements
from jara.files.reading import FileReport

ACCOUNT = "00001-1000200"

# One export of each bank and kind: its rows, and the day, cents, text, name and balance it gives.
EXPORTS = {
    "td": (
        (
        '05/20/2026,"SEND E-TFR ***abc",2.50,,107.50\n05/04/2026,GC 1234-OWUSU Y,,110.00,110.00\n'
        ),
        [("2026-05-04", 11000, "GC 1234-OWUSU Y"), ("2026-05-20", -250, "SEND E-TFR ***abc")],
        10750,
    ),
    "td card": (
        (
        '05/20/2026,"PAYMENT",,110.00,2.50\n05/04/2026,"INK",12.50,,112.50\n'
        ),
        [("2026-05-04", -1250, "INK"), ("2026-05-20", 11000, "PAYMENT")],
        -250,
    ),
    "cibc": (
        (
        '2026-05-20,"SERVICE CHARGE",2.50,\n2026-05-04,"E-TRANSFER 011 Yaw Owusu",,110.00\n'
        ),
        [("2026-05-04", 11000, "E-TRANSFER 011 Yaw Owusu"), ("2026-05-20", -250, "SERVICE CHARGE")],
        None,
    ),
    "cibc card": (
        (
        '2026-05-04,"PAPER, INK",12.34,,4500********1234\n'
        ),
        [("2026-05-04", -1234, "PAPER, INK")],
        None,
    ),
    "rbc": (
        (
        '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1",'
        '"Description 2","CAD$","USD$"\n'
        'Chequing,00001-1000200,5/4/2026,,"e-Transfer received","YAW OWUSU",110.00,,\n'
        'Chequing,00001-1000200,5/20/2026,17,"CHEQUE","",-2.50,,\n'
        'Savings,00001-1000300,5/20/2026,,"DEPOSIT","",7.00,,\n'
        ),
        [("2026-05-04", 11000, "e-Transfer received YAW OWUSU"), ("2026-05-20", -250, "CHEQUE")],
        None,
    ),
    "scotiabank": (
        (
        "Filter,Date,Description,Sub-description,Type of Transaction,Amount,Balance\n"
        '"May",2026-05-20,service charge,,Debit,-2.50,107.50\n'
        ",2026-05-04,deposit,Free Interac E-Transfer,Credit,110.00,110.00\n"
        ),
        [
            ("2026-05-04", 11000, "deposit Free Interac E-Transfer"),
            ("2026-05-20", -250, "service charge"),
        ],
        10750,
    ),
    "scotiabank card": (
        (
        "\ufeffFilter,Date,Description,Sub-description,Status,Type of Transaction,Amount\n"
        '"May",2026-05-22,ink,Toronto On,pending,Debit,9.00\n'
        ",2026-05-20,paper,Toronto On,posted,Debit,2.50\n"
        ",2026-05-04,payment,,posted,Credit,-110\n"
        ),
        [("2026-05-04", 11000, "payment"), ("2026-05-20", -250, "paper Toronto On")],
        None,
    ),
    "wise": (
        (
        '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference",'
        '"Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name",'
        '"Payee Name","Payee Account Number",Merchant,"Total fees"\n'
        "FEE-2,20-05-2026,20-05-2026 10:00:00.1,-2.50,USD,Wise Charges,,107.50,,,,,,,,0\n"
        "TRANSFER-1,04-05-2026,04-05-2026 10:00:00.1,110.00,USD,Received money,J7K3 QXW2,110.00"
        ",,,,Yaw Owusu,,,,0\n"
        ),
        [("2026-05-04", 11000, "J7K3 QXW2 Received money"), ("2026-05-20", -250, "Wise Charges")],
        10750,
    ),
    "paypal": (
        (
        '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net",'
        '"From Email Address","To Email Address","Transaction ID","Item Title","Balance"\n'
        '"05/04/2026","10:00:00","PDT","Yaw Owusu","Donation Payment","Completed","USD",'
        '"113.59","-3.59","110.00","yaw@example.org","a@example.org","1A","May","110.00"\n'
        '"05/05/2026","10:00:00","PDT","Efua","Donation Payment","Pending","USD",'
        '"20.00","0.00","20.00","efua@example.org","a@example.org","2B","","110.00"\n'
        '"05/20/2026","10:00:00","PDT","","General Withdrawal","Completed","USD",'
        '"-2.50","0.00","-2.50","a@example.org","","3C","","107.50"\n'
        ),
        [("2026-05-04", 11000, "Donation Payment May"), ("2026-05-20", -250, "General Withdrawal")],
        10750,
    ),
    "paypal activity": (
        (
        "Date,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Balance,Balance Impact\n"
        "05/04/2026,Yaw,Order,Completed,USD,110.00,0.00,110.00,0Z,0.00,Memo\n"
        "05/04/2026,Yaw,Donation Payment,Completed,USD,113.59,-3.59,110.00,1A,110.00,Credit\n"
        "05/20/2026,,Withdrawal,Completed,USD,-2.50,0.00,-2.50,3C,107.50,Debit\n"
        ),
        [("2026-05-04", 11000, "Donation Payment"), ("2026-05-20", -250, "Withdrawal")],
        10750,
    ),
    "paypal statement": (
        (
        "Date,Time,Time Zone,Description,Currency,Gross,Fee,Net,Balance,Transaction ID,"
        "From Email Address,Name,Bank Name,Bank Account,Invoice ID,Reference Txn ID\n"
        "05/04/2026,09:00:00,PDT,General Payment,USD,113.59,-3.59,110.00,110.00,1A,"
        "yaw@example.org,Yaw Owusu,,,,\n"
        "05/20/2026,09:00:00,PDT,Withdrawal,USD,-2.50,0.00,-2.50,107.50,3C,,,,,,\n"
        ),
        [("2026-05-04", 11000, "General Payment"), ("2026-05-20", -250, "Withdrawal")],
        10750,
    ),
    "mpesa": (
        (
        "Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance\n"
        'TJK1,2026-05-20 16:21:00,Charge,Completed,,-2.50,"1,107.50"\n'
        "TJK1,2026-05-20 16:20:00,Sent,Failed,,-1.00,1110.00\n"
        'TJK0,2026-05-04 10:00:00,Received,Completed,"1,110.00",,"1,110.00"\n'
        ),
        [("2026-05-04", 111000, "Received"), ("2026-05-20", -250, "Charge")],
        110750,
    ),
    "mpesa portal": (
        (
        "Short Code:,600555,,,,,,,\nOrganization:,Riverside,,,,,,,\n\n"
        "Receipt No.,Completion Time,Initiation Time,Details,Transaction Status,Paid In,"
        "Withdrawn,Balance,Balance Confirmed,Reason Type,Other Party Info,"
        "Linked Transaction ID,A/C No.\n"
        "TJK1,20-05-2026 16:21:00,20-05-2026 16:20:58,Charge,Completed,,-2.50,1107.50,true,,,,\n"
        "TJK0,04-05-2026 10:00:00,04-05-2026 09:59:58,Pay Bill,Completed,1110.00,,1110.00,true,"
        "Pay Utility,2547***678 - YAW OWUSU,,J7K3-QXW2\n"
        ),
        [("2026-05-04", 111000, "Pay Bill J7K3-QXW2"), ("2026-05-20", -250, "Charge")],
        110750,
    ),
    "national-bank": (
        (
        '"Date";"Description";"Category";"Debit";"Credit";"Balance"\n'
        '"2026-05-20";"MONTHLY FEE";"Fees";"2.50";"0.00";"107.50"\n'
        '"2026-05-04";"INTERAC YAW OWUSU";"Transfer";"0.00";"110.00";"110.00"\n'
        ),
        [("2026-05-04", 11000, "INTERAC YAW OWUSU"), ("2026-05-20", -250, "MONTHLY FEE")],
        10750,
    ),
    "tangerine": (
        (
        "Date,Transaction,Name,Memo,Amount\n"
        "5/4/2026,OTHER,INTERAC e-Transfer From: YAW OWUSU,Transferred,110.00\n"
        "5/20/2026,DEBIT,Host Co,Invoice 7,-2.50\n"
        ),
        [
            ("2026-05-04", 11000, "INTERAC e-Transfer From: YAW OWUSU Transferred"),
            ("2026-05-20", -250, "Host Co Invoice 7"),
        ],
        None,
    ),
    "n26": (
        (
        '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference",'
        '"Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"\n'
        '2026-05-04,2026-05-05,"Yaw Owusu",DE89370400440532013000,"Credit Transfer","J7K3-QXW2",'
        '"Main Account",110.0,,,\n'
        '2026-05-20,2026-05-20,"Host Co",,"Debit Transfer","Invoice 7","Main Account",-2.5,'
        '-2.75,USD,1.1\n'
        ),
        [("2026-05-04", 11000, "J7K3-QXW2"), ("2026-05-20", -250, "Invoice 7")],
        None,
    ),
    "starling": (
        (
        "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n"
        "04/05/2026,Yaw Owusu,J7K3-QXW2,FASTER PAYMENT,110.00,110.00,INCOME,\n"
        "20/05/2026,Host Co,INV 7,CARD SUBSCRIPTION,-2.50,107.50,GENERAL,\n"
        ),
        [("2026-05-04", 11000, "J7K3-QXW2"), ("2026-05-20", -250, "INV 7")],
        10750,
    ),
}  # fmt: skip


@pytest.mark.parametrize("export", EXPORTS)
def test_an_export_is_read_by_its_preset(export: str) -> None:
    """Days, amounts, texts and the balance are those of the file; pending rows are left out."""
    text, lines, closing = EXPORTS[export]
    name = export.split(maxsplit=1)[0]
    mappings = {
        one: read_preset(one, account=ACCOUNT, changes={"currency": "USD"})
        if read_preset(one, account=ACCOUNT).currency in {"CAD", "KES", "EUR", "GBP"}
        else read_preset(one, account=ACCOUNT)
        for one in preset_names()
    }

    def read(mapping: str | None) -> list[object]:
        found = read_statements(
            text.encode(), "may.csv", FileReport(), mappings=mappings, mapping=mapping
        )
        return [
            ([(str(line.day), line.cents, line.text) for line in one.lines], one.closing_cents)
            for one in found
        ]

    assert read(name) == [(lines, closing)]
    assert read(None) == read(name)  # no other preset fits


def test_the_party_is_read() -> None:
    """The name, the account and the bank's reference come from the columns that have them."""
    mapping = read_preset("paypal", account=ACCOUNT)
    text = EXPORTS["paypal"][0].encode()

    (found,) = read_statements(text, "f", FileReport(), mappings={"m": mapping})

    line = found.lines[0]
    assert (line.party, line.party_account, line.bank_ref) == ("Yaw Owusu", "yaw@example.org", "1A")


@pytest.mark.parametrize("name", preset_names())
def test_each_preset_is_a_mapping(name: str) -> None:
    """Its columns are named, and the list says what it reads and in which currency."""
    mapping = read_preset(name, account=ACCOUNT)
    (shown,) = [one for one in read_presets() if one.name == name]

    assert mapping.account == ACCOUNT
    assert mapping.date in mapping.required
    assert (shown.columns, bool(shown.bank), bool(shown.currency)) == (mapping.required, True, True)


def test_options_replace_the_fields_of_a_preset() -> None:
    """Amounts are replaced together; `only` adds to the preset's, column by column."""
    changes = {"amount": "Gross", "only": ["Currency=USD"], "date_format": "%d.%m.%Y"}
    paypal = read_preset("paypal", account=ACCOUNT, changes=changes)
    pending = read_preset("paypal", account=ACCOUNT, changes={"only": ["Status=Pending"]})
    td = read_preset("td", account=ACCOUNT, changes={"amount": "Balance"})

    assert (paypal.amount, paypal.date_format) == ("Gross", "%d.%m.%Y")
    assert paypal.only[0] == "Status?=Completed"
    assert paypal.only[-1] == "Currency=USD"
    assert pending.only[-1] == "Status=Pending"
    assert "Status?=Completed" not in pending.only
    assert (td.amount, td.debit, td.credit) == ("Balance", "", "")
    assert read_preset("rbc", account=ACCOUNT).only == (f"Account Number={ACCOUNT}",)


def test_an_unknown_preset_is_refused() -> None:
    """The message names the presets."""
    with pytest.raises(NotFound, match="there are bmo, cibc, desjardins, momo, mpesa"):
        read_preset("../countries", account=ACCOUNT)


@pytest.mark.parametrize("text", ["date: Day\naccount: 1\n", "amount: Sum\n", "- date\n"])
def test_a_file_with_other_keys_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A preset has a column for the day, no account, and no unknown keys."""
    (tmp_path / "bank-presets").mkdir()
    (tmp_path / "bank-presets" / "wrong.yaml").write_text(text)
    monkeypatch.setattr(presets, "data_folder", lambda: tmp_path)

    with pytest.raises(InvalidInput, match=r"wrong\.yaml is not a mapping"):
        read_preset("wrong", account=ACCOUNT)
