"""Every command that changes something writes to the audit log; the others change nothing.

One walk runs every command on one organisation. It fails if a command is not used here, if one
changes something without a line in the log, if one works without a signature although another
person's key is enrolled, or if one that refuses a value has changed something.
"""

import io
import os
import socket
from pathlib import Path

import pytest
from PIL import Image

from jara.bootstrap import build_from_environ
from jara.domain.publiclog.witnessing import CosignerKey
from tests.cli.ledger.ledger_samples import RENT
from tests.cli.operations.audit_content import use_claims, use_content, use_projects
from tests.cli.operations.audit_walk import EVERY, Walk
from tests.cli.operations.test_all_or_nothing import new_walk
from tests.cli.test_returned_mail import marks
from tests.mail.report_samples import postfix
from tests.services.giving.joiners import give_as_guest
from tests.services.news.news_world import add_reader

ELSEWHERE = {
    "serve": "goes on until it is stopped; see tests/cli/operations/test_serve.py",
    "setup": "runs other commands; see tests/cli/test_setup.py",
    "samples copy": "needs no organisation; see tests/cli/test_samples.py",
    "demo": "makes an organisation of its own; see tests/cli/test_demo.py",
    "migrate": "needs an older schema; see tests/services/operations/test_upkeep.py",
    "members vouch": "needs keys; see tests/services/ballots/test_changed_addresses.py",
    "payments vouch": "needs keys; see tests/services/ballots/test_ghost_members.py",
    "stripe setup": "needs a provider; see tests/services/operations/test_payment_account.py",
    "stripe account": "needs a provider; see tests/services/operations/test_ways_in.py",
    "stripe adopt": "needs a provider; see tests/services/giving/test_adopting.py",
    "stripe status": "needs a provider; see tests/services/operations/test_payment_account.py",
    **dict.fromkeys(
        ("rehearse stripe", "rehearse record"),
        "needs a provider; see tests/cli/operations/test_rehearse.py",
    ),
    "audit sample": "needs a closed year; see tests/cli/test_audit.py",
    "ledger count": "changes the audit log alone; see tests/cli/test_audit.py",
    "audit note": "needs an entry; see tests/cli/test_audit.py",
    "audit close": "needs a closed year; see tests/cli/test_audit.py",
    "operators confirm": "needs keys; see tests/services/operations/test_invitations.py",
    "operators revoke": "needs keys; see tests/services/operations/test_invitations.py",
    "operators scheduler-key": "makes a file; see tests/cli/operations/test_operator_keys.py",
    "witness init": "needs no organisation; see tests/cli/test_witness.py",
    "witness add": "needs no organisation; see tests/cli/test_witness.py",
    "witness serve": "needs no organisation; see tests/cli/test_witness.py",
    "witness status": "needs no organisation; see tests/cli/test_witness.py",
    "init": "the first line; see tests/cli/operations/test_audit_log.py",
    "restore": "makes a database; see tests/cli/operations/test_audit_log.py",
}

PROPOSAL = """
id: {name}
title: Clean water {name}
summary: Three boreholes.
fundingGoal: 50.00
country: Tanzania
countryCode: TZ
category: water
endDate: "2026-11-25"
"""


