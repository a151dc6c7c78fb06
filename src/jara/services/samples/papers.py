"""Sample documents: invoices and receipts of payees that do not exist."""

from __future__ import annotations

from jara.domain.control.state import Limits
from jara.domain.money import format_cents
from jara.domain.papers import PaperKind
from jara.services.books.papers import PaperFile
from jara.services.context import Context
from jara.services.operations.control import set_limits

_FONT = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
_FROM_CENTS, _WITHIN_DAYS = 20_00, 30


def ask_for_documents(context: Context) -> None:
    """Ask for a document of each spend from an amount on."""
    rule = Limits(documents_from_cents=_FROM_CENTS, documents_within_days=_WITHIN_DAYS)
    set_limits(context, rule, why="Decided by the board")


def sample_paper(
    context: Context, kind: PaperKind, cents: int, what: str
) -> tuple[PaperFile, PaperKind]:
    """Return a document of a payment, as a PDF of one page."""
    words = ("Sample", kind.value, context.today().isoformat(), what, format_cents(cents))
    lines = " 0 -24 Td ".join(f"({_plain(word)}) Tj" for word in words)
    text = f"BT /F1 16 Tf 72 720 Td {lines} ET"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R {_FONT} >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
    )
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 5\n0000000000 65535 f \n{rows}trailer\n<< /Size 5 /Root 1 0 R >>\n"
    made += f"{end}startxref\n{len(made)}\n%%EOF\n"
    return PaperFile("application/pdf", made.encode("ascii")), kind


def _plain(text: str) -> str:
    """Return a text as a PDF with a built-in font writes it: in ASCII, without brackets."""
    return text.encode("ascii", "replace").decode().translate({40: " ", 41: " ", 92: " "})
