"""Writes the auditor's bundle: one zip with pages, documents, data, statements and the public log.

Everything is first written into a folder beside the target. If that is interrupted, the next run
goes on with the documents that are there; only whole files with the right hash count.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple, TextIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from jara.bootstrap import Application
from jara.bootstrap.organisation import branding_of
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import NotFound
from jara.domain.progress import Progress, no_progress
from jara.domain.reports.parts import ReportPeriod
from jara.files.ledger.beancount import write_beancount
from jara.files.ledger.csv_file import write_ledger_csv
from jara.files.ledger.journal import write_journal
from jara.files.publiclog.bundle import VERIFIER, bundle_pieces, verifier_source
from jara.jara_verify import LOG, MANIFEST
from jara.records.journal import EntryQuery
from jara.reports.audit_lists import Page
from jara.reports.audit_pages import DOCUMENTS, AuditPages, minutes_of, paper_path
from jara.reports.document import Branding
from jara.reports.linked_pages import page_pieces
from jara.reports.render import AnyReport, render
from jara.services.books.papers import open_paper
from jara.services.context import Context
from jara.services.operations.auditing import Audit, Choices
from jara.services.operations.signing_off import BUNDLE, sign_off
from jara.services.organisation import read_identity
from jara.services.publiclog.proofs import open_bundle
from jara.services.reports.plan import plan_report
from jara.services.reports.spending import spending_report
from jara.services.reports.yearly_funds import funds_report

PART_BYTES = 2_000_000_000
"""The most that one zip holds of documents."""
_FORMATS = ("html", "csv", "json")
_DATA = (
    ("journal.csv", "Journal as CSV"),
    ("books.journal", "The books for hledger"),
    ("books.beancount", "The books for Beancount"),
    (LOG, "The public log"),
    (MANIFEST, "The hashes of all files"),
    (VERIFIER, "The program that checks this file"),
)
_IN_FOLDER = f"{DOCUMENTS}/"
_BEGINNING = (1980, 1, 1, 0, 0, 0)


class BundleFiles(NamedTuple):
    """What was written."""

    files: tuple[str, ...]  # the zips
    pages: int  # how many pages and other files they have
    documents: int  # how many documents
    manifest: str  # the SHA-256 of the manifest, which the log names
    log_size: int  # the size of the log that the pages were made from


def write_audit_bundle(
    application: Application,
    period: ReportPeriod,
    choices: Choices,
    out: Path,
    *,
    progress: Progress = no_progress,
    part_bytes: int = PART_BYTES,
) -> BundleFiles:
    """Write the bundle of a year.

    Raises:
        InvalidInput: the year has not begun.
        Unavailable: a document was encrypted with another key.
    """
    context, year = application.context, period.first.year
    folder = out.with_name(f"{out.name}.parts")
    folder.mkdir(mode=0o700, exist_ok=True)
    written, branding = _Files(folder), branding_of(application)
    with context.store.trial() as store:  # one transaction, so that all figures are of one moment
        frozen = replace(context, store=store)
        others = [*_write_reports(frozen, period, branding, written), *_DATA]
        audit = Audit(frozen, store.read_once(), period, choices)
        size, name = audit.work.log.size(), read_identity(frozen, audit.work).name
        for page in AuditPages(audit, others).pages():
            _write_page(written, page, name)
        _write_ledgers(audit, written, name)
        _write_documents(audit, written, progress)
    written.write(VERIFIER, [verifier_source()])
    manifest = "".join(f"{one.digest} {one.size} {one.name}\n" for one in written.all()).encode()
    digest = sha256(manifest).hexdigest()
    with context.store.write() as work:
        sign_off(context, work, BUNDLE, str(year), digest=digest, year=year)
    with open_bundle(context, whole=True) as contents:
        _write_file(folder / LOG, bundle_pieces(contents))
    _write_file(folder / MANIFEST, [manifest])
    files = _zip(written, out, part_bytes)
    shutil.rmtree(folder)
    documents = sum(one.name.startswith(_IN_FOLDER) for one in written.all())
    pages = len(written.all()) - documents
    return BundleFiles(tuple(map(str, files)), pages, documents, digest, size)


class _Written(NamedTuple):
    name: str
    size: int
    digest: str


class _Files:
    """The files of the bundle in its folder, with their hashes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: dict[str, _Written] = {}

    def all(self) -> list[_Written]:
        """Return the files by name."""
        return sorted(self._written.values())

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a file."""
        self._written[name] = _Written(name, *_write_file(self.folder / name, pieces))

    def write_once(self, name: str, digest: str, read: Callable[[], bytes | None]) -> None:
        """Write a file with a known hash, unless an earlier run did; nothing if it is not here."""
        path = self.folder / name
        if path.is_file():
            with path.open("rb") as file:
                if file_digest(file, "sha256").hexdigest() == digest:
                    self._written[name] = _Written(name, path.stat().st_size, digest)
                    return
        data = read()
        if data is not None:
            self.write(name, [data])


def _write_file(path: Path, pieces: Iterable[bytes]) -> tuple[int, str]:
    """Write a file whole or not at all; return its size and its hash."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, size = sha256(), 0
    draft = path.with_name(f".{path.name}.part")
    with draft.open("wb") as file:
        for piece in pieces:
            digest.update(piece)
            size += file.write(piece)
    draft.replace(path)
    return size, digest.hexdigest()


