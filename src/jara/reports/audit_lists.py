"""The lists of an auditor's bundle: approvals, votes, bank, people, policies, what is missing."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import AccountType, account_type
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.money import format_cents
from jara.records.operations import AuditRow
from jara.reports.linked_pages import Cell, Cents, Grid, Link, Part, Row
from jara.services.authority import read_control
from jara.services.books.balances import totals_of
from jara.services.books.cash import COUNT_ACTION, COUNTED, receipt_book
from jara.services.operations.auditing import Audit
from jara.services.operations.sampling import draw_within
from jara.services.operations.signing_off import list_signed
from jara.services.reports.facts import make_cut, read_payees

_SETTINGS = ("policy.", "operators.policy", "ways.", "payments.ways.", "legal.", "organisation.")


class Page(NamedTuple):
    """A page of the bundle; its parts are read while it is written."""

    name: str
    title: str
    parts: Iterable[Part]


def place_of(audit: Audit, entry: str) -> str:
    """Return the place of an entry: its page, or the journal if it is of another year."""
    day = audit.work.journal.find(entry).entry.day
    is_here = audit.period.first <= day <= audit.period.end
    return f"{journal_name(day)}#{entry}" if is_here else "books.journal"


def journal_name(day: date) -> str:
    """Return the page of a month's entries."""
    return f"journal-{day:%Y-%m}.html"


def account_name(account: str, month: date | None = None) -> str:
    """Return the page of an account, or of its month."""
    return f"account-{account.replace(':', '.')}{f'-{month:%Y-%m}' if month else ''}.html"


def bank_name(number: str, day: date) -> str:
    """Return the page of a bank account's lines in a month."""
    return f"bank-{''.join(filter(str.isalnum, number))[-8:]}-{day:%Y-%m}.html"


def number_of(member_key: str) -> str:
    """Return the number by which a payer is named."""
    return member_key.rpartition("_")[2][:10]


def payer_link(member_key: str) -> str:
    """Return the place of a payer's payments."""
    number = number_of(member_key)
    return f"payments-{number[:1]}.html#{number}"


def _act(row: AuditRow) -> tuple[Cell, ...]:
    values = ", ".join(f"{key} {value}" for key, value in row.after.items() if key != "signed")
    return row.at, row.operator, row.action, row.subject, row.why, values


def _approvals(audit: Audit) -> Iterator[Part]:
    zone = audit.work.zone
    rows = (
        Row(
            (
                zone.day_of(one.prepared_at),
                one.id,
                one.action,
                one.why,
                one.prepared_by,
                ", ".join(a.operator for a in audit.work.operations.signed_for(one.id)),
                f"{one.state} {one.decided_by or ''}",
                one.decided_at,
                Cents(one.cents),
            ),
            one.id,
        )
        for one in audit.work.operations.approvals(waiting_only=False)
        if zone.day_of(one.prepared_at) <= audit.period.end
    )
    head = "Asked on, Approval, Act, Why, Asked by, Signed, State, Decided, Amount"
    yield Grid("Approvals", head, rows)


def _votes(audit: Audit) -> Iterator[Part]:
    rows = []
    for one in audit.work.proposals.all():
        yes, no, void = audit.work.ballots.counts(one.proposal.id)
        result = f"{yes} yes, {no} no, {void} void of {one.roll_size or 0}"
        cells = (one.proposal.id, one.proposal.title, one.proposal.status, result)
        more = (one.decided_at, one.closed_index, Cents(one.proposal.goal_cents))
        rows.append(Row((*cells, *more), one.proposal.id))
    head = "Proposal, Title, State, Result, Decided, Leaf, Goal"
    yield "The leaf is the place of the result in the public log, log.tar."
    yield Grid("Votes", head, rows)


