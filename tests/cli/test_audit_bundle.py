"""The auditor's bundle: one file that answers 30 requests, and names what was changed in it."""

import csv
import io
import os
import re
import shutil
import subprocess
import zipfile
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stdout
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jara import jara_verify
from jara.bootstrap import Application, build
from jara.bootstrap.audit_bundle import PART_BYTES, write_audit_bundle
from jara.config.loading import load_settings
from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import Unavailable
from jara.domain.reports.parts import ReportPeriod
from jara.files.publiclog.bundle import verifier_source
from jara.reports.audit_requests import REQUESTS
from jara.services.books.bookkeeping import post_entry
from jara.services.books.papers import open_paper
from jara.services.context import Context
from jara.services.operations.auditing import Choices
from jara.store.unit_of_work import UnitOfWork
from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.files.pdf_files import a_pdf
from tests.harness import NOON
from tests.sizes import only_full

ROOT = Path(__file__).parents[2]
PAPER = a_pdf()


class Page(HTMLParser):
    """The links, anchors and headings of a page."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, anchors and scripts."""
        values = dict(attrs)
        self.links += [values["href"] or ""] if tag == "a" and "href" in values else []
        self.anchors.add(values.get("id") or "")
        self.scripts += tag == "script"


def verify(path: Path) -> tuple[int, str]:
    """Run the verifier on a file or a folder."""
    out = io.StringIO()
    with redirect_stdout(out):
        status = jara_verify.main([str(path)])
    return status, out.getvalue()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bundle of a demo's last whole year, unpacked."""
    folder = tmp_path_factory.mktemp("audit")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    patch.delenv("JARA_CARDS", raising=False)  # a demo is a sandbox
    with redirect_stdout(io.StringIO()):
        assert execute(["demo", "--no-serve", "--members", "40"]) == 0
        database = ("--db", "jara-demo/jara.db")
        assert execute([*database, "audit", "bundle", "--year", "2025", "--out", "a.zip"]) == 0
    patch.undo()
    with zipfile.ZipFile(folder / "a.zip") as archive:
        archive.extractall(folder / "a")
    return folder / "a"


def pages_of(folder: Path) -> dict[str, Page]:
    """Read every page."""
    return {path.name: Page(path.read_text()) for path in folder.glob("*.html")}


def clicks_to(pages: dict[str, Page]) -> dict[str, int]:
    """Return how many clicks lead from the index to each page."""
    clicks, queue = {"index.html": 0}, deque(["index.html"])
    while queue:
        name = queue.popleft()
        for link in pages[name].links:
            target = link.partition("#")[0]
            if target in pages and target not in clicks:
                clicks[target] = clicks[name] + 1
                queue.append(target)
    return clicks


def test_thirty_requests_are_answered_in_three_clicks(demo: Path) -> None:
    """Each page that docs/audit.md names is there, near, and has its answer."""
    clicks = clicks_to(pages_of(demo))
    named = re.findall(
        r"^\| (\d+) \| (.*?) \| `(\S+)` \|$", (ROOT / "docs/audit.md").read_text(), re.MULTILINE
    )

    assert [(str(one.number), one.request, one.page) for one in REQUESTS] == named
    assert len(REQUESTS) == 30
    for one in REQUESTS:
        assert clicks[one.page] <= 1, one
        assert one.heading in (demo / one.page).read_text(), one


def test_every_link_leads_somewhere_in_three_clicks(demo: Path) -> None:
    """Each page and each place in one exists, works without scripts, and is near the index."""
    pages = pages_of(demo)
    clicks = clicks_to(pages)

    broken = [
        (name, link)
        for name, page in pages.items()
        for link in page.links
        for target, anchor in [(link.partition("#")[0] or name, link.partition("#")[2])]
        if not (demo / target).is_file()
        or (anchor and target in pages and anchor not in pages[target].anchors)
    ]
    assert broken == []
    assert max(clicks.values()) <= 3
    assert clicks.keys() == pages.keys()
    assert sum(page.scripts for page in pages.values()) == 0


