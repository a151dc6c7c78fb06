"""The books compared with hledger, ledger, beancount and DuckDB (goals L1 to L4)."""

from __future__ import annotations

import statistics
from functools import partial
from pathlib import Path

import duckdb
import pytest

from jara.store.store import Store
from tests.benchmarks.bench_books import Books, milliseconds_of
from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import JARA, Took, run
from tests.benchmarks.sizes import FEW_POSTINGS, IMPORTED, POSTINGS

ROUNDS = 5
LONG_ROUNDS = 3
"""For peers that take half a minute."""

OURS_EACH_ROUND = 3
WARM_TIMES = 50


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Books with the full history."""
    return Books(tmp_path_factory.mktemp("books"), POSTINGS)


@pytest.fixture(scope="module")
def small_books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Books with a hundredth of it."""
    return Books(tmp_path_factory.mktemp("small"), FEW_POSTINGS)


def ours_in_a_round(books: Books) -> Took:
    """Run the balance a few times, since it is fast; return the median."""
    took = [run([JARA, "ledger", "balance"], books.folder) for _ in range(OURS_EACH_ROUND)]
    return Took(
        statistics.median(one.seconds for one in took), statistics.median(one.mib for one in took)
    )


def test_balances_of_the_whole_books(books: Books) -> None:
    """`jara ledger balance` against `hledger bal` and `ledger bal`, as whole processes (L1)."""
    journal = books.exported("journal")
    rounds = [
        (
            run(["hledger", "-f", journal, "bal"], books.folder),
            ours_in_a_round(books),
            run(["ledger", "-f", journal, "bal"], books.folder),
        )
        for _ in range(LONG_ROUNDS)
    ]

    ours = median_of([own.seconds for _, own, _ in rounds], "s", 3)
    mib = median_of([own.mib for _, own, _ in rounds], "MiB", 0)
    size = f"{books.postings:,} postings"
    for goal, theirs in (
        ("L1.hledger", [(peer.seconds, own.seconds) for peer, own, _ in rounds]),
        ("L1.ledger", [(peer.seconds, own.seconds) for _, own, peer in rounds]),
    ):
        peer_text = median_of([peer for peer, _ in theirs], "s")
        saw(goal, [peer / own for peer, own in theirs], f"{ours} for {peer_text}, {size}")
    their_mib = median_of([peer.mib for peer, _, _ in rounds], "MiB", 0)
    ratios = [peer.mib / own.mib for peer, own, _ in rounds]
    saw("L1.memory", ratios, f"{mib} for {their_mib}, {size}")


def test_balances_of_beancount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same against `bean-query`, without its cache of parsed files (L1)."""
    monkeypatch.setenv("BEANCOUNT_DISABLE_LOAD_CACHE", "1")
    books = Books(tmp_path, IMPORTED)
    query = "SELECT account, sum(position) GROUP BY account"
    command = [str(Path(JARA).with_name("bean-query")), books.exported("beancount"), query]
    rounds = [(run(command, tmp_path), ours_in_a_round(books)) for _ in range(LONG_ROUNDS)]

    ours = median_of([own.seconds for _, own in rounds], "s", 3)
    theirs = median_of([peer.seconds for peer, _ in rounds], "s")
    ratios = [peer.seconds / own.seconds for peer, own in rounds]
    saw("L1.beancount", ratios, f"{ours} for {theirs}, {books.postings:,} postings")


def one_balance(store: Store) -> object:
    """Read the balance of one account from the maintained totals."""
    with store.read() as work:
        return work.journal.balances(accounts=("expenses:staff",))


def test_a_balance_does_not_grow_with_the_books(books: Books, small_books: Books) -> None:
    """One account at full size against a hundredth of it, cold and warm (L2)."""
    command = [JARA, "ledger", "balance", "expenses:staff"]
    cold = [
        (run(command, books.folder).seconds, run(command, small_books.folder).seconds)
        for _ in range(ROUNDS * OURS_EACH_ROUND)
    ]
    large, small = books.open(), small_books.open()
    one_balance(large), one_balance(small)
    warm = [
        (
            milliseconds_of(partial(one_balance, large), WARM_TIMES),
            milliseconds_of(partial(one_balance, small), WARM_TIMES),
        )
        for _ in range(ROUNDS)
    ]
    large.close()
    small.close()

    sizes = f"{books.postings:,} and {small_books.postings:,} postings"
    for goal, rounds, unit in (("L2.process", cold, "s"), ("L2.growth", warm, "ms")):
        of_large = median_of([one for one, _ in rounds], unit, 3)
        of_small = median_of([other for _, other in rounds], unit, 3)
        saw(goal, [one / other for one, other in rounds], f"{of_large} and {of_small}, {sizes}")
    saw("L2.warm", [one for one, _ in warm], f"{books.postings:,} postings")


def test_all_balances_against_a_group_by(books: Books) -> None:
    """Kept totals against DuckDB's sum over its own table, with one answer (L2)."""
    store = books.open()
    peer = duckdb.connect(str(books.folder / "postings.duckdb"))
    rows = peer.read_csv(str(books.csv), dtype={"amount": "DECIMAL(18, 2)"})
    rows.project("account, fund, CAST(amount * 100 AS BIGINT) AS cents").create("postings")

    def ours() -> list[tuple[str, str, int]]:
        with store.read() as work:
            return [(row.account, row.fund.value, row.cents) for row in work.journal.balances()]

    def theirs() -> list[tuple[str, str, int]]:
        query = "SELECT account, fund, SUM(cents) FROM postings GROUP BY account, fund"
        return [(account, fund, int(cents)) for account, fund, cents in peer.sql(query).fetchall()]

    assert sorted(ours()) == sorted(theirs())
    rounds = [(milliseconds_of(theirs, 3), milliseconds_of(ours, 10)) for _ in range(ROUNDS)]
    peer.close()
    store.close()

    own = median_of([one for _, one in rounds], "ms", 3)
    other = median_of([one for one, _ in rounds], "ms", 1)
    ratios = [one / two for one, two in rounds]
    saw("L2.duckdb", ratios, f"{own} for {other}, {books.postings:,} postings")


def test_a_full_audit(books: Books) -> None:
    """Balance of every entry and all totals recomputed, against `hledger check` (L3)."""
    store = books.open()

    def audit() -> None:
        with store.read() as work:
            assert list(work.inspection.suspects()) == []
            assert list(work.journal.wrong_totals()) == []

    command = ["hledger", "-f", books.exported("journal"), "check"]
    rounds = [
        (run(command, books.folder).seconds, milliseconds_of(audit) / 1000)
        for _ in range(LONG_ROUNDS)
    ]
    store.close()

    own = median_of([one for _, one in rounds], "s")
    other = median_of([one for one, _ in rounds], "s")
    ratios = [one / two for one, two in rounds]
    saw("L3.check", ratios, f"{own} for {other}, {books.postings:,} postings")
    verified, checked = books.jara("ledger", "verify"), rounds[-1][0]
    told = f"{verified.seconds:.1f} s for {checked:.1f} s, {verified.mib:.0f} MiB"
    saw("L3.verify", [checked / verified.seconds], told)
    recent = {"L3.recent": ("ledger", "verify", "--since-last"), "L3.doctor": ("doctor",)}
    for goal, words in recent.items():
        took = [books.jara(*words) for _ in range(ROUNDS)]
        wall = median_of([one.seconds for one in took], "s")
        saw(goal, [one.cpu_seconds for one in took], f"{wall}, {books.postings:,} postings")
