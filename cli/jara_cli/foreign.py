"""Payments in another currency on the command line."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import typer

from jara.domain.books.foreign import foreign_payment
from jara.domain.books.journal import Foreign
from jara.domain.errors import InvalidInput
from jara_cli.inputs import open_input

ForeignOption = Annotated[
    str | None,
    typer.Option("--foreign", metavar="AMOUNT", help="Amount the payee got: 'KES 464,400'."),
]
RateSource = Annotated[
    str | None,
    typer.Option("--rate-source", metavar="TEXT", help="Source of the amount: 'bank slip 1182'."),
]
Receipt = Annotated[
    str | None,
    typer.Option("--receipt", metavar="FILE", help="Receipt; only its SHA-256 is stored."),
]
BankCharge = Annotated[
    str | None,
    typer.Option("--bank-charge", metavar="AMOUNT", help="The bank's charge, in dollars."),
]

_PIECE = 1 << 20


def read_foreign_options(
    amount: str | None, *, cents: int, source: str | None, receipt: str | None
) -> Foreign | None:
    """Read a payment in another currency from a command's options.

    Raises:
        InvalidInput: there is a source or receipt but no amount, or a value breaks a rule.
    """
    if amount is None:
        given = "--rate-source" if source is not None else "--receipt"
        if source is not None or receipt is not None:
            raise InvalidInput(f"{given} belongs to a payment with --foreign.")
        return None
    if not (source or "").strip():
        raise InvalidInput(f"--foreign '{amount}' needs --rate-source, such as 'bank slip 1182'.")
    hashed = None if receipt is None else hash_file(receipt)
    return foreign_payment(amount, cents=cents, source=source, receipt=hashed)


def hash_file(source: str) -> str:
    """Return the SHA-256 of a file, in hex; ``-`` is standard input."""
    digest = sha256()
    with open_input(source) as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def say_foreign(document: dict[str, Any]) -> str:
    """Describe an entry's amount in another currency."""
    said = f"{document['text']} at {document['rate']}"
    source, receipt = document.get("source"), document.get("receipt")
    by = f" by {source}" if source else ""
    return f"{said}{by}" + (f", receipt {receipt}" if receipt else "")
