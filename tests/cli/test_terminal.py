"""At a terminal of 80 columns, output fits and long work shows its progress."""

import re
from pathlib import Path

import pytest

from jara.domain.bank.rules import Direction, Rule
from jara.domain.books.account import BANK
from jara.domain.giving.payment_way import PaymentWay
from jara.files.content_files import read_content
from jara.services.bank.answering import add_rule
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.payments.ways import set_way
from jara_cli.columns import cell_width
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.cli.giving_shell import stop_clock
from tests.cli.test_output import Terminal
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.files.bank.written_statements import WRITERS
from tests.harness import DATA
from tests.services.bank.bank_books import take
from tests.services.giving.giving_year import make_year
from tests.services.giving.joiners import join

WIDTH = 80
MAY = a_statement(
    *[a_line(100_000_000 + n, "No reference at all, and many words", day=n) for n in range(1, 5)]
)
_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONG = "Oluwaseun-Chukwuemeka Adébáyọ̀-Nwachukwu"
COMMANDS = """
(start page)
members list
members list --state active
members show oluwaseun
members imports
pledges list
pledges list --state canceled
pledges stats
pledges forecast
payments list
payments list oluwaseun
payments ways list
proposals list
proposals show prop_01
votes tally prop_01
ledger balance
ledger balance --by fund,month
ledger register assets:bank
ledger budget
ledger accounts
ledger fixed-costs
ledger imports
ledger reconcile
ledger verify
bank waiting
bank accounts
bank rules list
bank mappings list
bank reconcile --month 2026-05
split 1,457
policy show
trace oluwaseun
trace --project village-wells
projects list
projects show wells
projects milestone wells
grants list
donations list
faqs list
team list
regions list
content list
mail outbox
operators list
operators log
operators policy show
approvals list
organisation show
proofs status
doctor
help
""".strip().splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An organisation with a year of data, long names, and waiting bank lines."""
    folder = tmp_path_factory.mktemp("organisation")
    context = make_year(folder, database=folder / "jara.db")
    email = "oluwaseun.adebayo-nwachukwu@association-of-market-traders.example"
    join(context, email, firstname=LONG, lastname=LONG)
    set_way(context, PaymentWay.TRANSFER, ledger=BANK, details="IBAN " + "DE89 " * 20)
    take(context, MAY)
    add_rule(
        context,
        Rule("rule_1", Direction.OUT, "expenses:fees:bank", contains="BANK FEE", why="Asked for"),
    )
    _load_content(context)
    context.store.close()
    return folder


def _load_content(context: Context) -> None:
    for kind in ("donations", "faqs", "team", "regions", "claims"):
        path = DATA / f"{kind}.yaml"
        import_items(context, kind, read_content(path.read_bytes(), path.name))


def watched(
    words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    """Run a command at a terminal; return status, output and messages."""
    stop_clock(monkeypatch)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("JARA_SECRETS_DIR", str(folder / "secrets"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.delenv("NO_COLOR", raising=False)
    streams = Terminal(), Terminal()
    monkeypatch.setattr("sys.stdout", streams[0])
    monkeypatch.setattr("sys.stderr", streams[1])
    status = execute(words)
    out, err = (_SEQUENCE.sub("", stream.getvalue()) for stream in streams)
    return status, out, err


@pytest.mark.parametrize("line", COMMANDS)
def test_every_table_fits(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No row is wider than the terminal, even with long names and reasons."""
    words = [] if line == "(start page)" else line.split()
    status, out, err = watched(words, folder, monkeypatch)

    assert status in {ExitCode.DONE, ExitCode.NO}, err
    assert out or "Nothing to show" in err
    assert [row for row in out.splitlines() if cell_width(row.rstrip()) > WIDTH] == []


@pytest.mark.parametrize(
    "line",
    [
        "ledger verify",
        "ledger export --format journal --out books.journal",
        "ledger reconcile",
        "ledger import bank.csv --dry-run",
        "doctor",
        "run daily",
        "export datapackage open-data",
        "bank import may.sta",
        "members import people.csv --dry-run",
    ],
)
def test_long_commands_show_progress(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bar shows the percentage and the remaining time."""
    (folder / "people.csv").write_text("Name,Email,Country\nAda Bo,ada@b.example,gh\n", "utf-8")
    (folder / "bank.csv").write_bytes((DATA / "samples" / "bank.csv").read_bytes())
    (folder / "may.sta").write_bytes(WRITERS["mt940"]([MAY]))
    status, _, err = watched(line.split(), folder, monkeypatch)

    assert status in {ExitCode.DONE, ExitCode.NO}, err
    assert re.search(r"[━╸╺] +[0-9]+% [-0-9]:[-0-9]{2}:[-0-9]{2}", err), repr(err)


def test_the_formats_that_can_be_imported_fit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns wrap between words, and the first line of the file is shown unchanged."""
    (folder / "x.csv").write_text("Datum;Betrag\n", "utf-8")
    status, _, err = watched(["ledger", "import", "x.csv"], folder, monkeypatch)
    *listed, error = err.splitlines()

    assert (status, error.endswith("its first line is: Datum;Betrag.")) == (ExitCode.USAGE, True)
    assert [row for row in listed if len(row) > WIDTH] == []
    assert any(row.startswith("  ") for row in listed)


def test_a_difference_names_its_side_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The side on which a movement is missing is never shortened."""
    samples = ("balance_change_itemized.csv", "payouts_itemized.csv")
    for name in samples:
        lines = (DATA / "samples" / name).read_text("utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:20]), "utf-8")
    watched(["ledger", "import", *samples], folder, monkeypatch)
    status, out, _ = watched(["ledger", "reconcile"], folder, monkeypatch)

    assert status == ExitCode.NO
    assert "only in books  " in out
    assert "1 movement " in out
