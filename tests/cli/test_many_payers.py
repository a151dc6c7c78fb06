"""Promises from a file, gifts of people without an account, payments that the bank took back."""

import os

import pytest

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.domain.giving.payment_way import PaymentWay
from jara.services.giving.gifts import GiftForm
from jara.services.payments.gift_promises import promise_gift
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.clock import FakeClock
from tests.files.bank.written_statements import WRITERS
from tests.services.members.codes_world import ADDRESS, LIMITS

ADA, KOFI = "ada@example.org", "kofi@example.org"
PROMISES = "Membre;Montant;Moyen de paiement\nada@example.org;10;Interac\nkofi@example.org;25;\n"


@pytest.fixture
def shell(jara: GivingShell, stopped_clock: FakeClock) -> GivingShell:
    """A terminal with two members, where transfers, cash and cheques are taken."""
    assert stopped_clock
    for name in (ADA, KOFI):
        jara.add(name)
    for account, way in (("bank", "transfer"), ("cash", "cash"), ("cheques", "cheque")):
        if account != "bank":
            jara.done("ledger", "accounts", "add", f"assets:{account}", "--meaning", "Money")
        words = ("--account", f"assets:{account}", "--details", "At the office")
        jara.done("payments", "ways", "set", way, *words)
    return jara


def letters(shell: GivingShell, kind: str) -> list[str]:
    """Return to whom emails of a kind wait, sorted."""
    return sorted(mail["address"] for mail in shell.json("mail", "outbox") if mail["kind"] == kind)


def test_promises_of_a_file_are_told_by_email(shell: GivingShell) -> None:
    """Each member gets the reference once, also if the file is read again."""
    (shell.folder / "p.csv").write_bytes(PROMISES.encode("cp1252"))

    first = shell.json("payments", "promise", "--file", "p.csv", "--way", "cash")
    again = shell.json("payments", "promise", "--file", "p.csv", "--way", "cash")

    assert [(one["way"], one["subscriptionAmount"]) for one in first["rows"]] == [
        ("transfer", 10),
        ("cash", 25),
    ]
    assert (first["promised"], again["promised"]) == (2, 0)
    assert [row["result"] for row in again["rows"]] == ["as before"] * 2
    assert letters(shell, "how_to_pay") == [ADA, KOFI]
    assert shell.json("members", "show", ADA)["reference"] == first["rows"][0]["reference"]


def test_a_file_of_promises_is_recorded_whole_or_not_at_all(shell: GivingShell) -> None:
    """All faults are shown at once: an amount, a way, a member, one who is there twice."""
    rows = "x@example.org,10,\nkofi@example.org,0.5,\nada@example.org,10,card\n"
    head = "Email,Promise,Way\n"
    twice = "kofi@example.org,5,\nkofi@example.org,5,\nada@example.org,,\n"
    (shell.folder / "p.csv").write_text(f"{head}{rows}{twice}", "utf-8")

    status, out, err = shell.run("payments", "promise", "--file", "p.csv")

    assert status == ExitCode.USAGE
    assert "p.csv, line 2: There is no member 'x@example.org'" in err
    assert "Nothing was recorded." in err
    for text in ("'0.5' is not a whole", "'card' is not a way", "Line 5 has", "is no amount"):
        assert text in " ".join(out.split())
    assert shell.json("pledges", "list") == []
    assert letters(shell, "how_to_pay") == []


def test_a_table_without_its_columns_is_refused(shell: GivingShell) -> None:
    """The message says which columns are needed; member, amount and file do not go together."""
    (shell.folder / "p.csv").write_text("Email,Name\na@example.org,A\n", "utf-8")

    assert "one of amounts (Amount)" in shell.run("payments", "promise", "--file", "p.csv")[2]
    (shell.folder / "p.csv").write_text("", "utf-8")
    assert "p.csv is empty" in shell.run("payments", "promise", "--file", "p.csv")[2]
    assert "not both" in shell.run("payments", "promise", ADA, "10", "--file", "p.csv")[2]
    assert "--file with all" in shell.run("payments", "promise", ADA)[2]


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (
            ("members", "import", "f.csv", "--country", "Ghana"),
            "Email,Name,Blood,Shoe\nefua@example.org,Efua Owusu,0,42\n",
        ),
        (("payments", "promise", "--file", "f.csv"), f"Email,Blood,Amount,Shoe\n{ADA},0,10,42\n"),
        (
            ("bank", "import", "f.csv", "--new-account", "assets:bank"),
            "Day,Blood,Sum,Shoe\n2026-11-04,0,10,42\n",
        ),
    ],
)
def test_unused_columns_of_a_table_are_named(
    shell: GivingShell, words: tuple[str, ...], rows: str
) -> None:
    """In one line, whatever the table is of."""
    (shell.folder / "f.csv").write_text(rows, "utf-8")
    day = ("--date", "Day", "--amount", "Sum")
    shell.done("bank", "mappings", "add", "b", "--account", "123", *day)

    status, _, err = shell.run(*words)

    assert (status, "Columns not used: Blood, Shoe.\n" in err) == (ExitCode.DONE, True)
    assert shell.json(*words)["unusedColumns"] == ["Blood", "Shoe"]


