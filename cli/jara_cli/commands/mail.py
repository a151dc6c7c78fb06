"""``jara mail``: emails waiting to be sent, and announcements."""

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.emails import (
    list_kinds,
    mail_sender,
    preview_email,
    read_reports,
    render_announcement,
    send_mail_test,
    send_test,
)
from jara.documents import Document
from jara.domain.announcement import parse_audience
from jara.domain.returned_email import StoppedAddress
from jara.files.announcement_file import read_announcement
from jara.languages import known_languages
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.news.announcing import (
    AnnouncementLine,
    Withdrawal,
    describe,
    list_announcements,
    reason_to_sign,
    withdraw,
)
from jara.services.news.announcing import announce as announce_texts
from jara.services.news.announcing import preview as preview_announcement
from jara.services.notices.outbox import list_outbox
from jara.services.notices.returned_emails import clear_address, list_stopped
from jara.services.operations.upkeep import send_now
from jara_cli.columns import Column, Kind
from jara_cli.inputs import name_input, open_input
from jara_cli.options import Why, Yes, argument, confirm, flag, option
from jara_cli.output import note
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)
announcements = typer.Typer(no_args_is_help=True, help="What was written to many at once.")
app.add_typer(announcements, name="announcements")

_AS_FILES = "JARA_SMTP_URL is not set: the emails were written as files, and nobody got them."
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
    context: Context, everything: Annotated[bool, flag("--all", "Include sent emails.")] = False
) -> list[Document]:
    """List emails that wait or were refused, with the reason for each failure.

    A refused email is not tried again: its mail server takes it never. `jara mail send --refused`
    tries it once more, for example after a mistake in the mail server's settings was corrected.

    Example: jara mail outbox
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
    refused: Annotated[bool, flag("--refused", "Try emails that were refused once more.")] = False,
) -> Answer:
    """Send due emails; without a mail server, write them to the folder jara.mail.

    Examples:
      jara mail send
      jara mail send --refused
    """
    sender = mail_sender(application.context, application.settings)
    run = send_now(application.context, sender, and_refused=refused)
    return Answer(
        {"sent": run.sent, "failed": run.failed, "failure": run.failure or None},
        ok=not run.failed,
        notes=[_AS_FILES] if run.sent and application.settings.smtp_url is None else [],
    )


@verb(app, Column("address", "Sent to"), Column("folder", "As a file in"))
def test(
    application: Application, address: Annotated[str, argument("ADDRESS", "The only recipient.")]
) -> Answer:
    """Send one email at once, to see whether emails arrive.

    Without a mail server it is written to the folder jara.mail. `jara doctor` asks DNS for SPF,
    DKIM and DMARC of the sender's domain.

    Example: jara mail test hello@sankofa.example
    """
    settings = application.settings
    send_mail_test(application.context, settings, address)
    folder = "" if settings.smtp_url is not None else str(settings.mail_dir)
    return Answer({"address": address, "folder": folder})


@verb(app)
def preview(
    application: Application,
    name: Annotated[
        str, argument("NAME", "Name of the email, such as receipt; default: list.")
    ] = "",
    language: Annotated[str, option("LANGUAGE", "Language of the email, such as fr.")] = "en",
    as_html: Annotated[bool, flag("--html", "Print the HTML version.")] = False,
) -> Answer:
    """List the kinds of email, or show one with sample values.

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
        str, argument("FILE", "A mailbox (mbox or Maildir), a message, or - for a pipe.")
    ],
) -> Answer:
    """Read delivery reports: emails that came back.

    A report counts if it carries the mark of an email that Jara sent (`JARA_BOUNCE_ADDRESS`), and
    once, however often it is read. An address that does not exist any more is stopped: nothing is
    sent to it but links that its owner asked for. One that failed on three days within 30 days is
    stopped until these are older. All other messages are ignored, and counted by reason.

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

    Example: jara mail bounced
    """
    return list_stopped(context)


@verb(app)
def clear(
    context: Context, address: Annotated[str, argument("ADDRESS", "A stopped address.")]
) -> Answer:
    """Send to an address again; its owner does so by confirming it.

    Example: jara mail clear ama@example.org
    """
    cleared = clear_address(context, address)
    return Answer({"address": cleared}, view=f"Emails go to {cleared} again.")


