"""Importing bank statements: all or nothing, each line once, matched immediately."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from jara.domain.bank.continuity import DoesNotFollow, StoredBalances
from jara.domain.bank.identity import KnownLine, name_lines, sort_lines
from jara.domain.bank.statement import Statement, squeezed
from jara.domain.books.years import require_near
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import missing_name
from jara.domain.progress import Progress, no_progress
from jara.domain.texts import count_of
from jara.services.audit import record_act
from jara.services.authority import needs_second_operator
from jara.services.bank.accounts import ALL_KNOWN, AccountChoice, sort_statements, stored_balances
from jara.services.bank.settling import Settled, settle_accounts
from jara.services.bank.vouching import ask_to_vouch
from jara.services.books import imports
from jara.services.books.imports import Rejected, RejectedAsWhole
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


@dataclass(slots=True)
class BankOutcome:
    """The outcome of an import."""

    id: str = ""  # the import's id; empty if nothing was stored
    read: int = 0  # lines in the file
    added: int = 0  # lines that are new
    is_of_today: bool = False
    """Whether a statement ends today, so that a later file brings the rest of it."""
    settled: Settled = field(default_factory=Settled)
    """What happened to all waiting lines, including earlier ones."""
    rejected: tuple[Rejected, ...] = ()
    """Lines and statements that could not be stored; without `partial`, one means nothing is
    stored."""
    left_out: tuple[Rejected, ...] = ()
    """Lines that move no money, and statements of accounts that were not chosen."""


def import_statements(
    context: Context,
    statements: Iterable[Statement],
    *,
    file: str,
    new_account: str | None = None,
    choice: AccountChoice = ALL_KNOWN,
    faults: Sequence[Rejected] = (),
    left_out: Sequence[Rejected] = (),
    partial: bool = False,
    progress: Progress = no_progress,
) -> BankOutcome:
    """Import the statements of a file in one transaction, and match all waiting lines.

    Args:
        statements: may be read during the import.
        file: the file's name, stored with each line.
        new_account: the ledger account of the file's only account that is not known yet.
        choice: what else the operator says about the accounts of the file.
        faults: lines that the reader rejects; it may add to this while statements are read.
        left_out: lines that move no money; the reader adds to it in the same way.
        partial: import the other lines even if some are rejected.
        progress: called as lines are matched.

    Raises:
        Conflict: a statement is of an account that is not ours.
        InvalidInput: a balance does not follow from the lines, or a day is far ahead.
    """
    outcome = BankOutcome()
    try:
        with context.store.write() as work:
            first = work.log.size()
            imported = imports.new_import_id(context)
            accounts = sort_statements(
                context, work, statements, choice, new_account=new_account, partial=partial
            )
            _keep_all(context, work, accounts.statements, file, imported, outcome)
            outcome.rejected = tuple(sorted([*faults, *accounts.rejected]))
            outcome.left_out = tuple(sorted([*left_out, *accounts.left_out]))
            imports.require_whole(outcome.rejected, partial=partial)
            if not accounts.chosen:
                raise InvalidInput(f"{file} holds no statement.{_say_left_out(outcome)}")
            settle_accounts(context, work, accounts.accounts, outcome.settled, progress=progress)
            outcome.settled.approvals += ask_to_vouch(context, work)
            outcome.id = imported
            facts = {
                "lines": outcome.read,
                "added": outcome.added,
                "posted": outcome.settled.posted,
                "accounts": [account.number for account in accounts.accounts],
                imports.DIGEST: work.bank.digest(imported),
                **imports.import_facts(imported, work, first=first),
            }
            record_act(context, work, imports.BANK_IMPORT_ACTION, file, facts=facts)
    except RejectedAsWhole:
        return BankOutcome(rejected=outcome.rejected, left_out=outcome.left_out)
    return outcome


def _say_left_out(outcome: BankOutcome) -> str:
    lines = [*outcome.rejected, *outcome.left_out]
    if not lines:
        return ""
    more = f" ({count_of(len(lines) - 1, 'more such line')})" if len(lines) > 1 else ""
    return f" Line {lines[0].line}: {lines[0].message}{more}."


def settle_again(context: Context) -> Settled:
    """Match the waiting lines again, after the books or rules have changed."""
    settled = Settled()
    with context.store.write() as work:
        settle_accounts(context, work, work.bank.accounts(), settled)
        settled.approvals += ask_to_vouch(context, work)
        record_act(context, work, "bank.rematch", "lines", facts={"matched": settled.matched})
    return settled


def _keep_all(
    context: Context,
    work: UnitOfWork,
    statements: Sequence[Statement],
    file: str,
    imported: str,
    outcome: BankOutcome,
) -> None:
    """Store statements in the order in which they follow, whatever their order in the file."""
    left = list(statements)
    balances = {one.account: stored_balances(work, one.account) for one in statements}
    while left:
        later = []
        refusal: InvalidInput | None = None
        for statement in left:
            try:
                balance = balances[statement.account]
                _keep(context, work, statement, balance, file, imported, outcome)
            except DoesNotFollow as error:
                later.append(statement)
                refusal = refusal or error
        if refusal is not None and len(later) == len(left):
            raise refusal
        left = later


def _keep(
    context: Context,
    work: UnitOfWork,
    statement: Statement,
    balances: StoredBalances,
    file: str,
    imported: str,
    outcome: BankOutcome,
) -> None:
    account, lines, today = statement.account, statement.lines, context.today()
    file = f"{file}/{statement.file}" if statement.file else file
    for line in lines:
        try:
            require_near(line.day, today=today)
        except InvalidInput:
            raise InvalidInput(
                f"{file}, line {line.line}: {line.day} is more than a week ahead."
            ) from None
    days = [statement.first_day, statement.last_day, *(line.day for line in lines)]
    stored_lines = work.bank.known(account, first=min(days), last=max(days))
    _require_uncorrected(statement, stored_lines)
    lines_sorted = sort_lines(statement, stored_lines)
    fitted = balances.fit(statement, lines_sorted)
    balances.add(statement, fitted)
    statement_id = _statement_id(work, statement)
    work.bank.add_statement(
        statement_id,
        statement,
        base_cents=fitted.base_cents,
        is_proven=not needs_second_operator(context, work),
        file=file,
        imported=imported,
        at=context.now(),
    )
    taken = [one.id for one in stored_lines]
    names = name_lines(
        [lines[place] for place in fitted.new],
        [*taken, *work.bank.undone_lines(account)],
        account=account,
    )
    for place, name in zip(fitted.new, names, strict=True):
        twin = lines_sorted.twins[place] if place in fitted.doubtful else ""
        work.bank.add_line(name, lines[place], account=account, statement=statement_id, twin=twin)
    outcome.is_of_today |= statement.last_day >= today
    outcome.read += len(lines)
    outcome.added += len(fitted.new)


def _require_uncorrected(statement: Statement, stored_lines: Iterable[KnownLine]) -> None:
    """Require that the bank takes back no line that an earlier file brought."""
    corrected = set(map(squeezed, statement.corrected))
    for one in stored_lines:
        if one.key in corrected:
            raise InvalidInput(
                f"The bank corrects the line {one.id} of {one.day}, which an earlier file brought; "
                "undo that import (`jara ledger imports`), then import both days from a new file."
            )


def _statement_id(work: UnitOfWork, statement: Statement) -> str:
    """Derive a statement's id from its content; ids of undone statements are not reused."""
    facts = "\n".join(
        [repr((statement.account, statement.form, statement.period)),
         repr((statement.opening_cents, statement.closing_cents)),
         *(f"{line.day} {line.cents} {line.key}" for line in statement.lines)]
    )  # fmt: skip
    while work.bank.is_undone(name := sha256(facts.encode()).hexdigest()[:24]):
        facts += "\nagain"
    return name


def put_mapping(context: Context, name: str, document: Mapping[str, object]) -> None:
    """Store the mapping for reading a bank's CSV under a name."""
    with context.store.write() as work:
        work.bank_rules.put_mapping(name, document)
        record_act(context, work, "bank.mappings.add", name, facts=dict(document))


def remove_mapping(context: Context, name: str) -> None:
    """Remove a mapping.

    Raises:
        NotFound: no mapping has that name.
    """
    with context.store.write() as work:
        if not work.bank_rules.remove_mapping(name):
            raise NotFound(missing_name("mapping", name, work.bank_rules.mappings()))
        record_act(context, work, "bank.mappings.remove", name)


def read_mappings(context: Context) -> dict[str, Mapping[str, object]]:
    """Return the CSV mappings by name."""
    with context.store.read() as work:
        return work.bank_rules.mappings()


def find_mapping(context: Context, name: str) -> Mapping[str, object]:
    """Return a CSV mapping.

    Raises:
        NotFound: no mapping has that name.
    """
    mappings = read_mappings(context)
    if name not in mappings:
        raise NotFound(missing_name("mapping", name, mappings))
    return mappings[name]
