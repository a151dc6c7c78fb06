"""An organisation with a project, members who gave, and what became of their emails."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from jara.bootstrap.emails import CompletingSender
from jara.domain.books.account import Fund
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Unavailable
from jara.domain.giving.member import Member
from jara.mail.rendering import RenderedEmail, SenderIdentity, render
from jara.records.access import Reader
from jara.records.operations import Email
from jara.services.books.posting import Books
from jara.services.content import add_item, publish_item
from jara.services.context import Context
from jara.services.members.profiles import set_email_choice
from jara.services.news.fan_out import fan_out_news
from jara.services.notices.outbox import send_due
from jara.services.operations.daily_run import queue_due_emails
from tests.services.notices.noticed_members import add_member, pay

PROJECT = {
    "id": "well",
    "title": "A well for Atsu",
    "status": "In Progress",
    "category": "water",
    "milestones": [
        {"id": "survey", "date": "2026-10-01", "title": "Survey", "costCents": 500},
        {"id": "drilling", "date": "2026-12-20", "title": "Drilling", "costCents": 900},
    ],
}
IDENTITY = SenderIdentity("Jara <mail@jara.example>", postal_address="1 Main Street, Halifax")


@dataclass
class Mailbox:
    """A mail server in memory; it may be away."""

    emails: list[Email] = field(default_factory=list)
    is_away: bool = False

    def send(self, email: Email) -> None:
        """Take an email."""
        if self.is_away:
            raise Unavailable("The mail server is away.")
        self.emails.append(email)

    def offer(self, email: Email) -> None:
        """Take nothing."""

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Do nothing: nothing is stored."""
        return 0

    def to(self, name: str, kind: str | None = None) -> list[RenderedEmail]:
        """Return what somebody got, as they read it."""
        return [
            render(email.kind, email.doc, IDENTITY)
            for email in self.emails
            if email.address.startswith(f"{name}@") and kind in {None, email.kind}
        ]

    @property
    def told(self) -> list[tuple[str, str]]:
        """Who got which kind, sorted."""
        return sorted((email.address.partition("@")[0], email.kind) for email in self.emails)


def choose(context: Context, member: Member, choice: str) -> None:
    """Change which emails a member gets."""
    set_email_choice(context, member.id, EmailChoice(choice))


def tell(context: Context, mailbox: Mailbox) -> None:
    """Do what the server does every few seconds: queue news, and send what is due."""
    fan_out_news(context)
    send_due(context, CompletingSender(context, lambda: mailbox))


def run_day(context: Context, mailbox: Mailbox) -> None:
    """Do what the daily run does for emails."""
    queue_due_emails(context)
    tell(context, mailbox)


def join(context: Context, name: str, **changes: Any) -> Member:
    """Add a member with a confirmed address who wants news at once."""
    member = add_member(context, name)
    choice = EmailChoice(changes.pop("choice", "at-once"))
    changed = member._replace(**{"email_confirmed": True, "email_choice": choice, **changes})
    with context.store.write() as work:
        work.members.update(changed)
    return changed


def add_reader(context: Context, address: str) -> None:
    """Add a reader of the newsletter who confirmed."""
    with context.store.write() as work:
        work.access.put_reader(Reader(address, "words", "site", context.now(), context.now()))


def add_project(context: Context, *, published: bool = True, **changes: Any) -> None:
    """Add the project."""
    add_item(context, "projects", {**PROJECT, **changes}, published=published)


def add_update(context: Context, name: str = "water", **changes: Any) -> None:
    """Publish an update of the project."""
    update = {
        "id": name,
        "project": "a-well-for-atsu",
        "title": "Water at 62 m",
        "author": "Neema",
        "date": context.today().isoformat(),
        "content": "<p>The water is clear.</p><p>The pump comes next.</p>",
    }
    add_item(context, "updates", {**update, **changes}, published=True)


def hide(context: Context, kind: str, name: str, *, published: bool = False) -> None:
    """Hide an item, or publish it again."""
    publish_item(context, kind, name, published=published)


def give(context: Context, *members: Member, day: date | None = None) -> None:
    """Book a payment of $10 of each member; $8 of it is for projects."""
    for member in members:
        pay(context, member.key, day=day)


def pay_project(
    context: Context, cents: int, *, project: str = "a-well-for-atsu", **changes: Any
) -> str:
    """Pay a project from what is for projects; return the entry's id."""
    return spend(context, Spending(f"expenses:projects:{project}", Fund.PROJECTS, cents, **changes))


def spend(context: Context, spending: Spending) -> str:
    """Pay something; return the entry's id."""
    with context.store.write() as work:
        entry = spending_entry(context.today(), spending, available_cents=spending.cents)
        return Books(context, work).post(entry).id


def add_event(context: Context, day: date, **changes: Any) -> None:
    """Publish an event."""
    event = {"id": "meeting", "title": "Meet Neema", "date": day.isoformat(), "place": "Halifax"}
    add_item(context, "events", {**event, **changes}, published=True)
