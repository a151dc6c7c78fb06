"""The frame of the command line: exit statuses, errors, streams, completion, and ``--now``."""

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from jara import build_name
from jara.domain import errors
from jara.domain.time_zone import TimeZone
from jara_cli import main, options, root
from jara_cli.context import _read_now
from jara_cli.exits import ExitCode, explain
from tests.cli.giving_shell import GivingShell

JARA = [sys.executable, "-c", "from jara_cli.main import run; run()"]


FAQ = "projects=80,staff=7,marketing=9,other=4"


def run(
    *words: str, shell_tail: str = "", environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``jara`` as a separate process, with the shell's redirections."""
    return subprocess.run(
        ["bash", "-c", f'"$@" {shell_tail}', "bash", *JARA, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(environ or {})},
    )


Here = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """Return a function that runs ``jara`` in this process, a hundred times faster."""

    def run_here(*words: str) -> subprocess.CompletedProcess[str]:
        status = main.execute(list(words))
        out, err = capsys.readouterr()
        return subprocess.CompletedProcess(words, status, out, err)

    return run_here


def error_line(result: subprocess.CompletedProcess[str]) -> str:
    """Return the single line of an error message."""
    lines = result.stderr.splitlines()

    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0].removeprefix("error: ")


def test_version_is_answered(here: Here) -> None:
    """``--version`` prints name and version, also before a noun or with other options."""
    for words in (["--version"], ["-V"], ["--db", "x.db", "--version"]):
        result = here(*words)
        assert (result.returncode, result.stdout, result.stderr) == (
            0,
            f"jara {build_name()}\n",
            "",
        )


def test_help_lists_the_commands(here: Here) -> None:
    """``--help`` lists every command."""
    asked = here("--help")

    assert asked.returncode == 0
    assert "split" in asked.stdout
    assert "--install-completion" in asked.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["splt", "1"], "No such command 'splt'. Did you mean 'split'? See 'jara --help'."),
        (["pledges", "refund", "x"], "'jara pledges refund' is now 'jara payments refund'."),
        (["split"], "Missing argument 'AMOUNT'. See 'jara split --help'."),
        (["split", "1", "2"], "Got unexpected extra argument(s) (2). See 'jara split --help'."),
        (["split", "ten"], "'ten' is not an amount; "),
        (["split", "1", "--polcy", "x"], "No such option: --polcy (Possible options: --policy)."),
        (["split", "1", "--policy", "projects"], "'projects' has no weight; "),
        (["split", "1", "--policy", "roads=1"], "'roads=1' is not a fund of the split: projects"),
        (["split", "1", "--policy", "staff=1,staff=2"], "'staff' appears twice in the policy "),
        (["split", "1", "--policy", "staff=0"], "Weights are 0 or more and not all 0"),
        (["--db"], "Option '--db' requires an argument."),
        (
            ["ledger", "import", "a.csv", "--format", "xls"],
            "Invalid value for '--format': 'xls' is not one of 'stripe', 'csv', 'journal'. See",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_status_2(
    here: Here, words: list[str], sentence: str
) -> None:
    """Bad usage and bad input exit with 2, and name the value and the allowed ones."""
    result = here(*words)

    assert result.returncode == ExitCode.USAGE
    assert result.stdout == ""
    assert error_line(result).startswith(sentence)


@pytest.mark.parametrize("noun", ["ledger", "samples", "run"])
def test_a_noun_without_a_verb_shows_its_help(here: Here, noun: str) -> None:
    """The help goes to standard error, in the layout of ``--help``, with status 2."""
    alone, asked = here(noun), here(noun, "--help")

    assert alone.returncode == ExitCode.USAGE
    assert alone.stdout == ""
    assert asked.stdout == alone.stderr


def test_root_options_stand_before_the_noun(here: Here) -> None:
    """A value of ``--db`` that is also a noun is still a value."""
    result = here(
        "--db", "ledger", "--config=x.toml", "split", "10.01", f"--policy={FAQ}", "--json"
    )

    assert json.loads(result.stdout) == {
        "amountCents": 1001,
        "policy": {"projects": 80, "staff": 7, "marketing": 9, "other": 4},
        "parts": {"projects": 801, "staff": 70, "marketing": 90, "other": 40},
    }


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InvalidInput("x"), ExitCode.USAGE),
        (errors.UnknownFund("x"), ExitCode.USAGE),
        (errors.NotFound("x"), ExitCode.NOT_FOUND),
        (errors.FundOverdrawn("x"), ExitCode.CONFLICT),
        (errors.NotAChangemaker("x"), ExitCode.CONFLICT),
        (errors.Unauthenticated("x"), ExitCode.CONFLICT),
        (errors.CardDeclined("x"), ExitCode.CONFLICT),
        (errors.TooManyRequests("x", retry_after_seconds=1), ExitCode.UNAVAILABLE),
        (errors.Unavailable("x"), ExitCode.UNAVAILABLE),
        (errors.JaraError("x"), ExitCode.UNAVAILABLE),
    ],
)
def test_every_kind_of_error_has_its_status(error: errors.JaraError, code: ExitCode) -> None:
    """The status follows the error class, or its nearest ancestor in the table (spec §8)."""
    assert explain(error) == (code, "x")