def test_an_import_records_the_promises_of_new_members(shell: GivingShell) -> None:
    """A column of promises is read with the members, and an undo takes unpaid ones back."""
    head = "Email,First name,Last name,Country,Promise,Way\n"
    rows = f"efua@example.org,Efua,Owusu,gh,15,cash\n{ADA},Ada,Mensah,gh,99,\n"
    (shell.folder / "m.csv").write_text(f"{head}{rows}", "utf-8")

    done = shell.json("members", "import", "m.csv", "--way", "transfer")

    assert (done["created"], done["known"], done["promised"]) == (1, 1, 1)
    assert letters(shell, "how_to_pay") == ["efua@example.org"]
    assert shell.json("members", "show", "efua@example.org")["way"] == "cash"
    assert shell.json("members", "show", ADA)["way"] is None
    undone = shell.json("members", "undo", done["import"], "--why", "wrong list", "--yes")
    assert (undone["removed"], undone["kept"]) == (1, [])


def test_a_way_that_is_not_set_up_refuses_the_row(shell: GivingShell) -> None:
    """Nobody is promised a way to pay that the organisation does not have."""
    head = "Email,First name,Last name,Country,Promise,Way\n"
    (shell.folder / "m.csv").write_text(f"{head}e@example.org,Efua,Owusu,gh,15,momo\n", "utf-8")

    status, _, err = shell.run("members", "import", "m.csv")

    assert (status, "mobile money is not set up" in err) == (ExitCode.USAGE, True)


def test_expired_invitations_are_renewed_for_all(
    shell: GivingShell, stopped_clock: FakeClock
) -> None:
    """Everybody whose link expired gets a new one, once; a link that works stays alone."""
    rows = "".join(f"m{n}@example.org,Efua,Owusu,gh\n" for n in range(3))
    (shell.folder / "m.csv").write_text(f"Email,First name,Last name,Country\n{rows}", "utf-8")
    shell.done("members", "import", "m.csv", "--invite")
    assert shell.json("members", "send-invitations", "--again") == {"invited": 0}
    stopped_clock.advance(days=8)
    shell.confirm(KOFI)

    assert shell.json("members", "send-invitations", "--again") == {"invited": 4}
    assert shell.json("members", "send-invitations", "--again") == {"invited": 0}
    waiting = letters(shell, "invitation")
    assert [waiting.count(f"m{n}@example.org") for n in range(3)] == [2, 2, 2]
    assert (waiting.count(ADA), waiting.count(KOFI)) == (2, 1)


@pytest.mark.parametrize(("day", "receipts"), [("2026-10-02", 1), ("2026-09-01", 0)])
def test_a_payment_that_is_booked_with_its_month_has_a_receipt(
    shell: GivingShell, day: str, receipts: int
) -> None:
    """A treasurer who books October in November writes to the payers; an old payment is silent."""
    shell.done("payments", "promise", ADA, "10")

    shell.done("payments", "receive", ADA, "10", "--date", day)

    assert letters(shell, "receipt") == [ADA] * receipts


def test_a_gift_has_a_name_a_receipt_and_the_split(shell: GivingShell) -> None:
    """Somebody without an account gives; the id books it once, and a refund is told."""
    words = ("payments", "receive", "50", "--from", "Efua Owusu", "--email", "efua@example.org")
    # A treasurer who books once a month finds the cheque of its beginning.
    gift = shell.json(*words, "--way", "cheque", "--id", "book 7", "--date", "2026-11-01")

    assert (gift["cents"], gift["way"], gift["from"]) == (5000, "cheque", "Efua Owusu")
    shown = shell.json("payments", "show", gift["id"])
    assert (shown["kind"], shown["name"]) == ("gift", "Efua Owusu")
    assert sum(shown["funds"].values()) == 5000
    assert len(shown["funds"]) > 1
    assert letters(shell, "gift_receipt") == ["efua@example.org"]
    assert shell.run(*words, "--way", "cheque", "--id", "book 7")[0] == ExitCode.CONFLICT
    shell.done("payments", "refund", gift["id"], "--why", "asked", "--yes")
    assert letters(shell, "refund") == ["efua@example.org"]
    assert "Efua" not in shell.done("ledger", "export", "--format", "journal")