def test_every_act_is_in_the_audit_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The audit log holds each command and its operator, and read commands change nothing.

    Nor does a command with a bad value: each is tried first with each further option, badly.
    """
    walk = new_walk(tmp_path, monkeypatch, capsys)
    use_every_command(walk)

    assert walk.unsigned == []
    assert sorted(walk.silent) == []
    assert sorted(walk.meddling) == []
    assert not walk.undeclared, sorted(walk.undeclared)
    assert walk.used == EVERY - set(ELSEWHERE)
    assert not walk.half_done, "\n".join(walk.half_done)
    assert len(walk.refused) > 100


def use_every_command(walk: Walk) -> None:
    """Run every command of one organisation."""
    _members(walk)
    _emails_to_many(walk)
    _moving_in(walk)
    _books(walk)
    _plan(walk)
    _bank(walk)
    _votes(walk)
    use_content(walk)
    use_projects(walk)
    use_claims(walk)
    _house(walk)


def _members(walk: Walk) -> None:
    for name in ("ama", "ben"):
        typed, email = "correct horse\n", f"{name}@example.org"
        person = ("--firstname", name, "--lastname", "Mensah", "--country", "Ghana")
        walk.change("members", "add", *person, "--email", email, "--password-stdin", typed=typed)
    ama = "ama@example.org"
    walk.change("members", "confirm", ama)
    walk.change("members", "edit", ama, "--country", "Kenya")
    invited = ("--firstname", "Efua", "--lastname", "Addo", "--country", "gh")
    walk.change("members", "invite", *invited, "--email", "efua@example.org")
    walk.change("operators", "invite", "ben", "--email", "ben@example.org")
    walk.change("pledges", "start", ama, "--amount", "100", "--day", "current")
    walk.change("pledges", "amount", ama, "60")
    walk.change("pledges", "day", ama, "28")
    walk.change("pledges", "card", ama, "pm_card_mastercard")
    walk.change("pledges", "card", ama, "pm_card_visa_debit")
    walk.change("members", "share-card", ama, "--why", "two sisters")
    walk.change("pledges", "skip", ama)
    walk.change("pledges", "pause", ama)
    walk.change("pledges", "resume", ama)
    started = walk.shell.json(
        "pledges", "start", "ben@example.org", "--card", "pm_card_authenticationRequired"
    )
    walk.change("pledges", "confirm", started["clientSecret"])
    walk.clock.advance(days=1)
    walk.change("pledges", "charge", "--until", "2026-11-22")
    charge = _newest_charge()
    walk.change("payments", "refund", charge, "--amount", "2", "--why", "agreed", "--yes")
    walk.read("payments", "list")
    walk.read("payments", "gifts", "list")
    walk.read("payments", "show", charge)
    walk.change("payments", "refund", charge, "--amount", "1", "--why", "agreed", "--yes")
    walk.change("pledges", "cancel", "ben@example.org", "--yes")
    _without_cards(walk)
    walk.change("samples", "bank", "--year", "2025")
    walk.change("members", "export", ama, "--out", "ama.json")
    for words in (
        ["members", "list"],
        ["members", "show", ama],
        ["pledges", "list"],
        ["pledges", "stats"],
        ["pledges", "forecast"],
        ["trace", ama],
        ["report", "statement", ama],
        ["split", "10.01"],
        ["mail", "outbox"],
        ["mail", "preview", "receipt"],
        ["mail", "test", "hello@example.org"],
    ):
        walk.read(*words)
    walk.change("report", "statement", ama, "--mail")
    walk.change("members", "erase", "ben@example.org", "--why", "asked", "--yes")
    walk.change("members", "died", "efua@example.org", "--on", "2026-11-19", "--yes")
    _emails(walk, ama)


def _emails(walk: Walk, ama: str) -> None:
    walk.change("mail", "send")
    report = walk.write("report.eml", postfix(marks()[ama], ama))
    walk.change("mail", "bounces", report)
    walk.read("mail", "bounced")
    walk.change("mail", "clear", ama)


def _emails_to_many(walk: Walk) -> None:
    add_reader(build_from_environ(os.environ).context, "reader@example.org")
    text = walk.write("well.md", "# The well is full\n\nDear friends")
    walk.change("mail", "announce", text, "--to", "members", "--to", "readers", "--yes")
    announced = walk.shell.json("mail", "announcements", "list")[0]["id"]
    walk.change("mail", "announcements", "withdraw", announced, "--why", "late", "--yes")
    walk.read("mail", "announcements", "list")
    walk.read("newsletter", "list")
    walk.change("newsletter", "export", "--out", "readers.csv")
    walk.change("newsletter", "remove", "reader@example.org", "--why", "asked", "--yes")


def _moving_in(walk: Walk) -> None:
    people = "Email,Name,Country\nabu@example.org,Abu Addo,Ghana\nesi@example.org,Esi Addo,gh\n"
    moved = walk.write("people.csv", people)
    walk.read("members", "import", moved, "--dry-run")
    walk.change("members", "import", moved)
    walk.read("members", "imports")
    walk.change("members", "send-invitations")
    walk.change("members", "undo", "mimp_", "--why", "wrong list", "--yes")


def _newest_charge() -> str:
    context = build_from_environ(os.environ).context
    with context.store.read() as work:
        (*_, payment) = work.payments.all()
    context.store.close()
    assert payment.source_id is not None
    return payment.source_id


def _books(walk: Walk) -> None:
    rows = "entry,date,description,account,fund,amount,reference\n"
    for account, amount in (("assets:bank", "500.00"), ("income:grants", "-500.00")):
        rows += f"g1,2026-11-20,Grant,{account},projects,{amount},\n"
    grant = walk.write("grant.csv", rows)
    walk.change("ledger", "import", grant, "--format", "csv")
    walk.read("ledger", "imports")
    walk.read("ledger", "waiting")
    walk.read("ledger", "import", grant, "--dry-run")
    walk.change("ledger", "undo", "imp_", "--why", "wrong fund", "--yes")
    walk.change("ledger", "import", grant, "--format", "csv")
    options = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other")
    post = ("ledger", "post", *options, "--kind", "grant", "--amount", "20")
    walk.change(*post)
    walk.change("ledger", "bank-charge", "0.50")
    walk.change("ledger", "transfer", "other", "staff", "1")
    rent = walk.shell.json("ledger", "post", *RENT, "--amount", "5", "--kind", "expense")["id"]
    photo = io.BytesIO()
    Image.new("RGB", (4, 4)).save(photo, "PNG")
    (walk.shell.folder / "photo.png").write_bytes(photo.getvalue())
    slip = walk.change("ledger", "document", rent, "photo.png", "--kind", "slip", "--json")
    walk.read("ledger", "documents", rent)
    walk.read("export", "documents", "papers")
    sha256 = slip.split('"sha256": "')[1][:64]
    walk.change("ledger", "erase-document", sha256, "--why", "an address", "--yes")
    walk.change("ledger", "return", rent, "1")
    wrong = walk.shell.json("ledger", "post", *RENT, "--amount", "1", "--kind", "expense")["id"]
    walk.change("ledger", "reverse", wrong, "--why", "twice")
    walk.change("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    line = walk.change("ledger", "fixed-costs", "add", "Rent", "30", "--json")
    walk.change("ledger", "fixed-costs", "remove", line.split('"')[3])
    context = build_from_environ(os.environ).context
    give_as_guest(context)
    context.store.close()
    walk.change("ledger", "reconcile", "--repair")
    walk.change("ledger", "close-year", "2025", "--yes")
    walk.change("ledger", "open-year", "2025", "--why", "A late bill")
    weights = "projects=82,staff=6,marketing=8,other=4"
    walk.change("policy", "set", weights, "--from", "2027-01-01", "--why", "Voted", "--yes")
    half = ("--passes", "more than 1/2", "--from", "2027-01-01", "--why", "Voted", "--yes")
    walk.change("policy", "vote-rule", *half)
    for words in (
        ["ledger", "balance"],
        ["ledger", "register", "assets:bank"],
        ["ledger", "show", rent],
        ["ledger", "budget"],
        ["ledger", "accounts"],
        ["ledger", "accounts", "list"],
        ["ledger", "fixed-costs"],
        ["ledger", "fixed-costs", "list"],
        ["ledger", "export", "--out", "books.journal"],
        ["ledger", "verify"],
        ["policy", "show"],
        ["report", "impact", "--month", "2026-11"],
        ["report", "funds", "--year", "2026"],
        ["report", "voting", "--month", "2026-11"],
        ["report", "spending", "--month", "2026-11"],
        ["export", "datapackage", "open-data"],
        ["help", "dates"],
    ):
        walk.read(*words)


def _without_cards(walk: Walk) -> None:
    walk.change("payments", "ways", "set", "transfer", "--account", "assets:bank")
    walk.change("payments", "ways", "set", "mobile", "--account", "assets:bank")
    walk.read("payments", "ways", "list")
    walk.change("payments", "ways", "remove", "mobile")
    walk.change("payments", "promise", "ben@example.org", "10")
    walk.change("payments", "receive", "ben@example.org", "10", "--yes")
    walk.change("payments", "receive", "7", "--from", "Abena Sarpong", "--email", "a@example.org")
    returned = walk.shell.json("payments", "list", "ben@example.org")[0]["entry"]
    walk.change("payments", "returned", returned, "--why", "no funds", "--yes")


def _plan(walk: Walk) -> None:
    Path("plan.csv").write_text("Account,Amount\nexpenses:staff,100\n")
    walk.change("plan", "import", "plan.csv")
    walk.change("plan", "publish")
    walk.change("audit", "bundle", "--year", "2026")
    for words in (
        *(["plan", "show"], ["plan", "export"], ["report", "plan"]),
        *(["audit", "missing"], ["audit", "entries"]),
    ):
        walk.read(*words)


def _bank(walk: Walk) -> None:
    columns = ("--date", "Day", "--amount", "Sum", "--text", "Text")
    walk.change("bank", "mappings", "add", "ours", "--account", "US12345678", *columns)
    lines = ["Day,Sum,Text", "2026-11-20,-1.00,SHOP", "2026-11-20,-2.00,HOST", "2026-11-20,3,MISC"]
    lines += ["2026-11-20,70,FROM AN AUNT"]
    file = walk.write("lines.csv", "\n".join(lines))
    walk.change("bank", "import", file, "--new-account", "assets:bank")
    fit = ("--money", "out", "--contains", "shop", "--why", "Tea")
    rule = walk.change("bank", "rules", "add", "expenses:operations", *fit, "--json").split('"')[3]
    waiting = {row["cents"]: row["id"] for row in walk.shell.json("bank", "waiting")}
    walk.change("bank", "match", waiting[300], "liabilities:suspense")
    person = ("--firstname", "Cy", "--lastname", "Addo", "--country", "Ghana")
    added = ("members", "add", *person, "--email", "cy@example.org", "--password-stdin")
    walk.shell.done(*added, typed="correct horse\n")
    walk.shell.done("payments", "promise", "cy@example.org", "10")
    walk.change("bank", "match", waiting[7000], "--member", "cy@example.org")
    (sender,) = walk.shell.json("bank", "senders", "list")
    walk.read("bank", "senders", "list")
    walk.change("bank", "senders", "forget", sender["id"])
    walk.shell.done("ledger", "post", *RENT, "--amount", "2", "--date", "2026-11-20")
    walk.change("bank", "rematch")
    for words in (
        "accounts",
        "waiting",
        "rules list",
        "mappings list",
        "mappings presets",
        "mappings show ours",
        "reconcile --month 2026-11",
    ):
        walk.read("bank", *words.split())
    walk.change("bank", "rules", "remove", rule)
    walk.change("bank", "mappings", "remove", "ours")
    walk.change("ledger", "accounts", "add", "assets:savings", "--meaning", "Savings")
    walk.change("bank", "accounts", "set", "GB00000000001", "assets:savings")
    walk.read("bank", "accounts", "list")
    walk.change("bank", "accounts", "remove", "GB00000000001")


def _votes(walk: Walk) -> None:
    drafts = [
        walk.write(f"{name}.yaml", PROPOSAL.format(name=name)) for name in ("prop_01", "prop_02")
    ]
    walk.change("proposals", "new", drafts[0])
    walk.change("proposals", "import", drafts[1])
    walk.change("proposals", "edit", "prop_01", walk.write("change.yaml", "title: Water\n"))
    walk.change("proposals", "open", "prop_01", "--yes")
    walk.change("proposals", "withdraw", "prop_02", "--why", "Sold", "--yes")
    receipt = walk.change(
        "votes", "cast", "prop_01", "--member", "ama@example.org", "--choice", "up", "--json"
    )
    walk.write("receipt.json", receipt)
    walk.read("votes", "watch", "prop_01", "--once")
    walk.clock.advance(days=9)
    walk.change("proposals", "close", "prop_01")
    walk.change("proposals", "fund", "prop_01")
    walk.change("votes", "destroy-key", "prop_01", "--yes")
    for words in (
        ["proposals", "list"],
        ["proposals", "show", "prop_01"],
        ["proposals", "export"],
        ["votes", "tally", "prop_01"],
        ["votes", "roll", "prop_01"],
        ["votes", "verify", "prop_01"],
        ["proofs", "receipt", "receipt.json"],
        ["proofs", "bundle", "books.tar"],
    ):
        walk.read(*words)


def _house(walk: Walk) -> None:
    walk.change("samples", "load")
    walk.change("samples", "remove", "--yes")
    walk.change("organisation", "set", "--name", "Sankofa", "--colour", "#7a1f3d")
    walk.read("organisation", "show")
    walk.change("organisation", "unset", "name", "colour")
    walk.change("organisation", "set", "--effective", "today")
    walk.write("terms.md", "# Terms\n\nOf {{ organisation }}.\n")
    walk.change("legal", "import", "terms", "terms.md", "--effective", "2027-05-01")
    walk.change("legal", "withdraw", "terms", "--version", "2", "--why", "Not yet.")
    walk.read("legal", "list")
    walk.read("legal", "show", "terms", "--version", "2")
    walk.read("legal", "export", "privacy", "--language", "fr")
    walk.change("proofs", "checkpoint")
    walk.change("proofs", "rotate-key")
    _signer(walk)
    _witnesses(walk)
    walk.read("export", "tiles", "log")
    walk.change("operators", "add", "tester")
    walk.change("operators", "add", "ada")
    walk.change("operators", "address", "ada", "ada@example.org")
    walk.read("operators", "list")
    walk.read("operators", "handover", "ada")
    walk.read("operators", "invitations")
    walk.read("operators", "log")
    _two_persons(walk)
    walk.read("operators", "policy", "show")
    limits = ("--limit", "none", "--why", "Voted", "--yes")
    walk.change("operators", "policy", "set", *limits)
    walk.change("operators", "remove", "ada", "--yes")
    walk.change("operators", "end-sessions", "--yes")
    walk.change("backup", "b.db")
    walk.read("doctor")
    walk.change("run", "daily")
    walk.change("db", "copy", "jara.db", "copy.db")


def _signer(walk: Walk) -> None:
    walk.shell.done("proofs", "checkpoint", "--out", "notes.txt")
    Path(walk.shell.json("proofs", "status")["signerFile"]).unlink()
    walk.change("proofs", "signer", "reset", "--checkpoint", "notes.txt")


def _witnesses(walk: Walk) -> None:
    witness = CosignerKey("w.example/1", bytes(range(32)))
    # The port is bound by a socket that does not listen.
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        walk.change("proofs", "witnesses", "add", url, witness.text())
    walk.read("proofs", "witnesses", "list")
    walk.read("proofs", "status")
    walk.change("proofs", "witnesses", "quorum", "1")
    walk.change("proofs", "witnesses", "remove", witness.name)


def _two_persons(walk: Walk) -> None:
    patch = walk.patch
    patch.setenv("JARA_APPROVAL_CENTS", "100")
    for decision in (["approve"], ["refuse", "--why", "wrong account"]):
        patch.setenv("JARA_OPERATOR", "ada")
        waiting = walk.shell.waits("projects", "pay", "clean-water-prop-01", "2", "--yes")
        patch.setenv("JARA_OPERATOR", "tester")
        walk.read("approvals", "list")
        walk.read("approvals", "show", waiting["approval"])
        verb, *more = decision
        yes = ["--yes"] if verb == "approve" else []
        walk.change("approvals", verb, waiting["approval"], *more, *yes)
    patch.delenv("JARA_APPROVAL_CENTS")
