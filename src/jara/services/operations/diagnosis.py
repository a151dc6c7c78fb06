"""The doctor: named checks of an installation, each with a message.

Any error makes the result 'not well'; warnings do not. A check that depends on a failed one is
skipped.
"""

from collections.abc import Iterable, Iterator

from jara.domain.books.account import SUSPENSE
from jara.domain.content.kinds import KINDS
from jara.domain.content.translations import outdated_texts
from jara.domain.errors import JaraError
from jara.domain.money import format_cents
from jara.domain.texts import count_of
from jara.domain.time_zone import TimeZone
from jara.records.operations import OLDEST_SQLITE
from jara.services.books import verification
from jara.services.books.paper_rule import describe_missing, overdue_papers, paper_rule
from jara.services.books.posting import fund_balances
from jara.services.books.verification import Verification, find_unverified, verify_recent
from jara.services.books.verified_point import VerifiedPoint
from jara.services.context import Context
from jara.services.notices.returned_emails import read_stopped
from jara.services.operations import diagnosis_setup, diagnosis_site, diagnosis_trust
from jara.services.operations.diagnosis_setup import (
    Check,
    CheckResult,
    Environment,
    Level,
    error,
    fine,
    warning,
)
from jara.services.operations.last_run import LATE_AFTER, clock_fault, last_run
from jara.services.organisation import INDEX_FINGERPRINT, SECRETS_FINGERPRINT, require_payment_mode
from jara.services.projects.milestones import overdue_measures
from jara.services.proposals.documents import is_outdated

MAIL_ATTEMPTS_MANY = 3
_NAMED_MAX = 3


def diagnose(context: Context, environment: Environment) -> list[CheckResult]:
    """Run every check that can run."""
    results = [
        result for check in diagnosis_setup.SETUP_CHECKS for result in check(context, environment)
    ]
    try:
        facts = _check_database(context)
    except JaraError as failure:
        return [*results, error("database", failure.message)]
    results += facts
    for name, check in _DATABASE_CHECKS.items():
        if name in _READ_CONTENT and any(one.name == "content" for one in results):
            continue
        try:
            results += check(context, environment)
        except JaraError as failure:
            results.append(error(name, failure.message))
    return results


def missing_in_the_open(context: Context, environment: Environment) -> list[CheckResult]:
    """Return what a site that others reach must have, and has not; nothing if it is not open.

    It reads little, for the start of a server.
    """
    if not environment.is_open:
        return []
    return [
        result
        for check in _IN_THE_OPEN
        for result in check(context, environment)
        if result.level is not Level.OK
    ]


def is_well(results: Iterable[CheckResult]) -> bool:
    """Return whether no check found an error; warnings are allowed."""
    return all(result.ok for result in results)


def _check_database(context: Context) -> list[CheckResult]:
    facts = context.store.facts()
    results = [
        fine(
            "database",
            f"{facts.location}: {facts.size_bytes / 1e6:.1f} MB, version {facts.schema_version}.",
        )
    ]
    engine = f"{facts.engine} {facts.engine_version}"
    if facts.engine == "SQLite":
        version = tuple(int(part) for part in facts.engine_version.split("."))
        old = version < OLDEST_SQLITE
        results.append(
            error("engine", f"{engine} may lose data; 3.51.3 or newer is needed.")
            if old
            else fine("engine", f"{engine}.")
        )
        # An in-memory database, as in tests, has no write-ahead log.
        if facts.journal_mode not in {"wal", "memory"}:
            results.append(
                error("journal", f"The journal mode is '{facts.journal_mode}', not 'wal'.")
            )
    elif facts.journal_mode != "durable":
        message = f"With {facts.journal_mode}, confirmed changes can be lost."
        results.append(error("journal", message))
    else:
        results.append(fine("engine", f"{engine}."))
    findings = context.store.schema_findings()
    results += [error("schema", f"In the database, {finding}.") for finding in findings]
    if not findings:
        results.append(fine("schema", "The database has Jara's tables, and nothing else."))
    if facts.readable_by_others:
        results.append(
            warning("permissions", f"{facts.location} can be read by others: chmod 600 it.")
        )
    return results


