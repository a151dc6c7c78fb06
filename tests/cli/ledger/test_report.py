"""Reports at the terminal: for people, for schedulers, the same bytes every time."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.services.giving.giving_year import make_year


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create an organisation on disk, once per module."""
    folder = tmp_path_factory.mktemp("org")
    make_year(folder, database=folder / "jara.db").store.close()
    return folder


@pytest.fixture
def jara(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Jara:
    """Return a terminal in the organisation's folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("JARA_SECRETS_DIR", str(folder / "secrets"))
    return Jara(capfdbinary)


class Jara:
    """Runs ``jara`` in this process."""

    def __init__(self, captured: pytest.CaptureFixture[bytes]) -> None:
        """Capture output at the level of file descriptors."""
        self._captured = captured

    def run(self, *words: str) -> tuple[int, bytes, str]:
        """Run a command; return status, standard output and standard error."""
        status = execute(list(words))
        result = self._captured.readouterr()
        return status, result.out, result.err.decode()

    def good(self, *words: str) -> bytes:
        """Run a command that must succeed and return its standard output."""
        status, out, err = self.run(*words)
        assert (status, err) == (ExitCode.DONE, "")
        return out


def test_a_report_is_the_same_twice_and_at_its_own_books(
    jara: Jara, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same input gives byte-identical output (spec §10)."""
    words = ["report", "impact", "--year", "2026", "--format", "html"]
    first = jara.good(*words)
    size = json.loads(jara.good("report", "impact", "--year", "2026", "--json"))["books"]["size"]
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")

    assert first == jara.good(*words)
    assert first == jara.good(*words, "--at", str(size))
    earlier = jara.good(*words, "--at", "2026-09-12T00:00:00Z")
    assert first != earlier
    assert jara.good(*words, "--at", "2026-09-11") == earlier


@pytest.mark.parametrize(
    ("name", "start"), [("a.md", b"# "), ("a.html", b"<!"), ("a.json", b"{"), ("a.csv", b"section")]
)
def test_the_name_of_a_file_says_its_format(
    jara: Jara, tmp_path: Path, name: str, start: bytes
) -> None:
    """The format follows the file's suffix, and standard output stays empty."""
    target = tmp_path / name
    status, out, err = jara.run("report", "voting", "--year", "2026", "--out", str(target))

    assert (status, out) == (ExitCode.DONE, b"")
    assert target.read_bytes().startswith(start)
    assert err.startswith(f"Wrote '{target}' (")


def test_a_statement_is_for_its_owner_alone(jara: Jara, tmp_path: Path) -> None:
    """Other users of the machine cannot read the file of a statement."""
    target = tmp_path / "kofi.md"
    words = ["report", "statement", "kofi@example.org", "--year", "2026"]
    jara.run(*words, "--out", str(target))

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert b"not an official donation receipt" in target.read_bytes()
    document = json.loads(jara.good(*words, "--json"))
    assert document["paidCents"] == sum(f["receivedCents"] for f in document["funds"].values())


def test_all_statements_of_a_year_are_written(jara: Jara, tmp_path: Path) -> None:
    """Each giver of the period has a file, which equals the one written alone."""
    folder = tmp_path / "statements"
    words = ("report", "statement", "--year", "2026")
    payments = json.loads(jara.good("payments", "list", "--since", "2026", "--json"))

    told = json.loads(jara.good(*words, "--all", "--out", str(folder), "--json"))

    assert {one["email"] for one in told} == {one["email"] for one in payments if one["email"]}
    assert {one["file"] for one in told} == {str(one) for one in folder.iterdir()}
    for one in told:
        file = Path(one["file"])
        assert file.read_bytes() == jara.good(*words[:2], one["email"], *words[2:], "-f", "html")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_statement_is_mailed_once(jara: Jara) -> None:
    """Each giver gets a link to the days; somebody who has it gets no second email."""
    words = ("report", "statement", "--year", "2026", "--mail", "--json")

    one = json.loads(jara.good(*words, "kofi@example.org"))
    rest = json.loads(jara.good(*words, "--all"))

    assert [row["mailed"] for row in one] == [True]
    assert {row["email"]: row["mailed"] for row in rest}["kofi@example.org"] is False
    waiting = json.loads(jara.good("mail", "outbox", "--json"))
    assert sum(row["kind"] == "statement" for row in waiting) == len(rest)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name a member, or use --all or --print-all."),
        (("kofi@example.org", "--all"), "Name a member, or use --all or --print-all."),
        (("--all",), "Name a folder with --out, or use --mail."),
        (("kofi@example.org", "--mail", "--out", "a.md"), "--mail sends a link and writes no file"),
        (("kofi@example.org", "--mail", "--format", "docx"), "omit --out, --format"),
    ],
)
def test_a_statement_of_nobody_is_refused(jara: Jara, words: tuple[str, ...], said: str) -> None:
    """The message says what is missing or contradicts."""
    status, out, err = jara.run("report", "statement", "--year", "2026", *words)

    assert (status, out) == (ExitCode.USAGE, b"")
    assert said in err


def test_the_yearly_statements_take_facts_as_options(jara: Jara) -> None:
    """Rate and signature are options; the default year is the last one."""
    document = json.loads(
        jara.good("report", "funds", "--year", "2026", "--rate", "1.3698", "--json")
    )
    assert document["rate"]["cadPerUsd"] == "1.3698"
    for rate in ("1.36981", "x", ".5", "-1"):
        status, _, err = jara.run("report", "funds", "--year", "2026", "--rate", rate)
        assert status == ExitCode.USAGE
        assert f"'{rate}' is not an exchange rate" in err


def test_a_report_without_a_period_is_of_last_month(jara: Jara) -> None:
    """The default period is last month, so a scheduler need not compute dates."""
    for report in ("impact", "voting"):
        document = json.loads(jara.good("report", report, "--json"))
        assert document["period"]["from"].endswith("-01")
    assert jara.good("report", "impact").startswith(b"# Impact report")


@pytest.mark.parametrize("name", ["october.xlsx", "october.txt", "october.2026"])
def test_an_unknown_suffix_is_refused(jara: Jara, name: str) -> None:
    """The error lists the known suffixes."""
    words = ["report", "impact", "--month", "2026-10"]

    status, _, err = jara.run(*words, "--out", name)

    assert status == ExitCode.USAGE
    assert ".md, .html, .htm, .pdf, .json, .csv" in err
    assert not Path(name).exists()
    assert jara.run(*words, "--out", name, "--format", "md")[0] == ExitCode.DONE
    Path(name).unlink()
