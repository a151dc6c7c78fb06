"""Small PDF files, good and bad."""

import zlib


def a_pdf(*objects: bytes, text: str = "Invoice 118", end: bytes = b"%%EOF\n") -> bytes:
    """Return a PDF with these objects beside a page's text."""
    page = b"BT /F1 12 Tf (%s) Tj ET" % text.encode()
    body = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    body += b"3 0 obj\n" + packed(page) + b"\nendobj\n" + b"\n".join(objects)
    return body + b"\nxref\n0 1\ntrailer << /Root 1 0 R >>\nstartxref\n9\n" + end


def packed(content: bytes, about: bytes = b"/Filter /FlateDecode") -> bytes:
    """Return a compressed stream."""
    data = zlib.compress(content)
    head = b"<< %s /Length %d >>" % (about, len(data))
    return head + b"\nstream\n" + data + b"\nendstream"
