"""The performance goals: what is measured, the limit, and why a goal is missed.

``hindrance`` is shown on docs/performance.md while a goal is missed, and only then.
"""

from __future__ import annotations

from tests.benchmarks.goal import LIBERAPAY, Goal
from tests.benchmarks.site_goals import SITE_GOALS

_ALL = (
    Goal(
        "L1.hledger",
        "`jara ledger balance` over all books, whole process: times faster than `hledger bal`",
        80,
        digits=0,
        hindrance="Nearly all of the time is spent loading Python and Typer; reading the totals "
        "takes less than a millisecond.",
    ),
    Goal(
        "L1.ledger",
        "`jara ledger balance` over all books: times faster than `ledger bal`",
        14,
        digits=1,
        hindrance="Nearly all of the time is spent loading Python and Typer, whatever the size of "
        "the books.",
    ),
    Goal(
        "L1.memory",
        "`jara ledger balance` over all books: times less memory than `hledger bal`",
        30,
        digits=0,
    ),
    Goal(
        "L1.beancount",
        "`jara ledger balance` over smaller books: times faster than `bean-query`",
        digits=0,
    ),
    Goal(
        "L2.process",
        "balance of one account, whole process: full books compared with a hundredth of them",
        2,
        at_most=True,
    ),
    Goal(
        "L2.growth",
        "balance of one account in a warm process: full books compared with a hundredth of them",
        2,
        at_most=True,
    ),
    Goal(
        "L2.warm",
        "balance of one account in a warm process, time",
        0.1,
        "ms",
        at_most=True,
        digits=3,
        hindrance="Most of it is SQLite running three statements, as in small books.",
    ),
    Goal(
        "L2.duckdb",
        "all balances: times faster than DuckDB's GROUP BY",
        40,
        digits=0,
        hindrance="Jara sums a total for each month, account and fund, and creates an object for "
        "each balance.",
    ),
    Goal(
        "L3.check",
        "full audit in a process (every entry balances in each fund, totals equal the "
        "postings): times faster than `hledger check`",
        25,
        digits=0,
        hindrance="SQLite reads the postings twice: once in storage order, for the sums per entry "
        "and fund (a third of the time), and once page by page, sorted by fund, account "
        "and day.",
    ),
    Goal(
        "L3.verify",
        "`jara ledger verify`, whole process, which also checks the public log, ballots "
        "and traces: times faster than `hledger check`",
        2,
        felt=True,
        hindrance="Python builds the trace again and compares every entry with its leaf (a "
        "third of the CPU time each); SQLite checks its own pages (a sixth). They run beside each "
        "other, here on two cores.",
    ),
    Goal(
        "L3.recent",
        "`jara ledger verify --since-last` after a complete one: CPU time of the process",
        2,
        "s",
        at_most=True,
        felt=True,
        hindrance="Half of it is SQLite summing all postings by month, account and fund; a quarter "
        "is loading Python and Jara.",
    ),
    Goal(
        "L3.doctor",
        "`jara doctor` after it: CPU time",
        2,
        "s",
        at_most=True,
        felt=True,
        hindrance="It checks the books in the same way; the other checks add little.",
    ),
    Goal(
        "O1.start",
        "`jara` alone in an organisation with large books: CPU time",
        0.3,
        "s",
        at_most=True,
        felt=True,
        hindrance="Reading the figures takes some milliseconds; the rest is loading Python, Typer "
        "and Jara, see C1.",
    ),
    Goal(
        "O1.payments",
        "`jara payments list MEMBER` in large books, compared with `jara ledger balance`",
        1.5,
        at_most=True,
        felt=True,
    ),
    Goal(
        "O1.bank",
        "`jara bank import` of 10,000 lines, nearly all booked as contributions: CPU time",
        3,
        "s",
        at_most=True,
        felt=True,
        hindrance="A fifth is reading the XML. Each line is an entry with 12 postings, a leaf of "
        "the log, lots of the trace and a payment.",
    ),
    Goal(
        "O2.witnesses",
        "a checkpoint offered over HTTP to three witnesses of this machine, which all sign",
        1,
        "s",
        at_most=True,
        digits=3,
        felt=True,
    ),
    Goal(
        "L4.hledger",
        "import of a ledger CSV, validated, all or nothing, with log, totals and trace: "
        "times faster than hledger parses the same books",
        1.5,
        hindrance="A fifth of the CPU time is start-up, and three tenths is SQLite writing nearly "
        "two rows per posting. The rest is Python code that reads, validates, hashes and "
        "traces. With more postings start-up matters less; see the next row.",
    ),
    Goal(
        "L4.large",
        "the same with ten times more postings",
        1.5,
        hindrance="As above, without the start-up.",
    ),
    Goal(
        "L4.insert_all",
        "import of a ledger CSV: times faster than `insert_all` of sqlite-utils, which "
        "only stores the rows",
        1,
        hindrance="Jara validates each entry, hashes it into the public log and updates totals; "
        "`insert_all` does none of that.",
    ),
    Goal(
        "L4.memory",
        "peak memory of an import: large books compared with half of them",
        1.2,
        at_most=True,
        hindrance="The database cache grows up to 64 MiB.",
    ),
    Goal(
        "V1.recount",
        "tally of an open vote, counted before: times faster than opening every ballot",
        200,
        digits=0,
    ),
    Goal(
        "V1.first",
        "opening every ballot of an open vote, once in each process of the server: CPU time",
        1000,
        "ms",
        at_most=True,
        digits=0,
    ),
    Goal(
        "V2.raw",
        "durable votes through HTTP by 32 clients (signed in, one each, answered after the "
        "commit), compared with bare inserts, each in a durable transaction",
        0.5,
        hindrance="The CPU decides, not the disk. A vote is an HTTP request with "
        "checks of the token and the right to vote, a sealed ballot, and a "
        "signed receipt, in about twenty SQL statements; a bare insert is one. In one "
        "thread, without HTTP and disk, a vote takes a third of a millisecond of CPU "
        "time, spread over all of these steps. The next row compares it with Falcon's own "
        "limit.",
    ),
    Goal(
        "V2.bare",
        "durable votes through HTTP, compared with bare Falcon that only stores a row for "
        "each, in shared transactions",
    ),
    Goal(
        "V2.tail",
        "durable votes through HTTP by 32 clients: 99th percentile",
        250,
        "ms",
        at_most=True,
        digits=0,
        felt=True,
    ),
    Goal(
        "V3.close",
        "closing a vote, whole process, which opens, shuffles and lists every ballot: CPU time",
        60,
        "s",
        at_most=True,
        digits=1,
        felt=True,
    ),
    Goal(
        "V3.memory",
        "closing a vote: peak memory",
        384,
        "MiB",
        at_most=True,
        digits=0,
    ),
    Goal(
        "W1.overview",
        "requests per second for the overview, compared with bare Falcon",
        0.75,
        hindrance="The response comes from a cache. The rest of the difference is a dozen response "
        "headers, the request log, and the check whether anything was committed since.",
    ),
    Goal(
        "W1.proposals",
        "requests per second for all proposals, compared with bare Falcon",
        0.75,
        hindrance="As above; the response is also larger.",
    ),
    Goal(
        "W2.votes",
        "requests per second for a member's votes (token and session checked), compared "
        "with bare Falcon with one SQLite read and no token",
        0.45,
        hindrance="Jara checks the token and makes two database reads where the bare server makes "
        "one: the session, because a signed-out member must be refused at once, and the "
        "votes. SQLite releases Python's lock in each read, and the thread then waits for "
        "other threads.",
    ),
    Goal(
        "W2.profile",
        "requests per second for a member's profile, compared with the same",
        0.45,
        hindrance="Jara makes several reads where the bare server makes one: the session, and the "
        "account with pledge, first payment, votes and open tasks, each from its own "
        "table.",
    ),
    Goal("W3.pages", "compared with Liberapay, pages per second", 9, unmeasured=LIBERAPAY),
    Goal("W3.json", "compared with Liberapay, its smallest JSON page", 8, unmeasured=LIBERAPAY),
    Goal(
        "W4.memory",
        "memory used by the server and its 2 workers after all of the above, shared pages "
        "counted once",
        130,
        "MiB",
        at_most=True,
        digits=0,
        hindrance="Each thread of a worker has its own connection, with a cache of pages and of "
        "compiled statements; they fill with use.",
    ),
    Goal(
        "W4.resident",
        "sum of the resident memory of the 2 workers, shared pages counted twice",
        130,
        "MiB",
        at_most=True,
        digits=0,
        hindrance="The program is loaded before the workers are forked, so most of its pages are "
        "shared; the row above counts them once. Loaded it takes about 60 MiB: Python and "
        "Falcon with asyncio and OpenSSL 27, pydantic 6, signatures 9, Jara's own modules "
        "14. The rest grows with use in each worker.",
    ),
    Goal(
        "C1.version",
        "`jara --version` compared with `python -c pass`",
        1.2,
        at_most=True,
        hindrance="Nearly all of the difference is `import re` in the launcher that pip writes.",
    ),
    Goal("C1.help", "`jara --help` compared with `import typer`", 1.5, at_most=True),
    Goal(
        "C1.reading",
        "`jara ledger balance` compared with the smallest Typer command, which does nothing",
        1.5,
        at_most=True,
        hindrance="Besides Typer, the command imports most of the program, at the top of its "
        "modules: a third of that time goes into defining classes, a quarter into reading "
        "about 200 modules.",
    ),
    Goal(
        "C1.computing",
        "`jara split 10`, which reads only the policy in force, compared with the "
        "smallest Typer command",
        1.5,
        at_most=True,
        hindrance="The same imports as above.",
    ),
    Goal(
        "P1.rate",
        "sign-ins per second, compared with bare argon2 hashes on all cores",
        0.9,
        hindrance="A sign-in takes hardly a tenth more CPU time than its hash. The rest is uneven "
        "load: each of two processes hashes one password at a time, and connections are "
        "not spread evenly, so that one core is idle at times. Sharing the work would "
        "need the memory of two hashes in each process.",
    ),
    Goal(
        "P1.memory",
        "memory used by sign-ins, compared with 19 MiB per core",
        1,
        at_most=True,
        hindrance="Each of two processes keeps the 19 MiB of its hash, because allocating them "
        "each time makes a hash take 1.5 times as long.",
    ),
    Goal(
        "P1.reads",
        "how many times longer a reader's request takes while others sign in",
        3,
        at_most=True,
        digits=1,
        felt=True,
    ),
    *SITE_GOALS,
    Goal(
        "G1.growth",
        "responses over large and small books: how many times longer the one that grows most takes",
        2,
        at_most=True,
        felt=True,
    ),
    Goal(
        "Load.errors",
        "a crowd in the last minute of a vote: lost connections, and responses other "
        "than success, 409 after the end, 429 and 503",
        0,
        "",
        at_most=True,
        digits=0,
        felt=True,
    ),
    Goal(
        "Load.votes",
        "votes of that crowd: confirmed but not counted, counted but not confirmed, or "
        "accepted after the end",
        0,
        "",
        at_most=True,
        digits=0,
        felt=True,
    ),
)
GOALS = {goal.key: goal for goal in _ALL}
