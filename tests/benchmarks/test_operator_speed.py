"""Commands that an operator waits for: checks, the start page, payments, a statement."""

import shutil
import time
from contextlib import ExitStack
from pathlib import Path

from jara.bootstrap import SystemClock
from jara.services.log_keys import verification_key
from jara.services.publiclog.offering import offer_checkpoint
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.witnesses import add_witness
from jara_webapi.witness import create_witness_app
from tests.benchmarks.bank_statement import STATEMENT, write_statement
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.giving_history import write_csv
from tests.benchmarks.grown_organisation import SPARE_EMAIL, grow
from tests.benchmarks.processes import JARA, Took, run
from tests.benchmarks.sizes import GROWN_POSTINGS, POSTINGS
from tests.fakes.witness_servers import served
from tests.fakes.witnesses import make_cosigner
from tests.faults.fault_world import found, put_to_vote

ROUNDS = 7
STATEMENT_ROUNDS = 3
LINES = 10_000


def test_checks_of_the_books(tmp_path: Path) -> None:
    """The complete check, the one since it, and the doctor's, compared with hledger (L3)."""
    postings = write_csv(tmp_path / "history.csv", POSTINGS)

    def jara(*words: str) -> Took:
        return run([JARA, *words], tmp_path)

    jara("init")
    jara("ledger", "import", "history.csv", "--format", "csv")
    jara("ledger", "export", "--format", "journal", "--out", "history.journal")
    peer = run(["hledger", "-f", "history.journal", "check"], tmp_path)
    own = jara("ledger", "verify")

    told = f"{own.seconds:.1f} s for {peer.seconds:.1f} s, {own.mib:.0f} MiB"
    saw("L3.verify", [peer.seconds / own.seconds], told)
    recent = {"L3.recent": ("ledger", "verify", "--since-last"), "L3.doctor": ("doctor",)}
    for goal, words in recent.items():
        took = [jara(*words) for _ in range(ROUNDS)]
        wall = median_of([one.seconds for one in took], "s")
        saw(goal, [one.cpu_seconds for one in took], f"{wall}, {postings:,} postings")


def test_the_start_page_and_a_members_payments(tmp_path: Path) -> None:
    """Neither grows with the books: most of the time is start-up (O1)."""
    grow(tmp_path, GROWN_POSTINGS)

    def took(*words: str) -> Took:
        return run([JARA, *words], tmp_path)

    rounds = [
        (took(), took("payments", "list", SPARE_EMAIL), took("ledger", "balance"))
        for _ in range(ROUNDS)
    ]

    size = f"about {GROWN_POSTINGS:,} postings"
    wall = median_of([start.seconds for start, _, _ in rounds], "s", 3)
    saw("O1.start", [start.cpu_seconds for start, _, _ in rounds], f"{wall}, {size}")
    ours = median_of([payments.seconds for _, payments, _ in rounds], "s", 3)
    other = median_of([balance.seconds for _, _, balance in rounds], "s", 3)
    ratios = [payments.cpu_seconds / balance.cpu_seconds for _, payments, balance in rounds]
    saw("O1.payments", ratios, f"{ours} and {other}, {size}")


def test_a_statement_of_the_bank(tmp_path: Path) -> None:
    """Read and match 10,000 lines; each round starts with the same books (O1)."""
    lines = write_statement(tmp_path / "first", LINES)
    took = []
    for number in range(STATEMENT_ROUNDS):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "first", folder)
        words = ("bank", "import", STATEMENT, "--new-account", "assets:bank")
        took.append(run([JARA, *words], folder))

    wall = median_of([one.seconds for one in took], "s")
    saw("O1.bank", [one.cpu_seconds for one in took], f"{wall}, {lines:,} lines")


def test_a_checkpoint_with_three_witnesses(tmp_path: Path) -> None:
    """Sign, send over HTTP, cosign and store (O2)."""
    application = found(tmp_path)
    log, clock = verification_key(application.context), SystemClock()
    took = []
    with ExitStack() as stack:
        for name in ("one.example/1", "two.example/1", "three.example/1"):
            cosigner = make_cosigner(tmp_path, name, clock, log)
            url = stack.enter_context(served(create_witness_app(cosigner)))
            add_witness(application.context, url, cosigner.key.text())
        for number in range(ROUNDS):
            put_to_vote(application, f"vote-{number}")  # a new leaf for the witnesses
            begin = time.perf_counter()
            make_checkpoint(application.context)
            offer_checkpoint(application.context)
            took.append(time.perf_counter() - begin)
            with application.context.store.read() as work:
                size = work.log.size()
                assert len(work.witnesses.cosignatures(size)) == 3
    application.context.store.close()

    saw("O2.witnesses", took, f"a log of {size} leaves")
