"""The faults and attacks that Jara must withstand, with their tests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One fault or attack.

    Args:
        number: its place in the table.
        done: the fault or attack, with the long size.
        passes: the condition for passing.
        tests: the arguments of pytest.
        journey: the browser tests to run instead.
        is_divisible: whether all cores share its tests, because they do not measure time.
    """

    number: int
    done: str
    passes: str
    tests: tuple[str, ...] = ()
    journey: str = ""
    is_divisible: bool = False


ROWS = (
    Row(
        1,
        "The server is killed (`kill -9`) 200 times while six clients write: votes, "
        "registrations, webhooks, and entries posted by a second program; 40 times more "
        "on PostgreSQL.",
        "Nothing that was confirmed is lost; repeating a call that got no answer gives "
        "the right answer; all invariants hold; a restart takes less than 5 s.",
        ("tests/faults/test_kills.py",),
    ),
    Row(
        2,
        "Another process locks the database longer than the timeout; the disk is full.",
        "Only 2xx and 503 responses; afterwards nothing is lost or duplicated, and "
        "writing works again.",
        ("tests/faults/test_locked.py", "tests/faults/test_full_disk.py"),
    ),
    Row(
        3,
        "One member votes yes and no at the same time, in two processes: 1,000 races.",
        "Exactly one counts; the other gets an error.",
        ("tests/faults/test_races.py::test_of_two_opposite_votes_exactly_one_counts",),
    ),
    Row(
        4,
        "A vote is cast while another process closes it: 1,000 races.",
        "Each ballot is before the recorded close in the log, or is refused.",
        ("tests/faults/test_races.py::test_a_vote_comes_before_the_close_or_is_refused",),
    ),
    Row(
        5,
        "Every electoral roll up to 200 with every number of yes votes: 20,301 cases.",
        "The tally equals that of an independent oracle.",
        ("tests/domain/voting/test_tally.py",),
    ),
    Row(
        6,
        "Webhooks duplicated, shuffled, late, 5 % lost: 10,000 deliveries in each of two "
        "orders, then reconciliation.",
        "The postings equal the oracle's to the cent, and both orders give the same state.",
        ("tests/webapi/payments/test_webhook_histories.py",),
    ),
    Row(
        7,
        "Joining is interrupted at each provider call: before, after, with an error, with "
        "rate limiting, with a full database; the person tries again, or does not.",
        "No subscription without an account; nobody is charged twice, or the charge is refunded.",
        (
            "tests/payments/test_stripe_services.py",
            "tests/payments/test_stripe_faults.py",
            "tests/faults/test_joining_faults.py",
        ),
        is_divisible=True,
    ),
    Row(
        8,
        "Every single bit of a bundle's data files is flipped; lines are dropped, "
        "duplicated, swapped; an operator forges and signs; database rows are changed "
        "behind the triggers.",
        "Each change is reported, with the index of the leaf if there is one.",
        (
            "tests/verifier/test_verifier.py",
            "tests/verifier/test_verifier_forgeries.py",
            "tests/verifier/test_verifier_inputs.py",
            "tests/services/books/test_verification.py",
            "tests/services/proposals/test_vote_verification.py",
        ),
        is_divisible=True,
    ),
    Row(
        9,
        "Webhooks are forged in 20 ways, tokens in 40 ways at every protected call.",
        "All are refused, without a 500 and without a write.",
        ("tests/webapi/payments/test_webhooks.py", "tests/webapi/test_authorisation.py"),
    ),
    Row(
        10,
        "A fuzzer makes calls from the OpenAPI document; odd values go into every field.",
        "No server error, no difference from the document.",
        ("tests/webapi/test_openapi.py", "tests/webapi/test_inputs.py"),
        is_divisible=True,
    ),
    Row(
        11,
        "More than 300 texts with scripts in every HTML field are opened in Chromium; "
        "they are stored without sanitising.",
        "No dialog, no script runs, no outgoing request; allowed tags are kept.",
        ("tests/faults/test_hostile_html.py",),
        journey="hostile-html",
    ),
    Row(
        12,
        "SQL and spreadsheet formulas in every field; oversized, endless and slow "
        "requests; 100 sign-ins at once.",
        "No 500, no effect; memory stays bounded; other readers are served.",
        (
            "tests/faults/test_injections.py",
            "tests/faults/test_crowds.py",
            "tests/journeys/test_join_and_vote.py",
            "tests/webapi/server/test_deadline_worker.py",
        ),
    ),
    Row(
        13,
        "Passwords are guessed on one account and across many, in two processes and "
        "across a restart.",
        "No more than the limit are hashed, and the limits survive the restart.",
        (
            "tests/faults/test_crowds.py::test_guesses_in_many_processes_share_one_budget",
            "tests/webapi/middleware/test_call_limits.py",
        ),
    ),
    Row(
        14,
        "Random histories of registrations, payments, failures, refunds, disputes, votes, "
        "closings, entries, payouts, departures and clock jumps, with lost responses: "
        "1,000 of up to 60 steps on the sandbox, 150 of up to 50 on the double of Stripe.",
        "After every step money and votes equal those of a small model, and every "
        "invariant holds; each seeded fault is found.",
        ("tests/system",),
        is_divisible=True,
    ),
    Row(
        15,
        "A backup is made while people vote, restored elsewhere, and verified.",
        "It verifies, its root was published, and the votes are in both.",
        ("tests/journeys/test_restore_test.py", "tests/services/operations/test_backups.py"),
    ),
    Row(
        16,
        "100 of 1,000 members are erased.",
        "No trace of them in database, write-ahead log, server log or mail folder; all "
        "older proofs and receipts still verify.",
        ("tests/faults/test_erasure.py",),
    ),
    Row(
        17,
        "1,000 random logs, and manipulated copies, are checked by the stand-alone "
        "verifier and by the website's code.",
        "Both agree on every receipt, both name the first bad leaf, and a newer bundle is "
        "checked against an older checkpoint.",
        journey="two-verifiers",
    ),
    Row(
        18,
        "The program is killed at every statement of a close, on both engines; the disk is "
        "full in the middle of it.",
        "After each, the vote is open or closed for everybody, and all books are right; a "
        "later run completes it, and nobody gets an email twice.",
        ("tests/faults/test_killed_close.py",),
    ),
)
