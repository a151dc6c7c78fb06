"""The mapping by which a bank's CSV is read; the operator defines it once."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from jara.domain.bank.statement import account_number
from jara.domain.errors import InvalidInput

_SIGNS = {".": ".", ",": ",", "point": ".", "comma": ","}


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvMapping:
    """The columns of a bank's CSV, by the names in its header.

    Args:
        account: the account's number, which such files rarely contain.
        date: the column of the booking day.
        amount: the column of the amount with its sign; or `debit` and `credit`.
        debit: the column of money out.
        credit: the column of money in.
        text: the columns of the payer's message.
        reference: the column of the bank's reference.
        party: the column of the counterparty's name.
        party_account: the column of the counterparty's account.
        balance: the column of the balance after the line.
        currency: the column of the currency.
        date_format: a `datetime.strptime` format.
        decimal: the decimal sign.
        delimiter: the separator between cells.
        encoding: the encoding of the file.
        skip: the number of lines before the header.

    Raises:
        InvalidInput: no column has the amount, or a value is not usable.
    """

    account: str
    date: str
    amount: str = ""
    debit: str = ""
    credit: str = ""
    text: tuple[str, ...] = ()
    reference: str = ""
    party: str = ""
    party_account: str = ""
    balance: str = ""
    currency: str = ""
    date_format: str = "%Y-%m-%d"
    decimal: str = "."
    delimiter: str = ","
    encoding: str = "utf-8"
    skip: int = 0

    def __post_init__(self) -> None:
        account_number(self.account)
        if bool(self.amount) is bool(self.debit and self.credit):
            raise InvalidInput("A mapping needs --amount, or both --debit and --credit.")
        if self.decimal not in {".", ","}:
            raise InvalidInput(f"'{self.decimal}' is not a decimal sign; say point or comma.")
        if len(self.delimiter) != 1:
            raise InvalidInput(f"'{self.delimiter}' is not one sign; say , ; or a tab.")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise InvalidInput(f"'{self.encoding}' is not an encoding, like utf-8.") from None
        if "%" not in self.date_format or date(2026, 1, 31).strftime(self.date_format) == "":
            raise InvalidInput(f"'{self.date_format}' is not a date format, like %d.%m.%Y.")

    @property
    def columns(self) -> frozenset[str]:
        """Every column that the file must have."""
        named = (
            self.date, self.amount, self.debit, self.credit, *self.text, self.reference,
            self.party, self.party_account, self.balance, self.currency,
        )  # fmt: skip
        return frozenset(name for name in named if name)

    def document(self) -> dict[str, object]:
        """Return the mapping as it is stored."""
        return {name: getattr(self, name) for name in self.__slots__} | {"text": list(self.text)}


def read_mapping(document: Mapping[str, object]) -> CsvMapping:
    """Parse a stored mapping."""
    values = dict(document)
    texts = values.pop("text")
    skip = values.pop("skip")
    return CsvMapping(
        **{name: str(value) for name, value in values.items()},
        text=tuple(str(one) for one in texts) if isinstance(texts, list) else (),
        skip=int(str(skip)),
    )


def decimal_sign(word: str) -> str:
    """Return the decimal sign that a word names."""
    return _SIGNS.get(word, word)
