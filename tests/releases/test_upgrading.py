"""The organisation of every release since 0.2.0 upgrades to this version, with its open vote."""

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import JaraError
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from tests.harness import make_context
from tests.releases.organisation import HERE, SHOWN, jara, read_all

BEFORE_BASELINE = HERE / "0.1.0.tar.xz"
RELEASES = sorted(set(HERE.glob("*.tar.xz")) - {BEFORE_BASELINE})
VOTE = "beekeeping"


@pytest.fixture(params=RELEASES, ids=[path.name for path in RELEASES])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The organisation as that release left it."""
    shutil.unpack_archive(request.param, tmp_path)
    return tmp_path


def test_there_is_a_release() -> None:
    """Without archives the test below would check nothing."""
    assert RELEASES != []


@pytest.mark.slow
def test_an_upgrade_keeps_everything_and_the_vote_goes_on(folder: Path) -> None:
    """Commands say the same, the log verifies, a member votes, and the vote closes."""
    before = json.loads((folder / SHOWN).read_text("utf-8"))
    first = date.fromisoformat(before["day"])

    jara(folder, "migrate")

    assert _keeps(before["reads"], read_all(folder, before["day"])) == []
    jara(folder, "ledger", "verify")
    assert _vote_of_all(folder, first) > 0
    ended = f"{first + timedelta(days=60)}"
    jara(folder, "--now", ended, "run", "daily")
    tally = json.loads(jara(folder, "--now", ended, "votes", "tally", VOTE, "--json"))
    assert tally["final"] is True
    jara(folder, "proofs", "bundle", "bundle.tar")
    checked = subprocess.run(
        [sys.executable, "-m", "jara.jara_verify", "bundle.tar"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, "GOOD" in checked.stdout) == (0, True), checked.stdout


def _vote_of_all(folder: Path, day: date) -> int:
    """Let each member vote who may; return how many did."""
    (folder / "secrets").symlink_to("jara.secrets")  # where contexts of tests look
    noon = datetime.combine(day, time(12), UTC)
    context = make_context(folder, at=noon, database=folder / "jara.db")
    votes = 0
    for member in json.loads(jara(folder, "members", "list", "--limit", "1000", "--json")):
        with suppress(JaraError):  # it has voted, or has no vote
            cast_ballot(context, VOTE, member["id"], Choice.UP)
            votes += 1
    context.store.close()
    return votes


def _keeps(before: Any, now: Any, where: str = "") -> list[str]:
    """Return the places whose value changed; new keys are welcome."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [
            place
            for key, value in before.items()
            for place in _keeps(value, now.get(key), f"{where}.{key}")
        ]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return [place for n, (old, new) in pairs for place in _keeps(old, new, f"{where}[{n}]")]
    return [] if before == now else [f"{where}: {before!r} became {now!r}"]
