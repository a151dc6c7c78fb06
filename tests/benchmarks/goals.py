"""The performance goals: what a person waits for, the limit, and why a goal is missed.

``hindrance`` is shown on docs/performance.md while a goal is missed, and only then.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """One part of a performance goal, with one figure.

    Args:
        key: the goal's number and the part's name.
        what: what is measured.
        limit: the minimum or maximum.
        unit: of the figure; ``x`` is a ratio.
        at_most: whether the limit is a maximum instead of a minimum.
        digits: after the decimal point.
        hindrance: why the goal is missed, shown while it is.
    """

    key: str
    what: str
    limit: float
    unit: str = "x"
    at_most: bool = False
    digits: int = 2
    hindrance: str = ""

    @property
    def number(self) -> str:
        """The goal's number."""
        return self.key.partition(".")[0]

    def is_met(self, value: float) -> bool:
        """Whether an unrounded figure meets the goal."""
        return value <= self.limit if self.at_most else value >= self.limit

    def told(self, value: float, digits: int | None = None) -> str:
        """Return a figure as text."""
        return f"{value:,.{self.digits if digits is None else digits}f} {self.unit}".strip()

    def told_limit(self) -> str:
        """Return the limit as text."""
        digits = 0 if self.limit == int(self.limit) else self.digits
        return f"{'≤' if self.at_most else '≥'} {self.told(self.limit, digits)}"


_ALL = (
    Goal(
        "L3.verify",
        "`jara ledger verify`, whole process, which also checks the public log, ballots "
        "and traces: times faster than `hledger check`",
        2,
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
        hindrance="Half of it is SQLite summing all postings by month, account and fund; a quarter "
        "is loading Python and Jara.",
    ),
    Goal(
        "L3.doctor",
        "`jara doctor` after it: CPU time",
        2,
        "s",
        at_most=True,
        hindrance="It checks the books in the same way; the other checks add little.",
    ),
    Goal(
        "O1.start",
        "`jara` alone in an organisation with large books: CPU time",
        0.3,
        "s",
        at_most=True,
        hindrance="Reading the figures takes some milliseconds; the rest is loading Python, Typer "
        "and Jara, see C1.",
    ),
    Goal(
        "O1.payments",
        "`jara payments list MEMBER` in large books, compared with `jara ledger balance`",
        1.5,
        at_most=True,
    ),
    Goal(
        "O1.bank",
        "`jara bank import` of 10,000 lines, nearly all booked as contributions: CPU time",
        3,
        "s",
        at_most=True,
        hindrance="A fifth is reading the XML, a tenth sealing the rows. Each line is an entry "
        "with 12 postings, a leaf of the log, lots of the trace and a payment.",
    ),
    Goal(
        "O2.witnesses",
        "a checkpoint offered over HTTP to three witnesses of this machine, which all sign",
        1,
        "s",
        at_most=True,
        digits=3,
    ),
    Goal(
        "V2.tail",
        "durable votes through HTTP by 32 clients: 99th percentile",
        250,
        "ms",
        at_most=True,
        digits=0,
    ),
    Goal(
        "V3.close",
        "closing a vote, whole process, which opens, shuffles and lists every ballot: CPU time",
        60,
        "s",
        at_most=True,
        digits=1,
    ),
    Goal(
        "V3.memory",
        "closing a vote: how much more memory ten times as many ballots take",
        60,
        "MiB",
        at_most=True,
        digits=0,
    ),
    Goal(
        "V3.wait",
        "the longest wait of another writer meanwhile",
        1,
        "s",
        at_most=True,
        hindrance="One step grows with the ballots: the one that moves the log's head writes its "
        "inner nodes.",
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
        "P1.reads",
        "how many times longer a reader's request takes while others sign in",
        3,
        at_most=True,
        digits=1,
    ),
    Goal(
        "U2.paint1",
        "largest contentful paint of the home page, compared with a bare page with the "
        "same text and security headers",
        1.5,
        at_most=True,
        hindrance="The page contains styles and drawings that the browser applies before it "
        "paints; the bare page has none.",
    ),
    Goal(
        "U2.paint4",
        "the same on a CPU slowed down 4 times",
        1.5,
        at_most=True,
        hindrance="As above.",
    ),
    Goal(
        "U2.member",
        "first text of a member's dashboard, compared with that of `/my-impact`, on a CPU slowed "
        "down 4 times and slow 4G",
        1.5,
        at_most=True,
    ),
    Goal("U2.shift", "layout shift of the home page", 0, "", at_most=True, digits=3),
    Goal(
        "U3.bytes",
        "size of the home page with fonts and pictures, on a phone",
        230,
        "kB",
        at_most=True,
        digits=0,
    ),
    Goal(
        "U3.requests",
        "number of requests of the home page, on a phone",
        12,
        "",
        at_most=True,
        digits=0,
        hindrance="Chromium fetches pictures up to 2,500 pixels before they are seen. The home "
        "page became shorter, so seven more drawings are that near, with 8 kB together.",
    ),
    Goal(
        "U3.lighthouse",
        "the lowest of Lighthouse's four scores on any public page",
        100,
        "",
        digits=0,
        hindrance="Only the performance score is lower: the imitated phone is a quarter as "
        "fast as this machine, and lays out and starts what the first view shows. On /ledger a "
        "sentence takes another line once our font is there, at just that phone's width.",
    ),
    Goal(
        "G1.growth",
        "responses over large and small books: how many times longer the one that grows most takes",
        2,
        at_most=True,
    ),
    Goal(
        "Load.errors",
        "a crowd in the last minute of a vote: lost connections, and responses other "
        "than success, 409 after the end, 429 and 503",
        0,
        "",
        at_most=True,
        digits=0,
    ),
    Goal(
        "Load.votes",
        "votes of that crowd: confirmed but not counted, counted but not confirmed, or "
        "accepted after the end",
        0,
        "",
        at_most=True,
        digits=0,
    ),
)
GOALS = {goal.key: goal for goal in _ALL}
