"""``jara setup``: the first run, with answers in a file and at a terminal."""

import json
import re
import shlex
import socket
import subprocess
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from jara.config.loading import load_settings
from jara.config.settings_file import key_lines, with_settings
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from jara_cli.root import run_command
from jara_cli.setup.questions import Question
from tests.cli.setup_shell import ANSWERS, ASKED, TYPED, answer, make_key, run, show
from tests.fakes.clock import FakeClock
from tests.mail.emails_for_tests import Inbox, running
from tests.sizes import some
from tests.stripe_double.double import StripeDouble

LEADS = ("province", "key")
"""Questions without which those that follow them are not asked."""
ASK = "jara_cli.setup.interview._ask"


def answer_zone(folder: Path, text: str, zone: str) -> str:
    """Write a file of answers for a time zone; return its name."""
    file = folder.parent / f"{folder.name}-{zone.rpartition('/')[2]}.toml"
    file.write_text(text.format(zone), encoding="utf-8")
    return str(file)


def type_line(line: str, patch: pytest.MonkeyPatch) -> None:
    """Do what a line of a shell does, with settings before ``jara`` or without it."""
    if "jara " not in line:
        subprocess.run(["sh", "-c", line], check=True)
        return
    typed, _, target = line.partition(" > ")
    settings, _, typed = typed.rpartition("jara ")
    with patch.context() as here, redirect_stdout(StringIO()) as out:
        for setting in settings.split():
            here.setenv(*setting.split("=", 1))
        assert execute(shlex.split(typed)) == ExitCode.DONE
    if target:
        Path(target).write_text(out.getvalue(), encoding="utf-8")


def test_a_file_of_answers_is_enough(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is asked; what was done is printed, and typing that elsewhere does the same."""
    make_key(folder)
    text = f'{ANSWERS}key = "~/.ssh/id_ed25519.pub"\n'
    status, out, _ = run(capsys, "setup", "--answers", answer(folder, text))
    done = out.partition("\n")[2].partition("\nWhat is left:")[0].splitlines()
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    for line in done:
        type_line(line, monkeypatch)
    monkeypatch.chdir(folder)
    capsys.readouterr()

    assert status == ExitCode.DONE
    assert done[:2] == [
        "printf '%s\\n' 'log_days = 30' >> jara.toml",
        "jara init --currency CAD --time-zone America/Halifax --language fr",
    ]
    assert (elsewhere / "jara.toml").read_bytes() == (folder / "jara.toml").read_bytes()
    assert show(elsewhere) == show(folder)
    assert run(capsys, "legal", "show", "terms", "--json")[2] == ""  # no value is missing


def test_a_second_setup_changes_only_differences(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run with the same answers does nothing; with another one it does that alone."""
    run(capsys, "setup", "--answers", answer(folder, ANSWERS))
    before = run(capsys, "operators", "log", "--json")[1]

    again = run(capsys, "setup", "--answers", answer(folder, ANSWERS), "--json")
    after = run(capsys, "operators", "log", "--json")[1]
    other = answer(folder, ANSWERS.replace("12 Harbour Road", "14 Harbour Road"))
    changed = run(capsys, "setup", "--answers", other, "--json")

    assert (json.loads(again[1])["done"], after) == ([], before)
    assert json.loads(changed[1])["done"] == [
        "jara organisation set --address '14 Harbour Road, Halifax'"
    ]


def test_a_second_setup_needs_no_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An organisation with keys is set up again by answers that name none."""
    make_key(folder)
    text = f'{ANSWERS}key = "~/.ssh/id_ed25519.pub"\n'
    run(capsys, "setup", "--answers", answer(folder, text))

    status, out, err = run(capsys, "setup", "--answers", answer(folder, "log-days = 9"))

    assert (status, "jara.toml: log_days = 9" in out) == (ExitCode.DONE, True), err


def test_a_day_counts_where_the_organisation_is(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One day before that of UTC is today in the west, and in the past in the east."""
    monkeypatch.setattr("jara_cli.setup.questions.SystemClock", FakeClock)
    day = FakeClock().now().date().isoformat()
    text = f'effective = "{day}"\ntime-zone = "{{}}"\nprovince = "Ontario"\n'
    east, west = (answer_zone(folder, text, zone) for zone in ("Pacific/Kiritimati", "Etc/GMT+12"))

    refused = run(capsys, "setup", "--answers", east)
    left = list(folder.iterdir())

    assert (refused[0], left) == (ExitCode.USAGE, [])
    assert f"line 1: 'effective': {day} is in the past" in refused[2]
    assert "is in the past" not in run(capsys, "setup", "--answers", west)[2]


def test_texts_that_hold_have_no_other_first_day(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same answers do on a later day what they did: nothing."""
    for day in ("2199-01-01", "2199-01-01", "yesterday"):
        text = ANSWERS.replace('"today"', f'"{day}"')
        status, out, err = run(capsys, "setup", "--answers", answer(folder, text))
        assert status == ExitCode.DONE, out + err

    assert out.startswith("Nothing was to be done.")


def test_each_mistake_is_named_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown key, a wrong type, a bad value: the line and the rule; nothing is written."""
    text = (
        'leagal-name = "x"\nname = 3.5\n\nrefund-days = 1\nsite_url = """\nx"""\n'
        'currency = "JPY"\nkey = "none.pub"\nsplit = "projects=1"\nlog-days = "many"\nname_ = []\n'
    )
    file = answer(folder, text)
    status, out, err = run(capsys, "setup", "--answers", file)
    told = err.splitlines()

    assert (status, out) == (ExitCode.USAGE, "")
    assert [line.removeprefix(f"{file}, line ").partition(":")[0] for line in told[:-1]] == [
        *("1", "2", "4", "5", "7", "8", "9", "10", "11")
    ]
    assert "Did you mean 'legal-name'?" in told[0]
    assert told[1].endswith("'name' must be text.")
    assert "'1' is not a number of days from 2 to 365." in told[2]
    assert "'site-url': 'x' must be an address" in told[3]
    assert told[-1] == f"error: {file} has 9 mistakes; nothing was written."
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"name = ", "is not valid TOML: Invalid value (at end of document)"),
        (b"name = 'a'\nname = 'b'\n", "Cannot overwrite a value (at line 2, column 11)"),
        (b"name = '\xff'", "is not UTF-8 text"),
        (
            b'name = "A"\nstripe-secret-key = "sk_test_x"',
            "line 2: 'stripe-publishable-key' is missing; setup makes the webhook secret itself.",
        ),
        (
            b'stripe-publishable-key = "pk_test_x"',
            "line 1: 'stripe-secret-key' is missing; setup makes the webhook secret itself.",
        ),
        (
            b'province = "Ontario"\neffective = "yesterday"',
            " is in the past; the text can hold from ",
        ),
        (
            b'site-url = "https://a.b"\nsite_url = "https://a.b"',
            "line 2: 'site-url' is there twice",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], text: bytes, sentence: str
) -> None:
    """Nothing is written."""
    file = folder.parent / f"{folder.name}.toml"
    file.write_bytes(text)

    status, _, err = run(capsys, "setup", "--answers", str(file))

    assert (status, sentence in err) == (ExitCode.USAGE, True), err
    assert list(folder.iterdir()) == []


