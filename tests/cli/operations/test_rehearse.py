"""``jara rehearse``: files, exit codes, and what an organisation records."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.payments.stripe.rehearsal_rows import ROWS
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock
from tests.stripe_double.double import StripeDouble
from tests.stripe_double.replay import compare


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Iterator[StripeDouble]:
    """Return a Stripe account whose clock goes on while Jara waits."""
    with StripeDouble(FakeClock()) as double:
        monkeypatch.setenv("JARA_STRIPE_API", double.url)
        monkeypatch.setattr(
            "jara.bootstrap.rehearsals.time.sleep", lambda seconds: double.advance(seconds=seconds)
        )
        yield double


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """A terminal in a folder with a key."""
    (tmp_path / "test.key").write_text(f"{StripeDouble.secret_key}\n")
    (tmp_path / "live.key").write_text("sk_live_x")
    return GivingShell(tmp_path, monkeypatch, capsys)


TEST = ("rehearse", "stripe", "--key-file", "test.key")


def test_rows_are_added_to_the_file_and_replayed(shell: GivingShell, double: StripeDouble) -> None:
    """A second run is added; exit status 0 means that no row differs or failed."""
    status, out, err = shell.run(*TEST, "--only", "declined")
    again = shell.run(*TEST, "--only", "cancelled-twice", "--json")

    assert (status, again[0]) == (0, 0), err
    assert "402, and no customer." in out
    assert "holds: 1; written to rehearsal.jsonl." in err
    assert json.loads(again[1])[0]["row"] == "cancelled-twice"
    lines = (shell.folder / "rehearsal.jsonl").read_text().splitlines()
    written = [json.loads(line) for line in lines if line]
    assert [one["row"] for one in written if "verdict" in one] == ["declined", "cancelled-twice"]
    assert compare(lines)[0] == []


def test_a_row_that_does_not_hold_is_exit_status_1(
    shell: GivingShell, double: StripeDouble
) -> None:
    """A failed row says why; --clean then finds nothing."""
    double.fault("POST /v1/customers", "429", times=9)

    status, out, _ = shell.run(*TEST, "--only", "declined")

    assert (status, "failed" in out, "pause" in out) == (1, True, True)
    assert shell.run(*TEST, "--clean")[1] == "Removed: nothing.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--key-file", "live.key"), "begins with sk_test_"),
        (("--key-file", "none.key"), "There is no file"),
        (("--key-file", "test.key", "--only", "all"), "There is no row 'all'; rows: declined,"),
        (("--key-file", "test.key", "--out", "test.key"), "another kind of file"),
        (("--key-file", "test.key", "--out", "no/such.jsonl"), "cannot be written"),
    ],
)
def test_nothing_is_sent_if_a_word_is_wrong(
    shell: GivingShell, double: StripeDouble, words: tuple[str, ...], said: str
) -> None:
    """Live keys, unknown rows and other files are refused; the file stays as it is."""
    status, _, err = shell.run("rehearse", "stripe", *words)

    assert (status != 0, said in err) == (True, True), err
    assert double.calls == []
    assert (shell.folder / "test.key").read_text() == f"{StripeDouble.secret_key}\n"


def test_a_rehearsal_is_recorded(shell: GivingShell) -> None:
    """A file in which no row differs is recorded; rows that were not seen are named."""
    head = {"rehearsal": "stripe", "apiVersion": "v1", "day": "2026-11-20"}
    rows = [{"row": row, "verdict": "holds"} for row in ROWS]
    rows[-1]["verdict"] = "unseen"
    (shell.folder / "r.jsonl").write_text("\n".join(map(json.dumps, [head, *rows])))

    status, out, err = shell.run("rehearse", "record", "r.jsonl")

    assert (status, "2026-11-20" in out) == (0, True), err
    assert "Not seen yet: payments-file." in err
