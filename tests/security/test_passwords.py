"""Password hashes and random bytes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from jara.domain.errors import Unavailable
from jara.security.entropy import SeededEntropy, SystemEntropy
from jara.security.passwords import MEMORY_KIB, PASSES, ArgonHasher, ThrottledHasher


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