def test_errors_of_the_system_name_the_file() -> None:
    """An error of the operating system is reported with the file and the reason."""
    missing = FileNotFoundError(errno.ENOENT, "No such file or directory", "a.db")
    full = OSError(errno.ENOSPC, "No space left on device")

    assert explain(missing) == (ExitCode.NOT_FOUND, "'a.db': No such file or directory.")
    assert explain(full) == (ExitCode.UNAVAILABLE, "No space left on device.")
    assert explain(BrokenPipeError()) == (ExitCode.DONE, "")
    assert explain(KeyboardInterrupt()) == (ExitCode.INTERRUPTED, "Interrupted.")


def run_failing(monkeypatch: pytest.MonkeyPatch, action: Callable[[], Any]) -> Callable[[], int]:
    """Run ``jara split 1`` in this process with another function in its place."""
    app = typer.Typer()
    app.command("split")(action)
    monkeypatch.setattr(root, "import_module", lambda name: SimpleNamespace(app=app))
    for name in ("load_command", "build_root"):
        cached = getattr(root, name)
        monkeypatch.setattr(root, name, getattr(cached, "__wrapped__", cached))
    return lambda: main.execute(["split"])


def test_a_defect_is_one_line_and_status_5(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A defect shows a traceback only with JARA_DEBUG=1."""

    def fail() -> None:
        message = "two\nlines \x1b[31m"
        raise ZeroDivisionError(message)

    command = run_failing(monkeypatch, fail)
    monkeypatch.delenv("JARA_DEBUG", raising=False)

    assert command() == ExitCode.UNAVAILABLE
    assert capsys.readouterr().err == (
        "error: ZeroDivisionError: two lines \\x1b[31m "
        "(this is a bug in Jara; set JARA_DEBUG=1 for details)\n"
    )
    monkeypatch.setenv("JARA_DEBUG", "1")
    command()
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
        (typer.Abort(), ExitCode.INTERRUPTED),
        (typer.Exit(ExitCode.NO), ExitCode.NO),
        (errors.NotFound("There is no proposal 'x'."), ExitCode.NOT_FOUND),
        (typer.BadParameter("no"), ExitCode.USAGE),
        (typer.TyperException("no"), ExitCode.USAGE),
    ],
)
def test_every_ending_of_a_command_has_a_status(
    raised: BaseException, status: ExitCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interruption, refusal and the answer no each have their own status."""

    def end() -> None:
        raise raised

    assert run_failing(monkeypatch, end)() == status


def test_a_command_may_return_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Returning ``ExitCode.NO`` means the answer no; returning nothing means success."""
    assert run_failing(monkeypatch, lambda: ExitCode.NO)() == ExitCode.NO
    assert run_failing(monkeypatch, lambda: None)() == ExitCode.DONE
    assert run_failing(monkeypatch, lambda: "text")() == ExitCode.DONE


@pytest.mark.parametrize(
    ("words", "tail"),
    [
        (["split", "1"], "| true"),
        (["--version"], ">&-"),
        (["--version"], "<&- >&- 2>&-"),
        (["--help"], "<&- >&- 2>&-"),
    ],
)
def test_a_closed_pipe_prints_no_error(words: list[str], tail: str) -> None:
    """A closed pipe or stream prints no error and keeps the command's own status."""
    result = run(*words, shell_tail=f"{tail}; exit ${{PIPESTATUS[0]}}")

    assert result.returncode == ExitCode.DONE
    assert result.stderr == ""


@pytest.mark.parametrize("words", [["split", "1"], ["--version"]])
def test_a_full_disk_is_an_error(words: list[str]) -> None:
    """A failed write to standard output is an error."""
    result = run(*words, shell_tail="> /dev/full")

    assert result.returncode == ExitCode.UNAVAILABLE
    assert error_line(result).endswith("No space left on device.")


def test_output_is_utf8_in_every_locale() -> None:
    """A name with accents prints the same under cron, which sets no locale."""
    result = run("split", "\udcff", environ={"LC_ALL": "POSIX", "PYTHONUTF8": "0"})

    assert result.returncode == ExitCode.USAGE
    assert error_line(result).startswith("'\\udcff' is not an amount;")


def test_the_completion_script_can_be_shown() -> None:
    """``--show-completion`` prints a script that calls ``jara`` itself."""
    # Name the shell, because a scheduler's job has no parent shell to detect.
    environ = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    result = run("--show-completion", "bash", environ=environ)

    assert result.returncode == 0
    assert "_JARA_COMPLETE=complete_bash" in result.stdout


class Asked(io.StringIO):
    """Standard input of a person at a terminal."""

    def isatty(self) -> bool:
        """Return true: a person is at the terminal."""
        return True


def test_an_irreversible_command_asks_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that cannot be undone asks on standard error and continues only on yes."""
    monkeypatch.setattr(sys, "stdin", Asked("y\nn\n"))

    options.confirm("Erase Amina?", yes=False)
    with pytest.raises(typer.Exit) as caught:
        options.confirm("Erase Amina?", yes=False)

    assert caught.value.exit_code == ExitCode.NO
    assert capsys.readouterr() == ("", "Erase Amina? [y/N] Erase Amina? [y/N] Nothing was done.\n")


def test_without_a_terminal_no_command_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a script the answer must be an option: ``--yes``."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))

    options.confirm("Erase Amina?", yes=True)
    with pytest.raises(errors.InvalidInput, match="add --yes"):
        options.confirm("Erase Amina?", yes=False)


@pytest.mark.parametrize("text", ["0", "-1", "1e3", "x", "1.5", "٣", "9999999999"])
def test_a_limit_is_a_whole_number(text: str) -> None:
    """A limit must be written in plain digits, and the error names the value."""
    with pytest.raises(errors.InvalidInput, match="whole number from 1"):
        options.parse_whole_number(text)

    assert options.parse_whole_number("50") == 50


pytestmark = pytest.mark.usefixtures("stopped_clock")

EMAIL = "ama@example.org"


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal at noon of 20 November 2026, with a member who pledges."""
    jara.add(EMAIL)
    jara.json("pledges", "start", EMAIL, "--amount", "10")
    return jara


def test_any_command_runs_as_if_it_were_then(shell: GivingShell) -> None:
    """The daily run makes the charges that are due by the given time."""
    shell.done("--now", "2027-01-31", "run", "daily")

    days = [row["date"] for row in shell.json("payments", "list", EMAIL)]
    assert days == ["2027-01-20", "2026-12-20", "2026-11-20"]
    shell.done("--now", "2027-02-20T12:30:00Z", "pledges", "charge")
    assert shell.json("payments", "list", EMAIL)[0]["date"] == "2027-02-20"
    assert shell.run("--now", "soon", "members", "list")[0] == 2


def test_a_real_organisation_has_the_clock_of_the_machine(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An organisation with Stripe keys refuses `--now`."""
    monkeypatch.setenv("JARA_STRIPE_SECRET_KEY", "sk_test_123456789012345678901234")
    monkeypatch.setenv("JARA_STRIPE_PUBLISHABLE_KEY", "pk_test_123456789012345678901234")

    status, _, err = shell.run("--now", "2027-01-31", "ledger", "balance")

    assert (status, "sandbox organisations only" in err) == (4, True)


@pytest.mark.parametrize("zone", ["UTC", "America/Toronto", "Pacific/Kiritimati"])
@pytest.mark.parametrize("day", ["2027-03-14", "2027-12-31"])
def test_a_day_means_its_last_hour_there(zone: str, day: str) -> None:
    """So the day's charges are made; 14 March has 23 hours in Toronto."""
    at = TimeZone(zone).local(_read_now(day, TimeZone(zone)))

    assert f"{at:%Y-%m-%d %H:%M}" == f"{day} 23:00"
