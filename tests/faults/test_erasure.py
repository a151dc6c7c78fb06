"""A tenth of the members leaves, and nothing of them is found again."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from jara import jara_verify
from jara.bootstrap import Application
from jara.domain.voting.ballot import Choice
from jara.files.publiclog.bundle_writer import bundle_pieces
from jara.services.ballots.casting import cast_ballot
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.members.accounts import erase_member
from jara.services.members.sessions import start_session
from jara.services.payments.importing import collect_movements
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint
from jara.services.publiclog.receipts import Receipt
from tests.faults.fault_world import Server, found, put_to_vote, reopen, serving
from tests.places import database_of, is_on_server, so_many
from tests.postgres_server import find_program
from tests.services.giving.joiners import PASSWORD, form
from tests.sizes import saw, size

MEMBERS = size(200, 1000)
EVERY = 10
DATABASE = "jara.db"
BY_THEMSELVES = 10
"""So many close the account on the website; the others ask an operator."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Leaver:
    """Somebody who will leave, and everything that leads to them."""

    member_id: str
    email: str
    traces: tuple[str, ...]


def surname(number: int) -> str:
    """Return a name of letters that nobody else has."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")
    return f"Vanishing{letters}"


def join_all(context: Context, count: int) -> list[Leaver]:
    """Let so many join and pay; return those who will leave."""
    leaving = []
    for number in range(count):
        email = f"vanish{number:04d}@leaving.example.org"
        asked = form(email, lastname=surname(number), notifications=number % 2 == 0)
        started = register(context, asked, payment_method="pm_card_visa")
        if number % EVERY == 3:
            pledge, who = started.pledge, started.member.id
            with context.store.read() as work:
                stored = work.members.password_hash(who)
            handles = (pledge.customer_id, pledge.subscription_id, stored)
            assert all(handles)
            texts = (email, email.partition("@")[0], surname(number), *map(str, handles))
            leaving.append(Leaver(who, email, texts))
    collect_movements(context)
    return leaving


def use_the_site(application: Application, server: Server, leaving: list[Leaver]) -> None:
    """Leave traces in the server's log and in the mail: calls of many kinds."""
    for number, one in enumerate(leaving):
        with application.context.store.read() as work:
            member = work.members.get(one.member_id)
        assert member is not None
        token = start_session(application.context, application.tokens, member)
        assert 200 == server.live.call("GET", "/user/get-profile", token=token).status
        answer = server.live.call("POST", "/user/forgot-password", {"email": one.email})
        assert answer.status in {200, 202, 429}
        if number < BY_THEMSELVES:
            body = {"email": one.email, "password": PASSWORD}
            assert 200 == server.live.call("POST", "/user/login", body).status


def close_on_the_site(application: Application, server: Server, leaving: list[Leaver]) -> None:
    """Let some close their accounts themselves."""
    for one in leaving:
        with application.context.store.read() as work:
            member = work.members.get(one.member_id)
        assert member is not None
        token = start_session(application.context, application.tokens, member)
        body = {"currentPassword": PASSWORD}
        answer = server.live.call("DELETE", "/user/delete-account", body, token)
        assert 200 == answer.status, answer.raw


def run_daily(folder: Path) -> None:
    """Make the daily run as the timer does: emails go to the mail folder."""
    environ = {**os.environ, "JARA_DATABASE_URL": database_of(folder)}
    words = [sys.executable, "-c", "from jara_cli.main import run; run()", "run", "daily"]
    subprocess.run(words, env=environ, cwd=folder, check=True, capture_output=True)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return everything that lies in the organisation's folder, and below, and its database.

    Another process reads it: who opens and closes the file of a database loses the locks
    that SQLite holds on it in the same process.
    """
    packed = subprocess.run(["tar", "-cf", "-", "."], cwd=folder, capture_output=True, check=False)
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                found[member.name.removeprefix("./")] = content.read()
    if is_on_server(folder):
        dump = [find_program("pg_dump"), f"--dbname={database_of(folder)}"]
        found[f"{DATABASE}.sql"] = subprocess.check_output(dump)
    return found


def found_in(files: dict[str, bytes], leaving: list[Leaver]) -> set[tuple[str, str]]:
    """Return each trace of somebody with the file it is in."""
    return {
        (name, trace)
        for name, content in files.items()
        for one in leaving
        for trace in one.traces
        if trace.encode() in content
    }


def test_nothing_of_those_who_left_is_found_again(place: Path) -> None:
    """Database, write-ahead log, server's log, mail folder; and every old proof verifies.

    A database on a server is searched through what it tells; its dead rows go with a vacuum.
    """
    application = found(place)
    context = application.context
    members = so_many(MEMBERS, place)
    leaving = join_all(context, members)
    proposal = put_to_vote(application)
    receipts = [cast_ballot(context, proposal, one.member_id, Choice.UP) for one in leaving]
    before = make_checkpoint(context)
    run_daily(place)  # the emails that waited lie in the mail folder now
    present = found_in(files_of(place), leaving)
    known = {trace for name, trace in present if DATABASE in name}
    mailed = {trace for name, trace in present if "jara.mail" in name}
    with serving(place) as server:
        use_the_site(application, server, leaving)
        run_daily(place)
        close_on_the_site(application, server, leaving[:BY_THEMSELVES])
        for one in leaving[BY_THEMSELVES:]:
            erase_member(context, one.member_id, why="Asked by letter.")
        run_daily(place)  # the goodbye of those who went themselves leaves the house
        run_daily(place)  # and its copy is not kept
        context.store.truncate_log()
        while_serving = files_of(place)
    context.store.close()

    assert len(leaving) == members // EVERY > BY_THEMSELVES
    assert len(known) == sum(len(one.traces) for one in leaving)  # the search finds what is there
    assert mailed
    assert is_on_server(place) or f"{DATABASE}-wal" in while_serving
    assert set() == found_in(while_serving, leaving)
    assert set() == found_in(files_of(place), leaving)
    again = reopen(place).context
    assert () == verify_books(again).findings
    require_proofs(again, place, receipts, before.note)
    saw(members=members, erased=len(leaving), traces_searched=len(known), files=len(while_serving))
    again.store.close()


def require_proofs(context: Context, folder: Path, receipts: list[Receipt], kept_note: str) -> None:
    """Check every receipt and the older checkpoint against a bundle of today."""
    bundle, kept = folder / "bundle.tar", folder / "kept.txt"
    kept.write_text(kept_note, encoding="utf-8")
    with context.store.read() as work:
        with bundle.open("wb") as out:
            out.writelines(bundle_pieces(bundle_contents(context, work, whole=True)))
        for receipt in receipts:
            assert receipt.leaf_bytes.encode() == work.log.leaf(receipt.index).body
            proof = [bytes.fromhex(step) for step in receipt.proof]
            leaf, root = bytes.fromhex(receipt.leaf), bytes.fromhex(receipt.root)
            assert jara_verify.inclusion_holds(leaf, receipt.index, receipt.size, proof, root)
            assert root == work.log.root(receipt.size)
    assert 0 == jara_verify.main([str(bundle), "--since", str(kept)])
