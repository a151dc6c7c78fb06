"""``jara ledger document``, ``documents`` and ``erase-document``: the papers behind entries."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from jara.bootstrap import Application
from jara.documents import to_document
from jara.domain.papers import PaperKind, parse_paper_kind
from jara.files.media import keep_photo
from jara.records.operations import Approval
from jara.services.books.papers import (
    EntryDocument,
    add_documents,
    describe_repeated,
    erase_document,
    list_documents,
    read_document,
)
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import Yes, argument, confirm, flag, option
from jara_cli.papers import read_papers, write_documents
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(rich_markup_mode=None)

Entry = Annotated[str, argument("ENTRY", "Id, or its first characters.")]
_DOCUMENTS = (
    Column("kind", "Document"),
    Column("sha256", "SHA-256", Kind.ID),
    Column("bytes", "Bytes", Kind.COUNT),
    Column("addedAt", "Added", Kind.DATE),
    Column("addedBy", "By", rank=1),
    Column("state", "State"),
)


@verb(app, *_DOCUMENTS)
def document(
    application: Application,
    entry: Entry,
    files: Annotated[list[str], argument("FILE...", "PDF, JPEG, PNG or WebP; - is input.")],
    kind: Annotated[str, option("KIND", f"{', '.join(PaperKind)}.")] = PaperKind.INVOICE,
    public: Annotated[
        bool, flag("--public", "Everybody may read it; black out names before.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Add invoices, receipts or other documents to an entry.

    They are stored encrypted. Members see on the entry's page that there is a document, and
    its kind; nobody reads it there unless it is --public.

    Examples:
      jara ledger document rsty2ynocrfsabcd invoice.pdf
      jara ledger document rsty2ynocrfsabcd slip.jpg --kind slip
    """
    papers = read_papers(files)
    what = parse_paper_kind(kind)
    if public:
        confirm(f"Let everybody on the internet read {', '.join(files)}?", yes=yes)
    folder = Path(application.settings.media_dir)
    keep = partial(keep_photo, folder) if public else None
    added = add_documents(application.context, entry, papers, what, keep=keep)
    new = {file.hash for file in papers}
    hints = [f"{one[:16]} is there already; nothing was changed." for one in added.known]
    hints += describe_repeated(one for one in added.documents if one.sha256 in new)
    rows = _rows(added.documents)
    return Answer({"entry": added.entry, "documents": rows}, view=rows, notes=hints)


@verb(app, *_DOCUMENTS)
def documents(
    context: Context,
    entry: Entry,
    out: Annotated[str | None, option("FOLDER", "Write the files there.")] = None,
) -> Answer:
    """List the documents of an entry, or write them into a folder.

    Examples:
      jara ledger documents rsty2ynocrfsabcd
      jara ledger documents rsty2ynocrfsabcd --out papers
    """
    rows = _rows(list_documents(context, entry))
    if out is not None:
        write_documents(context, out, rows)
    columns = [*_DOCUMENTS, *([Column("file", "File", Kind.COMMAND)] if out else [])]
    return Answer(rows, columns=columns)


@verb(
    app,
    Column("hash", "SHA-256", Kind.ID),
    Column("bytes", "Bytes", Kind.COUNT),
    name="erase-document",
)
def erase_document_command(
    application: Application,
    document: Annotated[str, argument("DOCUMENT", "Its SHA-256, or the first characters.")],
    why: Annotated[str, option("TEXT", "Reason, for the audit log.")],
    yes: Yes = False,
) -> Answer:
    """Erase a document, such as one with personal data; its hash proves that it was here.

    With limits another operator approves it. A public one leaves the site at once.

    Example: jara ledger erase-document 3f9a51c0 --why "Shows a home address."
    """
    context = application.context
    stored, _ = read_document(context, document)
    confirm(f"Erase the document {stored.hash[:16]} for good?", yes=yes)
    done = erase_document(context, stored.hash, why=why)
    (Path(application.settings.media_dir) / stored.file_name).unlink(missing_ok=True)
    return waiting(done) if isinstance(done, Approval) else Answer(done)


def _rows(documents: Sequence[EntryDocument]) -> list[dict[str, Any]]:
    return [{**to_document(one, instant=lambda at: at), "state": _state(one)} for one in documents]


def _state(one: EntryDocument) -> str:
    if one.erased_at is not None:
        return "erased"
    return "public" if one.path else "private"
