"""The cache of visitors' answers, under many parallel requests and writes."""

import threading
from pathlib import Path

import pytest

from jara.records.log import Cosignature, Witness
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.reports import figures
from jara_webapi.resources import reports
from tests.verifier.witness_keys import WITNESSES
from tests.webapi.desk import Desk, open_desk, reopen_desk

CROWD = 12


def ask_at_once(desk: Desk) -> set[int]:
    """Send parallel requests for the number of changemakers; return the answers."""
    heard: set[int] = set()
    gate = threading.Barrier(CROWD)

    def ask() -> None:
        gate.wait()
        heard.add(desk.get("/user/all-users").json["total"])
        desk.application.context.store.close()

    threads = [threading.Thread(target=ask) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return heard


def test_a_crowd_makes_one_answer_and_a_commit_another(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One thread computes the answer and the others wait; the next request sees a new commit."""
    desk, counted = open_desk(place), threading.Semaphore(0)
    begun: list[str] = []

    def counting(*arguments: object) -> object:
        begun.append(threading.current_thread().name)
        counted.acquire(timeout=0.2)  # long enough for the whole crowd to arrive
        return figures.site_figures(*arguments)  # type: ignore[arg-type] # handed on as they came

    monkeypatch.setattr(reports, "site_figures", counting)

    assert ask_at_once(desk) == {0}
    assert len(begun) == 1
    member = threading.Thread(target=desk.join)
    member.start()
    member.join()
    assert ask_at_once(desk) == {1}
    assert len(begun) == 2


def test_parameters_that_nobody_reads_make_no_new_answer(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer is made once, whatever a stranger appends to its address."""
    desk = open_desk(place)
    begun: list[str] = []

    def counting(*arguments: object) -> object:
        begun.append("made")
        return figures.site_figures(*arguments)  # type: ignore[arg-type] # handed on as they came

    monkeypatch.setattr(reports, "site_figures", counting)
    for query in ("", "x=1", "x=2", "x=1&x=2", "=", "%00=1", "lang=en"):
        assert desk.get("/user/all-users", query_string=query).status_code == 200

    assert begun == ["made"]


def test_a_failed_answer_lets_the_next_one_try(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If computing an answer fails, the next request tries again."""
    desk = open_desk(place)

    def failing(*_: object) -> object:
        raise RuntimeError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(reports, "site_figures", failing)
        assert desk.get("/user/all-users").status_code == 500

    assert desk.get("/user/all-users").status_code == 200


def test_private_changes_keep_cached_public_answers(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rate-limit counts and ended sessions do not clear the cache; a changed name does."""
    desk, made = open_desk(place), list[int]()
    token = desk.join()

    def counting(*arguments: object) -> object:
        made.append(1)
        return figures.site_figures(*arguments)  # type: ignore[arg-type] # handed on as they came

    monkeypatch.setattr(reports, "site_figures", counting)
    desk.get("/user/all-users")
    assert desk.post("/user/login", {"email": "no@example.org", "password": "x"}).status_code == 401
    assert desk.post("/user/logout", token=token).status_code == 200
    desk.get("/user/all-users")
    assert len(made) == 1

    desk.join()
    assert desk.get("/user/all-users").json["total"] == 2
    assert len(made) == 2


def test_a_cosignature_is_visible_in_the_next_answer(place: Path) -> None:
    """A witness's cosignature is shown immediately, although nothing else changes."""
    desk = open_desk(place)
    context, signer = desk.application.context, WITNESSES[0]
    made = make_checkpoint(context)
    with context.store.write() as work:
        chosen = Witness(signer.name, signer.text, "https://w.example", context.now())
        work.witnesses.put(chosen)
    assert seen_by(desk) == (0, 1)

    line = signer.cosign(made.note).removeprefix(made.note)
    with context.store.write() as work:
        work.witnesses.keep(Cosignature(made.size, signer.name, line, context.now()))
    assert seen_by(desk) == (1, 1)


def seen_by(desk: Desk) -> tuple[int, int]:
    """Return how many of how many witnesses have seen the log."""
    told = desk.get("/proofs/witnesses").json
    return told["seen"], told["of"]


def test_commits_of_another_process_are_visible(place: Path) -> None:
    """Every commit by another process on the same database is visible immediately."""
    desk, other = open_desk(place), reopen_desk(place)
    heard = []
    for _ in range(3):
        heard.append(desk.get("/user/all-users").json["total"])
        other.join()
    other.application.context.store.close()

    assert heard == [0, 1, 2]
    assert desk.get("/user/all-users").json["total"] == 3