def _write_page(written: _Files, page: Page, organisation: str) -> None:
    pieces = page_pieces(page.title, organisation, page.parts)
    written.write(page.name, (piece.encode() for piece in pieces))


def _write_reports(
    context: Context, period: ReportPeriod, branding: Branding, written: _Files
) -> Iterator[tuple[str, str]]:
    """Write the reports of the year; yield names and titles."""
    year = period.first.year
    makers: tuple[tuple[str, str, Callable[[], AnyReport]], ...] = (
        ("statements", "Financial statements by fund", lambda: funds_report(context, year)),
        ("plan", "Plan and actual", lambda: plan_report(context, year)),
        ("spending", "What left, by payee", lambda: spending_report(context, period)),
    )
    for name, title, make in makers:
        try:
            report = make()
        except NotFound as error:  # a year without a plan
            parts = [f"There is none. {error.message}"]
            _write_page(written, Page(f"{name}.html", title, parts), title)
            yield f"{name}.html", title
            continue
        for as_format in _FORMATS:
            data = render(report, as_format, context.language, branding)
            written.write(f"{name}.{as_format}", [data])
            yield f"{name}.{as_format}", f"{title} ({as_format})"


def _write_ledgers(audit: Audit, written: _Files, organisation: str) -> None:
    """Write the entries up to the end of the period, as CSV and for hledger and Beancount."""
    journal = audit.work.journal

    def id_of(index: int) -> str:
        return journal.get(index).id

    makers: Mapping[str, Callable[[Iterator[PostedEntry], TextIO], None]] = {
        "journal.csv": write_ledger_csv,
        "books.journal": lambda entries, out: write_journal(
            entries, out, id_of, organisation=organisation
        ),
        "books.beancount": lambda entries, out: write_beancount(
            entries, out, id_of, organisation=organisation
        ),
    }
    for name, make in makers.items():
        path = written.folder / f".{name}"
        with path.open("w", encoding="utf-8", newline="") as out:
            make(journal.entries(EntryQuery(last_day=audit.period.end)), out)
        with path.open("rb") as file:
            written.write(name, iter(partial(file.read, 1 << 20), b""))
        path.unlink()


def _write_documents(audit: Audit, written: _Files, progress: Progress) -> None:
    links = [
        (posted.id, link)
        for link in audit.work.papers.links()
        for posted in [audit.work.journal.get(link.entry)]
        if audit.period.first <= posted.entry.day <= audit.period.end
    ]
    for name, digest in minutes_of(audit.work, audit.period.first.year):
        written.write_once(name, digest, partial(open_paper, audit.context, audit.work, digest))
    for number, (entry, link) in enumerate(links, 1):
        stored = audit.work.papers.get(link.document)
        if stored is not None:
            name = paper_path(entry, link, stored.media_type)
            read = partial(open_paper, audit.context, audit.work, link.document)
            written.write_once(name, link.document, read)
        progress(number, len(links))


def _zip(written: _Files, out: Path, part_bytes: int) -> list[Path]:
    """Zip everything; documents beyond a size go into further parts."""
    names = [LOG, MANIFEST, *(one.name for one in written.all())]
    parts: list[list[str]] = [[]]
    filled = 0
    for name in names:
        size = (written.folder / name).stat().st_size
        if name.startswith(_IN_FOLDER) and filled and filled + size > part_bytes:
            parts.append([])
            filled = 0
        filled += size
        parts[-1].append(name)
    files = []
    for number, part in enumerate(parts, 1):
        path = out if number == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
        draft = path.with_name(f".{path.name}.part")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            with ZipFile(file, "w", ZIP_DEFLATED) as archive:
                for name in part:
                    _add(archive, written.folder / name, name)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        files.append(path)
    return files


def _add(archive: ZipFile, path: Path, name: str) -> None:
    info = ZipInfo(name, _BEGINNING)
    info.external_attr = 0o644 << 16
    info.compress_type = ZIP_STORED if name.startswith(_IN_FOLDER) else ZIP_DEFLATED
    with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
        shutil.copyfileobj(source, target)