def _bank(audit: Audit) -> Iterator[Part]:
    rows: list[tuple[Cell, ...]] = []
    for number, end, found in audit.reconciled():
        lines = Link("lines", bank_name(number, end))
        if found is None:
            rows.append((number, end, "no statement", None, None, None, lines))
            continue
        why: list[Cell] = [
            f"{one.what}: {one.day} {format_cents(one.cents)} {one.text}"
            for one in found.differences
        ]
        sums = (Cents(found.statement_cents), Cents(found.books_cents))
        rows.append((number, end, why, *sums, Cents(found.difference_cents), lines))
    head = "Account, Day, Differences, Statement, Books, Difference, "
    yield Grid("Reconciliation at the end of each month", head, rows)


def bank_months(audit: Audit) -> Iterator[Page]:
    """Yield the page of each bank account and month, with the lines of the statements."""
    head = "Day, Line, Text, Entries, Amount"
    for account in audit.work.bank.accounts():
        for end in audit.month_ends():
            lines = audit.work.bank.between(account.number, end.replace(day=1), end)
            rows = [
                Row(
                    (
                        one.line.day,
                        f"{one.file}, {one.line.line}",
                        one.line.text or one.line.party,
                        [_entry_at(audit, index) for index in audit.work.bank.entries_of(one.id)]
                        or one.reason
                        or "not matched",
                        Cents(one.line.cents),
                    ),
                    one.id,
                )
                for one in lines
            ]
            title = f"{account.number}, {end:%Y-%m}"
            name = bank_name(account.number, end)
            yield Page(name, title, [Grid("Lines of the statements", head, rows)])


def _entry_at(audit: Audit, index: int) -> Cell:
    posted = audit.work.journal.get(index)
    return Link(posted.id, place_of(audit, posted.id))


def _years(audit: Audit) -> Iterator[Part]:
    rows: list[tuple[Cell, ...]] = [
        (
            lock.year,
            lock.locked_at,
            lock.log_size,
            lock.root,
            [f"{fund}: {format_cents(cents)}" for fund, cents in lock.balances.items()],
        )
        for lock in audit.work.book_settings.locked_years()
    ]
    yield Grid("Closed years", "Year, Closed, Log size, Root, Balances", rows)
    signed = [
        (one.at, one.what, one.subject, one.opinion, one.text, one.by)
        for one in list_signed(audit.work)
    ]
    head = "When, What, Subject, Opinion, Text, By"
    yield Grid("Notes, opinions and bundles", head, signed)


def _policies(audit: Audit) -> Iterator[Part]:
    rows: list[tuple[Cell, ...]] = [
        (
            policy.valid_from,
            ", ".join(f"{fund} {weight}" for fund, weight in policy.weights.items()),
        )
        for policy in audit.work.book_settings.policies()
    ]
    yield Grid("How payments are split", "From, Percent", rows)
    yield _acts(audit, "Changes of policies, limits, ways to pay, terms", _SETTINGS)


def _acts(audit: Audit, title: str, beginnings: tuple[str, ...] = ("",)) -> Grid:
    zone, end = audit.work.zone, audit.period.end
    rows = (
        _act(row)
        for row in audit.work.operations.audit()
        if row.action.startswith(beginnings)
        and zone.day_of(row.at) <= end
        and (beginnings != ("",) or zone.day_of(row.at) >= audit.period.first)
    )
    return Grid(title, "When, Operator, Act, Subject, Why, Values", rows)


def _cash(audit: Audit) -> Iterator[Part]:
    counts: list[tuple[Cell, ...]] = []
    for row in audit.work.operations.audit(action=COUNT_ACTION):
        sums = (Cents(int(row.after[key])) for key in COUNTED)
        counts.append((row.at, row.operator, row.subject, *sums, row.why))
    head = "When, By, Account, Counted, In the books, Difference, Coins and notes"
    yield Grid("Counts", head, counts)
    book = receipt_book(audit.work)
    rows = ((number, _entry_of(audit, entry)) for number, entry in book)
    yield Grid("Receipt book", "Number, Entry", rows)


