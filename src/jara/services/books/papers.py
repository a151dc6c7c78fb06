"""Documents of entries: stored encrypted, named in the log by a salted hash, erased on request.

A document is stored in the transaction of the act that it belongs to, so neither is there without
the other. While the act waits for another operator, its payload names the document.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from jara.domain.checks.books import Finding
from jara.domain.checks.log import paired, read_leaf
from jara.domain.content.fields import MEDIA_PATH
from jara.domain.dates import Period
from jara.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from jara.domain.papers import PER_ENTRY_MAX, Paper, PaperKind, document_leaf
from jara.domain.publiclog.leaves import SALT_BYTES, LeafType
from jara.records.operations import Approval
from jara.records.papers import EntryPaper, StoredPaper
from jara.services.approvals import REFUSED, Handler, require_approval
from jara.services.audit import record_act, require_operator
from jara.services.context import PAPERS, Context
from jara.services.organisation import REWRITES_DUE
from jara.store.unit_of_work import UnitOfWork

ADD_ACTION = "ledger.document"
ERASE_ACTION = "ledger.erase-document"

KeepPublic = Callable[[str, bytes], Callable[[], None]]
"""Stores a file where visitors may read it; returns what removes it again."""


class PaperFile(NamedTuple):
    """A file that was checked: its media type and its bytes."""

    media_type: str
    data: bytes

    @property
    def hash(self) -> str:
        """The SHA-256 of its bytes, in hex."""
        return sha256(self.data).hexdigest()


class EntryDocument(NamedTuple):
    """A document of an entry."""

    sha256: str  # of its bytes, in hex; the key under which it is read
    kind: PaperKind
    media_type: str
    bytes: int
    added_by: str
    added_at: datetime
    path: str | None  # where visitors read it; None if they may not
    erased_at: datetime | None  # when its bytes were erased
    other_entries: tuple[str, ...]  # the other entries that it belongs to


class FiledDocument(NamedTuple):
    """A document of an entry, as it is filed: below the entry's day and id."""

    entry: str
    day: date
    description: str
    kind: PaperKind
    sha256: str
    erased_at: datetime | None


class WaitingDocument(NamedTuple):
    """A document of an act that waits; ``other_entries`` are the entries that have it already."""

    sha256: str
    kind: PaperKind
    media_type: str
    bytes: int
    other_entries: tuple[str, ...]


def describe_repeated(documents: Iterable[EntryDocument]) -> list[str]:
    """Return a sentence for each document that other entries have too."""
    return [
        f"warning: {one.sha256[:16]} is also a document of {', '.join(one.other_entries)}."
        for one in documents
        if one.other_entries
    ]


class AddedDocuments(NamedTuple):
    """The documents of an entry after some were added, and which of these it had before."""

    entry: str
    documents: tuple[EntryDocument, ...]
    known: tuple[str, ...]


def store_papers(
    context: Context, work: UnitOfWork, files: Iterable[PaperFile], kind: PaperKind
) -> tuple[Paper, ...]:
    """Store documents; one that is here already is not stored twice.

    Raises:
        InvalidInput: there are more than an entry may have.
    """
    new = {file.hash: file for file in files}
    _require_room(len(new))
    for name, file in new.items():
        if work.papers.sealed(name) is None:
            sealed = context.vault.seal_bytes(file.data, about=_about(name))
            stored = StoredPaper(name, file.media_type, len(file.data), context.today())
            work.papers.add(stored, sealed)
    return tuple(Paper(name, kind) for name in new)


@contextmanager
def with_documents(
    context: Context, files: Sequence[tuple[PaperFile, PaperKind]]
) -> Iterator[Context]:
    """Open one transaction for documents and the entry that a use case posts with them."""
    if not files:
        yield context
        return
    with context.together() as one:
        with one.store.write() as work:
            papers = [
                paper for file, kind in files for paper in store_papers(one, work, [file], kind)
            ]
        yield replace(one, papers=tuple(papers))


