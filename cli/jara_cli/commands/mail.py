"""``jara mail``: emails waiting to be sent."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.bootstrap.emails import mail_sender, preview_email
from jara.services.notices.outbox import list_outbox
from jara.services.operations.upkeep import send_now
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit, write

app = typer.Typer(no_args_is_help=True)


@app.command()
def outbox(
    ctx: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include sent emails.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """List waiting emails, with the reason for each failure.

    \b
    Example:
      jara mail outbox
    """
    emails = list_outbox(open_application(ctx).context, include_sent=everything)
    emit(
        [
            {
                "id": email.id,
                "kind": email.kind,
                "address": email.address,
                "createdAt": email.created_at,
                "dueAt": email.due_at,
                "sentAt": email.sent_at,
                "attempts": email.attempts,
                "failure": email.failure,
            }
            for email in emails
        ],
        as_json=as_json,
        columns=[
            Column("kind", "Email"),
            Column("address", "To"),
            Column("dueAt", "Due", Kind.DATE),
            Column("sentAt", "Sent", Kind.DATE),
            Column("attempts", "Tries", Kind.COUNT),
            Column("failure", "Failure"),
        ],
    )


@app.command()
def send(ctx: typer.Context, as_json: JsonFlag = False) -> int:
    """Send due emails; without a mail server, write them to the folder jara.mail.

    \b
    Example:
      jara mail send
    """
    application = open_application(ctx)
    run = send_now(application.context, mail_sender(application.context, application.settings))
    emit(
        {"sent": run.sent, "failed": run.failed, "failure": run.failure or None},
        as_json=as_json,
        columns=[
            Column("sent", "Sent", Kind.COUNT),
            Column("failed", "Failed", Kind.COUNT),
            Column("failure", "Last failure"),
        ],
    )
    return ExitCode.NO if run.failed else ExitCode.DONE


@app.command()
def preview(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the email, such as receipt.")
    ],
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Language of the email, such as fr.")
    ] = "en",
    as_html: Annotated[bool, typer.Option("--html", help="Print the HTML version.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show an email with sample values.

    \b
    Examples:
      jara mail preview receipt
      jara mail preview receipt --language fr
      jara mail preview vote_opened --html > email.html
    """
    application = open_application(ctx)
    email = preview_email(application.context, application.settings, name, language)
    if as_json:
        emit(
            {"name": name, "subject": email.subject, "text": email.text, "html": email.html},
            as_json=True,
            columns=[],
        )
    elif as_html:
        write(email.html)
    else:
        write(f"Subject: {email.subject}\n\n{email.text}")
