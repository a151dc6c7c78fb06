"""Operators' keys at the terminal, with OpenSSH's own agent and key files."""

import json
import os
import shlex
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.domain.control.ssh import check_signature
from jara.security.keys import SecretsFolder
from jara.store.sqlite.connection import sqlite3
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.ledger.ledger_samples import RENT
from tests.sent_emails import newest_email
from tests.services.operations.test_invitations import SITE, accepted
from tests.sizes import wait_until

ARMOUR = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")

CHARGE = ("ledger", "bank-charge", "0.50")
GRANT = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other")

pytestmark = pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="needs OpenSSH")


@pytest.fixture
def agent(shell: GivingShell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Run an SSH agent without keys, with its socket in the environment."""
    path = shell.folder / "agent"
    program = subprocess.Popen(["ssh-agent", "-D", "-a", str(path)], stdout=subprocess.DEVNULL)
    wait_until(path.exists)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(path))
    yield path
    program.terminate()
    program.wait()


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal in a folder with a new organisation, without an agent."""
    stop_clock(monkeypatch)
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return GivingShell(tmp_path, monkeypatch, capsys)


def make_key(folder: Path, name: str, *options: str, passphrase: str = "") -> Path:
    """Create a key pair with ssh-keygen; return the private file."""
    path = folder / name
    words = ["ssh-keygen", "-q", "-N", passphrase, "-C", name, "-f", str(path)]
    subprocess.run([*words, *(options or ("-t", "ed25519"))], check=True)
    return path


def load(path: Path) -> None:
    """Add a key to the agent."""
    subprocess.run(["ssh-add", "-q", str(path)], check=True, env=os.environ.copy())


def enrol_with_file(shell: GivingShell, name: str = "tester") -> Path:
    """Enrol a first key from its file; return the private file."""
    key = make_key(shell.folder, name)
    shell.done("--key", str(key), "operators", "add", "tester", "--key", f"{key}.pub")
    return key


@pytest.mark.parametrize("suffix", ["", ".pub"])
def test_the_first_key_signs_for_itself(shell: GivingShell, suffix: str) -> None:
    """Either half is given, no agent runs, and nothing else is typed."""
    key = make_key(shell.folder, "tester")

    status, _, err = shell.run("operators", "add", "tester", "--key", f"{key}{suffix}")

    assert (status, f"jara --key {key} …" in err) == (ExitCode.DONE, True), err
    (listed,) = shell.json("operators", "list")
    assert [one["roles"] for one in listed["keys"]] == [["admin"]]
    second = make_key(shell.folder, "ben")
    refused = shell.run("operators", "add", "ben", "--key", f"{second}.pub")
    assert refused[0] == ExitCode.CONFLICT
    waits = shell.run("--key", f"{key}.pub", "operators", "add", "ben", "--key", str(second))
    assert waits[0] == ExitCode.DONE


def test_a_first_key_with_a_passphrase_has_advice(shell: GivingShell) -> None:
    """It is in no file that can sign; the agent asks for the passphrase."""
    key = make_key(shell.folder, "tester", passphrase="secret words")

    status, _, err = shell.run("operators", "add", "tester", "--key", f"{key}.pub")

    assert (status, f"ssh-add {key}" in err) == (ExitCode.CONFLICT, True)


@pytest.mark.usefixtures("agent")
def test_with_an_agent_an_operator_types_nothing_more(shell: GivingShell) -> None:
    """The agent's enrolled key is used without an option, and other keys are ignored."""
    load(make_key(shell.folder, "unknown"))
    load(make_key(shell.folder, "rsa", "-t", "rsa", "-b", "2048"))
    key = make_key(shell.folder, "id")
    load(key)

    shell.done("operators", "add", "tester", "--key", f"{key}.pub")
    shell.done("ledger", "post", *GRANT, "--amount", "20", "--kind", "grant")
    shell.done(*CHARGE)

    acts = shell.json("operators", "log")
    assert [act["operator"] for act in acts[-3:]] == ["tester"] * 3
    assert len(acts[-1]["after"]["signed"]) == 32
    (listed,) = shell.json("operators", "list")
    assert [one["roles"] for one in listed["keys"]] == [["admin"]]
    assert listed["keys"][0]["key"].startswith("SHA256:")


def test_without_a_key_nothing_changes(shell: GivingShell) -> None:
    """A command that changes something is refused, and the message says what to do."""
    enrol_with_file(shell)

    status, _, err = shell.run(*CHARGE)

    assert status == ExitCode.CONFLICT
    assert "no enrolled key was found; add yours to the SSH agent (ssh-add)" in err
    assert shell.run("ledger", "balance")[0] == ExitCode.DONE


def test_a_key_file_signs_as_well(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch, agent: Path
) -> None:
    """A key file is an option or a variable; a public file means the agent's key."""
    key = enrol_with_file(shell)
    monkeypatch.setenv("JARA_OPERATOR_KEY", str(key))
    shell.done("ledger", "post", *GRANT, "--amount", "20", "--kind", "grant")
    monkeypatch.delenv("JARA_OPERATOR_KEY")

    shell.done("--key", f"{key}.pub", *CHARGE)  # the private half is beside it
    public = Path(f"{key}.pub").rename("elsewhere.pub")
    status, _, err = shell.run("--key", str(public), *CHARGE)
    assert (status, "does not have the key SHA256:" in err) == (ExitCode.CONFLICT, True)
    load(key)
    shell.done("--key", str(public), *CHARGE)
    assert agent.exists()


@pytest.mark.parametrize(
    ("options", "passphrase", "code", "sentence"),
    [
        (("-t", "ed25519"), "open sesame", ExitCode.CONFLICT, "let the SSH agent sign: ssh-add"),
        (("-t", "rsa", "-b", "2048"), "", ExitCode.USAGE, "is not Ed25519"),
    ],
)
def test_a_file_that_cannot_sign_says_so(
    shell: GivingShell, options: tuple[str, ...], passphrase: str, code: ExitCode, sentence: str
) -> None:
    """A key with a passphrase must be in the agent, and RSA keys are refused."""
    enrol_with_file(shell)
    other = make_key(shell.folder, "other", *options, passphrase=passphrase)

    status, _, err = shell.run("--key", str(other), *CHARGE)

    assert (status, sentence in err) == (code, True), err
    assert shell.run("--key", "nowhere", *CHARGE)[0] == ExitCode.NOT_FOUND


def test_a_missing_agent_counts_as_no_key(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing agent socket counts as no key."""
    enrol_with_file(shell)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(shell.folder / "gone"))

    assert "no enrolled key was found" in shell.run(*CHARGE)[2]


def test_openssh_accepts_our_signatures_and_we_accept_its(shell: GivingShell) -> None:
    """OpenSSH verifies Jara's signatures, and Jara verifies OpenSSH's."""
    key = enrol_with_file(shell)
    with sqlite3.connect(shell.folder / "jara.db") as database:
        ((statement, signature),) = database.execute("SELECT statement, signature FROM signed_acts")
    database.close()
    armoured = "\n".join((ARMOUR[0], signature, ARMOUR[1], ""))
    (shell.folder / "act.sig").write_text(armoured)
    check = ["ssh-keygen", "-Y", "check-novalidate", "-n", "jara-act", "-s", "act.sig"]
    sign = ["ssh-keygen", "-Y", "sign", "-q", "-n", "jara-act", "-f", str(key)]

    ours = subprocess.run(check, check=True, cwd=shell.folder, input=statement.encode())
    theirs = subprocess.run(sign, input=statement.encode(), capture_output=True, check=True)

    assert ours.returncode == 0
    assert {"verb": "operators.add", "t": "jara/v1/act"}.items() <= json.loads(statement).items()
    found = check_signature(
        b64decode("".join(theirs.stdout.decode().split("\n")[1:-2]), validate=True),
        statement.encode(),
        SecretsFolder(shell.folder / "jara.secrets").verifies,
    )
    assert (key.with_suffix(".pub")).read_text().startswith(found.text())


def test_the_daily_run_has_its_own_key(shell: GivingShell) -> None:
    """The daily run signs with its own key, which is valid for due work only."""
    key = enrol_with_file(shell)
    assert shell.run("run", "daily")[0] == ExitCode.CONFLICT
    nowhere = shell.run("--db", "none.db", "operators", "scheduler-key")
    assert (nowhere[0], "There is no database" in nowhere[2]) == (ExitCode.NOT_FOUND, True)
    public = shell.done("operators", "scheduler-key")
    assert public == shell.done("operators", "scheduler-key")
    assert shell.json("operators", "scheduler-key") == {"publicKey": public.strip()}
    (shell.folder / "scheduler.pub").write_text(public)

    words = ("operators", "add", "scheduler", "--role", "scheduler", "--key", "scheduler.pub")
    shell.done("--key", str(key), *words)

    assert all(step["ok"] for step in shell.json("run", "daily"))
    assert "no enrolled key was found" in shell.run(*CHARGE)[2]
    acts = shell.json("operators", "log")
    assert acts[-1]["operator"] == "scheduler"


def test_a_phone_is_enrolled_with_the_words_that_its_owner_reads(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of the invitation has the command; the phone shows the words."""
    monkeypatch.setenv("JARA_SITE_URL", SITE)
    key = ("--key", str(enrol_with_file(shell)))
    phone = ("ama", "--role", "approver", "--email", "ama@example.org")
    note = shell.run(*key, "operators", "invite", *phone)[2]
    context = build_from_environ(os.environ).context
    link = str(newest_email(context, "operator_phone").doc["link"])
    made = accepted(context, link.partition("#invitation=")[2])
    context.store.close()

    words = shlex.split(note.partition(": jara ")[2])
    shell.done(*key, *(made.words if word == "…" else word for word in words))

    (row,) = (one for one in shell.json("operators", "list") if one["id"] == "ama")
    assert row["keys"][0]["roles"] == ["approver"]


def test_one_key_asks_and_another_approves(shell: GivingShell) -> None:
    """One key asks, another approves; a change of the limit works the same way."""
    ada = enrol_with_file(shell)
    ben = make_key(shell.folder, "ben")
    first, second = ("--key", str(ada)), ("--key", str(ben))
    shell.done(*first, "operators", "add", "ben", "--key", f"{ben}.pub", "--role", "approver")
    shell.done(*first, "ledger", "post", *GRANT, "--amount", "90", "--kind", "grant")

    policy = ("operators", "policy", "set", "--limit", "50", "--why", "Voted", "--yes")
    waiting = shell.waits(*first, *policy)
    shell.done(*second, "approvals", "approve", waiting["approval"], "--yes")
    shown = shell.json("operators", "policy", "show")
    assert (shown["dayLimitCents"], shown["totalLimitCents"]) == (5000, 5000)
    rent = shell.waits(*first, "ledger", "post", *RENT, "--amount", "50", "--kind", "expense")
    shown = shell.done("approvals", "show", rent["approval"])
    listed = shell.done("approvals", "list")

    assert "Posting             $50.00  expenses:operations (other)" in shown
    assert "Asked by    tester, 2026-11-20 12:00 UTC" in shown
    assert "Signed      tester, SHA256:" in shown
    assert "expenses:operations" in listed
    assert all(len(line) <= 80 for line in listed.splitlines())
    status, out, _ = shell.run(*second, "approvals", "approve", rent["approval"])
    assert (status, "Posting " in out) == (ExitCode.USAGE, True)
    done = shell.json(*second, "approvals", "approve", rent["approval"], "--yes")
    assert (done["state"], done["decidedBy"]) == ("approved", "ben")
    assert (
        shell.run(*first, "approvals", "refuse", rent["approval"], "--why", "x")[0]
        == ExitCode.CONFLICT
    )


def test_removing_an_operator_names_the_consequences(jara: GivingShell) -> None:
    """Before the question, on standard error, and in the document."""
    for name in ("tester", "ben"):
        jara.done("operators", "add", name)
    jara.done("operators", "address", "ben", "ben@example.org")
    jara.done("organisation", "set", "--contact", "ben@example.org")

    asked = jara.run("operators", "remove", "ben", typed="n\n")
    removed = jara.json("operators", "remove", "ben", "--yes")

    assert asked[0] != 0
    assert "The contact address is “ben@example.org”." in asked[2]
    assert [one["kind"] for one in removed["hanging"]] == ["notices", "mailbox"]
    assert removed["removedAt"]


def test_the_list_for_handing_over_is_filled_in(jara: GivingShell) -> None:
    """Settings with a password, and what a backup leaves out, are in it."""
    jara.done("operators", "add", "tester")
    (jara.folder / "jara.toml").write_text('JARA_SMTP_URL = "smtps://a:b@mail.example.org:465"\n')

    steps = {one["title"]: one for one in jara.json("operators", "handover", "tester")}

    assert steps["Who goes on"]["state"] == "to do"
    assert "JARA_SMTP_URL" in steps["Passwords"]["what"]
    assert "jara.secrets" in steps["Files"]["what"]
    assert "b@mail" not in str(steps)
