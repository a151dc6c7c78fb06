"""The goals of speed: what is measured, how good is good enough, what stands in the way.

``hindrance`` is shown on docs/performance.md while a goal is missed, and only then.
"""

from __future__ import annotations

from tests.benchmarks.goal import LIBERAPAY, Goal
from tests.benchmarks.site_goals import SITE_GOALS

_ALL = (
    Goal(
        "L1.hledger",
        "`jara ledger balance` over all books, as a whole process: so many times faster than "
        "`hledger bal`",
        80,
        digits=0,
        hindrance="Nearly all of the time is Python and Typer being loaded; reading the totals "
        "takes less than a millisecond.",
    ),
    Goal(
        "L1.ledger",
        "`jara ledger balance` over all books: so many times faster than `ledger bal`",
        14,
        digits=1,
        hindrance="Nearly all of the time is Python and Typer being loaded, which takes as long "
        "over few books.",
    ),
    Goal(
        "L1.memory",
        "`jara ledger balance` over all books: so many times less memory than `hledger bal`",
        30,
        digits=0,
    ),
    Goal(
        "L1.beancount",
        "`jara ledger balance` over fewer books: so many times faster than `bean-query`",
        digits=0,
    ),
    Goal(
        "L2.process",
        "the balance of one account, as a whole process: full books over a hundredth of them",
        2,
        at_most=True,
    ),
    Goal(
        "L2.growth",
        "the balance of one account inside a warm process: full books over a hundredth of them",
        2,
        at_most=True,
    ),
    Goal(
        "L2.warm",
        "the balance of one account inside a warm process",
        0.1,
        "ms",
        at_most=True,
        digits=3,
    ),
    Goal(
        "L2.duckdb",
        "all balances: so many times faster than DuckDB's GROUP BY",
        40,
        digits=0,
        hindrance="Jara adds up a total for each month, account and fund, and makes an object of "
        "each balance.",
    ),
    Goal(
        "L3.check",
        "a full audit inside a process (every entry balances in each fund, totals are those of the "
        "postings): so many times faster than `hledger check`",
        25,
        digits=0,
        hindrance="SQLite reads the postings twice: as they lie, with a sum for each fund of an "
        "entry, which is a third of the time, and page by page, sorted by fund, account and day.",
    ),
    Goal(
        "L3.verify",
        "`jara ledger verify` as a whole process, which checks the public log, the ballots and the "
        "traces too: so many times faster than `hledger check`",
    ),
    Goal(
        "L4.hledger",
        "import of a ledger CSV, validated, all or nothing, with log, totals and trace: so many "
        "times faster than hledger parses the same books",
        1.5,
        hindrance="A fifth of the processor's time is the start, three tenths SQLite writing "
        "nearly two rows for each posting: itself, and its share of entry, log and trace. The rest "
        "is Python, which reads, checks, hashes and traces. Over more postings the start weighs "
        "less; see the next row.",
    ),
    Goal(
        "L4.large",
        "the same for ten times more postings, of which the start is a smaller part",
        1.5,
    ),
    Goal(
        "L4.insert_all",
        "import of a ledger CSV: so many times faster than `insert_all` of sqlite-utils, which "
        "only stores the rows",
        1,
        hindrance="Each entry is validated, hashed into the public log and given its totals; "
        "`insert_all` does none of it.",
    ),
    Goal(
        "L4.memory",
        "the most memory of an import: large books over half of them",
        1.2,
        at_most=True,
        hindrance="The database's cache fills up to 64 MiB, and then no more.",
    ),
    Goal(
        "V1.recount", "a tally from its counters: so many times faster than counting", 200, digits=0
    ),
    Goal(
        "V2.raw",
        "durable votes through HTTP by 32 clients (signed in, one each, in the public log, "
        "answered after the commit), against bare inserts each in a durable transaction; 1 is the "
        "far goal",
        0.5,
        hindrance="The disk of this machine hardly waits, so the processors decide: a vote is a "
        "request over HTTP, a token and a right that are checked, a leaf of the log with its "
        "hashes and its signed receipt, in some twenty statements; a bare insert is one. Inside "
        "one thread, without HTTP and without the disk, a vote takes a third of a millisecond of "
        "a processor, spread over all of these steps. The row below holds it against what Falcon "
        "itself can take here.",
    ),
    Goal(
        "V2.bare",
        "durable votes through HTTP, against bare Falcon that only keeps a row for each, in "
        "transactions that several share",
    ),
    Goal(
        "V2.tail",
        "durable votes through HTTP by 32 clients: 99 of 100 are answered within",
        250,
        "ms",
        at_most=True,
        digits=0,
    ),
    Goal(
        "W1.overview",
        "requests a second for the overview, against bare Falcon",
        0.9,
        hindrance="What is answered was made before. Inside one thread a request takes a seventh "
        "more than with bare Falcon: our dozen of headers, the note of the request for the log, "
        "and the look whether anything was committed since.",
    ),
    Goal(
        "W1.proposals",
        "requests a second for all proposals, against bare Falcon",
        0.9,
        hindrance="As above; and its answer is larger.",
    ),
    Goal(
        "W2.votes",
        "requests a second for a member's votes (token and session checked), against bare Falcon "
        "with one read from SQLite and no token",
        0.75,
        hindrance="The token is checked, and the session and the votes are two reads from the "
        "database where the bare server makes one: who signed out must be refused at once. At "
        "each step of a read SQLite lets another thread run, for which this one then waits.",
    ),
    Goal(
        "W2.profile",
        "requests a second for a member's profile, against the same",
        0.75,
        hindrance="Two reads where the bare server makes one: the session, and the member's "
        "account with the pledge, the day of the first payment that gives the vote, the votes and "
        "the list of what is to do, each of them from a table of its own. They do not grow with "
        "what the member has paid, but for that day, which the database looks up.",
    ),
    Goal("W3.pages", "against Liberapay, pages a second", 9, unmeasured=LIBERAPAY),
    Goal("W3.json", "against Liberapay, its smallest JSON page", 8, unmeasured=LIBERAPAY),
    Goal(
        "W4.memory",
        "memory that the server and its 2 workers take from the machine, after all of the above: "
        "pages that they share are counted once",
        130,
        "MiB",
        at_most=True,
        digits=0,
    ),
    Goal(
        "W4.resident",
        "resident memory of the 2 workers added up, as it was measured of other programs: shared "
        "pages are counted for each",
        130,
        "MiB",
        at_most=True,
        digits=0,
        hindrance="The program is loaded once, before the workers are forked, and most of these "
        "pages are shared: the row above says what the machine gives. Loaded it takes some 60 MiB: "
        "Python and Falcon, with the asyncio and the OpenSSL that Falcon imports, 27, pydantic 6, "
        "signatures 9, our own modules 14; neither Stripe nor Typer is among it. The rest grows "
        "with use in each worker; one arena of memory instead of many would save 2 MiB of it.",
    ),
    Goal("C1.version", "`jara --version` against `python -c pass`", 1.2, at_most=True),
    Goal("C1.help", "`jara --help` against `import typer`", 1.15, at_most=True),
    Goal(
        "C1.reading",
        "`jara ledger balance` against the smallest Typer command that does nothing",
        1.15,
        at_most=True,
        hindrance="Settings, the store and the balances are loaded beside Typer, a tenth more "
        "instructions; nothing is loaded that the command does not use, which tests hold.",
    ),
    Goal(
        "C1.computing",
        "`jara split 10`, which reads the day's rule alone, against the smallest Typer command",
        1.15,
        at_most=True,
        hindrance="It opens the database for the rule, a twelfth more instructions; with --policy "
        "it does not.",
    ),
    Goal(
        "P1.rate",
        "sign-ins a second, against bare argon2 hashes on all cores",
        0.9,
        hindrance="A sign-in takes the processors hardly a tenth more than its hash does (a "
        "millisecond in the server, another in the client). The rest is chance: each of two "
        "processes hashes one password at a time, connections come to them unevenly (one had up "
        "to two thirds of a round), and while one has nobody left its core idles. To hash for "
        "each other, both would keep the memory of two hashes.",
    ),
    Goal(
        "P1.memory",
        "memory that sign-ins take, over 19 MiB for each core",
        1,
        at_most=True,
        hindrance="Each of two processes keeps the 19 MiB of its hash, since giving them back "
        "each time would make a hash take half as long again; the little beyond them is not "
        "broken down.",
    ),
    Goal(
        "P1.reads",
        "while others sign in, a reader's request takes so many times longer",
        3,
        at_most=True,
        digits=1,
    ),
    *SITE_GOALS,
    Goal(
        "G1.growth",
        "what a person waits for, over large and over small books: so many times longer takes the "
        "answer that grows most",
        2,
        at_most=True,
    ),
    Goal(
        "Load.errors",
        "a crowd in the last minute of a vote: answers that are neither a success, nor 409 after "
        "the end, nor 429 or 503, and connections that broke",
        0,
        "",
        at_most=True,
        digits=0,
    ),
    Goal(
        "Load.votes",
        "votes of that crowd that were confirmed and not counted, counted and not confirmed, or "
        "taken after the end",
        0,
        "",
        at_most=True,
        digits=0,
    ),
)
GOALS = {goal.key: goal for goal in _ALL}