def test_a_key_that_stripe_refuses_is_not_written(
    folder: Path, capsys: pytest.CaptureFixture[str], double: StripeDouble
) -> None:
    """With a key that Stripe accepts, the secret of the webhook gets into the private file."""
    text = 'site-url = "https://a.example"\nstripe-publishable-key = "pk_test_double"\n'
    wrong = answer(folder, f'{text}stripe-secret-key = "sk_test_wrong"\n')
    refused = run(capsys, "setup", "--answers", wrong)
    left = list(folder.glob("*jara*"))
    right = answer(folder, f'{text}stripe-secret-key = "{double.secret_key}"\n')
    accepted = run(capsys, "setup", "--answers", right)
    file = folder / "jara.toml"

    assert (refused[0], left) == (ExitCode.UNAVAILABLE, [])
    assert "Stripe does not accept the key in JARA_STRIPE_SECRET_KEY" in refused[2]
    assert accepted[0] == ExitCode.DONE, accepted
    assert file.stat().st_mode & 0o777 == 0o600
    assert double.secret_key not in accepted[1] + accepted[2]
    settings = load_settings({}, toml_path=file)
    assert settings.stripe_webhook_secret is not None
    assert settings.payment_mode.value == "test"
    assert run(capsys, "setup", "--answers", right)[1].startswith("Nothing was to be done.")


def test_keys_do_not_make_a_sandbox_real(
    folder: Path, capsys: pytest.CaptureFixture[str], double: StripeDouble
) -> None:
    """The payment mode is for life; the settings stay as they are."""
    run(capsys, "setup", "--answers", answer(folder, 'name = "Sankofa"'))
    keys = f'stripe-secret-key = "{double.secret_key}"\nstripe-publishable-key = "pk_test_double"\n'

    status, _, err = run(capsys, "setup", "--answers", answer(folder, keys))

    assert (status, "never becomes a real one" in err) == (ExitCode.CONFLICT, True)
    assert tomllib.loads((folder / "jara.toml").read_text()) == {}