def test_members_have_no_names(demo: Path) -> None:
    """Without --names no page has a name or an address of a member."""
    text = "".join(path.read_text() for path in demo.glob("*.html"))

    assert "@example" not in text


def test_other_programs_open_the_books(demo: Path) -> None:
    """The balances of hledger are those of the index; Beancount finds no fault."""
    hledger, check = shutil.which("hledger"), shutil.which("bean-check")
    assert hledger
    words = [hledger, "-f", "books.journal", "balance", "--flat", "-N", "-e", "2026", "-O", "csv"]
    told = subprocess.run(words, cwd=demo, capture_output=True, text=True, check=True).stdout
    balances = dict(re.findall(r'"(\S+:\S+)","(-?[\d.]+) USD"', told))
    index = (demo / "index.html").read_text()
    for account, amount in balances.items():
        row = next(one for one in index.split("<tr>") if f">{account}<" in one)
        shown = re.findall(r">(−?)\$([\d,.]+)<", row)[-1]
        assert f"{shown[0].replace('−', '-')}{shown[1].replace(',', '')}" == amount
    if check:
        run = subprocess.run([check, "books.beancount"], cwd=demo, capture_output=True, check=False)
        assert run.returncode == 0, run.stdout


@only_full
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
def test_a_spreadsheet_opens_the_journal(demo: Path, tmp_path: Path) -> None:
    """LibreOffice reads every row of the CSV files."""
    names = ("journal.csv", "statements.csv", "spending.csv")
    words = ["soffice", "--headless", "--convert-to", "csv", "--outdir", str(tmp_path), *names]
    subprocess.run(words, cwd=demo, env={**os.environ, "HOME": str(tmp_path)}, check=True)

    for name in names:
        assert count_rows(tmp_path / name) == count_rows(demo / name)


def count_rows(path: Path) -> int:
    """Return how many rows a CSV file has."""
    with path.open(newline="", encoding="utf-8") as file:
        return sum(1 for _ in csv.reader(file))


