"""Documents of entries: stored encrypted, in the log by a salted hash, erased with a proof."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.checks.log import read_leaf
from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.domain.papers import PER_ENTRY_MAX, PaperKind
from jara.domain.publiclog.leaves import LeafType
from jara.services.books import papers
from jara.services.books.bookkeeping import post_entry
from jara.services.books.papers import PaperFile, add_documents, list_documents, read_document
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.stored_files import compare_files
from jara.store.store import Store
from tests.fakes.kills import survive
from tests.harness import make_organisation
from tests.places import NewPlace
from tests.services.operations.planted_faults import plant
from tests.services.publiclog.test_proofs import run_verifier, write_bundle

INVOICE = PaperFile("application/pdf", b"%PDF-1.7 invoice 118")
SLIP = PaperFile("image/jpeg", b"a slip")


def spend(context: Context, cents: int = 500) -> PostedEntry:
    """Book an expense from money that was there."""
    for kind, account, sign in (
        (EntryKind.OPENING, "equity:opening", -1),
        (EntryKind.EXPENSE, "expenses:operations", 1),
    ):
        here = Posting(account, Fund.OTHER, sign * cents)
        rows = (here, Posting(BANK, Fund.OTHER, -sign * cents))
        entry = JournalEntry(context.today(), kind, "Expense", rows, note="Chairs")
        posted = post_entry(context, entry)
    assert isinstance(posted, PostedEntry)
    return posted


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return an organisation."""
    return make_organisation(tmp_path)


def leaves_of_documents(context: Context) -> list[dict[str, object]]:
    """Return the leaves of documents."""
    with context.store.read() as work:
        return [read_leaf(leaf.body) for leaf in work.log.leaves_of(LeafType.DOCUMENT)]


def test_the_log_has_a_hash_that_needs_the_salt(context: Context, tmp_path: Path) -> None:
    """Nobody can guess a document from its leaf; whoever has the salt can prove it."""
    entry = spend(context)

    add_documents(context, entry.id, [INVOICE], PaperKind.INVOICE)

    with context.store.read() as work:
        (link,) = work.papers.of_entry(entry.index)
        sealed = work.papers.sealed(INVOICE.hash)
    salted = sha256(bytes.fromhex(link.salt) + bytes.fromhex(INVOICE.hash)).hexdigest()
    assert leaves_of_documents(context) == [
        {"t": "jara/v1/document", "entry": entry.index, "kind": "invoice", "document": salted}
    ]
    assert papers.read_document(context, INVOICE.hash[:8])[1] == INVOICE.data
    assert sealed is not None
    assert INVOICE.data not in sealed
    assert verify_books(context).ok
    assert run_verifier(write_bundle(context, tmp_path / "bundle.tar")) == 0


def test_the_same_file_twice_changes_nothing(context: Context) -> None:
    """One document of two entries is stored once, and each entry names the other."""
    one, other = spend(context), spend(context)
    add_documents(context, one.id, [INVOICE, INVOICE], PaperKind.INVOICE)

    again = add_documents(context, one.id, [INVOICE], PaperKind.INVOICE)
    added = add_documents(context, other.id, [INVOICE], PaperKind.RECEIPT)

    assert again.known == (INVOICE.hash,)
    assert [document.other_entries for document in added.documents] == [(one.id,)]
    assert len(leaves_of_documents(context)) == 2
    with context.store.read() as work:
        assert len(list(work.papers.all())) == 1


def test_an_entry_has_a_bounded_number_of_documents(context: Context) -> None:
    """None of those that are too many is stored."""
    entry = spend(context)
    files = [PaperFile("image/png", b"%d" % number) for number in range(PER_ENTRY_MAX + 1)]
    add_documents(context, entry.id, files[:5], PaperKind.RECEIPT)

    with pytest.raises(InvalidInput, match="at most 20 documents"):
        add_documents(context, entry.id, files[5:], PaperKind.RECEIPT)

    assert len(papers.list_documents(context, entry.id)) == 5
    with context.store.read() as work:
        assert len(list(work.papers.all())) == 5


def test_an_erased_document_leaves_its_proof(context: Context, tmp_path: Path) -> None:
    """Its bytes are gone; hash, salt and leaf stay, and nothing is reported as missing."""
    entry = spend(context)
    add_documents(context, entry.id, [SLIP], PaperKind.SLIP)
    with pytest.raises(InvalidInput, match="Say why"):
        papers.erase_document(context, SLIP.hash, why=" ")

    papers.erase_document(context, SLIP.hash, why="Shows an address.")

    (document,) = papers.list_documents(context, entry.id)
    assert document.erased_at == context.now()
    assert papers.read_document(context, SLIP.hash)[1] is None
    assert len(leaves_of_documents(context)) == 1
    assert verify_books(context).ok
    assert run_verifier(write_bundle(context, tmp_path / "bundle.tar")) == 0
    with pytest.raises(Conflict, match="erased already"):
        papers.erase_document(context, SLIP.hash, why="Again.")


