"""The doctor: each illness is named, and a well installation is well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import BANK, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.voting.proposal import ProposalStatus
from jara.files.checkpoint_file import CheckpointFile
from jara.services.approvals import CARRYING_OUT
from jara.services.backups import make_backup
from jara.services.check_result import CheckResult, Level, Surroundings
from jara.services.context import Context
from jara.services.diagnosis import diagnose, is_well
from jara.services.housekeeping import Step, StepOutcome, run_daily
from jara.services.notices import write_letter
from jara.services.operators import add_operator
from jara.services.ports.book_settings import YearLock
from jara.services.ports.database import DatabaseFacts
from jara.services.ports.operations import Approval
from jara.services.ports.voting import ProposalRecord
from jara.services.posting import Books
from jara.services.proofs import make_checkpoint
from jara.store.schema import SCHEMA_VERSION
from tests.domain.voting_builders import a_proposal
from tests.harness import clock_of, make_context, make_organisation

WELL = Surroundings(
    free_bytes=10**10, has_pdf=True, sends_mail=True, postal_address="1 Main Street"
)


@dataclass(frozen=True)
class OtherStore:
    """A store that says other facts of itself."""

    real: Any
    said: DatabaseFacts

    def facts(self) -> DatabaseFacts:
        """Return what it was told to say."""
        return self.said

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@dataclass(frozen=True)
class LiveGateway:
    """A gateway that is not the sandbox."""

    name: str = "stripe"


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation."""
    return make_organisation(tmp_path)


def look(context: Context, around: Surroundings = WELL) -> list[CheckResult]:
    """Have the doctor look."""
    return diagnose(context, around)


def found(results: Sequence[CheckResult], name: str) -> tuple[Level, str]:
    """Return the gravest answer of a check."""
    order = [Level.ERROR, Level.WARNING, Level.OK]
    answers = sorted(
        (result for result in results if result.name == name),
        key=lambda result: order.index(result.level),
    )
    assert answers, f"no check '{name}' was made"
    return answers[0].level, answers[0].message


def with_facts(context: Context, **changes: Any) -> Context:
    """Return a context whose database says other things of itself."""
    facts = replace(context.store.facts(), **changes)
    return replace(context, store=OtherStore(context.store, facts))


def test_a_well_installation_is_well(context: Context) -> None:
    """After its daily run everything is fine but for the sandbox, which is a warning."""
    run_daily(context, [Step("a", lambda _: StepOutcome("done"))])

    results = look(context)

    assert is_well(results)
    assert ["payments"] == [r.name for r in results if r.level is not Level.OK]


def test_a_server_is_asked_for_what_it_may_lose(context: Context) -> None:
    """Of PostgreSQL matters whether it waits for the disk; its disk is looked after there."""
    around = replace(WELL, free_bytes=None)
    server = {"engine": "PostgreSQL", "engine_version": "17.2 (Debian)"}

    sound = look(with_facts(context, **server, journal_mode="durable"), around)
    risky = look(with_facts(context, **server, journal_mode="fsync off"), around)

    assert (Level.OK, "PostgreSQL 17.2 (Debian).") == found(sound, "engine")
    assert {"disk", "journal"}.isdisjoint(result.name for result in sound)
    assert (Level.ERROR, "With fsync off, what was confirmed can be lost.") == found(
        risky, "journal"
    )


def test_a_missing_database_ends_the_examination(tmp_path: Path) -> None:
    """What needs the database is not guessed at."""
    results = look(make_context(tmp_path, database=tmp_path / "none.db"))

    assert not is_well(results)
    assert (Level.ERROR, "database") == (results[-1].level, results[-1].name)
    assert "jara init" in results[-1].message


