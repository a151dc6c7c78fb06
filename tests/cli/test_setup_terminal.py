"""``jara setup`` at a terminal: a person answers its questions."""

import json
import re
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.pty_program import PtyProgram
from tests.cli.setup_shell import ASKED, TYPED, answer, make_key, run, show
from tests.mail.emails_for_tests import Inbox, running
from tests.sizes import some
from tests.stripe_double.double import StripeDouble


def test_setup_warns_that_a_sandbox_stays_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the question, and in what is left."""
    out = run(capsys, "setup", "--answers", answer(folder, 'name = "Sankofa"'))[1]
    before = ASKED[: ASKED.index("cards")]
    program = PtyProgram(folder, "setup", NO_COLOR="1", COLUMNS="200")
    type_all(program, before)
    program.wait_for("\ncards")
    program.interrupt()

    assert "never becomes a real one" in " ".join(out.split())
    assert program.end() == ExitCode.INTERRUPTED
    assert "an organisation that begins so never becomes a real one." in program.seen


def type_all(program: PtyProgram, keys: list[str]) -> None:
    """Answer these questions."""
    for key in keys:
        program.wait_for(f"\n{key}")
        program.wait_for(":")
        program.type(TYPED[key])


def test_a_person_answers_at_a_terminal(folder: Path) -> None:
    """In 80 columns, without colour, in any script; Node and systemd are not needed."""
    make_key(folder)
    program = PtyProgram(folder, "setup", NO_COLOR="1")
    type_all(program, list(TYPED))

    assert program.end() == ExitCode.DONE, program.seen
    assert re.findall(r"\x1b\[[0-9;]*[349][0-7]", program.seen) == []  # bold is no colour
    organisation, weights, names = show(folder)
    assert organisation["name"] == TYPED["name"]
    assert (organisation["currency"], weights["projects"]) == ("CAD", 80)
    assert names == [("ada", [["admin"]]), ("scheduler", [["scheduler"]])]
    assert [path.name for path in folder.glob(".jara*")] == []
    assert (folder / "jara.toml").read_text() == "log_days = 30\n"
    assert "\nlegal " not in program.seen  # nothing is missing in the texts


def test_a_wrong_answer_is_asked_again(folder: Path, double: StripeDouble) -> None:
    """The rule is said, and also what Stripe says; Ctrl+C keeps the answers so far."""
    program = PtyProgram(folder, "setup", JARA_STRIPE_API=double.url)
    for key in ("name", "legal-name", "address"):
        program.wait_for(f"\n{key}")
        program.type("-")
    program.wait_for("\ncontact")
    program.type("nobody")
    program.wait_for("leave it out.")
    for key in ("contact", "currency", "time-zone", "language", "split", "site-url"):
        program.wait_for(f"\n{key}" if key != "contact" else "contact: ")
        program.type("")
    program.wait_for("\ncards")
    program.type("stripe")
    program.wait_for("\nstripe-secret-key")
    program.type("sk_test_wrong")
    program.wait_for("\nstripe-publishable-key")
    program.wait_for(": ")
    program.type("pk_test_double")
    program.wait_for("Stripe does not accept the key")
    program.wait_for("\ncards")  # any of them may be the wrong one
    program.type("stripe")
    program.wait_for("\nstripe-secret-key")
    program.wait_for(": ")
    assert "stripe-secret-key" not in json.loads((folder / ".jara-setup.json").read_text())
    program.type(double.secret_key)
    program.wait_for("\nstripe-publishable-key")
    program.wait_for(": ")
    program.type("pk_test_double")
    program.wait_for("Stripe accepts the key.")
    program.wait_for("\nsmtp-url")
    program.interrupt()

    assert program.end() == ExitCode.INTERRUPTED
    assert "The answers so far are in" in program.seen
    assert "sk_test_wrong" not in program.seen
    draft = folder / ".jara-setup.json"
    assert draft.stat().st_mode & 0o777 == 0o600
    assert json.loads(draft.read_text())["stripe-secret-key"] == double.secret_key
    assert list(folder.glob("*jara*")) == [draft]


def test_a_mail_server_is_asked_for_until_it_works(folder: Path) -> None:
    """The test that passed in the interview is the only one."""
    inbox, at = Inbox(), ASKED.index("smtp-url")
    with running(inbox) as url:
        program = PtyProgram(folder, "setup", NO_COLOR="1", COLUMNS="200")
        type_all(program, ASKED[:at])
        for server, said in (("smtp://127.0.0.1:9", "cannot be reached"), (url, "A test was sent")):
            for key, typed in (("smtp-url", server), ("mail-from", "hello@sankofa.example")):
                program.wait_for(f"\n{key}: ")
                program.type(typed)
            program.wait_for(said)
        type_all(program, [key for key in ASKED[at + 1 :] if key != "operator"])

        assert program.end() == ExitCode.DONE, program.seen
    assert len(inbox.messages) == 1


@pytest.mark.slow
def test_setup_continues_after_a_kill_at_a_question(folder: Path) -> None:
    """Whatever was answered before the kill is not asked again."""
    make_key(folder)
    keys, asked = list(TYPED), 0
    for at in some(range(1, len(keys)), 7):
        program = PtyProgram(folder, "setup")
        type_all(program, keys[asked:at])
        program.wait_for(f"\n{keys[at]}")
        assert f"\n{keys[asked - 1]}" not in program.seen or asked == 0
        program.kill()  # the question is on the screen
        asked = at
    program = PtyProgram(folder, "setup")
    type_all(program, keys[asked:])

    assert program.end() == ExitCode.DONE, program.seen
    assert show(folder)[0]["name"] == TYPED["name"]