def attach_papers(
    context: Context,
    work: UnitOfWork,
    entry: int,
    papers: Iterable[Paper] | None = None,
    *,
    public: bool = False,
) -> list[str]:
    """Add stored documents to an entry; return the hashes of those that it had before.

    Their leaves follow those of the entries: nothing may stand between these and their approval.
    `entry` is its log index; `papers` are by default those of the act that posted it. With `public`
    visitors may read them.

    Raises:
        InvalidInput: the entry would have too many documents.
        Conflict: a document was erased while the act waited.
    """
    links = {(link.document, link.is_public) for link in work.papers.of_entry(entry)}
    known = []
    for paper in context.papers_of_act if papers is None else papers:
        if (paper.hash, public) in links:
            known.append(paper.hash)
            continue
        if work.papers.sealed(paper.hash) is None:
            raise Conflict(f"The document {paper.hash[:16]} is not stored any more; add it again.")
        links.add((paper.hash, public))
        salt = context.entropy.token(SALT_BYTES)
        leaf = document_leaf(entry, paper, salt, public=public)
        work.papers.link(
            EntryPaper(
                entry=entry,
                document=paper.hash,
                is_public=public,
                kind=paper.kind,
                salt=salt.hex(),
                leaf=work.log.append(leaf).index,
                added_by=require_operator(context, work, ADD_ACTION).name,
                added_at=context.now(),
            )
        )
    _require_room(len(links))
    return known


def add_documents(
    context: Context,
    entry: str,
    files: Sequence[PaperFile],
    kind: PaperKind,
    *,
    keep: KeepPublic | None = None,
) -> AddedDocuments:
    """Add documents to an entry; one that it has already changes nothing.

    `entry` is its id, or a unique beginning of it. `keep` stores each where visitors may read it;
    None keeps them private.

    Raises:
        NotFound: there is no such entry.
        InvalidInput: the entry would have too many documents.
    """
    with ExitStack() as published:
        with context.store.write() as work:
            posted = work.journal.find(entry)
            papers = store_papers(context, work, files, kind)
            known = attach_papers(context, work, posted.index, papers, public=keep is not None)
            hashes = [one.hash for one in papers]
            facts = {"kind": kind.value, "sha256": hashes, "public": keep is not None}
            record_act(context, work, ADD_ACTION, posted.id, facts=facts)
            if keep is not None:
                for file in files:
                    name = work.papers.find(file.hash).file_name
                    published.callback(keep(name, file.data))
            documents = documents_of(work, posted.index)
        published.pop_all()
    return AddedDocuments(posted.id, tuple(documents), tuple(known))


def list_documents(context: Context, entry: str) -> list[EntryDocument]:
    """Return the documents of an entry, in the order in which they were added.

    Raises:
        NotFound: there is no such entry.
    """
    with context.store.read() as work:
        return documents_of(work, work.journal.find(entry).index)


def repeated_by(context: Context, entry_id: str) -> list[str]:
    """Return a sentence for each document of an entry that other entries have too."""
    try:
        return describe_repeated(list_documents(context, entry_id))
    except NotFound:  # a refund by card has no entry yet
        return []


def documents_between(context: Context, period: Period) -> list[FiledDocument]:
    """Return the documents of a period, without their bytes, entry by entry."""
    with context.store.read() as work:
        links = work.papers.between(period.first, period.last)
        entries = work.journal.many({link.entry for link in links})
        return [
            FiledDocument(
                entry=posted.id,
                day=posted.entry.day,
                description=posted.entry.description,
                kind=link.kind,
                sha256=link.document,
                erased_at=work.papers.erased_at(link.document),
            )
            for link in links
            for posted in [entries[link.entry]]
        ]


def documents_of(work: UnitOfWork, entry: int) -> list[EntryDocument]:
    """Return the documents of the entry at a log index."""
    documents = []
    for link in work.papers.of_entry(entry):
        stored = work.papers.find(link.document)
        erased_at = work.papers.erased_at(link.document)
        documents.append(
            EntryDocument(
                sha256=link.document,
                kind=link.kind,
                media_type=stored.media_type,
                bytes=stored.bytes,
                added_by=link.added_by,
                added_at=link.added_at,
                path=MEDIA_PATH + stored.file_name if link.is_public and not erased_at else None,
                erased_at=erased_at,
                other_entries=_entries_with(work, link.document, entry),
            )
        )
    return documents


def documents_of_act(work: UnitOfWork, approval: Approval) -> list[WaitingDocument]:
    """Return the documents that an act names, whose hashes its signatures cover."""
    return [
        WaitingDocument(
            stored.hash,
            PaperKind(row["kind"]),
            stored.media_type,
            stored.bytes,
            _entries_with(work, stored.hash),
        )
        for row in approval.payload.get(PAPERS, ())
        if (stored := work.papers.get(row["sha256"])) is not None
    ]


def _entries_with(work: UnitOfWork, name: str, but: int | None = None) -> tuple[str, ...]:
    """Return the ids of the entries that a document belongs to."""
    entries = {one.entry for one in work.papers.entries_of(name) if one.entry != but}
    return tuple(work.journal.get(index).id for index in sorted(entries))


