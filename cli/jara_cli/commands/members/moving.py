"""``jara members import``, ``imports``, ``undo`` and ``send-invitations``."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import file_digest
from io import BufferedRandom
from pathlib import Path
from shlex import quote
from tempfile import TemporaryFile
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.countries import find_country
from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import RowResult
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.texts import count_of
from jara.files.people.forms import LeaveOut, parse_columns, parse_leave_out
from jara.files.people.reader import PeopleReader, to_utf8
from jara.files.reading import unused_note
from jara.services.context import Context
from jara.services.members.importing import (
    ImportOutcome,
    PeopleFile,
    check_people,
    find_member_import,
    import_people,
    invite_imported,
    list_member_imports,
    undo_member_import,
)
from jara.services.payments.promising import put_promise
from jara_cli.columns import Column, Kind
from jara_cli.inputs import name_input, open_input
from jara_cli.options import Why, Yes, argument, confirm, flag, option
from jara_cli.output import note, show_progress
from jara_cli.verbs import Answer, verb

app = typer.Typer(rich_markup_mode=None)

_REASONS = 6
"""So many reasons are counted for people."""
_ROWS = [
    Column("line", "Line", Kind.COUNT),
    Column("email", "Email"),
    Column("fate", "Result"),
    Column("reason", "Why", Kind.SENTENCE),
]
_IMPORTS = [
    Column("id", "Import", Kind.ID),
    Column("at", "At", Kind.DATE, rank=1),
    Column("file", "File"),
    Column("form", "Form", rank=3),
    Column("operator", "By", rank=2),
    Column("members", "Members", Kind.COUNT),
    Column("invited", "Invited", Kind.COUNT),
    Column("undoneAt", "Undone", Kind.DATE),
]


Encoding = Annotated[str, option("NAME", "utf-8, latin-1 or utf-16; usually detected.")]
Columns = Annotated[
    list[str] | None, option("FIELD=HEADER", "Column of a field; repeatable.", "--column")
]
LeftOut = Annotated[
    list[str] | None, option("COLUMN", "Skip rows where it says yes; or COLUMN=VALUE.")
]
PromiseWay = Annotated[
    PaymentWay, typer.Option(help="How promises are paid whose row does not say it.")
]
NoEmail = Annotated[
    bool,
    flag(
        "--no-email",
        "Rows without an address, or at that of an earlier row, are members without one.",
    ),
]


@verb(app, *_ROWS, name="import")
def import_command(
    context: Context,
    file: Annotated[str, argument("FILE", "- is standard input.")],
    columns: Columns = None,
    leave_out: LeftOut = None,
    country: Annotated[str | None, option("COUNTRY", "Country of rows without one.")] = None,
    encoding: Encoding = "",
    invite: Annotated[
        bool, flag("--invite", "Email each new member a link to set a password.")
    ] = False,
    partial: Annotated[
        bool, flag("--partial", "Create the others even if rows are refused.")
    ] = False,
    no_email: NoEmail = False,
    way: PromiseWay = PaymentWay.TRANSFER,
    dry_run: Annotated[
        bool, flag("--dry-run", "Show the result for each row; write nothing.")
    ] = False,
) -> Answer:
    """Import members from another program's file, and report the result of each row.

    Exports of Open Collective, Patreon, Mailchimp, CiviCRM, Salesforce NPSP, Action Network,
    Ghost, Memberful, GiveWP, Donorbox, Wild Apricot, Paid Memberships Pro and mongoexport are
    recognised; see `jara help moving-in`.
    People who opted out or died, and organisations, are skipped. Nobody gets a password. Import
    the same file again to add the rest.

    A column Promise (--column promise=HEADER) with an amount a month, and perhaps Way, records the
    promises of new members, who are emailed the reference and how to pay. Those of members there
    already: `jara payments promise --file`.

    Examples:
      jara members import members.csv --dry-run
      jara members import list.csv --column "email=E-Mail (private)" \\
          --country Ghana
      jara members import members.csv --partial --invite
    """
    if country is not None:
        country = find_country(country, context.rules.countries)
    rules = parse_leave_out(leave_out or ())
    with _opened(file, columns or (), rules, encoding, country) as (opened, total, unused):
        people = opened._replace(no_email=no_email, way=way)
        with show_progress("Moving in", total=total if dry_run else 2 * total) as advance:
            if dry_run:
                moved = check_people(context, people, progress=advance)
            else:
                moved = import_people(
                    context,
                    people,
                    partial=partial,
                    invite=invite,
                    put_promise=put_promise,
                    progress=advance,
                )
        return _moved_answer(moved, people, unused, dry_run=dry_run, partial=partial, invite=invite)


@verb(app, *_IMPORTS)
def imports(context: Context) -> list[Document]:
    """List the imports of members, newest first.

    Example: jara members imports
    """
    return [
        {
            "id": one.of.id,
            "at": one.of.started_at,
            "file": one.of.file,
            "form": one.of.form,
            "operator": one.of.operator,
            "members": one.members,
            "invited": one.invited,
            "undoneAt": one.undone_at,
        }
        for one in list_member_imports(context)
    ]


@verb(app, Column("email", "Stays"), Column("reason", "Why", Kind.SENTENCE))
def undo(
    context: Context,
    chosen: Annotated[str, argument("IMPORT", "Id of the import, or its first characters.")],
    why: Why,
    yes: Yes = False,
) -> Answer:
    """Erase the members of an import who have not used their account; list the others.

    Members who have set a password, pledged or paid stay.

    Example: jara members undo mimp_x7 --why "the wrong list" --yes
    """
    line = find_member_import(context, chosen)
    confirm(f"Erase up to {line.members:,} members of {line.of.id} permanently?", yes=yes)
    done = undo_member_import(context, line.of.id, why=why)
    note = f"Removed {done.removed:,} members; {len(done.kept):,} stay."
    return Answer(done, view=done.kept, notes=[note])


@verb(app, Column("invited", "Invited", Kind.COUNT))
def send_invitations(
    context: Context,
    chosen: Annotated[
        str | None, option("IMPORT", "Only members of this import.", "--import")
    ] = None,
    again: Annotated[
        bool, flag("--again", "A new link for everybody whose link has expired.")
    ] = False,
) -> Answer:
    """Email a link, valid for 7 days, to every imported member who was not invited yet.

    Nobody gets a second email, unless you ask for new links in place of those that expired unused
    (--again); `jara members invite` sends a new link to one person.

    Examples:
      jara members send-invitations
      jara members send-invitations --again
    """
    import_id = None if chosen is None else find_member_import(context, chosen).of.id
    with show_progress("Inviting") as advance:
        sent = invite_imported(context, import_id, again=again, progress=advance)
    return Answer({"invited": sent}, notes=["To send the invitations now: jara mail send"])


@contextmanager
def opened_table(file: str, encoding: str) -> Iterator[BufferedRandom]:
    """Copy a file of people as UTF-8, so that it cannot change while it is read."""
    with TemporaryFile() as spool:
        with open_input(file) as stream:
            notes: list[str] = []
            to_utf8(stream, spool, encoding, name_input(file), notes)
        for one in notes:
            note(one)
        spool.seek(0)
        yield spool


@contextmanager
def _opened(
    file: str,
    columns: Sequence[str],
    leave_out: Sequence[LeaveOut],
    encoding: str,
    country: str | None,
) -> Iterator[tuple[PeopleFile, int, list[str]]]:
    """Copy a file, so that it cannot change while it is read.

    Returns it, its line count, and the columns that nothing reads.
    """
    name = name_input(file)
    with opened_table(file, encoding) as spool:
        digest = file_digest(spool, "sha256").hexdigest()
        spool.seek(0)
        total = sum(1 for _ in spool)
        reader = PeopleReader(spool, name, parse_columns(columns), leave_out)
        for column, rules in reader.unused_signals.items():
            options = " ".join(f"--leave-out {quote(rule)}" for rule in rules)
            note(
                f"Warning: the column '{column}' is not used; it may say who opted out, left, died "
                f"or is no person. {options} skips those rows."
            )
        people = PeopleFile(Path(name).name, reader.form.name, digest, reader.rows, country)
        yield people, total, reader.unused


def _moved_answer(
    moved: ImportOutcome,
    people: PeopleFile,
    unused: list[str],
    *,
    dry_run: bool,
    partial: bool,
    invite: bool,
) -> Answer:
    counts = {result: moved.count(result) for result in RowResult}
    refused = counts[RowResult.REFUSED]
    is_refused = bool(refused) and not partial and not dry_run
    rows = [
        {"line": one.line, "email": one.email, "fate": one.result, "reason": one.reason}
        for one in moved.rows
    ]
    reasons = Counter(one.reason for one in moved.rows if one.result is RowResult.SKIPPED)
    document = {
        "import": moved.import_id,
        "form": people.form,
        "dryRun": dry_run,
        "written": not dry_run and not is_refused,
        "read": len(rows),
        "created": counts[RowResult.CREATED],
        "known": counts[RowResult.KNOWN],
        "skipped": counts[RowResult.SKIPPED],
        "skippedBy": dict(reasons),
        "refused": refused,
        "invited": moved.invited,
        "promised": moved.promised,
        "unusedColumns": unused,
        "rows": rows,
    }
    results = ", ".join(f"{count:,} {result}" for result, count in counts.items())
    notes = [f"{people.form}, {count_of(len(rows), 'row')}: {results}."]
    if reasons:
        shown = "; ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(_REASONS))
        notes.append(f"Skipped: {shown}.")
    if moved.invited:
        notes.append(f"Invitations written: {moved.invited:,}. To send them now: jara mail send")
    if moved.promised:
        emails = "Whoever has an address is emailed how to pay; to send it now: jara mail send"
        notes.append(f"Promises recorded: {moved.promised:,}. {emails}")
    if counts[RowResult.CREATED] and not (invite or dry_run or is_refused):
        notes.append("They have heard nothing yet: jara members send-invitations")
    if dry_run:
        notes.append("This was a dry run: nothing was written.")
    error = _refusal(moved, people.name) if is_refused else None
    return Answer(document, view=rows, hints=unused_note(unused), notes=notes, error=error)


def _refusal(moved: ImportOutcome, file: str) -> InvalidInput:
    first = next(one for one in moved.rows if one.result is RowResult.REFUSED)
    return InvalidInput(
        f"{file}, line {first.line}: {first.reason} Nothing was imported; --partial "
        "imports the rest."
    )
