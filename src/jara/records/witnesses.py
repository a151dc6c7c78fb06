"""The log's witnesses and their cosignatures."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Witness(NamedTuple):
    """A witness of this log.

    Args:
        name: the name in its key.
        key: its published key.
        url: the address to send checkpoints to.
        added_at: when an operator added it.
        seen_size: the last size known to be signed by it.
        tried_at: when it was last asked.
        failure: why it did not sign then; empty if it signed.
    """

    name: str
    key: str
    url: str
    added_at: datetime
    seen_size: int = 0
    tried_at: datetime | None = None
    failure: str = ""


class Cosignature(NamedTuple):
    """A witness's signature of a checkpoint.

    Args:
        size: the size of the checkpoint.
        witness: the name of the witness.
        line: the signature line, with its line feed.
        seen_at: the time in the witness's signature.
    """

    size: int
    witness: str
    line: str
    seen_at: datetime
