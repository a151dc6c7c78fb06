"""Papers: the documents behind entries, such as invoices. Users read "document"."""

from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.leaves import Leaf, LeafType

PER_ENTRY_MAX = 20
"""How many documents an entry may have."""


class PaperKind(StrEnum):
    """What a document is."""

    INVOICE = "invoice"
    RECEIPT = "receipt"
    CONTRACT = "contract"
    SLIP = "slip"
    """A slip of a bank, such as of a transfer."""
    MINUTES = "minutes"
    OTHER = "other"


class Paper(NamedTuple):
    """A stored document: the SHA-256 of its bytes in hex, and what it is."""

    hash: str
    kind: PaperKind


def parse_paper_kind(text: str) -> PaperKind:
    """Read a kind of document.

    Raises:
        InvalidInput: there is no such kind.
    """
    if text not in set(PaperKind):
        raise InvalidInput(f"'{text}' is not a kind of document: {', '.join(PaperKind)}.")
    return PaperKind(text)


def document_leaf(entry: int, paper: Paper, salt: bytes, *, public: bool) -> Leaf:
    """Return the leaf of a document of an entry: a hash that says nothing without its salt.

    So a document can be erased, and whoever has it and the salt can prove that it was here. `entry`
    is the log index of the entry. With `public`, everybody may read the document; then the leaf has
    the salt too.
    """
    return {
        **({"salt": salt.hex()} if public else {}),
        "document": sha256(salt + bytes.fromhex(paper.hash)).hexdigest(),
        "entry": entry,
        "kind": paper.kind.value,
        "t": LeafType.DOCUMENT.value,
    }
