"""The verifier holds the money of a vote against what the vote decided."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.publiclog.leaves import proposal_release_leaf
from tests.verifier.controlled_log import (
    DAY,
    KIT,
    ControlledLog,
    between,
)
from tests.verifier.log_builder import Check

WELLS = "prop_1"

GOAL = 50_000


def of_wells(source: Fund, target: Fund, cents: int) -> JournalEntry:
    """Return an entry that holds or releases money of the proposal."""
    return replace(between(source, target, cents), reference=WELLS)


def payout(cents: int, proposal: str | None = WELLS) -> JournalEntry:
    """Return a payout for the proposal."""
    postings = (
        Posting("expenses:projects:wells", Fund.COMMITTED, cents),
        Posting(BANK, Fund.COMMITTED, -cents),
    )
    return JournalEntry(DAY, EntryKind.DISBURSEMENT, "Paid", postings, reference=proposal)


def held(cents: int) -> JournalEntry:
    """Return the entry that sets money aside for the proposal."""
    return of_wells(Fund.PROJECTS, Fund.COMMITTED, cents)


MONEY_OF_A_VOTE: dict[str, tuple[Sequence[JournalEntry], str]] = {
    "a payout above the goal": (
        [held(GOAL), payout(GOAL), held(500), payout(500)],
        "50500 cents of it are paid, held or released; its goal is 50000",
    ),
    "more held than the goal": ([held(GOAL + 1)], "50001 cents of it are"),
    "a payout of what is not held": ([held(500), payout(501)], "1 cents more are taken than"),
    "a payout without its proposal": ([held(500), payout(500, None)], "does not say of which"),
    "a payout of another proposal": ([held(500), payout(500, "prop_2")], "was never opened"),
}


def with_wells(*entries: JournalEntry) -> ControlledLog:
    """Return a log with a vote and approved entries about its money."""
    log = ControlledLog()
    log.open_vote(WELLS)
    log.cast(WELLS, "a", "up")
    log.close(WELLS, "a", yes=1, no=0, void=0, passed=True)
    for entry in entries:
        log.approve(entry)
        log.post(entry)
    return log


@pytest.mark.parametrize("name", MONEY_OF_A_VOTE)
def test_money_of_a_vote_that_it_did_not_decide_is_named(check: Check, name: str) -> None:
    """Two people signed each entry; what counts is the goal in the signed leaf."""
    entries, message = MONEY_OF_A_VOTE[name]

    status, out = check(with_wells(*entries).end().files())

    assert status == 1
    assert message in out


def test_money_of_a_vote_within_its_goal_is_good(check: Check) -> None:
    """Holdings, payouts, what payees return and releases add up to the goal."""
    back = JournalEntry(
        DAY,
        EntryKind.RETURN,
        "Returned",
        (
            Posting(BANK, Fund.COMMITTED, 1_100),
            Posting("expenses:projects:wells", Fund.COMMITTED, -1_000),
            Posting("expenses:fx", Fund.COMMITTED, -100),
        ),
        reference=WELLS,
    )
    log = with_wells(held(GOAL), payout(GOAL), back, payout(900))
    freed = of_wells(Fund.COMMITTED, Fund.PROJECTS, 200)
    log.post(freed)
    log.append(
        proposal_release_leaf(
            WELLS, cents=200, day=DAY, reason="left", signers=[KIT.key.fingerprint]
        )
    )

    status, out = check(log.end().files())

    assert (status, "ok      proposal prop_1: passed" in out) == (0, True), out
