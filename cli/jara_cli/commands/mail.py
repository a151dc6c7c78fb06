"""``jara mail``: emails waiting to be sent."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.emails import list_kinds, mail_sender, preview_email
from jara.documents import Document
from jara.services.context import Context
from jara.services.notices.outbox import list_outbox
from jara.services.operations.upkeep import send_now
from jara_cli.columns import Column, Kind
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

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