@pytest.mark.parametrize(
    ("changes", "name", "level"),
    [
        ({"unknown_variables": ("JARA_SMPT_URL",)}, "settings", Level.WARNING),
        ({"free_bytes": 10**8}, "disk", Level.ERROR),
        ({"free_bytes": 5 * 10**8}, "disk", Level.WARNING),
        ({"has_pdf": False}, "pdf", Level.OK),
        ({"sends_mail": False}, "mail", Level.WARNING),
        ({"postal_address": ""}, "mail", Level.ERROR),
    ],
)
def test_surroundings_are_looked_at(
    context: Context, changes: dict[str, Any], name: str, level: Level
) -> None:
    """Misspelt settings, a full disk and half a mail set-up are named."""
    assert level is found(look(context, replace(WELL, **changes)), name)[0]


def test_live_payments_are_fine(context: Context) -> None:
    """With Stripe there is no warning about the sandbox."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name

    assert (Level.OK, "Payments go through stripe.") == found(look(live), "payments")


@pytest.mark.parametrize(
    ("changes", "name", "level"),
    [
        ({"engine_version": "3.40.1"}, "engine", Level.ERROR),
        ({"journal_mode": "delete"}, "journal", Level.ERROR),
        ({"readable_by_others": True}, "permissions", Level.WARNING),
    ],
)
def test_a_risky_database_is_named(
    context: Context, changes: dict[str, Any], name: str, level: Level
) -> None:
    """Old SQLite can lose data; a database that others read holds personal data."""
    assert level is found(look(with_facts(context, **changes)), name)[0]


def test_another_engine_has_no_sqlite_version(context: Context) -> None:
    """What only SQLite has is asked of SQLite alone."""
    other = with_facts(context, engine="PostgreSQL", engine_version="17.2")

    assert "engine" not in {result.name for result in look(other)}


def test_a_file_tells_the_truth_about_itself(tmp_path: Path) -> None:
    """The facts of a real file: WAL, the newest version, and who may read it."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    (tmp_path / "jara.db").chmod(0o644)

    facts = context.store.facts()

    assert ("SQLite", "wal", SCHEMA_VERSION) == (
        facts.engine,
        facts.journal_mode,
        facts.schema_version,
    )
    assert facts.readable_by_others
    assert facts.size_bytes == (tmp_path / "jara.db").stat().st_size or facts.size_bytes > 0


def test_foreign_secrets_are_named(context: Context, tmp_path: Path) -> None:
    """Signing under another key would break every proof."""
    (tmp_path / "other").mkdir()
    other = replace(context, vault=make_context(tmp_path / "other", seed="other").vault)

    assert Level.ERROR is found(look(other), "secrets")[0]


def test_secrets_that_others_read_are_named(context: Context, tmp_path: Path) -> None:
    """The folder's own findings are passed on."""
    (tmp_path / "secrets").chmod(0o755)

    assert "can be read by others" in found(look(context), "secrets")[1]


def test_missing_secrets_are_an_answer_and_no_crash(context: Context, tmp_path: Path) -> None:
    """The other checks are made all the same."""
    (tmp_path / "secrets" / "log.key").unlink()

    results = look(context)

    assert Level.ERROR is found(results, "secrets")[0]
    assert Level.OK is found(results, "votes")[0]


def post(context: Context, account: str, cents: int) -> None:
    """Post money of unknown kind in the bank."""
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(
                day=context.today(),
                kind=EntryKind.SUSPENSE,
                description="Movement to be clarified",
                postings=(
                    Posting(BANK, Fund.OTHER, cents),
                    Posting(account, Fund.OTHER, -cents),
                ),
            )
        )


def test_money_that_waits_for_an_explanation_is_named(context: Context) -> None:
    """Suspense is reported until it is resolved (money §4)."""
    post(context, SUSPENSE, 500)

    assert (Level.WARNING, "$5.00 wait in liabilities:suspense to be explained.") == found(
        look(context), "suspense"
    )


def test_an_overdrawn_fund_is_named(context: Context) -> None:
    """It is not hidden (money §9)."""
    post(context, "expenses:fees", -700)

    assert (Level.WARNING, "The fund 'other' is overdrawn: -$7.00.") == found(
        look(context), "funds"
    )


