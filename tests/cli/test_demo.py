"""``jara demo``: a complete organisation in a folder, or nothing."""

import contextlib
import io
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from typer.main import get_group

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.config.settings import Settings
from jara.domain.errors import Unavailable
from jara.domain.organisation import IdentityPart
from jara.reports.render import ReportFormat
from jara.services.notices.outbox import list_outbox
from jara.services.organisation import show_identity
from jara.services.samples.words import OF_LANGUAGE
from jara_cli.commands import demo, report
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.cli.setup_shell import run
from tests.journeys.live_server import free_port
from tests.places import rows_of
from tests.sizes import some


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def first_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Make a small demonstration once; return its folder and its document."""
    place, out = tmp_path_factory.mktemp("demo"), io.StringIO()
    with contextlib.chdir(place), contextlib.redirect_stdout(out):
        assert execute(["demo", "--members", "6", "--json"]) == 0
    return place / "jara-demo", json.loads(out.getvalue())


@pytest.fixture
def made(first_made: tuple[Path, Any], folder: Path) -> Any:
    """Copy the demonstration into the folder; return its document."""
    made_in, document = first_made
    copy = shutil.copytree(made_in, folder / "jara-demo")
    return {**document, "folder": str(copy), "database": str(copy / "jara.db")}


def test_a_demonstration_is_made_and_shown_again(
    folder: Path, capsys: pytest.CaptureFixture[str], made: Any
) -> None:
    """A second run shows the existing demonstration; its books and its doctor find no errors."""
    status, out, err = run(capsys, "demo", "--no-serve")

    assert made["donations"] == {"count": 7, "totalCents": 2_882_000}
    assert made["cashDeployedCents"] == 2_882_000
    assert made["openVote"]["yes"] > 0
    assert sum(made["funds"].values()) == made["cashAtHandCents"]
    assert status == 0
    assert "is there already" in err
    assert f"jara --db {Path('jara-demo')}/jara.db run daily" in err
    assert made["email"] in out
    assert made["password"] in out
    assert run(capsys, "--db", "jara-demo/jara.db", "ledger", "verify")[0] == 0
    assert run(capsys, "--db", "jara-demo/jara.db", "doctor")[0] == 0
    assert [path.name for path in folder.iterdir()] == ["jara-demo"]


def test_a_french_demonstration_writes_in_french(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Notes, reasons, purposes and the partner's reports are in the organisation's language."""
    words = ("--currency", "CAD", "--language", "fr", "--trustee")
    assert run(capsys, "demo", "--no-serve", "--members", "5", *words)[0] == 0
    place = build(Settings(database_url=str(folder / "jara-demo" / "jara.db")))
    values = [value for rows in rows_of(place.database).values() for row in rows for value in row]
    stored = "\n".join(value for value in values if isinstance(value, str))
    english = [text for text in OF_LANGUAGE["fr"] if text in values or f'"{text}"' in stored]

    assert english == []
    for text in ("Tracts et affiches", "Déplacements", "premier jour de formation"):
        assert text in stored
    assert run(capsys, "demo", "--fresh", "--language", "xx")[0] == ExitCode.USAGE