def read_document(context: Context, text: str) -> tuple[StoredPaper, bytes | None]:
    """Return a document and its bytes, by a beginning of its hash; no bytes once it is erased.

    Raises:
        NotFound: there is no such document.
        Unavailable: it was encrypted with another key.
    """
    with context.store.read() as work:
        stored = work.papers.find(text)
        return stored, open_paper(context, work, stored.hash)


def open_paper(context: Context, work: UnitOfWork, name: str) -> bytes | None:
    """Return the bytes of the document with this hash; None if they are not here.

    Raises:
        Unavailable: they were encrypted with another key.
    """
    sealed = work.papers.sealed(name)
    return None if sealed is None else context.vault.unseal_bytes(sealed, about=_about(name))


def erase_document(context: Context, text: str, *, why: str) -> StoredPaper | Approval:
    """Erase the bytes of a document; its hash and its leaf stay, and prove that it was here.

    Returns:
        The document, or the approval that this waits for.

    Raises:
        NotFound: there is no such document.
        Conflict: it was erased before.
        InvalidInput: there is no reason.
    """
    if not why.strip():
        raise InvalidInput("Say why the document is erased: --why.")
    with context.store.write() as work:
        stored = work.papers.find(text)
        if work.papers.erased_at(stored.hash) is not None:
            raise Conflict(f"The document {stored.hash[:16]} was erased already.")
        waiting = require_approval(
            context, work, action=ERASE_ACTION, payload={"sha256": stored.hash, "why": why}, why=why
        )
        if waiting is not None:
            return waiting
        _erase(context, work, stored.hash)
        record_act(context, work, ERASE_ACTION, stored.hash, why=why)
    return stored


def forget_refused(context: Context, work: UnitOfWork, approval: Approval) -> None:
    """Erase the documents of a refused act, unless they belong to something else."""
    if approval.state != REFUSED:
        return
    waiting = [one for one in work.operations.approvals(waiting_only=True) if one.id != approval.id]
    wanted = {row["sha256"] for one in waiting for row in one.payload.get(PAPERS, ())}
    for row in approval.payload.get(PAPERS, ()):
        if row["sha256"] not in wanted and not work.papers.entries_of(row["sha256"]):
            _erase(context, work, row["sha256"])


def document_findings(context: Context, work: UnitOfWork, start: int) -> Iterator[Finding]:
    """Compare documents with their leaves from an index on; from 0 on, read the files too."""
    leaves = (
        (leaf.index, read_leaf(leaf.body))
        for leaf in work.log.leaves_of(LeafType.DOCUMENT, start=start)
    )
    rows = ((link.leaf, _leaf_of(link)) for link in work.papers.links(start))
    for index, leaf, made in paired(leaves, rows):
        if leaf != made:
            what = f"The document at log index {index} differs between its row and its leaf."
            yield Finding("documents", f"leaf {index}", what)
    for stored in list(work.papers.all()) if start == 0 else ():
        if fault := _fault_of(context, work, stored):
            yield Finding("documents", stored.hash, f"The document {stored.hash[:16]} {fault}.")


def _fault_of(context: Context, work: UnitOfWork, stored: StoredPaper) -> str:
    if work.papers.erased_at(stored.hash) is not None:
        return ""
    try:
        data = open_paper(context, work, stored.hash)
    except Unavailable:
        return "was changed by another program, or encrypted with another key"
    if data is None:
        return "is missing, and was not erased"
    is_whole = (sha256(data).hexdigest(), len(data)) == (stored.hash, stored.bytes)
    return "" if is_whole else "has other bytes than its hash says"


def _leaf_of(link: EntryPaper) -> dict[str, Any]:
    salt = bytes.fromhex(link.salt)
    return document_leaf(link.entry, Paper(link.document, link.kind), salt, public=link.is_public)


def _erase(context: Context, work: UnitOfWork, name: str) -> None:
    work.papers.erase(name, context.now())
    work.meta.count_up(REWRITES_DUE)


def _require_room(count: int) -> None:
    if count > PER_ENTRY_MAX:
        raise InvalidInput(f"An entry has at most {PER_ENTRY_MAX} documents; this makes {count}.")


def _about(name: str) -> str:
    return f"document\0{name}"


def _erase_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return erase_document(context, payload["sha256"], why=payload["why"])


HANDLERS: Mapping[str, Handler] = {ERASE_ACTION: _erase_approved}