def test_an_equal_gift_of_a_day_is_asked_for(shell: GivingShell) -> None:
    """Typed twice, it is booked once; another name or day, or --yes, is another gift."""
    words = ("payments", "receive", "50", "--way", "cheque", "--from")
    gift = shell.json(*words, "Efua Owusu")

    status, _, err = shell.run(*words, "Efua Owusu")
    assert (status, f"is booked already, as {gift['id']}." in err) == (ExitCode.USAGE, True)
    for more in (("Kofi Addo",), ("Efua Owusu", "--date", "yesterday"), ("Efua Owusu", "--yes")):
        shell.done(*words, *more)


def test_announced_gifts_are_listed_with_their_state(shell: GivingShell) -> None:
    """One that waits has no day; one that arrived has it."""
    context = build(load_settings(os.environ)).context
    form = GiftForm(2500, "efua@example.org", "Efua", "", "fr")
    how = promise_gift(
        context, LIMITS, form, PaymentWay.CASH, address=ADDRESS, key=None, body=b"{}"
    )
    (waiting,) = shell.json("payments", "gifts", "list")
    shell.done("payments", "receive", how.reference, "20")
    (arrived,) = shell.json("payments", "gifts", "list")

    assert (waiting["reference"], waiting["cents"], waiting["arrivedOn"]) == (
        how.reference,
        2500,
        None,
    )
    assert arrived["arrivedOn"] == "2026-11-20"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("receive", "50", "--from", "Efua"), "--way cash|cheque|transfer"),
        (("receive", "Efua", "50", "--from", "Efua"), "without 'Efua'"),
        (("receive", "x", "--from", "Efua", "--way", "cash"), "'x'"),
        (("receive", "50", "--from", "Efua", "--way", "mobile"), "not set up"),
        (("receive", "50", "--from", "Efua", "--way", "card"), "Card payments come"),
        (("receive", "50", "--from", " ", "--way", "cash"), "name is empty"),
        (("receive", "50", "--from", "E", "--email", "x", "--way", "cash"), "'x' is not an email"),
        (("receive", ADA), "or --from NAME and the amount"),
    ],
)
def test_a_gift_that_is_typed_wrong_is_not_booked(
    shell: GivingShell, words: tuple[str, ...], fault: str
) -> None:
    """The message says what is missing or wrong."""
    status, _, err = shell.run("payments", *words)

    assert (status != ExitCode.DONE, fault in " ".join(err.split())) == (True, True)
    assert shell.json("payments", "list") == []


def test_a_cheque_that_comes_back_is_no_refund(shell: GivingShell) -> None:
    """The payer hears that the bank returned it, the books say so, and the bank's line fits."""
    shell.done("payments", "promise", ADA, "10", "--way", "cheque")
    paid = shell.json("payments", "receive", ADA, "10", "--date", "2026-11-13")
    lines = (a_line(1000, "DEPOSIT", day=198), a_line(-1000, "RETURNED ITEM", day=201))
    statement = a_statement(*lines, first=lines[0].day, last=lines[1].day)
    (shell.folder / "s").write_bytes(WRITERS["mt940"]([statement]))
    shell.done("bank", "import", "s", "--new-account", "assets:bank")
    deposit, _ = shell.json("bank", "waiting")
    shell.done("bank", "match", deposit["id"], "assets:cheques")
    words = ("payments", "returned", paid["id"], "--why", "no funds", "--from", "assets:bank")
    assert shell.run(*words)[0] == ExitCode.USAGE

    done = shell.json(*words, "--date", lines[1].day.isoformat(), "--yes")

    assert (letters(shell, "payment_returned"), letters(shell, "refund")) == ([ADA], [])
    entry = shell.json("ledger", "show", done["id"])
    assert entry["description"] == "Payment returned by the bank"
    assert shell.json("bank", "rematch")["matched"] == 1
    assert shell.json("bank", "waiting") == []
    assert shell.run(*words, "--yes")[0] == ExitCode.CONFLICT
