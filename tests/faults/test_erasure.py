"""A tenth of the members leaves, and no trace of them is found."""

import io
import os
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from jara import jara_verify
from jara.bootstrap import Application
from jara.domain.voting.tally import Choice
from jara.files.publiclog.bundle import bundle_pieces
from jara.services.ballots.casting import cast_ballot
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.members.accounts import erase_member
from jara.services.members.sessions import start_session
from jara.services.payments.importing import collect_movements
from jara.services.publiclog.proofs import bundle_contents, make_checkpoint
from jara.services.publiclog.receipts import Receipt, check_receipt
from tests.faults.fault_world import Server, found, put_to_vote, reopen, serving
from tests.places import database_of, is_on_server, so_many
from tests.postgres_server import find_program
from tests.services.giving.joiners import PASSWORD, form
from tests.sizes import saw, size

MEMBERS = size(40, 1000)
EVERY = 10
DATABASE = "jara.db"
BY_THEMSELVES = 3
"""This many close their account on the website; an operator deletes the others."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Leaver:
    """A member who will leave, with everything that identifies them."""

    member_id: str
    email: str
    traces: tuple[str, ...]


def surname(number: int) -> str:
    """Return a unique surname made of letters."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")
    return f"Vanishing{letters}"


def join_all(context: Context, count: int) -> list[Leaver]:
    """Register paying members; return those who will leave."""
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
    """Create traces in the server's log and in the mail, by calls of many kinds."""
    for number, one in enumerate(leaving):
        with application.context.store.read() as work:
            member = work.members.get(one.member_id)
        assert member is not None
        token = start_session(application.context, application.tokens, member)
        assert server.live.call("GET", "/user/get-profile", token=token).status == 200
        answer = server.live.call("POST", "/user/forgot-password", {"email": one.email})
        assert answer.status in {200, 202, 429}
        if number < BY_THEMSELVES:
            body = {"email": one.email, "password": PASSWORD}
            assert server.live.call("POST", "/user/login", body).status == 200


def close_on_the_site(application: Application, server: Server, leaving: list[Leaver]) -> None:
    """Close some accounts on the website."""
    for one in leaving:
        with application.context.store.read() as work:
            member = work.members.get(one.member_id)
        assert member is not None
        token = start_session(application.context, application.tokens, member)
        body = {"currentPassword": PASSWORD}
        answer = server.live.call("DELETE", "/user/delete-account", body, token)
        assert answer.status == 200, answer.raw


def run_daily(folder: Path, programs: Path) -> None:
    """Run the daily run as the timer does, which writes emails to the mail folder."""
    environ = {**os.environ, "JARA_DATABASE_URL": database_of(folder)}
    words = [str(programs / "jara"), "run", "daily"]
    subprocess.run(words, env=environ, cwd=folder, check=True, capture_output=True)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all files in and below the organisation's folder, and the database.

    Another process reads the database file, because closing it here would release the locks
    that SQLite holds in this process.
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
    """Return each trace of a person with the file that contains it."""
    return {
        (name, trace)
        for name, content in files.items()
        for one in leaving
        for trace in one.traces
        if trace.encode() in content
    }


def test_erased_members_leave_no_trace(place: Path, programs: Path) -> None:
    """No trace is in database, write-ahead log, server log or mail, and old proofs verify.

    A database on a server is searched in its dump; a vacuum removes its dead rows.
    """
    application = found(place)
    context = application.context
    members = so_many(MEMBERS, place)
    leaving = join_all(context, members)
    proposal = put_to_vote(application)
    receipts = [cast_ballot(context, proposal, one.member_id, Choice.UP) for one in leaving]
    before = make_checkpoint(context)
    run_daily(place, programs)  # the queued emails are in the mail folder now
    present = found_in(files_of(place), leaving)
    known = {trace for name, trace in present if DATABASE in name}
    mailed = {trace for name, trace in present if "jara.mail" in name}
    with serving(place, programs) as server:
        use_the_site(application, server, leaving)
        run_daily(place, programs)
        close_on_the_site(application, server, leaving[:BY_THEMSELVES])
        for one in leaving[BY_THEMSELVES:]:
            erase_member(context, one.member_id, why="Asked by letter.")
        # The goodbye email of members who closed their own account is sent, and no copy is stored.
        for _ in range(2):
            run_daily(place, programs)
        context.store.truncate_log()
        while_serving = files_of(place)
    context.store.close()

    assert len(leaving) == members // EVERY > BY_THEMSELVES
    assert len(known) == sum(len(one.traces) for one in leaving)  # the search finds existing traces
    assert mailed
    assert is_on_server(place) or f"{DATABASE}-wal" in while_serving
    assert found_in(while_serving, leaving) == set()
    assert found_in(files_of(place), leaving) == set()
    again = reopen(place).context
    assert verify_books(again).findings == ()
    require_proofs(again, place, receipts, before.note)
    saw(members=members, erased=len(leaving), traces_searched=len(known), files=len(while_serving))
    again.store.close()


def require_proofs(context: Context, folder: Path, receipts: list[Receipt], kept_note: str) -> None:
    """Check every receipt and the older checkpoint against a new bundle."""
    bundle, kept = folder / "bundle.tar", folder / "kept.txt"
    kept.write_text(kept_note, encoding="utf-8")
    with context.store.read() as work, bundle.open("wb") as out:
        out.writelines(bundle_pieces(bundle_contents(context, work, whole=True)))
    for receipt in receipts:
        assert all(point.ok for point in check_receipt(context, receipt.document()))
    assert jara_verify.main([str(bundle), "--since", str(kept)]) == 0