def _entry_of(audit: Audit, entry: str) -> Cell:
    return Link(entry, place_of(audit, entry)) if entry else "missing"


def _audit_log(audit: Audit) -> Iterator[Part]:
    yield _acts(audit, "What operators did")


def _people(audit: Audit) -> Iterator[Part]:
    control = read_control(audit.context, audit.work)
    names = audit.work.operations.key_names()
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.added_at,
            one.removed_at,
            [
                f"{', '.join(sorted(key.roles))}: {fingerprint}"
                for fingerprint, key in control.keys.items()
                if names.get(fingerprint) == one.name
            ],
        )
        for one in audit.work.operations.operators()
    ]
    yield Grid("Operators", "Name, Added, Removed, Roles and keys", rows)
    yield _acts(audit, "Changes of operators and keys", ("operators.",))


def _payees(audit: Audit) -> Iterator[Part]:
    cut = make_cut(audit.work, audit.period, today=audit.context.today())
    payees = read_payees(audit.work, cut, is_public=False)
    totals = totals_of(audit.work.reporting.sums(cut.within))
    sums: Counter[str] = Counter()
    for row in totals.rows:
        if account_type(row.account) is AccountType.EXPENSES:
            sums[row.account] += row.cents
    rows: list[tuple[Cell, ...]] = [
        (Link(account, account_name(account)), payees.title_of(account), Cents(cents))
        for account, cents in sorted(sums.items())
    ]
    yield Grid("Who got money", "Account, Payee, Amount", rows)
    yield "Compare with the operators:"
    yield from _people(audit)


def _missing(audit: Audit) -> Iterator[Part]:
    rows: list[tuple[Cell, ...]] = []
    for one in audit.missing():
        subject: Cell = one.subject
        if one.what in {"document", "receipt"}:
            subject = Link(one.subject, f"{journal_name(one.day)}#{one.subject}")
        elif one.what == "decision":
            subject = Link(one.subject, f"approvals.html#{one.subject}")
        rows.append((one.day, one.what, subject, one.text, Cents(one.cents)))
    yield Grid("Missing", "Day, What, Subject, Text, Amount", rows)


def _sample(audit: Audit) -> Iterator[Part]:
    choices, year = audit.choices, audit.period.first.year
    try:
        drawn = draw_within(
            audit.work, year, materiality_cents=choices.materiality_cents, risk=choices.risk
        )
    except (Conflict, InvalidInput) as error:
        yield f"There is no sample. {error.message}"
        return
    yield (
        f"Of {drawn.entries:,} entries that spent {format_cents(drawn.population_cents)}, with a "
        f"materiality of {format_cents(drawn.materiality_cents)} and a risk of {drawn.risk} %: "
        f"one dollar in each {format_cents(drawn.interval_cents)}. The seed is the root of the "
        f"log at size {drawn.checkpoint}, {drawn.seed}"
        f"{', cosigned by a witness' if drawn.is_cosigned else ''}."
    )
    rows = (
        (Link(one.id, place_of(audit, one.id)), one.hits, Cents(one.cents)) for one in drawn.items
    )
    yield Grid("Entries to look at", "Entry, Dollars drawn, Spent", rows)


PAGES: Mapping[str, tuple[str, Callable[[Audit], Iterator[Part]]]] = {
    "approvals": ("Approvals and who signed", _approvals),
    "votes": ("Votes that allowed payments", _votes),
    "bank": ("Bank reconciliation", _bank),
    "years": ("Closed years and sign-off", _years),
    "policies": ("Policies with their dates", _policies),
    "people": ("Who may do what", _people),
    "payees": ("Payees and related parties", _payees),
    "audit-log": ("What operators did", _audit_log),
    "missing": ("What is missing", _missing),
    "cash": ("Cash: counts and receipt book", _cash),
    "sample": ("The sample", _sample),
}
"""The pages of lists from the store: title, and what makes their parts."""