def test_a_public_document_can_be_checked_by_everybody(context: Context, tmp_path: Path) -> None:
    """Its leaf has the salt; the file is where visitors read it, and missed if it is not."""
    entry, kept = spend(context), []

    def keep(name: str, data: bytes) -> Callable[[], None]:
        kept.append((name, data))
        return kept.clear

    added = add_documents(context, entry.id, [INVOICE], PaperKind.INVOICE, keep=keep)

    (leaf,) = leaves_of_documents(context)
    salted = sha256(bytes.fromhex(str(leaf["salt"])) + bytes.fromhex(INVOICE.hash)).hexdigest()
    assert leaf["document"] == salted
    assert kept == [(f"{INVOICE.hash}.pdf", INVOICE.data)]
    assert added.documents[0].path == f"/media/{INVOICE.hash}.pdf"
    assert [one.missing for one in compare_files(context, tmp_path)] == [(), (kept[0][0],)]
    assert verify_books(context).ok


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE document_files SET sealed = NULL",
        "UPDATE document_files SET sealed = zeroblob(40)",
        "DELETE FROM document_files",
        "UPDATE entry_documents SET kind = 'receipt'",
        "DELETE FROM entry_documents",
        "UPDATE documents SET bytes = 1",
    ],
)
def test_a_changed_document_is_noticed(context: Context, statement: str) -> None:
    """By its leaf, or because the bytes do not open."""
    add_documents(context, spend(context).id, [INVOICE], PaperKind.INVOICE)

    plant(context, statement)

    assert "documents" in {finding.check for finding in verify_books(context).findings}


def test_nothing_is_stored_of_a_document_whose_entry_is_refused(context: Context) -> None:
    """Bytes and rows are one transaction with the act."""
    rows = (Posting("expenses:operations", Fund.OTHER, 5), Posting(BANK, Fund.OTHER, -5))
    future = JournalEntry(date(2099, 1, 1), EntryKind.EXPENSE, "Expense", rows, note="Later")

    with (
        pytest.raises(InvalidInput),
        papers.with_documents(context, [(INVOICE, PaperKind.INVOICE)]) as one,
    ):
        post_entry(one, future)

    with context.store.read() as work:
        assert list(work.papers.all()) == []


def test_another_key_opens_no_document(context: Context, tmp_path: Path) -> None:
    """A database without its secrets folder shows none."""
    add_documents(context, spend(context).id, [INVOICE], PaperKind.INVOICE)
    other = make_organisation(tmp_path / "other", seed="other")

    with pytest.raises(Unavailable, match="another index key"):
        papers.read_document(replace(context, vault=other.vault), INVOICE.hash)


STEPS_MIN = 5


def stored(context: Context) -> list[str]:
    """Return the hashes of all documents."""
    with context.store.read() as work:
        return [one.hash for one in work.papers.all()]


def test_a_kill_leaves_a_document_whole_or_absent(new_place: NewPlace) -> None:
    """Bytes, rows, leaf and audit row are written together or not at all."""
    for step in count():
        context = make_organisation(new_place())
        entry = spend(context)
        ended = survive(
            lambda: add_documents(context, entry.id, [INVOICE], PaperKind.INVOICE),  # noqa: B023
            step,
        )

        assert stored(context) == ([INVOICE.hash] if ended else [])
        assert len(list_documents(context, entry.id)) == ended
        assert verify_books(context).ok
        context.store.close()
        if ended:
            break
    assert step >= STEPS_MIN


def test_a_document_is_read_as_it_was_stored(place: Path) -> None:
    """Large values too, on each engine."""
    context = make_organisation(place)
    large = PaperFile("image/png", bytes(range(256)) * 40_000)

    add_documents(context, spend(context).id, [large], PaperKind.OTHER)

    assert read_document(context, large.hash)[1] == large.data
    assert verify_books(context).ok


def test_on_a_full_disk_nothing_is_stored(tmp_path: Path) -> None:
    """The entry is there, and gets its document once there is room."""
    context = make_organisation(tmp_path)
    entry = spend(context)
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 50}")
    large = PaperFile("image/png", bytes(4 << 20))

    with pytest.raises(Unavailable):
        add_documents(context, entry.id, [large], PaperKind.OTHER)

    assert stored(context) == []
    connection.execute("PRAGMA max_page_count = 1000000")
    add_documents(context, entry.id, [large], PaperKind.OTHER)
    assert verify_books(context).ok