def _check_payment_mode(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    require_payment_mode(context.store, context.payment_mode, takes_cards=context.takes_cards)
    keys = "and so are the keys" if context.takes_cards else "without cards"
    yield fine("payment mode", f"This is a {context.payment_mode} organisation, {keys}.")


def _check_secrets(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    findings = context.vault.findings()
    for finding in findings:
        yield error("secrets", f"Secrets: {finding}.")
    with context.store.read() as work:
        fingerprint = work.meta.get(SECRETS_FINGERPRINT)
        index = work.meta.get(INDEX_FINGERPRINT)
    if fingerprint != context.vault.fingerprint():
        yield error("secrets", "The secrets folder belongs to another database.")
    elif index != context.vault.index_fingerprint():
        yield error("secrets", "The index key belongs to another database.")
    elif not findings:
        yield fine("secrets", "The secrets belong to this database and are private.")


def _check_clock(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    fault = clock_fault(context)
    if fault is None:
        now = context.now()
        yield fine("clock", f"It is {context.zone.minute(now)}, not before the newest entry.")
    elif context.payment_mode.is_sandbox:
        yield warning("clock", fault)  # `jara --now` moved it for an earlier command
    else:
        yield error("clock", fault)


def _check_books(context: Context, environment: Environment) -> Iterator[CheckResult]:
    new, point = find_unverified(context)
    if new >= verification.MANY_ENTRIES:
        yield warning("books", _describe_unverified(new, point, context.zone))
        return
    result = verify_recent(context, progress=environment.progress, reopen=environment.reopen)
    for finding in result.findings[:10]:
        yield error("books", finding.message)
    if result.ok:
        yield fine("books", _describe(result, context.zone))
    else:
        count = len(result.findings)
        yield error("books", f"{count_of(count, 'finding')} in all; see: jara ledger verify")


def _describe_unverified(new: int, point: VerifiedPoint | None, zone: TimeZone) -> str:
    if point is None:
        return "The books were never verified as a whole: jara ledger verify"
    return (
        f"{count_of(new, 'entry', 'entries')} since {zone.minute(point.verified_at)} were not "
        "verified yet: jara ledger verify"
    )


def _describe(result: Verification, zone: TimeZone) -> str:
    point = result.since
    if point is None:
        return f"{count_of(result.entries, 'entry', 'entries')} and the public log agree."
    return (
        f"{result.entries - point.entries} entries since {zone.minute(point.verified_at)} "
        f"and the public log agree; the {point.entries:,} before them were verified then. "
        "All of it: jara ledger verify"
    )


def _check_years(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        locks = work.book_settings.locked_years()
        for lock in locks:
            if lock.log_size > work.log.size() or work.log.root(lock.log_size).hex() != lock.root:
                yield error("years", f"The books of {lock.year} changed after it was closed.")
                return
    if locks:
        yield fine("years", f"{len(locks):,} closed years are unchanged.")


def _check_funds(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        balances = fund_balances(work)
        suspense = sum(row.cents for row in work.journal.balances(accounts=(SUSPENSE,)))
    for fund, cents in balances.items():
        if cents < 0:
            yield warning("funds", f"The fund '{fund}' is overdrawn: {format_cents(cents)}.")
    if suspense:
        amount = format_cents(abs(suspense))
        yield warning("suspense", f"{amount} in {SUSPENSE} must be clarified.")
    if not suspense and min(balances.values()) >= 0:
        yield fine("funds", "No fund is overdrawn and nothing must be clarified.")


def _check_daily_run(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    last = last_run(context)
    if last is None:
        yield warning("daily", "The daily run has never run: jara run daily")
    elif context.now() - last.at > LATE_AFTER:
        yield warning("daily", f"The daily run was made last on {context.zone.minute(last.at)}.")
    elif last.failed:
        yield warning("daily", f"Failed steps of the last daily run: {', '.join(last.failed)}.")
    else:
        yield fine("daily", f"The daily run of {context.zone.minute(last.at)} went well.")


def _check_outbox(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        unsent = work.outbox.all(unsent_only=True)
        refused = work.outbox.count_refused()
        stopped = len(read_stopped(context, work))
    waiting = [email for email in unsent if email.refused_at is None]
    stuck = [email for email in waiting if email.attempts >= MAIL_ATTEMPTS_MANY]
    if stuck:
        yield warning("outbox", f"Emails that keep failing: {len(stuck):,}. {stuck[0].failure}")
    if refused:
        yield warning("outbox", f"Emails that a mail server refused: {refused}; jara mail outbox")
    if stopped:
        yield warning("outbox", f"Addresses that take no email: {stopped}; jara mail bounced")
    if not (stuck or refused or stopped):
        yield fine("outbox", f"Emails that wait: {len(waiting):,}.")


def _check_translations(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        old = [
            f"`jara {kind.command} show {item.slug}`"
            for kind in KINDS.values()
            for item in work.content.all(kind.name)
            if outdated_texts(kind.fields, item.doc)
        ]
        old += [
            f"`jara proposals show {record.proposal.slug}`"
            for record in work.proposals.all()
            if is_outdated(record)
        ]
    if old:
        yield warning(
            "translations",
            f"Texts that changed after they were translated: {count_of(len(old), 'item')}, "
            f"see {', '.join(old[:_NAMED_MAX])}.",
        )
    else:
        yield fine("translations", "No text changed after it was translated.")


def _check_measures(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        overdue = overdue_measures(work, on=context.today())
    if overdue:
        listed = "; ".join(
            f"{one.measure} of '{one.title}', since {one.due_on}: "
            f"jara projects measure {one.project}"
            for one in overdue[:_NAMED_MAX]
        )
        yield warning("measures", f"To be measured: {listed}")
    else:
        yield fine("measures", "No measure is overdue.")


def _check_papers(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    with context.store.read() as work:
        rule, overdue = paper_rule(work), overdue_papers(context, work)
    if rule is not None and overdue:
        what, command = describe_missing(overdue)
        yield warning("documents", f"{what}, for more than {rule.within.days} days: {command}")
    elif rule is not None:
        yield fine("documents", "Each spend has its document, or still has time.")


_DATABASE_CHECKS: dict[str, Check] = {
    "mail": diagnosis_setup.check_mail,
    "files": diagnosis_setup.check_files,
    "settings": diagnosis_setup.check_decided,
    "payment mode": _check_payment_mode,
    "payments": diagnosis_setup.check_payments,
    "secrets": _check_secrets,
    "clock": _check_clock,
    "books": _check_books,
    "years": _check_years,
    "funds": _check_funds,
    "votes": diagnosis_trust.check_votes,
    "checkpoints": diagnosis_trust.check_checkpoints,
    "signer": diagnosis_trust.check_signer,
    "witnesses": diagnosis_trust.check_witnesses,
    "operators": diagnosis_trust.check_operators,
    "approvals": diagnosis_trust.check_approvals,
    "content": diagnosis_site.check_content,
    "shown sums": diagnosis_site.check_shown_sums,
    "ways": diagnosis_trust.check_ways,
    "ways in": diagnosis_trust.check_ways_in,
    "legal": diagnosis_site.check_legal_texts,
    "links": diagnosis_site.check_links,
    "backup": diagnosis_trust.check_backup,
    "cards": diagnosis_trust.check_declined_cards,
    "emails": diagnosis_trust.check_caused_emails,
    "daily": _check_daily_run,
    "outbox": _check_outbox,
    "translations": _check_translations,
    "measures": _check_measures,
    "documents": _check_papers,
}

_READ_CONTENT = frozenset({"shown sums", "translations", "measures"})
"""Checks that cannot run on items that no page can be filled with."""

_IN_THE_OPEN: tuple[Check, ...] = (
    diagnosis_setup.check_payments,
    diagnosis_trust.check_ways,
    diagnosis_setup.check_site,
    diagnosis_setup.check_proxies,
    diagnosis_setup.check_mail,
    diagnosis_site.check_legal_texts,
    diagnosis_trust.check_operators,
    _check_daily_run,
    diagnosis_trust.check_backup,
)
