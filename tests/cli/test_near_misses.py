"""Near misses: a wrong letter, a negative amount, and options that sisters have."""

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell

POST = (
    "ledger",
    "post",
    "--credit",
    "income:gifts",
    "--fund",
    "other",
    "--amount",
    "5",
    "--why",
    "Tea",
)


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal with a member with accents, and a project."""
    jara.add("zoe@example.org", "--firstname", "Zoé", "--lastname", "Núñez")
    jara.done(
        "projects",
        "add",
        "--set",
        "title=River wells",
        "--set",
        "status=Planning",
        "--set",
        "category=water",
    )
    return jara


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("members", "show", "Zoe Nunes"), "Did you mean zoe@example.org?"),
        (("members", "show", "zoe@exmaple.org"), "Did you mean zoe@example.org?"),
        (("payments", "list", "--member", "Zoe Nunez1"), "Did you mean zoe@example.org?"),
        (("projects", "show", "rivver-wells"), "Did you mean river-wells?"),
        (("ledger", "register", "assets:bnak"), "did you mean assets:bank"),
        ((*POST, "--debit", "assets:bankk"), "did you mean assets:bank?"),
        ((*POST, "--debit", "expenses:grants"), "'expenses:grants' has an account for each payee"),
        (("bank", "mappings", "show", "x"), "There is no mapping 'x'"),
    ],
)
def test_the_nearest_is_named(shell: GivingShell, words: tuple[str, ...], suggestion: str) -> None:
    """One wrong letter, or a missing accent, still tells who or what was meant."""
    status, _, err = shell.run(*words)

    assert status != ExitCode.DONE
    assert suggestion in err


@pytest.mark.parametrize("amount", ["-5", "-5.00", "-$5", "-1,000.00"])
def test_a_negative_amount_gets_a_clear_answer(shell: GivingShell, amount: str) -> None:
    """It is not taken for an option."""
    status, _, err = shell.run("ledger", "transfer", "other", "staff", amount)

    assert status == ExitCode.USAGE
    assert err.startswith(f"error: '{amount}' is a negative amount; write amounts without a sign")
    assert "No such option: -x" in shell.run("ledger", "transfer", "other", "staff", "-x")[2]


@pytest.mark.parametrize("text", ["nunez", "NÚÑEZ", "zoé  n", "zoe n"])
def test_a_search_folds_accents(shell: GivingShell, text: str) -> None:
    """In members and pledges, with and without accents and capitals."""
    shell.done("payments", "ways", "set", "transfer", "--account", "assets:bank")
    promise = shell.json("payments", "promise", "zoe@example.org", "10")

    found = shell.json("members", "list", "--search", text)
    pledges = shell.json("pledges", "list", "--search", text)

    assert [row["email"] for row in found] == ["zoe@example.org"]
    assert [row["reference"] for row in pledges] == [promise["reference"]]
    assert len(shell.json("pledges", "list", "--search", promise["reference"])) == 1
    assert shell.json("pledges", "list", "--search", "nobody") == []
    assert shell.json("pledges", "list", "--since", "2030-01-01") == []
    assert len(shell.json("pledges", "list", "--limit", "1")) == 1


def test_an_option_of_a_related_verb_is_accepted(shell: GivingShell) -> None:
    """`reverse --yes`, `transfer --why`, and `payments list --member` once."""
    shell.done(*POST, "--debit", "assets:bank")
    moved = shell.run("ledger", "transfer", "other", "staff", "2", "--why", "Fees of March")
    entry = shell.json("ledger", "register", "income:gifts")["entries"][0]["id"]

    assert moved[0] == ExitCode.DONE
    assert shell.run("ledger", "reverse", entry, "--why", "x", "--yes")[0] != ExitCode.USAGE
    assert shell.json("payments", "list", "--member", "zoe@example.org") == []
    both = shell.run("payments", "list", "zoe@example.org", "--member", "zoe@example.org")
    assert (both[0], "Name the member once" in both[2]) == (ExitCode.USAGE, True)


def test_every_missing_key_is_named_at_once(shell: GivingShell) -> None:
    """For content and proposals; the help lists the keys, and marks those that are needed."""
    (shell.folder / "empty.yaml").write_text("summary: Twelve traders\n")
    project = shell.run("projects", "add", "empty.yaml")
    proposal = shell.run("proposals", "new", "empty.yaml")

    assert "has no 'title' and no 'status' and no 'category'; it needs them" in project[2]
    assert "has no 'title' and no 'endDate' and no 'category' and no 'country'" in proposal[2]
    words = " ".join(shell.run("projects", "add", "--help")[1].split())
    assert "Keys, * needed: id, slug, title*, location, status* (Planning or In Progress" in words
    assert "title*, endDate*, category*" in shell.run("proposals", "new", "--help")[1]
