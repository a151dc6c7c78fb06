"""An attacker who has copies of the database, but neither the mailbox nor the secrets folder."""

import re
import subprocess
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jara.bootstrap.emails import CompletingSender
from jara.domain.errors import Unavailable
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.giving.pledging import stop_by_link
from jara.services.mailed_codes import UnusableCode
from jara.services.members.password_resets import check_reset_code
from jara.services.members.profiles import confirm_address, undo_change
from jara.services.notices.choices import unsubscribe
from jara.services.notices.newsletter import confirm_subscription
from jara.services.notices.outbox import MailRun, send_due
from jara.services.operations.backups import make_backup
from tests.places import database_of, is_on_server
from tests.postgres_server import find_program

DOORS: dict[str, Callable[[Context, str], object]] = {
    "reset a password": check_reset_code,
    "confirm an address": confirm_address,
    "undo a change": undo_change,
    "subscribe": confirm_subscription,
    "unsubscribe": unsubscribe,
    "stop a pledge": stop_by_link,
}
"""Every call that takes a code out of an email."""

_LINK = re.compile(rb"code=([\w.~%=-]+)")
_WORD = re.compile(rb"(?<![\w-])[\w-]{32}(?![\w-])|(?<![\w-])[\w-]{64}(?![\w-])")
"""A code of 24 bytes in base64, or a hash."""


@dataclass
class Mailbox:
    """Takes the emails of some kinds, while the server for the others is away."""

    away: Container[str] = ()
    emails: list[Email] = field(default_factory=list)

    def send(self, email: Email) -> None:
        """Take an email."""
        self.offer(email)
        self.emails.append(email)

    def offer(self, email: Email) -> None:
        """Refuse an email, or do nothing."""
        if email.kind in self.away:
            raise Unavailable("The mail server is away.")

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Keep nothing."""
        return 0

    def codes(self) -> set[str]:
        """Return the codes in the emails."""
        return set(codes_in("\n".join(str(email.doc) for email in self.emails).encode()))


def deliver(context: Context, mailbox: Mailbox) -> MailRun:
    """Send what is due as the server does."""
    return send_due(context, CompletingSender(context, lambda: mailbox))


def copies(context: Context, place: Path, name: str) -> Iterator[bytes]:
    """Return everything that a thief of disks and backups gets."""
    if is_on_server(place):
        url = database_of(place)
        dump = [find_program("pg_dump"), "--dbname", url]
        yield subprocess.run(dump, check=True, capture_output=True).stdout
        with context.store.read() as work:
            own = "SELECT oid FROM pg_database WHERE datname = current_database()"
            ((number,),) = work.sql.all(own)
        data = Path(url.partition("host=")[2]) / "data"
        for folder in (data / "base" / str(number), data / "pg_wal"):
            for path in sorted(folder.iterdir()):
                if path.is_file():
                    yield path.read_bytes().rstrip(b"\0")
    else:
        yield make_backup(context, place / f"{name}.backup").file.read_bytes()
        for path in (place / "jara.db", place / "jara.db-wal"):
            yield path.read_bytes()


def codes_in(data: bytes) -> Iterator[str]:
    """Return everything in some bytes that may be a code."""
    for found in {*_LINK.findall(data), *_WORD.findall(data)}:
        yield found.decode()


def opened(context: Context, code: str) -> list[str]:
    """Return what a code can do."""
    found = []
    for name, door in DOORS.items():
        try:
            door(context, code)
        except UnusableCode:
            continue
        found.append(name)
    return found
