"""Tests of the session tokens: valid ones are read, all others refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.records.access import SessionClaims
from jara.security.keys import SecretsFolder
from jara.security.passwords import ArgonHasher, ThrottledHasher
from jara.security.tokens import JwtIssuer
from tests.webapi.forgeries import FORGERIES, KEY

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CLAIMS = SessionClaims(
    member_id="018f3c1e-7b5a-7000-8000-000000000001",
    session_id="session-1",
    epoch=3,
    signed_in_at=NOW,
    issued_at=NOW,
    expires_at=NOW + timedelta(hours=12),
)


def test_a_token_says_what_it_was_made_from() -> None:
    """Reading a token returns its claims, also from the cache."""
    issuer = JwtIssuer(lambda: KEY)
    token = issuer.issue(CLAIMS)

    assert [issuer.read(token, now=NOW) for _ in range(2)] == [CLAIMS, CLAIMS]


def test_a_token_is_good_from_its_issue_to_its_end() -> None:
    """A token is refused before its issue and from its end on, even if it is cached."""
    issuer = JwtIssuer(lambda: KEY)
    token = issuer.issue(CLAIMS)

    instants = (NOW - timedelta(seconds=1), NOW, CLAIMS.expires_at - timedelta(seconds=1))
    assert [issuer.read(token, now=now) for now in instants] == [None, CLAIMS, CLAIMS]
    assert issuer.read(token, now=CLAIMS.expires_at) is None


def test_tokens_of_another_key_are_refused() -> None:
    """A token of another organisation is refused."""
    token = JwtIssuer(lambda: b"x" * 32).issue(CLAIMS)

    assert JwtIssuer(lambda: KEY).read(token, now=NOW) is None


def test_there_are_forty_kinds_of_forgery() -> None:
    """With fewer, some ways to forge a token would be untested."""
    assert len(FORGERIES) >= 40


@pytest.mark.parametrize("kind", sorted(FORGERIES))
def test_forged_tokens_are_refused(kind: str) -> None:
    """Every token that differs from Jara's own is refused."""
    issuer = JwtIssuer(lambda: KEY)
    token = issuer.issue(CLAIMS)

    assert issuer.read(FORGERIES[kind](token), now=NOW) is None


def test_the_memory_of_verified_tokens_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is bounded, and the oldest tokens are verified again."""
    monkeypatch.setattr("jara.security.tokens._KNOWN_TOKENS", 2)
    issuer = JwtIssuer(lambda: KEY)
    tokens = [issuer.issue(CLAIMS._replace(epoch=epoch)) for epoch in range(5)]

    assert [claims.epoch for token in tokens if (claims := issuer.read(token, now=NOW))] == list(
        range(5)
    )
    assert len(issuer._signing().verified) == 2


def test_the_decoy_is_checked_like_any_hash() -> None:
    """No password matches the decoy, and no error reveals it."""
    hasher = ThrottledHasher(ArgonHasher(memory_kib=8, passes=1), at_once=1, waiting=0)

    assert hasher.verify(hasher.decoy, "woven-in-lagos") is False
    assert hasher.verify(hasher.hash("woven-in-lagos"), "woven-in-lagos") is True
    assert hasher.needs_rehash(hasher.decoy) is False


def test_a_full_queue_sends_people_away_for_a_moment() -> None:
    """Requests over the limit are refused immediately and hold no thread."""
    hasher = ThrottledHasher(ArgonHasher(memory_kib=8, passes=1), at_once=1, waiting=0)
    hasher._queue.acquire()

    with pytest.raises(Unavailable, match="Many people are signing in"):
        hasher.hash("woven-in-lagos")


def test_a_key_replaced_by_another_process_ends_its_tokens_at_once(tmp_path: Path) -> None:
    """A server that was not restarted refuses tokens of the old key."""
    folder, elsewhere = SecretsFolder(tmp_path / "secrets"), SecretsFolder(tmp_path / "secrets")
    folder.create(log_name="jara.example/log")
    issuer = JwtIssuer(folder.token_key, folder.token_key_mark)
    token, name = issuer.issue(CLAIMS), issuer.key_id
    elsewhere.prepare_token_key()
    elsewhere.adopt_token_key()

    assert issuer.read(token, now=NOW) is None
    assert name != issuer.key_id
    assert issuer.read(issuer.issue(CLAIMS), now=NOW) == CLAIMS
    (folder.folder / "token.key").unlink()
    with pytest.raises(Unavailable):
        issuer.issue(CLAIMS)
