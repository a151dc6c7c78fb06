"""The faults and attacks that Jara must bear, and the tests that let them happen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One fault or attack (trust §5).

    Args:
        number: its place in the table.
        done: what is done to Jara, with the long size.
        passes: when that is borne.
        tests: what pytest is given.
        journey: the browser's journeys that do it instead.
        is_divisible: its tests do not measure time, so that every core takes some of them.
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
        "The server is killed (`kill -9`) 200 times while six writers work: votes, people who "
        "join, the provider's webhooks, entries posted by a second program; 40 times more with "
        "the database on PostgreSQL.",
        "Nothing that was acknowledged is lost; every call that got no answer, made again, tells "
        "the truth; all invariants hold; a restart takes less than 5 s.",
        ("tests/faults/test_kills.py",),
    ),
    Row(
        2,
        "Another process holds the database longer than anybody waits; the disk is full.",
        "Only 2xx and 503; afterwards nothing is lost or doubled, and writing goes on.",
        ("tests/faults/test_locked.py", "tests/faults/test_full_disk.py"),
    ),
    Row(
        3,
        "One member votes yes and no at the same time, in two processes: 1,000 races.",
        "Exactly one counts, the other is told.",
        ("tests/faults/test_races.py::test_of_two_opposite_votes_exactly_one_counts",),
    ),
    Row(
        4,
        "A vote is cast while another process closes it: 1,000 races.",
        "Each ballot stands before the recorded close, or is refused.",
        ("tests/faults/test_races.py::test_a_vote_comes_before_the_close_or_is_refused",),
    ),
    Row(
        5,
        "Every roll up to 200 with every number of yes votes: 20,301 cases.",
        "The tally is that of an independent oracle.",
        ("tests/domain/voting/test_tally.py", "tests/domain/voting/test_tally_properties.py"),
    ),
    Row(
        6,
        "Webhooks doubled, shuffled, late, 5 % lost: 10,000 deliveries for each of two orders, "
        "then reconciliation.",
        "The postings are the oracle's to the cent, and both orders come to one state.",
        ("tests/webapi/payments/test_webhook_histories.py",),
    ),
    Row(
        7,
        "Joining is cut off at each call: before, after, with an error, with too many requests, "
        "with a full database; the person comes again, or does not.",
        "No subscription without an account, nobody charged twice, else refunded.",
        (
            "tests/payments/test_stripe_services.py",
            "tests/payments/test_stripe_faults.py",
            "tests/faults/test_joining_faults.py",
            "tests/faults/test_gift_faults.py",
        ),
        is_divisible=True,
    ),
    Row(
        8,
        "Every single bit of every byte of a bundle's data files is flipped; lines are dropped, "
        "doubled, swapped; an operator forges and signs; rows of the database are changed behind "
        "its triggers.",
        "Each is reported, with the index of the leaf where there is one.",
        (
            "tests/verifier/test_verifier.py",
            "tests/verifier/test_verifier_forgeries.py",
            "tests/verifier/test_verifier_inputs.py",
            "tests/verifier/test_verifier_receipts.py",
            "tests/services/books/test_verification.py",
            "tests/services/proposals/test_vote_verification.py",
        ),
        is_divisible=True,
    ),
    Row(
        9,
        "Webhooks forged in 20 ways; tokens forged in 40 ways at every protected call.",
        "All refused, no 500, nothing written.",
        ("tests/webapi/payments/test_webhooks.py", "tests/webapi/test_authorisation.py"),
    ),
    Row(
        10,
        "A fuzzer makes calls from the API's own description; odd values go into every field.",
        "No error of the server, no difference from the description.",
        ("tests/webapi/test_openapi.py", "tests/webapi/test_inputs.py"),
        is_divisible=True,
    ),
    Row(
        11,
        "More than 300 texts that carry scripts, in every field of HTML, read in Chromium; they "
        "are written past the cleaning on the way in.",
        "No dialog, no script runs, no request leaves; the allowed tags are there.",
        ("tests/faults/test_hostile_html.py",),
        journey="hostile-html",
    ),
    Row(
        12,
        "SQL and spreadsheet formulas in every field; oversized, endless and dripping requests; "
        "100 sign-ins at once.",
        "No 500, no effect, memory stays bounded, other readers go on.",
        (
            "tests/faults/test_injections.py",
            "tests/faults/test_crowds.py",
            "tests/journeys/test_join_and_vote.py",
            "tests/webapi/server/test_deadline_worker.py",
        ),
    ),
    Row(
        13,
        "Passwords are guessed on one account and spread over many, in two processes and over a "
        "restart.",
        "No more than the budget reaches the hash, and the limits survive.",
        (
            "tests/faults/test_crowds.py::test_guesses_in_many_processes_share_one_budget",
            "tests/webapi/middleware/test_call_limits.py",
        ),
    ),
    Row(
        14,
        "Random histories of joining, paying, failing, refunds, disputes, votes, closings, "
        "entries, payouts to projects, leaving and jumps of the clock, with lost answers: 1,000 "
        "of up to 60 steps on the sandbox, 150 of up to 50 on the double of Stripe.",
        "After every step money and votes are those of a small model, and every invariant holds; "
        "each of the seeded faults is found.",
        ("tests/system",),
        is_divisible=True,
    ),
    Row(
        15,
        "A backup is made while people vote, restored at another place, and verified.",
        "It verifies, its root is one that was published, and the votes are in both.",
        ("tests/journeys/test_drill.py", "tests/services/operations/test_backups.py"),
    ),
    Row(
        16,
        "100 of 1,000 members are erased.",
        "No trace of them in database, write-ahead log, server log or mail folder; every older "
        "proof and receipt still verifies.",
        ("tests/faults/test_erasure.py",),
    ),
    Row(
        17,
        "1,000 random logs, and tamperings of them, are checked by the stand-alone verifier and "
        "by the website's own code.",
        "Both agree on every receipt, both name the first bad leaf, and a newer bundle is held "
        "against an older checkpoint.",
        journey="two-verifiers",
    ),
)
