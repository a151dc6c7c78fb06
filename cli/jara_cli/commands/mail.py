"""``jara mail``: emails waiting to be sent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.emails import list_kinds, mail_sender, preview_email, read_reports
from jara.documents import Document
from jara.domain.returned_email import StoppedAddress
from jara.services.context import Context
from jara.services.notices.outbox import list_outbox
from jara.services.notices.returned_emails import clear_address, list_stopped
from jara.services.operations.upkeep import send_now
from jara_cli.columns import Column, Kind
from jara_cli.inputs import open_input
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer(no_args_is_help=True)

_REASONS = [Column("reason", "Ignored"), Column("messages", "Messages", Kind.COUNT)]

_KINDS = (
    Column("name", "Email"),
    Column("to", "To"),
    Column("consent", "Consent"),
    Column("mayBeBundled", "Bundled"),
    Column("about", "About"),
)


@verb(
    app,
    Column("kind", "Email"),
    Column("address", "To"),
    Column("dueAt", "Due", Kind.DATE),
    Column("sentAt", "Sent", Kind.DATE),
    Column("refusedAt", "Refused", Kind.DATE),
    Column("attempts", "Tries", Kind.COUNT),
    Column("failure", "Failure"),
)
def outbox(
    context: Context,
    everything: Annotated[bool, typer.Option("--all", help="Include sent emails.")] = False,
) -> list[Document]:
    """List emails that wait or were refused, with the reason for each failure.

    A refused email is not tried again: its mail server takes it never. `jara mail send --refused`
    tries it once more, for example after a mistake in the mail server's settings was corrected.

    \b
    Example:
      jara mail outbox
    """
    emails = list_outbox(context, include_sent=everything)
    return [
        {
            "id": email.id,
            "kind": email.kind,
            "address": email.address,
            "createdAt": email.created_at,
            "dueAt": email.due_at,
            "sentAt": email.sent_at,
            "refusedAt": email.refused_at,
            "attempts": email.attempts,
            "failure": email.failure,
        }
        for email in emails
    ]


@verb(
    app,
    Column("sent", "Sent", Kind.COUNT),
    Column("failed", "Failed", Kind.COUNT),
    Column("failure", "Last failure"),
)
def send(
    application: Application,
    refused: Annotated[
        bool, typer.Option("--refused", help="Try emails that were refused once more.")
    ] = False,
) -> Answer:
    """Send due emails; without a mail server, write them to the folder jara.mail.

    \b
    Examples:
      jara mail send
      jara mail send --refused
    """
    sender = mail_sender(application.context, application.settings)
    run = send_now(application.context, sender, and_refused=refused)
    return Answer(
        {"sent": run.sent, "failed": run.failed, "failure": run.failure or None},
        ok=not run.failed,
    )


@verb(app)
def preview(
    application: Application,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Name of the email, such as receipt; default: list."),
    ] = "",
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Language of the email, such as fr.")
    ] = "en",
    as_html: Annotated[bool, typer.Option("--html", help="Print the HTML version.")] = False,
) -> Answer:
    """List the kinds of email, or show one with sample values.

    \b
    Examples:
      jara mail preview
      jara mail preview receipt
      jara mail preview receipt --language fr
      jara mail preview vote_opened --html > email.html
    """
    if not name:
        return Answer(list_kinds(language), columns=_KINDS)
    email = preview_email(application.context, application.settings, name, language)
    text = email.html if as_html else f"Subject: {email.subject}\n\n{email.text}"
    document = {"name": name, "subject": email.subject, "text": email.text, "html": email.html}
    return Answer(document, view=text)


@verb(
    app,
    Column("read", "Messages", Kind.COUNT),
    Column("hard", "Hard", Kind.COUNT),
    Column("soft", "Soft", Kind.COUNT),
    Column("repeated", "Known", Kind.COUNT),
)
def bounces(
    context: Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A mailbox (mbox or Maildir), a message, or - for a pipe."
        ),
    ],
) -> Answer:
    """Read delivery reports: emails that came back.

    A report counts if it carries the mark of an email that Jara sent (`JARA_BOUNCE_ADDRESS`), and
    once, however often it is read. An address that does not exist any more is stopped: nothing is
    sent to it but links that its owner asked for. One that failed on three days within 30 days is
    stopped until these are older. All other messages are ignored, and counted by reason.

    \b
    Examples:
      jara mail bounces /var/mail/bounces
      jara mail bounces ~/Maildir
      jara mail bounces - < report.eml
    """
    if source != "-":
        run = read_reports(context, Path(source))
    else:
        with open_input(source) as stream:
            run = read_reports(context, stream)
    reasons = [{"reason": reason, "messages": count} for reason, count in run.ignored.items()]
    return Answer(run, tables=[Table("Ignored", reasons, _REASONS)] if reasons else ())


@verb(
    app,
    Column("address", "Address"),
    Column("since", "Since", Kind.DATE),
    Column("status", "Status"),
    Column("isHard", "For good"),
)
def bounced(context: Context) -> list[StoppedAddress]:
    """List the addresses to which nothing is sent, because emails to them came back.

    \b
    Example:
      jara mail bounced
    """
    return list_stopped(context)


@verb(app)
def clear(
    context: Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="A stopped address.")],
) -> Answer:
    """Send to an address again; its owner does so by confirming it.

    \b
    Example:
      jara mail clear ama@example.org
    """
    cleared = clear_address(context, address)
    return Answer({"address": cleared}, view=f"Emails go to {cleared} again.")