def test_a_clock_before_the_books_is_named(context: Context) -> None:
    """A clock that was set back would date entries before older ones."""
    post(context, SUSPENSE, 500)
    clock_of(context).advance(days=-3)

    assert Level.ERROR is found(look(context), "clock")[0]


def test_books_that_do_not_agree_are_named(context: Context) -> None:
    """Every check of ``jara ledger verify`` is made."""
    post(context, SUSPENSE, 500)
    with context.store.write() as work:
        work.log._sql.run("UPDATE totals SET cents = cents + 1")  # type: ignore[attr-defined] # behind the store's door

    results = look(context)

    assert Level.ERROR is found(results, "books")[0]
    assert any("jara ledger verify" in result.message for result in results)


@pytest.mark.parametrize(
    ("size", "root", "level"),
    [(None, None, Level.OK), (None, "00" * 32, Level.ERROR), (99, None, Level.ERROR)],
)
def test_a_closed_year_is_the_one_that_was_closed(
    context: Context, size: int | None, root: str | None, level: Level
) -> None:
    """The log's root at closing is kept with the lock."""
    with context.store.write() as work:
        lock = YearLock(
            2025,
            context.now(),
            size or work.log.size(),
            root or work.log.root().hex(),
            {},
        )
        work.book_settings.lock_year(lock)

    assert level is found(look(context), "years")[0]


def test_a_vote_without_its_key_is_named(context: Context) -> None:
    """It can only be withdrawn, so somebody has to."""
    with context.store.write() as work:
        proposal = a_proposal(status=ProposalStatus.OPEN)
        work.proposals.put(ProposalRecord(proposal, created_at=context.now()))

    assert Level.ERROR is found(look(context), "votes")[0]


def test_an_act_that_was_cut_off_is_named(context: Context) -> None:
    """Nobody else would notice that an approved payment was never made."""
    approval = Approval("appr_1", "pay", {"cents": 1}, "", "waiting", "ada", context.now())
    with context.store.write() as work:
        work.operations.put_approval(approval)
    assert "approvals" not in {result.name for result in look(context)}

    with context.store.write() as work:
        work.operations.put_approval(replace(approval, state=CARRYING_OUT))
    assert Level.ERROR is found(look(context), "approvals")[0]


def test_a_daily_run_that_is_missing_late_or_failed_is_named(context: Context) -> None:
    """Votes close and mail goes out only when somebody starts it."""
    assert "never made" in found(look(context), "daily")[1]
    run_daily(context, [Step("mail", lambda _: StepOutcome("", ok=False))])
    assert "failed: mail" in found(look(context), "daily")[1]
    clock_of(context).advance(hours=37)
    assert "last on 2026-11-20 12:00" in found(look(context), "daily")[1]


def test_letters_that_keep_failing_are_named(context: Context) -> None:
    """Three tries without success are no accident."""
    with context.store.write() as work:
        write_letter(context, work, "receipt", address="ama@example.org", values={})
        (letter,) = work.outbox.all()
        for _ in range(3):
            due = context.now() + timedelta(hours=1)
            work.outbox.failed(letter.id, reason="It refused.", due_at=due)

    assert (Level.WARNING, "1 letters keep failing: It refused.") == found(look(context), "outbox")


