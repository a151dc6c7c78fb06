"""``jara votes``: count and check votes at a terminal."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara import bootstrap
from jara.bootstrap import SystemClock
from jara.domain.organisation import PaymentMode
from jara.services.proposals.closing import close_due_votes
from tests.cli.voting_shell import Shell
from tests.harness import clock_of
from tests.services.ballots.voting_world import add_member, open_vote, vote


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A terminal with an organisation, two members and one open vote with one ballot."""
    shell = Shell(tmp_path, monkeypatch, capsys)
    context = shell.context()
    clock_of(context).set(SystemClock().now())  # commands use the time of the machine
    open_vote(context, endDate="2999-12-31")
    vote(context, add_member(context, "ada"))
    add_member(context, "bob")
    add_member(context, "cyd")
    context.store.close()
    return shell


def close(shell: Shell) -> None:
    """Move the clock by a thousand years and close the vote."""
    context = shell.context()
    clock_of(context).set(clock_of(context).at.replace(year=3000))
    close_due_votes(context)
    context.store.close()


def test_the_tally_is_the_contracts_document(shell: Shell) -> None:
    """The tally has exactly the keys that scripts depend on."""
    assert shell.json("votes", "tally", "clean") == {
        "proposal": {
            "id": "prop_01",
            "slug": "clean-water",
            "title": "Clean water",
            "status": "open",
            "endDate": "2999-12-31",
        },
        "yes": 1,
        "no": 0,
        "void": 0,
        "roll": 3,
        "notVoted": 2,
        "needed": 1,
        "upvotePercentage": 33.3,
        "downvotePercentage": 0.0,
        "rule": {"num": 1, "den": 2, "of": "roll"},
        "passes": False,
        "final": False,
    }
    assert "33.3 %" in shell.run("votes", "tally", "clean")[1]


def test_check_answers_with_the_exit_status(shell: Shell) -> None:
    """With --check, a vote that does not pass gives status 1; without it, always 0."""
    assert shell.run("votes", "tally", "prop_01", "--check")[0] == 1
    assert shell.run("votes", "tally", "prop_01")[0] == 0
    shell.json("votes", "cast", "prop_01", "--member", "bob@example.org", "--choice", "up")
    assert shell.run("votes", "tally", "prop_01", "--check")[0] == 0


def test_cast_prints_the_receipt(shell: Shell) -> None:
    """A second vote is a conflict."""
    words = ["votes", "cast", "prop_01", "--member", "bob@example.org", "--choice", "down"]
    receipt = shell.json(*words)

    assert list(receipt) == [
        "leaf",
        "leafBytes",
        "proposal",
        "listedBy",
        "key",
        "signature",
        "nonce",
        "tracker",
    ]
    # As on the site, midnight belongs to the day that ends with it.
    latest = datetime.fromisoformat(receipt["listedBy"]) - timedelta(seconds=1)
    by_cyd = shell.run("votes", "cast", "prop_01", "--member", "cyd@example.org", "--choice", "up")
    assert f"{latest:%Y-%m-%d}\n" in by_cyd[1]
    assert shell.run(*words)[0] == 4
    assert shell.run(*words[:-1], "maybe")[0] == 2
    assert shell.run("votes", "cast", "prop_01", "--member", "x", "--choice", "up")[0] == 3


def test_cast_is_refused_with_live_payments(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator cannot vote for a member of a live organisation."""
    build = bootstrap.build_from_environ

    def build_live(*args: Any, **options: Any) -> bootstrap.Application:
        application = build(*args, **options)
        context = replace(application.context, payment_mode=PaymentMode.LIVE)
        return replace(application, context=context)

    monkeypatch.setattr("jara_cli.context.build_from_environ", build_live)
    words = ["votes", "cast", "prop_01", "--member", "bob@example.org", "--choice", "up"]
    status, _, err = shell.run(*words)

    assert status == 4
    assert "sandbox organisations only" in err


def test_the_roll_shows_members_then_tokens(shell: Shell) -> None:
    """The roll of an open vote lists members; the roll of a closed one only tokens."""
    before = shell.json("votes", "roll", "prop_01")
    close(shell)
    after = shell.json("votes", "roll", "prop_01")

    assert (before["final"], before["size"], len(before["members"])) == (False, 3, 3)
    # After a thousand years without a payment, only the ballot keeps its place.
    assert (after["final"], after["size"], len(after["voters"])) == (True, 1, 1)
    assert after["voters"][0] in shell.run("votes", "roll", "prop_01")[1]


def test_verify_recounts_and_proves(shell: Shell) -> None:
    """The result lists every check and, once the vote is closed, every ballot."""
    opened = shell.json("votes", "verify", "prop_01")
    close(shell)
    document = shell.json("votes", "verify", "prop_01")

    assert (opened["ok"], opened["ballots"]) == (True, [])
    assert "1 yes and 0 no; they are sealed" in opened["checks"][0]["message"]
    assert document["ok"]
    assert [check["name"] for check in document["checks"]] == ["recount", "rules", "proofs"]
    assert [(one["choice"], one["proven"]) for one in document["ballots"]] == [("up", True)]
    context = shell.context()
    database: Any = context.store._database
    database._connection().execute("UPDATE tallies SET yes = 2")
    context.store.close()
    assert shell.run("votes", "verify", "prop_01")[0] == 1


def test_watch_prints_each_change_until_the_close(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count is printed on every change, and last when the vote closes."""
    assert not json.loads(shell.run("votes", "watch", "prop_01", "--once", "--json")[1])["final"]
    naps = []

    def nap(seconds: int) -> None:
        naps.append(seconds)
        if len(naps) == 2:
            close(shell)

    monkeypatch.setattr("time.sleep", nap)
    status, out, _ = shell.run("votes", "watch", "prop_01", "--every", "7")

    assert (status, naps) == (0, [7, 7])
    assert out.count("Clean water") == 2


def test_a_vote_is_over_at_its_end_without_a_daily_run(shell: Shell) -> None:
    """Commands that only read say that it waits for the count."""
    later = ("--now", "3000-01-01")

    for words in (
        ("proposals", "list"),
        ("proposals", "show", "clean"),
        ("votes", "tally", "clean"),
    ):
        assert "ended, waiting for the count" in shell.run(*later, *words)[1]
        assert "ended" not in shell.run(*words)[1]
