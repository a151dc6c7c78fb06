"""What a message tells people to type leads to what it promises: each is typed as it is printed."""

import re
import shlex

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.cli.typed_hints import LISTED
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.clock import FakeClock
from tests.files.bank.written_statements import WRITERS
from tests.services.bank.test_references import other_sign

ADA = "ada@example.org"
_COMMAND = re.compile(r"`jara ([^`]+)`|: jara ([^\n]+)")


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


@pytest.mark.parametrize("act", ["refund", "returned"])
def test_money_out_with_a_misspelt_reference_is_booked_and_matched(
    shell: GivingShell, act: str
) -> None:
    """The line is matched with the entry that the operator names."""
    give_back(shell, act, misspelt(shell))


def give_back(shell: GivingShell, act: str, text: str) -> None:
    """Follow what a line of money out says."""
    paid = shell.json("payments", "receive", ADA, "10", "--date", "2026-11-05")
    receives(shell, (-1000, text))
    (line,) = shell.json("bank", "waiting")
    booked = next(words for words in named(line["reason"]) if words[1] == act)
    last = named(line["reason"])[-1]

    entry = shell.json(*booked, paid["id"], "--why", "agreed", "--yes")["id"]
    shell.done(*[entry if word == "ENTRY" else word for word in last])

    assert shell.json("bank", "waiting") == []


def test_money_out_that_names_a_gift_is_booked_and_matched(shell: GivingShell) -> None:
    """Gifts of people without an account go back, and their lines are matched."""
    words = ("payments", "receive", "20", "--way", "transfer", "--from")
    gifts = [shell.json(*words, name)["id"] for name in ("Efua Owusu", "Yaw Darko")]
    charges = [shell.json("payments", "show", gift)["charge"] for gift in gifts]
    receives(shell, *((-2000, charge.removeprefix("received:")) for charge in charges))
    acts = ("refund", "returned")
    for act, gift, line in zip(acts, gifts, shell.json("bank", "waiting"), strict=True):
        booked = next(words for words in named(line["reason"]) if words[1] == act)

        shell.done(*booked, gift, "--why", "agreed", "--yes")
        shell.done(*named(line["reason"])[-1])

    assert shell.json("bank", "waiting") == []


def typed(message: str, **values: str) -> list[str]:
    """Return the last command that a message names, with its words in capitals filled in."""
    return [values.get(word, word) for word in named(message)[-1]]


def test_a_payment_of_a_member_without_a_promise(jara: GivingShell) -> None:
    """The promise that the refusal names is recorded, and the payment then booked."""
    jara.add(ADA)
    jara.done("payments", "ways", "set", "transfer", "--account", "assets:bank")

    jara.done(*typed(jara.run("payments", "receive", ADA, "10")[2]))

    jara.done("payments", "receive", ADA, "10")


def test_a_promise_of_a_member_who_pays_by_card(shell: GivingShell) -> None:
    """The pledge by card is cancelled as the refusal says, and the promise recorded."""
    shell.add("kofi@example.org")
    shell.json("pledges", "start", "kofi@example.org", "--amount", "10")
    words = ("payments", "promise", "kofi@example.org", "10")

    shell.done(*typed(shell.run(*words)[2]), "--yes")

    shell.done(*words)


def test_a_member_without_an_address_gets_one(shell: GivingShell) -> None:
    """The note of `members add --no-email` adds an address that is invited."""
    person = ("--firstname", "Efua", "--lastname", "Owusu", "--country", "Ghana")
    note = shell.run("members", "add", *person, "--no-email")[2]

    shell.done(*typed(note, ADDRESS="efua@example.org"))

    assert "efua@example.org" in [mail["address"] for mail in shell.json("mail", "outbox")]


def test_nobody_is_told_of_a_promise_without_an_address(shell: GivingShell) -> None:
    """The operator hears that they have to tell the reference, alone and from a file."""
    person = ("--firstname", "Efua", "--lastname", "Owusu", "--country", "Ghana")
    shell.done("members", "add", *person, "--no-email")
    (shell.folder / "p.csv").write_text("Member,Amount\nEfua Owusu,15\n", "utf-8")

    for words in (("Efua Owusu", "10"), ("--file", "p.csv")):
        assert "tell Efua Owusu the reference" in shell.run("payments", "promise", *words)[2]


def test_imported_members_are_invited(shell: GivingShell) -> None:
    """The note of an import without --invite names what invites them."""
    row = "efua@example.org,Efua,Owusu,gh"
    (shell.folder / "m.csv").write_text(f"Email,First name,Last name,Country\n{row}\n", "utf-8")
    note = shell.run("members", "import", "m.csv")[2]

    shell.done(*typed(note))

    assert "efua@example.org" in [mail["address"] for mail in shell.json("mail", "outbox")]


def test_the_doctor_accepts_its_own_advice(shell: GivingShell) -> None:
    """After the daily run, the finding that there was none is gone."""
    lines = shell.run("doctor")[1].splitlines()
    (line,) = [one for one in lines if ": jara run daily" in one]

    shell.done(*typed(line))

    assert line not in shell.run("doctor")[1]


@pytest.mark.parametrize("words", LISTED["reads"] + LISTED["reads_nothing"])
def test_what_shows_something_runs_anywhere(jara: GivingShell, words: str) -> None:
    """A command that a message names for a look works on a new organisation."""
    status, _, err = jara.run(*shlex.split(words))

    assert status in {ExitCode.DONE, ExitCode.NO}, err


def test_a_look_shows_what_there_is(jara: GivingShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a sample organisation with a trustee and a bank, whose month has Interac payments."""
    jara.done("demo", "--members", "6", "--currency", "CAD", "--trustee", "--no-serve")
    monkeypatch.chdir("jara-demo")
    shown = {words: jara.run(*shlex.split(words))[1] for words in LISTED["reads"]}

    assert [words for words, out in shown.items() if not out] == []
