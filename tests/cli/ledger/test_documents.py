"""Documents of entries at the terminal: added with the entry or later, listed, written, erased."""

from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from jara_cli.exits import ExitCode
from tests.cli.ledger.ledger_samples import RENT, post_rent
from tests.cli.voting_shell import Shell
from tests.files.pdf_files import a_pdf


@pytest.fixture
def papers(banked: Shell) -> Shell:
    """Return an organisation with an invoice and a photo in its folder."""
    (banked.folder / "invoice.pdf").write_bytes(a_pdf())
    Image.new("RGB", (30, 20)).save(banked.folder / "chairs.jpg")
    return banked


def test_an_entry_is_posted_with_its_documents(papers: Shell) -> None:
    """Each of its kind; a PDF is written out byte for byte."""
    files = ("--document", "invoice.pdf", "--document", "receipt=chairs.jpg")

    entry = papers.json("ledger", "post", *RENT, "--amount", "5", *files)["id"]

    rows = papers.json("ledger", "documents", entry, "--out", "papers")
    assert [(one["kind"], one["state"]) for one in rows] == [
        ("invoice", "private"),
        ("receipt", "private"),
    ]
    assert Path(rows[0]["file"]).read_bytes() == a_pdf()
    assert Path(rows[0]["file"]).stat().st_mode & 0o777 == 0o600
    assert papers.run("ledger", "verify")[0] == ExitCode.DONE


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("none.pdf",), "There is no file 'none.pdf'"),
        (("invoice.pdf", "--kind", "bill"), "'bill' is not a kind of document: invoice, receipt"),
        (("empty.pdf",), "empty.pdf is empty"),
    ],
)
def test_what_cannot_be_a_document_is_refused(
    papers: Shell, words: tuple[str, ...], message: str
) -> None:
    """In one sentence, and nothing is stored."""
    (papers.folder / "empty.pdf").write_bytes(b"")
    entry = post_rent(papers)["id"]

    status, out, err = papers.run("ledger", "document", entry, *words)

    assert (status in {ExitCode.USAGE, ExitCode.NOT_FOUND}, out) == (True, "")
    assert message in err
    assert papers.json("ledger", "documents", entry) == []


def test_one_invoice_of_two_entries_is_named(papers: Shell) -> None:
    """Somebody may pay one invoice twice."""
    first, second = (post_rent(papers)["id"] for _ in range(2))
    papers.run("ledger", "document", first, "invoice.pdf")

    _, _, again = papers.run("ledger", "document", first, "invoice.pdf")
    _, _, other = papers.run("ledger", "document", second, "invoice.pdf")

    name = sha256(a_pdf()).hexdigest()[:16]
    assert again == f"{name} is there already; nothing was changed.\n"
    assert other == f"warning: {name} is also a document of {first}.\n"
    posting = ("ledger", "post", *RENT, "--amount", "5", "--document", "invoice.pdf")
    assert f"warning: {name} is also a document of {first}, {second}.\n" in papers.run(*posting)[2]


def test_a_public_document_leaves_the_site_when_it_is_erased(papers: Shell) -> None:
    """Its file in the media folder goes at once."""
    entry = post_rent(papers)["id"]
    (document,) = papers.json("ledger", "document", entry, "invoice.pdf", "--public", "--yes")[
        "documents"
    ]
    files = list(papers.folder.rglob(f"{document['sha256']}.pdf"))

    papers.run("ledger", "erase-document", document["sha256"][:8], "--why", "A name", "--yes")

    assert [one.exists() for one in files] == [False]
    assert papers.json("ledger", "documents", entry)[0]["state"] == "erased"
    status, _, err = papers.run("ledger", "erase-document", "ffff", "--why", "A name", "--yes")
    assert (status, "see `jara ledger documents ENTRY`" in err) == (ExitCode.NOT_FOUND, True)


def test_the_documents_of_a_year_are_written_a_folder_for_each_entry(papers: Shell) -> None:
    """A second run goes on where the first was cut off; an erased one is only listed."""
    entry = papers.json("ledger", "post", *RENT, "--amount", "5", "--document", "invoice.pdf")
    papers.run("ledger", "document", entry["id"], "chairs.jpg", "--kind", "receipt")
    words = ("export", "documents", "papers", "--year", entry["date"][:4])

    assert papers.json(*words) == {"folder": "papers", "files": 2, "erased": 0}
    (folder,) = (papers.folder / "papers").glob(f"*-{entry['id']}")
    invoice = folder / f"invoice-{sha256(a_pdf()).hexdigest()}.pdf"
    assert invoice.read_bytes() == a_pdf()
    invoice.unlink()
    papers.json(*words)
    assert invoice.read_bytes() == a_pdf()
    papers.run("ledger", "erase-document", invoice.stem[-64:], "--why", "A name", "--yes")
    assert papers.json(*words)["erased"] == 1
    assert papers.json("export", "documents", "none", "--year", "2025")["files"] == 0
    shown = papers.run("ledger", "show", entry["id"])[1]
    assert f"Document: invoice, {invoice.stem[-64:]} (erased)" in shown


def test_the_list_of_written_documents_has_no_formula(papers: Shell) -> None:
    """An accountant opens it in a spreadsheet; a description may be of somebody else's file."""
    rows = (f"a,2026-11-20,=1+1,{one},other,{n}.00," for one, n in ((RENT[1], 5), (RENT[3], -5)))
    head = "entry,date,description,account,fund,amount,reference"
    (papers.folder / "a.csv").write_text("\n".join((head, *rows, "")))
    papers.run("ledger", "import", "a.csv")
    entry = papers.json("ledger", "register", RENT[1])["entries"][-1]["id"]
    papers.run("ledger", "document", entry, "invoice.pdf")
    papers.run("export", "documents", "papers", "--year", "2026")

    assert ",'=1+1," in (papers.folder / "papers" / "documents.csv").read_text("utf-8")
