"""``jara policy``, ``jara trace`` and ``jara split`` on an organisation."""

from __future__ import annotations

import json

from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell
from tests.services.books.ledger_builders import all_entries, give, pass_proposal


def test_a_policy_is_shown_and_set(shell: Shell) -> None:
    """From a day on; `jara split` follows the one in force."""
    words = ["policy", "set", "projects=70,staff=10,marketing=10,other=10", "--why", "Voted."]
    document = shell.json(*words, "--from", "2020-01-01", "--yes")

    assert {"from", "weights", "feeWeights"} == set(document)
    assert ("2020-01-01", 70) == (document["from"], document["weights"]["projects"])
    shown = shell.json("policy", "show")
    assert (70, 2) == (shown["weights"]["projects"], len(shown["all"]))
    assert 7000 == shell.json("split", "100")["parts"]["projects"]
    assert (
        8000 == shell.json("split", "100", "--policy", "projects=80,staff=20")["parts"]["projects"]
    )
    assert "(in force)" in shell.run("policy", "show")[2]
    assert ExitCode.USAGE == shell.run(*words, "--from", "2019-01-01", "--yes")[0]


def test_a_policy_names_every_fund(shell: Shell) -> None:
    """What is left out may have been forgotten, and a policy cannot be taken back."""
    status, _, err = shell.run("policy", "set", "projects=80,other=4", "--why", "Voted.")

    assert (ExitCode.USAGE, 1) == (status, len(shell.json("policy", "show")["all"]))
    assert "omits staff, marketing; write staff=0 for none" in err


def test_a_split_that_is_not_per_cent_must_be_meant(shell: Shell) -> None:
    """99 is a slip of the hand, unless --weights says that it is not."""
    words = ["policy", "set", "projects=80,staff=7,marketing=9,other=3", "--why", "Voted.", "--yes"]

    status, _, err = shell.run(*words)

    assert (ExitCode.USAGE, 1) == (status, len(shell.json("policy", "show")["all"]))
    assert "The weights sum to 99, not to 100" in err
    assert 3 == shell.json(*words, "--weights")["weights"]["other"]


def test_a_policy_is_shown_before_it_is_set(shell: Shell) -> None:
    """Before and after; without a terminal it needs --yes."""
    words = ["policy", "set", "projects=70,staff=10,marketing=10,other=10", "--why", "Voted."]

    status, _, err = shell.run(*words, "--from", "2030-01-01")

    assert (ExitCode.USAGE, 1) == (status, len(shell.json("policy", "show")["all"]))
    assert "Before: projects 80, staff 7, marketing 9, other 4" in err
    assert "After:  projects 70, staff 10, marketing 10, other 10, from 2030-01-01" in err
    assert "--yes" in err


def test_split_without_a_database_states_the_faq(shell: Shell) -> None:
    """A database that was named must be there."""
    (shell.folder / "jara.db").rename(shell.folder / "away.db")

    assert 8000 == shell.json("split", "100")["parts"]["projects"]
    assert ExitCode.NOT_FOUND == shell.run("--db", "none.db", "split", "100")[0]


def test_trace_documents(shell: Shell) -> None:
    """A giver's money and a project's payers, now and earlier."""
    context = shell.context()
    give(context, 1000, customer_id="cus_1")
    pass_proposal(context, 500)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 400, proposal="wells"))
    entries = all_entries(context)
    context.store.close()
    key = entries[0].member_key or ""

    document = shell.json("trace", key)

    fund = document["funds"]["projects"]
    assert (1000, 0) == (document["receivedCents"], document["refundedCents"])
    assert {"account", "project", "entry", "date", "cents"} == set(fund["paid"][0])
    assert (400, 400) == (fund["waitingCents"], fund["paid"][0]["cents"])
    assert 800 == shell.json("trace", key, "--at", "3")["funds"]["projects"]["waitingCents"]
    assert "expenses:projects:wells" in shell.run("trace", key)[1]
    paid = json.loads(shell.run("trace", "--project", "wells", "--json")[1])
    assert (400, [{"member": key, "cents": 400}]) == (paid["paidCents"], paid["payers"])
    assert ExitCode.NOT_FOUND == shell.run("trace", "--project", "none")[0]
    assert ExitCode.USAGE == shell.run("trace")[0]