def test_the_mail_server_is_tried(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One test goes to the contact; a server that is not there is said, and the rest is done."""
    inbox = Inbox()
    with running(inbox) as url:
        text = f'{ANSWERS}smtp-url = "{url}"\nmail-from = "hello@sankofa.example"\n'
        for _ in range(2):
            assert run(capsys, "setup", "--answers", answer(folder, text))[0] == ExitCode.DONE
    (message,) = inbox.messages
    gone = text.replace(url, "smtp://127.0.0.1:9")
    status, out, _ = run(capsys, "setup", "--answers", answer(folder, gone))

    assert (message["To"], message["Subject"][:5]) == ("hello@sankofa.example", "Essai")
    assert status == ExitCode.NO
    assert "jara mail test hello@sankofa.example" in out
    assert "cannot be reached" in out


def test_a_test_email_that_failed_is_tried_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until one has passed; then not again."""
    inbox = Inbox()
    with running(inbox) as url:
        file = answer(folder, f'{ANSWERS}smtp-url = "{url}"\n')
        refused = Inbox()
        with running(refused) as other:
            pass
        gone = answer_zone(folder, f'{ANSWERS}smtp-url = "{other}"\n', "gone")
        failing = [run(capsys, "setup", "--answers", gone)[:2] for _ in range(2)]
        passing = [run(capsys, "setup", "--answers", file)[:2] for _ in range(2)]

    assert [status for status, _ in failing] == [ExitCode.NO, ExitCode.NO]
    assert "jara mail test hello@sankofa.example" in failing[1][1]
    assert [status for status, _ in passing] == [ExitCode.DONE, ExitCode.DONE]
    assert passing[1][1].startswith("Nothing was to be done.")
    assert len(inbox.messages) == 1


def test_without_a_contact_no_test_is_sent(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is left says why, each time."""
    file = answer(folder, 'smtp-url = "smtp://127.0.0.1:9"')
    for _ in range(2):
        status, out, _ = run(capsys, "setup", "--answers", file, "--json")
        left = [one["message"] for one in json.loads(out)["left"]]

        assert status == ExitCode.DONE
        assert (
            "No test was sent, because the organisation has no contact: "
            "jara organisation set --contact EMAIL" in left
        )
    run(capsys, "organisation", "set", "--contact", "hello@sankofa.example")
    assert "no contact" not in run(capsys, "setup", "--answers", file)[1]


def test_a_settings_file_keeps_comments_and_order(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Comments, order and spelling stay; a file that all can read becomes private."""
    file = folder / "jara.toml"
    file.write_text(
        '# ours\nJARA_SITE_URL = "http://localhost:8000"  # the old one\n'
        'cors_origins = [\n  "https://a.example",\n]\n# the end'
    )
    text = (
        'site-url = "http://localhost:8080"\nlog-days = 9\ncors-origins = ["https://b.example"]\n'
    )
    for before, after in ((0o644, 0o600), (0o640, 0o640)):
        file.chmod(before)
        assert run(capsys, "setup", "--answers", answer(folder, text))[0] == ExitCode.DONE
        assert file.stat().st_mode & 0o777 == after
        text = text.replace("9", "8")

    assert file.read_text() == (
        '# ours\nJARA_SITE_URL = "http://localhost:8080"\n'
        'cors_origins = ["https://b.example"]\n# the end\nlog_days = 8\n'
    )


def test_lines_and_values_are_toml() -> None:
    """What is written is read back the same, in all scripts and with all characters."""
    value = 'வணக்கம் "\\ \x7f \t 会'
    text = with_settings("", {"operator": value, "backup_days": 3, "public_sandbox": True})

    assert tomllib.loads(text)["operator"] == value
    assert key_lines(text) == {
        "operator": range(1),
        "backup_days": range(1, 2),
        "public_sandbox": range(2, 3),
    }


def test_without_a_terminal_it_says_how(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script needs a file of answers."""
    status, _, err = run(capsys, "setup")

    assert (status, err) == (
        ExitCode.USAGE,
        "error: There is no terminal to ask at; give --answers FILE.\n",
    )
    assert list(folder.iterdir()) == []


def test_a_port_that_is_taken_is_not_proposed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that starts the website has a port that is free."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        except OSError:
            pass  # another program has it already
        err = run(capsys, "setup", "--answers", answer(folder, 'name = "Sankofa"'))[2]

    assert "Start the website: jara serve --port 80" in err
    assert folder.exists()


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ('site-url = "https://give.example"', " --public-sandbox"),
        ('site-url = "https://give.example"\npublic-sandbox = true', ""),
        ('site-url = "http://127.0.0.1:8000"', ""),
    ],
)
def test_the_last_command_starts_the_website(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, option: str
) -> None:
    """A sandbox that others are to reach needs an option, or its setting."""
    err = run(capsys, "setup", "--answers", answer(folder, text))[2]

    (last,) = [line for line in err.splitlines() if "Start the website" in line]
    assert re.sub(" --port [0-9]+", "", last).endswith(f" jara serve{option}")


@pytest.mark.parametrize(
    ("line", "fault"),
    [('currency = "EUR"', "stays CAD"), ('time-zone = "Asia/Tokyo"', "the time zone stays")],
)
def test_books_that_are_used_refuse_before_anything_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, fault: str
) -> None:
    """Currency and time zone stay once there are entries; the other answers wait too."""
    run(capsys, "init", "--currency", "CAD")
    entry = "ledger post --debit assets:bank --credit income:gifts --fund other --amount 5"
    assert run(capsys, *entry.split(), "--why", "Domain")[0] == ExitCode.DONE
    words = f'{line}\nname = "Sankofa"\nsite-url = "https://give.example.org"\nlog-days = 30\n'

    status, _, err = run(capsys, "setup", "--answers", answer(folder, words))

    assert (status, fault in err) == (ExitCode.CONFLICT, True)
    assert not (folder / "jara.toml").exists()
    assert show(folder)[0]["own"] == []


class Killed(BaseException):
    """Ends setup as a kill does; nothing catches it."""


def kill_after(left: list[int], inner: Callable[[list[str]], int], argv: list[str]) -> int:
    """Run a command, unless none is left to run."""
    if left[0] == 0:
        raise Killed
    left[0] -= 1
    return inner(argv)


@pytest.mark.slow
def test_setup_continues_after_a_kill_at_each_step(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill before any of its commands, the next run does the rest."""
    make_key(folder)
    file = answer(folder, f'{ANSWERS}key = "~/.ssh/id_ed25519.pub"\n')
    left, status = [0], None
    limited = partial(kill_after, left, run_command)
    monkeypatch.setattr("jara_cli.setup.steps.run_command", limited)
    kills = 0
    while status is None:
        left[0] = kills
        try:
            status = execute(["setup", "--answers", file])
        except Killed:
            kills += 1

    assert status == ExitCode.DONE
    assert kills > 3
    organisation, weights, names = show(folder)
    assert (organisation["refundDays"], weights["projects"]) == ("30", 82)
    assert names == [("ada", [["admin"]]), ("scheduler", [["scheduler"]])]


def ask_from(typed: dict[str, str], asked: list[str], kill_at: str) -> Callable[..., str]:
    """Return what answers the questions, notes them, and ends setup as a kill does at one."""

    def ask(question: Question, default: object) -> str:
        if question.key == kill_at:
            raise Killed
        asked.append(question.key)
        return typed[question.key] or ("" if default is None else str(default))

    return ask


@pytest.mark.parametrize("skipped", some(ASKED, step=5))
def test_a_question_is_skipped_and_setup_killed_at_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch, skipped: str
) -> None:
    """The second start asks the rest alone; what was said is there, and so is a settings file."""
    make_key(folder)
    typed = {**TYPED, skipped: "-"}
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    first: list[str] = []
    second: list[str] = []
    later = [key for key in ASKED[ASKED.index(skipped) + 1 :] if key != "mail-from"]
    after = next((key for key in later if key in ("smtp-url", "key") or skipped not in LEADS), "")
    monkeypatch.setattr(ASK, ask_from(typed, first, after))
    try:
        assert execute(["setup"]) == ExitCode.DONE
    except Killed:
        assert not (folder / "jara.toml").exists()
        monkeypatch.setattr(ASK, ask_from(typed, second, ""))
        assert execute(["setup"]) == ExitCode.DONE

    organisation, _, names = show(folder)
    said = {key: typed[key] for key in ("name", "currency", "province") if key in first + second}
    assert not set(first) & set(second)
    assert {key: organisation[key] for key in said} | {
        key: value for key, value in said.items() if value == "-"
    } == said
    assert [name for name, _ in names] == ([] if skipped == "key" else ["ada", "scheduler"])
    assert (folder / "jara.toml").exists()
