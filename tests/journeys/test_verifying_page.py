"""docs/verifying.md, executed against a real server by an independent person."""

import json
import os
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.files.media import keep_media, read_media
from jara.services.context import Context
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import draft_proposal, put_to_vote
from tests.fakes.clock import FakeClock
from tests.journeys.live_server import LiveServer, serve
from tests.places import settings_of
from tests.services.ballots.voting_world import PROPOSAL
from tests.transcripts import as_pattern, run_step, steps_of
from tests.webapi.desk import registration

PAGE = Path(__file__).parents[2] / "docs" / "verifying.md"
SITE = "https://give.example.org"
EVIDENCE = b"%PDF-1.7\nMinutes of the handover\nstartxref\n0\n%%EOF\n"


def join_and_vote(server: LiveServer, vote: str) -> tuple[str, bytes]:
    """Register a member who votes; return the token and the receipt."""
    token = server.call("POST", "/register", registration()).json["token"]
    body = {"id": "prop_01", "voteType": vote}
    receipt = server.call("POST", "/user/votes", body, token).json["receipt"]
    return token, json.dumps(receipt).encode()


def open_a_vote(context: Context) -> None:
    """Open a proposal for voting until the day after tomorrow."""
    ends = context.today() + timedelta(days=2)
    document = {**PROPOSAL, "id": "prop_01", "endDate": f"{ends}"}
    draft_proposal(context, document)
    put_to_vote(context, "prop_01")


def close_the_vote(context: Context) -> None:
    """Close the vote as if its end had come."""
    later = FakeClock(context.now() + timedelta(days=4))
    close_vote(replace(context, clock=later), "prop_01")


@pytest.mark.slow
def test_everything_the_page_shows_can_be_done(place: Path, tmp_path: Path, programs: Path) -> None:
    """Bundle, receipt, own count, saved checkpoint, member's bundle and evidence can be checked."""
    reader = tmp_path / "reader"
    reader.mkdir()
    with serve(place, [str(programs / "jara")]) as server:
        context = build_from_environ({}, overrides=settings_of(place)).context
        open_a_vote(context)
        token, receipt = join_and_vote(server, "upvote")
        join_and_vote(server, "downvote")
        close_the_vote(context)
        context.store.close()
        (reader / "receipt.json").write_bytes(receipt)
        _keep_evidence(place / "jara.media")
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environ = {"PATH": path, "HOME": str(reader), "TOKEN": token}
        for command, shown in steps_of(PAGE):
            here = command.replace(SITE, f"http://127.0.0.1:{server.port}")
            printed = run_step(here, reader, environ)
            assert as_pattern(shown).fullmatch(printed), f"$ {command}\n{printed}"


def _keep_evidence(folder: Path) -> None:
    keep_media(read_media(EVIDENCE, "minutes.pdf"), folder)


def test_the_page_shows_commands() -> None:
    """The page has commands; without them the test above would check nothing."""
    commands = " ".join(command for command, _ in steps_of(PAGE))

    for word in ("bundle.tar", "--receipt", "--since", "grep -c", "sha256sum", "token:"):
        assert word in commands
