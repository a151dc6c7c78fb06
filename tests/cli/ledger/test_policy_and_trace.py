"""``jara policy``, ``jara trace`` and ``jara split`` in an organisation."""

import json

from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara_cli.exits import ExitCode
from tests.cli.voting_shell import Shell
from tests.services.books.ledger_builders import all_entries, give, pass_proposal


def test_a_policy_is_shown_and_set(shell: Shell) -> None:
    """A policy applies from a given day; `jara split` follows the current one."""
    words = ["policy", "set", "projects=70,staff=10,marketing=10,other=10", "--why", "Voted."]
    document = shell.json(*words, "--from", "2020-01-01", "--yes")

    assert set(document) == {"from", "weights", "feeWeights"}
    assert (document["from"], document["weights"]["projects"]) == ("2020-01-01", 70)
    shown = shell.json("policy", "show")
    assert (shown["weights"]["projects"], len(shown["all"])) == (70, 2)
    assert shell.json("split", "100")["parts"]["projects"] == 7000
    assert (
        shell.json("split", "100", "--policy", "projects=80,staff=20")["parts"]["projects"] == 8000
    )
    assert "All splits:" in shell.run("policy", "show")[1]
    assert shell.run(*words, "--from", "2019-01-01", "--yes")[0] == ExitCode.USAGE


def test_a_policy_names_every_fund(shell: Shell) -> None:
    """A new policy must name every fund, because a policy cannot be withdrawn."""
    status, _, err = shell.run("policy", "set", "projects=80,other=4", "--why", "Voted.")

    assert (status, len(shell.json("policy", "show")["all"])) == (ExitCode.USAGE, 1)
    assert "omits staff, marketing; write staff=0 for none" in err


def test_weights_that_do_not_sum_to_100_need_an_option(shell: Shell) -> None:
    """Shares that do not add up to 100 are refused unless `--weights` is given."""
    words = ["policy", "set", "projects=80,staff=7,marketing=9,other=3", "--why", "Voted.", "--yes"]

    status, _, err = shell.run(*words)

    assert (status, len(shell.json("policy", "show")["all"])) == (ExitCode.USAGE, 1)
    assert "The weights sum to 99, not to 100" in err
    assert shell.json(*words, "--weights")["weights"]["other"] == 3


def test_a_policy_is_shown_before_it_is_set(shell: Shell) -> None:
    """The shares before and after the change are shown; without a terminal it needs `--yes`."""
    words = ["policy", "set", "projects=70,staff=10,marketing=10,other=10", "--why", "Voted."]

    status, _, err = shell.run(*words, "--from", "2030-01-01")

    assert (status, len(shell.json("policy", "show")["all"])) == (ExitCode.USAGE, 1)
    assert "Before: projects 80, staff 7, marketing 9, other 4" in err
    assert "After:  projects 70, staff 10, marketing 10, other 10, from 2030-01-01" in err
    assert "--yes" in err


def test_split_without_a_database_states_the_faq(shell: Shell) -> None:
    """Without a database `jara split` uses the policy of the FAQ; a named database must exist."""
    (shell.folder / "jara.db").rename(shell.folder / "away.db")

    assert shell.json("split", "100")["parts"]["projects"] == 8000
    assert shell.run("--db", "none.db", "split", "100")[0] == ExitCode.NOT_FOUND


def test_traces_show_where_the_money_went(shell: Shell) -> None:
    """Traces show where a giver's money went, and who pays for a project, now and earlier."""
    context = shell.context()
    give(context, 1000, customer_id="cus_1")
    pass_proposal(context, 500)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 400, proposal="wells"))
    entries = all_entries(context)
    context.store.close()
    key = entries[0].member_key or ""

    document = shell.json("trace", key)

    fund = document["funds"]["projects"]
    assert (document["receivedCents"], document["refundedCents"]) == (1000, 0)
    assert set(fund["paid"][0]) == {"account", "project", "entry", "date", "cents"}
    assert (fund["waitingCents"], fund["paid"][0]["cents"]) == (400, 400)
    assert shell.json("trace", key, "--at", "3")["funds"]["projects"]["waitingCents"] == 800
    assert "expenses:projects:wells" in shell.run("trace", key)[1]
    paid = json.loads(shell.run("trace", "--project", "wells", "--json")[1])
    assert (paid["paidCents"], paid["payers"]) == (400, [{"member": key, "cents": 400}])
    assert shell.run("trace", "--project", "none")[0] == ExitCode.NOT_FOUND
    assert shell.run("trace")[0] == ExitCode.USAGE