def test_live_payments_need_https_and_mail(context: Context) -> None:
    """Real money over plain HTTP, or without letters, is an error; a sandbox may do without."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name
    safe = replace(live, rules=replace(live.rules, site_url="https://jara.example"))

    assert Level.OK is found(look(context), "site")[0]
    assert Level.ERROR is found(look(live), "site")[0]
    assert Level.OK is found(look(safe), "site")[0]
    assert Level.ERROR is found(look(safe, replace(WELL, sends_mail=False)), "mail")[0]


@pytest.mark.parametrize(
    ("network", "level"),
    [
        ("127.0.0.1/32", Level.OK),
        ("10.0.0.0/8", Level.OK),
        ("fd00::/8", Level.OK),
        ("198.18.0.0/16", Level.OK),
        ("93.184.0.0/16", Level.OK),
        ("0.0.0.0/0", Level.ERROR),
        ("::/0", Level.ERROR),
        ("93.0.0.0/8", Level.ERROR),
        ("2600::/32", Level.ERROR),
    ],
)
def test_a_proxy_is_no_half_of_the_world(context: Context, network: str, level: Level) -> None:
    """Who trusts strangers' X-Forwarded-For counts under the address they choose."""
    around = replace(WELL, trusted_proxies=(network,))

    assert level is found(look(context, around), "proxies")[0]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"media_problem": "The media folder is a file."}, "media"),
        ({"exposed_settings": "jara.toml"}, "settings"),
    ],
)
def test_files_in_the_wrong_state_are_named(
    context: Context, changes: dict[str, Any], name: str
) -> None:
    """Keys that everybody reads, and evidence that could not be kept."""
    assert Level.ERROR is found(look(context, replace(WELL, **changes)), name)[0]


def closed(context: Context, *, destroyed: bool) -> None:
    """Keep a vote that was decided now, and its key."""
    context.vault.make_ballot_key("prop_01")
    with context.store.write() as work:
        proposal = replace(a_proposal(status=ProposalStatus.REJECTED), id="prop_01")
        record = ProposalRecord(proposal, created_at=context.now(), decided_at=context.now())
        at = context.now() if destroyed else None
        work.proposals.put(replace(record, key_destroyed_at=at))


def test_a_key_that_should_be_gone_is_named(context: Context) -> None:
    """Fourteen days after a vote nobody may be able to say who voted what (trust §2)."""
    closed(context, destroyed=False)
    for days, level in ((14, Level.OK), (1, Level.ERROR)):
        clock_of(context).advance(days=days)
        assert level is found(look(context), "votes")[0]
    assert "was to be destroyed on 2026-12-04" in found(look(context), "votes")[1]
    context.vault.destroy_ballot_key("prop_01")
    assert Level.OK is found(look(context), "votes")[0]


def test_a_key_that_came_back_is_named(context: Context) -> None:
    """Somebody put a copy of the secrets folder in place."""
    closed(context, destroyed=True)

    assert "lies in the secrets folder again" in found(look(context), "votes")[1]


def test_checkpoints_that_the_database_does_not_know_are_named(
    context: Context, tmp_path: Path
) -> None:
    """An older backup was put in place of what was published."""
    path = tmp_path / "checkpoints.txt"
    publishing = replace(context, note_file=CheckpointFile(path))
    make_checkpoint(publishing)
    assert (Level.OK, "1 checkpoints of the log are published.") == found(
        look(publishing), "checkpoints"
    )
    path.write_text(path.read_text() + "\nmore\n")

    assert Level.ERROR is found(look(publishing), "checkpoints")[0]
    assert "checkpoints" not in {result.name for result in look(context)}


def test_a_limit_that_nobody_could_approve_is_named(context: Context) -> None:
    """Two persons are needed for the rule of two persons."""
    limited = replace(context, rules=replace(context.rules, approval_cents=100))
    assert Level.WARNING is found(look(limited), "approvals")[0]
    add_operator(limited, "tester")
    add_operator(limited, "ada")

    assert "approvals" not in {result.name for result in look(limited)}


def test_a_missing_or_old_backup_is_named(context: Context, tmp_path: Path) -> None:
    """Where real money is; a sandbox may be lost."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name
    assert "backup" not in {result.name for result in look(context)}
    assert "ever made" in found(look(live), "backup")[1]
    make_backup(context, tmp_path / "b.db")
    assert Level.OK is found(look(live), "backup")[0]
    clock_of(context).advance(days=3)
    assert Level.WARNING is found(look(live), "backup")[0]
