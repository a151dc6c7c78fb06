"""The verifier detects an operator who forges the log, or pays what a vote did not decide."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

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
from tests.verifier.log_builder import Check, LogBuilder, failures, small_organisation


def _posting(log: LogBuilder, index: int, place: int, cents: int) -> None:
    log.leaves[index]["postings"][place][2] += cents


def _shift_income(log: LogBuilder, index: int, account: str = "income:pledges") -> None:
    """Move a cent from projects to staff, with every fund still balanced."""
    for name, cents in ((account, -1), ("assets:stripe", 1)):
        log.leaves[index]["postings"] += [[name, "projects", -cents], [name, "staff", cents]]


def _set(index: int, **fields: Any) -> Callable[[LogBuilder], object]:
    return lambda log: log.leaves[index].update(fields)


def _vote_after(index: int) -> Callable[[LogBuilder], object]:
    return lambda log: log.leaves.insert(index, {**log.leaves[10], "voter": "0" * 64})


def _no_income(log: LogBuilder) -> None:
    log.leaves[2]["postings"] = [["assets:bank", "other", 1], ["assets:stripe", "other", -1]]


def _late_policy(log: LogBuilder) -> None:
    log.leaves[1]["from"] = "2026-01-06"


def _other_rule(log: LogBuilder) -> None:
    log.leaves[4]["rule"]["num"] = 3


FORGERIES: list[tuple[Callable[[LogBuilder], object], str]] = [
    (lambda log: _posting(log, 2, 0, 1), "balance: leaf 2: the fund 'projects' is off by 1 cents"),
    (lambda log: _shift_income(log, 2), "splits: leaf 2: income in the fund 'projects' is -799"),
    (_no_income, "splits: leaf 2: the payment brings no income"),
    (_late_policy, "splits: leaf 2: no policy is in force on 2026-01-05"),
    (_set(1, fee_weights={"other": 1}), "splits: leaf 2: expenses:fees in the fund 'staff'"),
    (lambda log: _shift_income(log, 3, "expenses:fees:tax"), "leaf 3: expenses:fees:tax in the"),
    (lambda log: _shift_income(log, 9, "expenses:fees"), "leaf 9: expenses:fees in the fund"),
    (lambda log: _shift_income(log, 19, "income:gifts"), "leaf 19: income in the fund"),
    (lambda log: _shift_income(log, 7), "refunds: leaf 7: income in the fund 'projects' is 32"),
    (_set(9, of=2), "refunds: leaf 9: the payment in leaf 2 has a negative sum of refunds"),
    (_set(7, of=7), "refunds: leaf 7: it names leaf 7, which is not before it"),
    (_set(7, of=1), "refunds: leaf 7: leaf 1 is not an entry"),
    (_set(8, of=7), "refunds: leaf 8: leaf 7 is not a payment"),
    (lambda log: _posting(log, 21, 0, 5), "reversals: leaf 21: it is not the exact negative"),
    (lambda log: log.leaves.insert(22, log.leaves[21]), "leaf 22: leaf 20 is already reversed, b"),
    (_set(21, reverses=30), "reversals: leaf 21: it names leaf 30, which is not before it"),
    (lambda log: log.leaves.insert(11, log.leaves[10]), "leaf 11: a second ballot of the same"),
    (_vote_after(14), "proposal prop_01: leaf 14: the vote is not open"),
    (_vote_after(4), "proposal prop_01: leaf 4: the vote is not open"),
    (_set(14, proposal="prop_01"), "proposal prop_01: leaf 14: the proposal was opened before"),
    (_set(4, content_hash="0" * 64), "leaf 4: proposals/prop_01.json is not the text"),
    (_set(16, last_index=14), "proposal prop_02: leaf 16: last_index is 14, the leaf before is 15"),
    (_set(13, last_index=11), "proposal prop_01: leaf 13: last_index is 11, the leaf before is 12"),
    (_set(13, no=2), "proposal prop_01: leaf 13: the ballots are 2 yes, 1 no, 1 dropped"),
    (_set(13, passed=False), "proposal prop_01: leaf 13: by the rule the proposal is passed"),
    (_set(24, passed=True), "proposal prop_03: leaf 24: by the rule the proposal is rejected"),
    (_other_rule, "proposal prop_01: leaf 4: its rule is 3/2, in force was 1/2"),
    (_set(13, roll_size=5), "leaf 13: rolls/prop_01.txt is not the roll of the result"),
    (_set(13, roll_root="0" * 64), "leaf 13: rolls/prop_01.txt is not the roll of the result"),
    (_set(10, voter="0" * 64), "leaf 13: the voter of the ballot in leaf 10 is not on the roll"),
    (lambda log: log.rolls["prop_01"].reverse(), "leaf 13: rolls/prop_01.txt is no sorted list"),
    (lambda log: log.rolls["prop_01"].append("x"), "leaf 13: rolls/prop_01.txt is no sorted list"),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_an_operator_who_signs_a_forged_log_is_found_out(
    check: Check, forge: Callable[[LogBuilder], object], message: str
) -> None:
    """Hashes and signatures are valid, but the rules of books and votes are violated."""
    log = small_organisation()
    forge(log)
    log.checkpoint_sizes[-1] = len(log.leaves)

    status, out = check(log.files())

    assert status == 1
    assert message in failures(out)
    assert "ok      checkpoints" in out


@pytest.mark.parametrize(
    ("index", "fields"),
    [
        (0, {"v": True}),
        (0, {"t": "jara/v2/genesis"}),
        (1, {"weights": {}}),
        (1, {"weights": {"projects": 0}}),
        (1, {"weights": {"projects": -1}}),
        (1, {"weights": {"wells": 1}}),
        (1, {"weights": [1]}),
        (1, {"from": "2026-02-30"}),
        (1, {"from": "20260201"}),
        (2, {"salt": "00"}),
        (2, {"description": 1}),
        (2, {"postings": []}),
        (2, {"postings": [["assets:bank", "other", 1], ["assets:bank", "other"]]}),
        (2, {"postings": [["assets:bank", "other", 1], 5]}),
        (2, {"postings": [["assets:bank", "other", 1], ["bank", "other", -1]]}),
        (2, {"postings": [["assets:bank", "wells", 1], ["assets:bank", "other", -1]]}),
        (2, {"postings": [["assets:bank", "other", 0], ["assets:bank", "other", 0]]}),
        (2, {"postings": [["assets:bank", "other", True], ["assets:bank", "other", -1]]}),
        (2, {"foreign": {"currency": "KES", "amount": 1}}),
        (2, {"foreign": {"currency": "KES", "amount": 1, "rate": "1", "receipt": "slip.pdf"}}),
        (2, {"foreign": {"currency": "KES", "amount": 1, "rate": "1", "payee": "Ada"}}),
        (2, {"foreign": 1}),
        (2, {"of": -1}),
        (4, {"rule": {"num": 1, "den": 2, "of": "ballots"}}),
        (4, {"proposal": "../key"}),
        (10, {"choice": "maybe"}),
        (13, {"passed": 1}),
    ],
)
def test_a_leaf_with_other_fields_than_its_type_has_is_named(
    check: Check, index: int, fields: dict[str, Any]
) -> None:
    """An unknown or malformed field is a failed check and not a crash."""
    log = small_organisation()
    log.leaves[index].update(fields)

    status, out = check(log.files())

    assert status == 1
    assert f"FAILED  leaves: leaf {index}: not a leaf of a known type" in out


def test_many_failures_of_one_check_make_one_line(check: Check) -> None:
    """The line names the first failure and counts the others."""
    log = small_organisation()
    _posting(log, 2, 0, 1)
    _posting(log, 3, 0, 1)
    _posting(log, 18, 0, 1)

    _, out = check(log.files())

    assert "FAILED  balance: leaf 2: the fund 'projects' is off by 1 cents (and 2 more)\n" in out


def test_the_entry_a_malformed_line_hides_is_not_needed(check: Check) -> None:
    """A refund of an unreadable payment is skipped, because the payment's line has failed."""
    log = small_organisation()
    log.leaves[2]["kind"] = 5

    status, out = check(log.files())

    assert status == 1
    assert "ok      refunds: 2 checked, 2 skipped\n" in out


def test_a_foreign_amount_belongs_to_an_entry(check: Check) -> None:
    """The optional fields of an entry are accepted."""
    log = small_organisation()
    plain = {"currency": "KES", "amount": 5_160_000, "rate": "129.00"}
    log.leaves[20]["foreign"] = plain
    log.leaves[21]["foreign"] = {**plain, "source": "ab" * 32, "receipt": "cd" * 32}

    assert check(log.files())[0] == 0


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