def test_a_fresh_one_of_another_seed_tells_another_story_at_its_own_address(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """It replaces the old one. Links in emails use the served port, and the footer has links."""
    served: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(demo, "become_server", lambda *_, **__: served.update(os.environ))
    words = ("--members", "6", "--seed", "b", "--fresh", "--port", "8123")
    status, _, err = run(capsys, "demo", *words)
    context = build(Settings(database_url=str(folder / "jara-demo" / "jara.db"))).context
    emails = list_outbox(context, include_sent=True)
    links = [str(text) for email in emails for text in email.doc.values() if "://" in str(text)]

    assert status == 0, err
    assert made != json.loads(run(capsys, "demo", "--json")[1])
    assert served["JARA_SITE_URL"] == "http://127.0.0.1:8123"
    assert show_identity(context)[1][IdentityPart.X] == "https://x.example/jara"
    assert links
    assert [link for link in links if not link.startswith("http://127.0.0.1:8123")] == []


@pytest.mark.parametrize("note", [b"", b"http://127.0.0.1:81 24", b"\xff", b"ftp://a.example"])
def test_a_torn_note_of_the_address_changes_nothing(tmp_path: Path, note: bytes) -> None:
    """Commands go on with the default address."""
    (tmp_path / "jara.served.txt").write_bytes(note)

    own = load_settings({}, overrides={"database_url": str(tmp_path / "jara.db")})
    assert own.site_url == Settings.site_url


@pytest.mark.usefixtures("made")
def test_a_demonstration_may_have_a_witness(capsys: pytest.CaptureFixture[str]) -> None:
    """Two commands start it with a witness, and the witness sees the log immediately."""
    status, _, err = run(capsys, "demo", "--no-serve", "--witness")

    assert status == 0
    assert "jara witness serve --folder jara-demo/witness" in err
    assert run(capsys, "demo", "--no-serve", "--witness")[0] == 0
    seen = json.loads(run(capsys, "--db", "jara-demo/jara.db", "proofs", "status", "--json")[1])
    assert (seen["seen"], seen["of"]) == (1, 1)
    assert seen["witnessedSize"] > 100
    assert run(capsys, "witness", "status", "--folder", "jara-demo/witness")[0] == 0


def test_a_demonstration_may_have_a_trustee(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """A phone waits to be invited, and a payment for its signature; the daily run goes on.

    The fund of the projects may be empty: a vote can hold all of it. A run that failed half-way
    is completed by the next, and a further one renews the invitation alone.
    """
    if left := made["funds"]["projects"]:
        words = ("ledger", "transfer", "projects", "staff", f"{left / 100:.2f}", "--why", "x")
        assert run(capsys, "--db", "jara-demo/jara.db", *words)[0] == 0
    with monkeypatch.context() as failing:
        failing.setattr(demo, "set_limits", Mock(side_effect=Unavailable("The disk is full.")))
        assert run(capsys, "demo", "--trustee", "--no-serve")[0] != 0
    for _ in range(2):
        status, _, err = run(capsys, "demo", "--trustee", "--no-serve")

        assert status == 0, err
        assert "http://localhost:8000/desk#invitation=" in err
    there = ("--db", "jara-demo/jara.db", "--key", "jara-demo/ada")
    (invited,) = json.loads(run(capsys, *there, "operators", "invitations", "--json")[1])
    (waiting,) = json.loads(run(capsys, *there, "approvals", "list", "--json")[1])
    assert (invited["name"], invited["role"], waiting["cents"]) == ("ama", "approver", 2000)
    assert run(capsys, "--db", "jara-demo/jara.db", "run", "daily")[0] == 0
    assert run(capsys, "--db", "jara-demo/jara.db", "ledger", "verify")[0] == 0


def test_the_witness_of_a_demonstration_is_served(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """What the demonstration names becomes the witness of its log."""
    assert made
    begun: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, words: begun.append(words))
    err = run(capsys, "demo", "--no-serve", "--witness")[2]

    words = err.partition("in another terminal: jara ")[2].splitlines()[0].split()
    assert run(capsys, *words, "--port", str(free_port()))[0] == 0

    assert str(Path("jara-demo/witness").resolve()) in begun[0]


def test_other_things_in_the_folder_are_left_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without a demonstration is never removed."""
    (folder / "jara-demo").mkdir()
    (folder / "jara-demo" / "thesis.txt").write_text("years of work")

    status, _, err = run(capsys, "demo", "--fresh", "--no-serve")

    assert status == 4
    assert "contains other files" in err
    assert (folder / "jara-demo" / "thesis.txt").read_text() == "years of work"


def test_a_failure_leaves_the_old_one(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, made: Any
) -> None:
    """A failed run keeps the old demonstration."""

    def fail(*args: object, **kwargs: object) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr("jara_cli.commands.demo.play", fail)
    assert run(capsys, "demo", "--fresh", "--no-serve")[0] == 5
    assert [path.name for path in folder.iterdir()] == ["jara-demo"]
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert made == json.loads(run(capsys, "demo", "--json")[1])


@pytest.mark.parametrize("members", ["0", "3", "many"])
def test_too_few_members_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], members: str
) -> None:
    """The message names the limits, and nothing is created."""
    assert run(capsys, "demo", "--members", members)[0] == 2
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("made")
def test_a_changed_demonstration_is_still_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A changed demonstration, or one with a closed vote, is still shown."""
    run(capsys, "--db", "jara-demo/jara.db", "proposals", "withdraw", "bee", "--why", "x", "--yes")

    assert json.loads(run(capsys, "demo", "--json")[1])["openVote"] is None
    assert run(capsys, "demo", "--no-serve")[0] == 0


PERIODS = (
    ("--month", "2026-10"),
    ("--from", "2026-07", "--to", "2026-09"),
    ("--year", "2026"),
    ("--year", "2025"),
)


@pytest.mark.parametrize("as_format", some(ReportFormat, 2))
def test_every_report_of_the_demonstration_has_every_format(
    capsys: pytest.CaptureFixture[str], made: Any, as_format: str
) -> None:
    """Each verb of `jara report` writes a month, a quarter and two years in each format."""
    of_member = {"statement": [made["email"]]}
    years = [period for period in PERIODS if "--year" in period]
    this_year = f"{datetime.now(UTC).year}"  # noqa: TID251 - the demo's last year, with a plan
    periods: dict[str, list[tuple[str, ...]]] = {
        "funds": list(years),
        "plan": [("--year", this_year)],
    }
    verbs = list(get_group(report.app).commands)

    statuses = {
        (name, period): run(
            capsys,
            *("--db", made["database"], "report", name, *of_member.get(name, []), *period),
            *("--format", as_format, "--out", f"report.{as_format}"),
        )[0]
        for name in verbs
        for period in periods.get(name, PERIODS)
    }

    assert len(statuses) == 19
    assert {key: status for key, status in statuses.items() if status != 0} == {}
