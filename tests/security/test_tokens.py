"""Session tokens, password hashes and random bytes."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.records.access import SessionClaims
from jara.security.keys import SecretsFolder, SeededEntropy, SystemEntropy
from jara.security.passwords import MEMORY_KIB, PASSES, ArgonHasher, ThrottledHasher
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


def test_reading_a_token_returns_its_claims() -> None:
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


def test_the_parameters_are_those_promised() -> None:
    """argon2id with 19 MiB and two passes."""
    found = ArgonHasher().hash("correct horse")

    assert found.startswith(f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p=1$")
    assert MEMORY_KIB == 19 * 1024


def test_a_password_verifies_and_another_does_not() -> None:
    """A hash verifies only its own password, and an invalid hash verifies none."""
    hasher = ArgonHasher(memory_kib=8, passes=1)
    kept = hasher.hash("correct horse")

    assert hasher.verify(kept, "correct horse")
    assert not hasher.verify(kept, "correct house")
    assert not hasher.verify("no hash", "correct horse")


def test_a_hash_of_weaker_parameters_is_renewed() -> None:
    """After the parameters rise, the next sign-in creates a new hash."""
    weak = ArgonHasher(memory_kib=8, passes=1)
    kept = weak.hash("correct horse")

    assert not weak.needs_rehash(kept)
    assert ArgonHasher().needs_rehash(kept)


def test_a_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    """Samples can be reproduced, and keys are never equal."""
    assert SeededEntropy("a").token(40) == SeededEntropy("a").token(40)
    assert SeededEntropy("a").token(40) != SeededEntropy("b").token(40)
    assert SystemEntropy().token(16) != SystemEntropy().token(16)


def test_a_crowd_hashes_in_few_threads() -> None:
    """Each thread that hashes keeps 19 MiB, so all hashes run in one thread."""
    hashed_in: set[str] = set()

    class Watched(ArgonHasher):
        def verify(self, password_hash: str, password: str) -> bool:
            hashed_in.add(threading.current_thread().name)
            return super().verify(password_hash, password)

    hasher = ThrottledHasher(Watched(memory_kib=8, passes=1), at_once=1, waiting=7)
    kept = hasher.hash("correct horse")
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda _: hasher.verify(kept, "correct horse"), range(40)))

    assert answers == [True] * 40
    assert len(hashed_in) == 1


def test_beyond_the_queue_one_comes_back_later() -> None:
    """A full queue is reported immediately, and nobody waits for ever."""
    hasher = ThrottledHasher(ArgonHasher(memory_kib=8, passes=1), at_once=1, waiting=0)
    with hasher._place(), pytest.raises(Unavailable):
        hasher.hash("correct horse")

    assert hasher.verify(hasher.hash("correct horse"), "correct horse")
