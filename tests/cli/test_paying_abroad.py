"""Operators pay a project in another currency at the terminal."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.files.pdf_files import a_pdf
from tests.services.giving.giving_year import make_year

Run = Callable[..., tuple[int, str, str]]
ABROAD = ("--foreign", "KES 645", "--rate-source", "bank slip 1182")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs commands in an organisation with a project to pay."""
    make_year(tmp_path / "org", database=tmp_path / "jara.db").store.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JARA_SECRETS_DIR", str(tmp_path / "org" / "secrets"))
    monkeypatch.setenv("JARA_OPERATOR", "ada")
    (tmp_path / "slip.pdf").write_bytes(a_pdf())

    (tmp_path / "slip.txt").write_bytes(b"paid")

    def command(*words: str) -> tuple[int, str, str]:
        status = execute(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return command


def pay(run: Run, *words: str) -> tuple[int, str, str]:
    """Pay the project $5."""
    return run("projects", "pay", "wells", "5", "--yes", *words)


def test_both_amounts_are_shown_everywhere(run: Run) -> None:
    """Answer, entry, trace and exports show both amounts; the charge is a separate entry."""
    status, out, err = pay(run, *ABROAD, "--receipt", "slip.pdf", "--bank-charge", "0.20", "--json")
    done = json.loads(out)

    assert (status, err) == (ExitCode.DONE, "")
    assert done["foreign"] == {
        "currency": "KES",
        "amountMinor": 64_500,
        "text": "KES 645",
        "rate": "129.00",
        "source": "bank slip 1182",
    }
    assert done["bankChargeCents"] == 20
    shown = run("ledger", "show", done["id"])[1]
    assert "Foreign: KES 645 at 129.00 by bank slip 1182\n" in shown
    (paper,) = json.loads(run("ledger", "documents", done["id"], "--json")[1])
    assert (paper["kind"], paper["sha256"]) == ("receipt", sha256(a_pdf()).hexdigest())
    traced = run("trace", "--project", "village-wells")
    assert "$5.00 = KES 645 at 129.00" in traced[1]
    assert "Paid abroad:\nAmount  Abroad\n" in traced[1]
    document = json.loads(run("trace", "--project", "village-wells", "--json")[1])
    assert document["paidAbroad"][0]["text"] == "KES 645"
    assert document["payments"][-1]["foreign"]["text"] == "KES 645"
    journal = run("ledger", "export", "--format", "journal")[1]
    assert "    ; foreign:KES 64500 129.00\n" in journal


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--foreign", "KES 645"), "--foreign 'KES 645' needs --rate-source"),
        (("--foreign", "KES 645", "--rate-source", " "), "needs --rate-source"),
        (("--foreign", "KSH 645", "--rate-source", "slip"), "'KSH' is not a currency of ISO 4217"),
        (("--foreign", "USD 5", "--rate-source", "slip"), "'USD 5' is in USD, as the books are"),
        (("--foreign", "KES 0", "--rate-source", "slip"), "'KES 0' is not above zero"),
        (("--foreign", "UGX 1.5", "--rate-source", "slip"), "UGX has none"),
        (("--rate-source", "slip"), "--rate-source belongs to a payment with --foreign"),
        (("--receipt", "slip.txt"), "slip.txt is neither PDF"),
        (("--bank-charge", "-1"), "'-1' is negative"),
    ],
)
def test_bad_input_is_named_and_nothing_is_booked(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    """The error names value and rule on one line."""
    status, out, err = pay(run, *words)

    assert (status, out) == (ExitCode.USAGE, "")
    assert message in err
