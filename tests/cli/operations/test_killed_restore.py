"""A restore that is killed leaves nothing that can be used, and the same command finishes it."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import build_from_environ, transfer
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.postgres_server import PostgresServer
from tests.sizes import IS_FULL

KILLED = 137
STEPS = (
    ("jara.services.operations.backups", "_finish"),
    ("jara.bootstrap.transfer", "restore_organisation"),
    ("jara_cli.commands.restore", "verify_and_note"),
    ("jara.services.publiclog.restoring", "_append_restore"),
    ("jara.services.publiclog.restoring", "finish_key_change"),
    ("jara.services.publiclog.restoring", "add_checkpoint"),
    ("jara.services.publiclog.restoring", "publish_checkpoints"),
)
"""What a restore does, in its order: the module that calls it, and its name there."""
CUTS = [
    pytest.param(step, is_done, id=f"{'after' if is_done else 'before'} {step[1]}")
    for step in STEPS
    for is_done in (False, True)
    if IS_FULL or not is_done or step == STEPS[-1]
]
"""After a step is before the next one, or a few lines earlier."""
WORDS = ("restore", "backup.db", "--secrets", "keys", "--checkpoint", "newest.txt")


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal of an organisation that lost everything but a backup and a newer checkpoint."""
    stop_clock(monkeypatch)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.done("backup", "backup.db", "--secrets", "keys")
    shell.done("ledger", "accounts", "add", "expenses:rent", "--meaning", "The office")
    spent = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other")
    shell.done("ledger", "post", *spent, "--amount", "5", "--kind", "grant")
    shell.done("proofs", "checkpoint", "--out", "newest.txt")
    shell.lose()
    for file in (*tmp_path.glob("jara.secrets/*"), *tmp_path.glob("states/**/*")):
        if file.is_file():
            file.unlink()
    for file in tmp_path.glob("jara.checkpoints*"):
        file.unlink()
    return shell


@pytest.mark.parametrize(("step", "is_done"), CUTS)
def test_a_killed_restore_is_refused_until_it_is_finished(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch, step: tuple[str, str], is_done: bool
) -> None:
    """Whatever step a kill stops, each command refuses the database, and a second run ends it."""
    with monkeypatch.context() as patch:
        kill_at(patch, *step, is_done=is_done)
        assert run_in_child(WORDS) == KILLED

    for words in (
        ["ledger", "verify"],
        ["run", "daily"],
        ["doctor"],
        ["members", "list"],
        ["backup", "b.db"],
        ["ledger", "accounts", "add", "expenses:food", "--meaning", "Food"],
    ):
        assert shell.run(*words)[0] not in {ExitCode.DONE, ExitCode.WAITING}, words

    restored = shell.json(*WORDS)
    assert (restored["ok"], restored["log"]) == (True, "127.0.0.1/log/restored-1")
    assert leaves() == ["jara/v1/restore", "jara/v1/log_key"]
    assert "restored-1" in Path("jara.checkpoints.txt").read_text()
    assert shell.json("ledger", "verify")["ok"]
    assert shell.run(*WORDS)[0] == ExitCode.CONFLICT


@pytest.mark.parametrize(
    "step",
    [("jara.store.postgres.database", "copy_rows"), STEPS[3], STEPS[5]],
    ids=lambda one: one[1],
)
def test_a_killed_restore_is_finished_on_postgresql(
    shell: GivingShell,
    monkeypatch: pytest.MonkeyPatch,
    postgres: PostgresServer,
    step: tuple[str, str],
) -> None:
    """Killed while rows are copied, before the leaf and before its checkpoint."""
    words = ("--db", postgres.create_database(), *WORDS)
    with monkeypatch.context() as patch:
        kill_at(patch, *step, is_done=False)
        assert run_in_child(words) == KILLED

    for verb in (["ledger", "verify"], ["doctor"], ["members", "list"], ["run", "daily"]):
        assert shell.run(*words[:2], *verb)[0] != ExitCode.DONE, verb
    assert shell.json(*words)["ok"]
    assert shell.json(*words[:2], "ledger", "verify")["ok"]
    assert shell.run(*words)[0] == ExitCode.CONFLICT


def test_an_unfinished_restore_takes_no_other_backup(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another file is refused, until the database is deleted."""
    with monkeypatch.context() as patch:
        kill_at(patch, *STEPS[-1], is_done=False)
        assert run_in_child(WORDS) == KILLED
    Path("other.db").write_bytes(Path("backup.db").read_bytes() + b"\0")

    status, _, err = shell.run("restore", "other.db")

    assert (status, "backup.db" in err) == (ExitCode.CONFLICT, True)


def test_two_restores_at_once_are_one(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one is refused while the first one runs, and undoes nothing of it."""
    statuses: list[int] = []
    real = transfer.restore_organisation

    def slow(*args: Any, **options: Any) -> Any:
        statuses.append(run_in_child(WORDS))
        return real(*args, **options)

    monkeypatch.setattr(transfer, "restore_organisation", slow)

    assert shell.json(*WORDS)["ok"]
    assert statuses == [ExitCode.CONFLICT]
    assert shell.json("ledger", "verify")["ok"]


def kill_at(patch: pytest.MonkeyPatch, module: str, name: str, *, is_done: bool) -> None:
    """End the process before or after a step, as a kill does."""
    step: Callable[..., Any] = getattr(import_module(module), name)

    def killed(*args: Any, **options: Any) -> Any:
        if is_done:
            step(*args, **options)
        os._exit(KILLED)

    patch.setattr(f"{module}.{name}", killed)


def run_in_child(words: tuple[str, ...]) -> int:
    """Run a command in a child of this process; return its exit status."""
    child = os.fork()
    if child == 0:
        os._exit(execute(list(words)))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def leaves() -> list[str]:
    """Return the types of the leaves that the restore appended."""
    context = build_from_environ(os.environ).context
    with context.store.read() as work:
        types = [str(leaf.type) for leaf in work.log.leaves()]
    context.store.close()
    return types[-2:]
