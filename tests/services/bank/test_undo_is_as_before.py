"""After an undo, members see what they saw before the import."""

from datetime import timedelta
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.books.payment_state import PaymentState
from jara.services.ballots.casting import changemakers
from jara.services.bank.answering import list_waiting
from jara.services.books.tracing import trace_member
from jara.services.context import Context
from jara.services.members.documents import show_member
from jara.services.operations.import_undo import undo_import
from jara.services.payments.receiving import follow_payments, receive
from tests.domain.bank.bank_lines import FIRST, NUMBER, a_line
from tests.harness import clock_of
from tests.places import NewPlace
from tests.services.bank.bank_books import take, takes_transfers
from tests.services.bank.test_contributions import pledge_of, promised
from tests.services.books.ledger_builders import money_findings
from tests.sizes import fewer_examples

NAMES = ["ada", "bo", "cy"]
ACCOUNTS = ["", "GB33BUKB20201555555555", "GB94BARC10201530093459"]
LINES = st.lists(
    st.tuples(
        st.sampled_from([*NAMES, "nobody"]),
        st.sampled_from([500, 1000, 2000, -1000, -500]),
        st.sampled_from(ACCOUNTS),
    ),
    min_size=1,
    max_size=5,
)
"""The lines of a file: who pays or gets money back, how much, and from which account."""
STEPS = st.lists(st.one_of(LINES, st.just("undo")), min_size=2, max_size=5)


def a_world(new_place: NewPlace) -> tuple[Context, dict[str, str]]:
    """Return an organisation with three members who pay by transfer; one has paid by hand."""
    context = takes_transfers(new_place(), day=1)
    references = {name: promised(context, name) for name in NAMES}
    receive(context, references["cy"], 1000, day=FIRST)
    clock_of(context).at = clock_of(context).at.replace(month=6, day=20)
    follow_payments(context)
    return context, references | {"nobody": "A GIFT"}


def seen(context: Context) -> list[Any]:
    """Return what members and operators see."""
    found: list[Any] = []
    with context.store.read() as work:
        members = [work.members.find(f"{name}@example.org") for name in NAMES]
        found.append(changemakers(work, context.now()))
        for member in members:
            kept = work.payments.of_member(member.key)
            found.append([one for one in kept if one.state is not PaymentState.REVERSED])
    found += [show_member(context, member.id) for member in members]
    found += [pledge_of(context, name) for name in NAMES]
    traces = [trace_member(context, member.email) for member in members]
    found += [one.received_cents - one.refunded_cents for one in traces]
    found.append([line.line for line in list_waiting(context)])
    return found


def a_file(number: int, rows: list[tuple[str, int, str]], references: dict[str, str]) -> Statement:
    """Return a statement of three days after those before it, without balances."""
    day = 2 + 4 * number
    lines = [
        StatementLine(
            n,
            FIRST + timedelta(day),
            cents,
            f"TEXT {references[name]}",
            party_account=account,
            bank_ref=f"B{number}-{n}",
            is_reversal=cents < 0,
        )
        for n, (name, cents, account) in enumerate(rows)
    ]
    last = FIRST + timedelta(day + 3)
    return Statement(1, NUMBER, "ofx", FIRST + timedelta(day), last, None, None, lines)


@example(steps=[[("bo", 1000, ACCOUNTS[1]), ("bo", 1000, "")], [("bo", 1000, ACCOUNTS[1])]])
@fewer_examples(8)
@given(steps=STEPS)
def test_an_undo_restores_the_members_view(new_place: NewPlace, steps: list[Any]) -> None:
    """Standing, votes, payers' accounts, traces and waiting lines are as before the import."""
    context, references = a_world(new_place)
    done: list[tuple[str, list[Any]]] = []
    for number, step in enumerate(steps):
        before = seen(context)
        if step != "undo":
            outcome = take(context, a_file(number, step, references))
            done.append((outcome.id, before))
        elif done:
            imported, before = done.pop()
            undo_import(context, imported, why="wrong")
            assert seen(context) == before
    while done:
        imported, before = done.pop()
        undo_import(context, imported, why="wrong")
        assert seen(context) == before

    assert money_findings(context) == []
    context.store.close()


def test_the_payers_account_is_forgotten(new_place: NewPlace) -> None:
    """A cut-off reference is not taken for a member whose account only an undone file showed."""
    context, references = a_world(new_place)
    rows = [("ada", 1000, ACCOUNTS[1])]
    outcome = take(context, a_file(0, rows, references))
    undo_import(context, outcome.id, why="wrong")
    cut = a_line(1000, references["ada"][:-4], day=9, party_account=ACCOUNTS[1])
    take(context, a_file(1, [], references)._replace(lines=[cut]))

    assert pledge_of(context, "ada").card_fingerprint is None
    assert len(list_waiting(context)) == 1
