"""The doctor: named checks of an installation, each with a sentence on what it saw.

An error makes the whole answer 'not well'; a warning is something to know. A check that
cannot be made because of what an earlier one found is left out, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from jara.domain.books.account import SUSPENSE
from jara.domain.errors import JaraError
from jara.domain.money import format_cents
from jara.services.approvals import CARRYING_OUT
from jara.services.backups import votes_without_key
from jara.services.context import Context
from jara.services.founding import SECRETS_FINGERPRINT
from jara.services.housekeeping import last_run
from jara.services.posting import fund_balances
from jara.services.verification import verify_books

DAILY_RUN_LATE = timedelta(hours=36)
FREE_BYTES_MIN = 200_000_000
FREE_BYTES_LOW = 1_000_000_000
MAIL_ATTEMPTS_MANY = 3
OLDEST_SQLITE = (3, 51, 3)


class Level(StrEnum):
    """How grave a check's answer is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check saw."""

    name: str
    level: Level
    message: str

    @property
    def ok(self) -> bool:
        """Whether nothing has to be done at once."""
        return self.level is not Level.ERROR


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the entry point knows and no port tells.

    Args:
        unknown_variables: variables that look like settings and are none.
        free_bytes: room on the disk of the database; None where it is on a server.
        has_pdf: whether the extra for PDF reports is installed.
        sends_mail: whether a mail server is set; else letters become files.
        postal_address: what every letter must carry; empty when not set.
    """

    unknown_variables: tuple[str, ...] = ()
    free_bytes: int | None = 0
    has_pdf: bool = False
    sends_mail: bool = False
    postal_address: str = ""


Check = Callable[[Context, Surroundings], Iterable[CheckResult]]


def diagnose(context: Context, surroundings: Surroundings) -> list[CheckResult]:
    """Make every check that can be made."""
    results = [result for check in _SURROUNDINGS_CHECKS for result in check(context, surroundings)]
    try:
        facts = _check_database(context)
    except JaraError as error:
        return [*results, _error("database", error.message)]
    results += facts
    for name, check in _DATABASE_CHECKS.items():
        try:
            results += check(context, surroundings)
        except JaraError as error:
            results.append(_error(name, error.message))
    return results


def is_well(results: Iterable[CheckResult]) -> bool:
    """Tell whether no check found an error; warnings leave an installation well."""
    return all(result.ok for result in results)


def _check_settings(_context: Context, surroundings: Surroundings) -> Iterator[CheckResult]:
    for name in surroundings.unknown_variables:
        yield _warning("settings", f"The variable {name} is no setting of Jara; is it misspelt?")
    if not surroundings.unknown_variables:
        yield _fine("settings", "Every variable that begins with JARA_ is a setting.")


def _check_disk(_context: Context, surroundings: Surroundings) -> Iterator[CheckResult]:
    free = surroundings.free_bytes
    if free is None:
        return
    level = Level.WARNING if free < FREE_BYTES_LOW else Level.OK
    level = Level.ERROR if free < FREE_BYTES_MIN else level
    yield CheckResult("disk", level, f"{free / 1e9:.1f} GB are free where the database lies.")


def _check_pdf(_context: Context, surroundings: Surroundings) -> Iterator[CheckResult]:
    if surroundings.has_pdf:
        yield _fine("pdf", "Reports can be written as PDF.")
    else:
        yield _fine("pdf", "Reports as PDF need the extra 'pdf': pip install 'jara[pdf]'.")


def _check_payments(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    if context.gateway.name == "sandbox":
        yield _warning("payments", "Payments are the sandbox's: no real money moves.")
    else:
        yield _fine("payments", f"Payments go through {context.gateway.name}.")


def _check_mail_settings(_context: Context, surroundings: Surroundings) -> Iterator[CheckResult]:
    if not surroundings.sends_mail:
        yield _warning("mail", "No mail server is set: letters are written as files.")
    elif not surroundings.postal_address:
        yield _error("mail", "JARA_POSTAL_ADDRESS is not set; every letter must carry one.")
    else:
        yield _fine("mail", "A mail server and a postal address are set.")


def _check_database(context: Context) -> list[CheckResult]:
    facts = context.store.facts()
    results = [
        _fine(
            "database",
            f"{facts.location}: {facts.size_bytes / 1e6:.1f} MB, version {facts.schema_version}.",
        )
    ]
    engine = f"{facts.engine} {facts.engine_version}"
    if facts.engine == "SQLite":
        version = tuple(int(part) for part in facts.engine_version.split("."))
        old = version < OLDEST_SQLITE
        results.append(
            _error("engine", f"{engine} may lose data; 3.51.3 or newer is needed.")
            if old
            else _fine("engine", f"{engine}.")
        )
        # A database in memory, as tests use it, has no log to write ahead to.
        if facts.journal_mode not in {"wal", "memory"}:
            results.append(
                _error("journal", f"The journal mode is '{facts.journal_mode}', not 'wal'.")
            )
    elif facts.journal_mode != "durable":
        message = f"With {facts.journal_mode}, what was confirmed can be lost."
        results.append(_error("journal", message))
    else:
        results.append(_fine("engine", f"{engine}."))
    if facts.readable_by_others:
        results.append(
            _warning("permissions", f"{facts.location} can be read by others: chmod 600 it.")
        )
    return results


def _check_secrets(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    found = context.vault.findings()
    for finding in found:
        yield _error("secrets", f"Of the secrets, {finding}.")
    with context.store.read() as work:
        kept = work.meta.get(SECRETS_FINGERPRINT)
    if kept != context.vault.fingerprint():
        yield _error("secrets", "The secrets folder is not the one this database was made with.")
    elif not found:
        yield _fine("secrets", "The secrets belong to this database and nobody else reads them.")


def _check_clock(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    with context.store.read() as work:
        newest = work.journal.newest()
    now = context.now()
    if newest is not None and newest.booked_at > now:
        yield _error("clock", f"The newest entry is of {newest.booked_at}, but it is {now}.")
    else:
        yield _fine("clock", f"It is {now:%Y-%m-%d %H:%M} UTC, after the newest entry.")


def _check_books(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    verification = verify_books(context)
    for finding in verification.findings[:10]:
        yield _error("books", finding.message)
    if verification.ok:
        yield _fine("books", f"{verification.entries} entries and the public log agree.")
    else:
        count = len(verification.findings)
        yield _error("books", f"{count} findings in all; see: jara ledger verify")


def _check_years(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    with context.store.read() as work:
        locks = work.book_settings.locked_years()
        for lock in locks:
            if lock.log_size > work.log.size() or work.log.root(lock.log_size).hex() != lock.root:
                yield _error("years", f"The books of {lock.year} are not those it closed with.")
                return
    if locks:
        yield _fine("years", f"{len(locks)} closed years stand as they were closed.")


def _check_funds(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    with context.store.read() as work:
        balances = fund_balances(work)
        suspense = sum(row.cents for row in work.journal.balances(accounts=(SUSPENSE,)))
    for fund, cents in balances.items():
        if cents < 0:
            yield _warning("funds", f"The fund '{fund}' is overdrawn: {format_cents(cents)}.")
    if suspense:
        amount = format_cents(abs(suspense))
        yield _warning("suspense", f"{amount} wait in {SUSPENSE} to be explained.")
    if not suspense and min(balances.values()) >= 0:
        yield _fine("funds", "No fund is overdrawn and nothing waits to be explained.")


def _check_votes(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    lost = votes_without_key(context)
    for title in lost:
        yield _error("votes", f"The ballot key of '{title}' is missing; withdraw the vote.")
    if not lost:
        yield _fine("votes", "Every open vote has its ballot key.")


def _check_approvals(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    with context.store.read() as work:
        waiting = work.operations.approvals(waiting_only=True)
    for approval in waiting:
        if approval.state == CARRYING_OUT:
            yield _error(
                "approvals",
                f"{approval.id} ({approval.action}) was cut off; see whether it was done, "
                f"then: jara approvals refuse {approval.id}",
            )


def _check_daily_run(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    last = last_run(context)
    if last is None:
        yield _warning("daily", "The daily run was never made: jara run daily")
    elif context.now() - last.at > DAILY_RUN_LATE:
        yield _warning("daily", f"The daily run was made last on {last.at:%Y-%m-%d %H:%M} UTC.")
    elif last.failed:
        yield _warning("daily", f"Of the last daily run failed: {', '.join(last.failed)}.")
    else:
        yield _fine("daily", f"The daily run of {last.at:%Y-%m-%d %H:%M} UTC went well.")


def _check_outbox(context: Context, _surroundings: Surroundings) -> Iterator[CheckResult]:
    with context.store.read() as work:
        waiting = work.outbox.all(waiting_only=True)
    stuck = [letter for letter in waiting if letter.attempts >= MAIL_ATTEMPTS_MANY]
    if stuck:
        yield _warning("outbox", f"{len(stuck)} letters keep failing: {stuck[0].failure}")
    else:
        yield _fine("outbox", f"{len(waiting)} letters wait.")


def _fine(name: str, message: str) -> CheckResult:
    return CheckResult(name, Level.OK, message)


def _warning(name: str, message: str) -> CheckResult:
    return CheckResult(name, Level.WARNING, message)


def _error(name: str, message: str) -> CheckResult:
    return CheckResult(name, Level.ERROR, message)


_SURROUNDINGS_CHECKS: tuple[Check, ...] = (
    _check_settings,
    _check_disk,
    _check_pdf,
    _check_payments,
    _check_mail_settings,
)
_DATABASE_CHECKS: dict[str, Check] = {
    "secrets": _check_secrets,
    "clock": _check_clock,
    "books": _check_books,
    "years": _check_years,
    "funds": _check_funds,
    "votes": _check_votes,
    "approvals": _check_approvals,
    "daily": _check_daily_run,
    "outbox": _check_outbox,
}
