"""What a message tells people to type leads to what it promises: each is typed as it is printed."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.giving_shell import GivingShell
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.clock import FakeClock
from tests.files.bank.written_statements import WRITERS
from tests.services.bank.test_references import other_sign

ADA = "ada@example.org"
_COMMAND = re.compile(r"`jara ([^`]+)`|: jara (.+)")


@pytest.fixture
def shell(jara: GivingShell, stopped_clock: FakeClock) -> GivingShell:
    """A terminal with a member who promised 10 a month by transfer; it is 20 November 2026."""
    assert stopped_clock
    jara.add(ADA)
    jara.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    jara.done("payments", "promise", ADA, "10")
    return jara


def named(message: str) -> list[list[str]]:
    """Return the commands that a message names, as words without ``jara``."""
    return [shlex.split(one or two) for one, two in _COMMAND.findall(message)]


def receives(shell: GivingShell, *lines: tuple[int, str]) -> None:
    """Import a statement with these amounts and texts."""
    made = [a_line(cents, text, day=190 + at) for at, (cents, text) in enumerate(lines)]
    statement = a_statement(*made, first=made[0].day, last=made[-1].day)
    (shell.folder / "s").write_bytes(WRITERS["mt940"]([statement]))
    shell.done("bank", "import", "s", "--new-account", "assets:bank")


def misspelt(shell: GivingShell) -> str:
    """Return the member's reference with one wrong character."""
    reference: str = shell.json("members", "show", ADA)["reference"]
    return reference[:-1] + other_sign(reference[-1])


def test_a_misspelt_reference_is_booked_once(shell: GivingShell) -> None:
    """The line is matched by what is printed; typed twice, it says so and books nothing."""
    receives(shell, (1000, f"GIFT {misspelt(shell)}"))
    (line,) = shell.json("bank", "waiting")
    (words,) = named(line["reason"])

    shell.done(*words)
    again = shell.run(*words)

    assert shell.json("bank", "waiting") == []
    assert len(shell.json("payments", "list", ADA)) == 1
    assert (again[0] != 0, "is matched already" in again[2]) == (True, True)


def test_a_misspelt_reference_finds_what_was_booked_by_hand(shell: GivingShell) -> None:
    """Who booked the payment before the statement came types the same, and books nothing twice."""
    shell.done("payments", "receive", ADA, "10", "--date", "2026-11-05")
    receives(shell, (1000, f"GIFT {misspelt(shell)}"))
    (line,) = shell.json("bank", "waiting")

    shell.done(*named(line["reason"])[0])

    assert shell.json("bank", "waiting") == []
    assert len(shell.json("payments", "list", ADA)) == 1


@pytest.mark.parametrize("act", ["refund", "returned"])
@pytest.mark.parametrize("is_misspelt", [True, False])
def test_money_out_that_names_a_member_is_booked_and_matched(
    shell: GivingShell, act: str, is_misspelt: bool
) -> None:
    """First the refund or the return, then what the line says: nothing waits any more."""
    paid = shell.json("payments", "receive", ADA, "10", "--date", "2026-11-05")
    reference = shell.json("members", "show", ADA)["reference"]
    receives(shell, (-1000, misspelt(shell) if is_misspelt else reference))
    (line,) = shell.json("bank", "waiting")
    booked = next(words for words in named(line["reason"]) if words[1] == act)
    last = named(line["reason"])[-1]

    entry = shell.json(*booked, paid["id"], "--why", "agreed", "--yes")["id"]
    shell.done(*[entry if word == "ENTRY" else word for word in last])

    assert shell.json("bank", "waiting") == []


@pytest.mark.parametrize("act", ["refund", "returned"])
def test_money_out_that_names_a_gift_is_booked_and_matched(shell: GivingShell, act: str) -> None:
    """A gift of somebody without an account goes back, and its line is matched."""
    gift = shell.json("payments", "receive", "20", "--from", "Efua Owusu", "--way", "transfer")
    charge = shell.json("payments", "show", gift["id"])["charge"]
    receives(shell, (-2000, charge.removeprefix("received:")))
    (line,) = shell.json("bank", "waiting")
    booked = next(words for words in named(line["reason"]) if words[1] == act)

    shell.done(*booked, gift["id"], "--why", "agreed", "--yes")
    shell.done(*named(line["reason"])[-1])

    assert shell.json("bank", "waiting") == []