_WITHDRAWN_BY = "It can be withdrawn: jara mail announcements withdraw {} --why REASON"


@verb(
    app,
    Column("id", "Announced as", Kind.ID),
    Column("subject", "Subject"),
    Column("to", "To"),
    Column("recipients", "Recipients", Kind.COUNT),
)
def announce(
    application: Application,
    file: Annotated[str, argument("FILE.md", "Markdown with a title; - is standard input.")],
    to: Annotated[
        list[str] | None, option("GROUP", "members, changemakers, readers or country=GH.")
    ] = None,
    test: Annotated[str | None, option("ADDRESS", "Send it to this address only.")] = None,
    again: Annotated[bool, flag("--again", "Send a text that was announced before.")] = False,
    yes: Yes = False,
) -> Answer:
    """Email a text to many: members, changemakers, readers of the newsletter, or a country.

    \b
    Shows the email and how many people get it, and asks. Whoever chose to get
    no news does not get it, and each address gets it once. Another operator
    signs it above 500 people; with limits, also above 25 in a day, and with an
    account number or a link to another site. Operators get a copy first.

    The first heading is the subject. docs/mail.md shows a file in two languages.

    Examples:
      jara mail announce well.md --test me@example.org
      jara mail announce well.md --to members --to readers
      jara mail announce meeting.md --to country=GH --yes
    """
    context = application.context
    with open_input(file) as stream:
        data = stream.read()
    texts = read_announcement(data, name_input(file), known_languages())
    if test is not None:
        count = send_test(context, application.settings, texts, test)
        return Answer({"address": test, "emails": count}, view=f"Sent to {test} only.")
    audience = parse_audience(to or (), context.rules.countries)
    reach = preview_announcement(context, texts, audience, again=again)
    if not yes:
        for email in render_announcement(context, application.settings, texts):
            for line in (f"Subject: {email.subject}", "", *email.text.splitlines(), ""):
                note(line)
    note(f"{describe(reach)}.")
    if reason := reason_to_sign(context, texts, reach):
        note(reason)
    confirm(f"Send it to {reach.recipients} people?", yes=yes)
    done = announce_texts(context, texts, audience, again=again)
    if isinstance(done, Approval):
        return waiting(done)
    row = {
        "id": done.id,
        "subject": next(iter(texts.values())).subject,
        "to": ", ".join(audience.words()),
        "recipients": done.recipients,
    }
    return Answer(row, hints=[_WITHDRAWN_BY.format(done.id)])


@verb(
    announcements,
    Column("id", "Id", Kind.ID),
    Column("at", "Announced", Kind.DATE),
    Column("subject", "Subject"),
    Column("to", "To"),
    Column("recipients", "For", Kind.COUNT),
    Column("sent", "Sent", Kind.COUNT),
    Column("waiting", "Waiting", Kind.COUNT),
    Column("state", "State"),
    Column("operator", "By"),
    name="list",
)
def show_announcements(context: Context) -> list[AnnouncementLine]:
    """List announcements, and changes that were announced, newest first.

    Emails are counted for 60 days.

    Example: jara mail announcements list
    """
    return list_announcements(context)


@verb(
    announcements,
    Column("id", "Id", Kind.ID),
    Column("sent", "Sent before", Kind.COUNT),
    Column("withdrawn", "Withdrawn", Kind.COUNT),
    name="withdraw",
)
def withdraw_announcement(
    context: Context,
    announcement: Annotated[str, argument("ANNOUNCEMENT", "Its id, or the first characters.")],
    why: Why,
    yes: Yes = False,
) -> Withdrawal:
    """Withdraw an announcement: whoever has not got it yet does not get it.

    To correct one, withdraw it and announce the corrected file; say in its
    text what was wrong, for those who got the first.

    Example: jara mail announcements withdraw ann_4f7k --why "Wrong date."
    """
    confirm(f"Withdraw {announcement}?", yes=yes)
    return withdraw(context, announcement, why=why)