@pytest.fixture
def application(jara: GivingShell, monkeypatch: pytest.MonkeyPatch) -> Application:
    """An organisation with a spend that has two documents."""
    stop_clock(monkeypatch)
    Path("a.pdf").write_bytes(PAPER)
    Path("b.pdf").write_bytes(PAPER + b"\n")
    opening = ("--posting", "assets:bank other 500", "--posting", "equity:opening other -500")
    jara.done("ledger", "post", *opening, "--kind", "opening", "--why", "Start")
    rent = ("--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "other")
    posted = jara.json("ledger", "post", *rent, "--amount", "80", "--why", "Rent")
    jara.done("ledger", "document", posted["id"], "a.pdf", "b.pdf", "--kind", "invoice")
    return build(load_settings(os.environ))


def write(application: Application, out: Path, part_bytes: int = PART_BYTES) -> list[str]:
    """Write the bundle of the current year."""
    today = application.context.today()
    period = ReportPeriod(today.replace(month=1, day=1), today.replace(month=12, day=31))
    known = period.known_on(today)
    written = write_audit_bundle(application, known, Choices(), out, part_bytes=part_bytes)
    return list(written.files)


def rewrite(path: Path, change: Callable[[str, bytes], dict[str, bytes]]) -> None:
    """Write a zip anew, with each file replaced by what a function makes of it."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            for new, made in change(name, data).items():
                archive.writestr(new, made)


def changed_manifest(name: str, data: bytes) -> dict[str, bytes]:
    """Drop the documents and their lines in the manifest."""
    if name == "manifest.txt":
        lines = [line for line in data.splitlines(keepends=True) if b"documents/" not in line]
        return {name: b"".join(lines)}
    return {} if name.startswith("documents/") else {name: data}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda name, data: {name: data[:-1] + b" " if "documents/" in name else data}, "invoice-"),
        (
            lambda name, data: {} if name == "missing.html" else {name: data},
            "missing.html is missing",
        ),
        (
            lambda name, data: (
                {name: data, "documents/x.pdf": PAPER} if name == "log.tar" else {name: data}
            ),
            "documents/x.pdf was added later",
        ),
        (changed_manifest, "no leaf of the log names this manifest.txt"),
    ],
)
def test_the_verifier_names_the_change(
    application: Application,
    tmp_path: Path,
    change: Callable[[str, bytes], dict[str, bytes]],
    told: str,
) -> None:
    """A swapped, a missing and an added file, and a manifest made to fit; untouched it is good."""
    out = tmp_path / "audit.zip"
    write(application, out)
    assert verify(out)[0] == 0
    rewrite(out, change)

    status, printed = verify(out)

    assert status == 1
    assert told in printed


def test_the_minutes_of_a_plan_are_in_it(
    application: Application, jara: GivingShell, tmp_path: Path
) -> None:
    """They are stored with the plan, and listed among the documents."""
    Path("plan.csv").write_text("Account,Amount\nexpenses:operations,50\n")
    Path("minutes.pdf").write_bytes(a_pdf(text="Minutes"))
    jara.done("plan", "import", "plan.csv", "--year", "2026", "--minutes", "minutes.pdf")
    write(application, tmp_path / "audit.zip")

    with zipfile.ZipFile(tmp_path / "audit.zip") as archive:
        (name,) = (one for one in archive.namelist() if "plan-2026/minutes-" in one)
        assert archive.read(name) == a_pdf(text="Minutes")
        assert name in archive.read("documents.html").decode()
        assert "160.0%" in archive.read("plan.html").decode()


def test_parts_belong_together(application: Application, tmp_path: Path) -> None:
    """Documents over the size of a part go into further zips; one that lacks is named."""
    files = write(application, tmp_path / "audit.zip", part_bytes=len(PAPER))

    assert [Path(one).name for one in files][:2] == ["audit.zip", "audit-2.zip"]
    assert verify(tmp_path / "audit.zip")[0] == 0
    Path(files[-1]).unlink()
    status, printed = verify(tmp_path / "audit.zip")
    assert status == 1
    assert "is missing" in printed


def test_an_interrupted_bundle_goes_on(
    application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an interrupted run wrote of the documents is not read again; the rest is."""
    out, fails = tmp_path / "audit.zip", True
    read: list[str] = []

    def reading(context: Context, work: UnitOfWork, name: str) -> bytes | None:
        if read and fails:
            raise Unavailable("The disk is full.")
        read.append(name)
        return open_paper(context, work, name)

    monkeypatch.setattr("jara.bootstrap.audit_bundle.open_paper", reading)
    with pytest.raises(Unavailable):
        write(application, out)
    assert not out.exists()
    fails = False

    write(application, out)

    assert len(set(read)) == len(read) == 2
    assert verify(out)[0] == 0
    assert not out.with_name("audit.zip.parts").exists()


def test_an_entry_booked_meanwhile_is_in_the_log_alone(
    application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages are of one moment, and the log may be longer: the bundle is good."""
    out, entry = tmp_path / "audit.zip", spending("expenses:staff", 700)

    def book_first() -> bytes:
        post_entry(application.context, entry)
        return verifier_source()

    monkeypatch.setattr("jara.bootstrap.audit_bundle.verifier_source", book_first)
    write(application, out)

    assert verify(out)[0] == 0
    with zipfile.ZipFile(out) as archive:
        assert "account-expenses.staff.html" not in archive.namelist()


def spending(account: str, cents: int) -> JournalEntry:
    """Return an entry that spends."""
    postings = (Posting(account, Fund.OTHER, cents), Posting(BANK, Fund.OTHER, -cents))
    return JournalEntry(NOON.date(), EntryKind.EXPENSE, "Pay", postings, note="Pay")
