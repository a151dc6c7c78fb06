"""How a bank writes its CSV, as an operator describes it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from jara.domain.bank.statement import account_number
from jara.domain.currency import DECIMALS
from jara.domain.errors import InvalidInput
from jara.files.encodings import is_encoding
from jara.files.reading import normal_name

_SIGNS = {".": ".", ",": ",", "point": ".", "comma": ","}
_WORDS = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t"}
_WORD = re.compile(r"\b[A-Z]{3}\b")
_FORM = "date_format"
OPTIONAL = "?"
"""The end of a column's name if files may lack the column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvMapping:
    """The columns of a bank's CSV, by the names in its header.

    A name that ends with a question mark is a column that the file may lack.

    Raises:
        InvalidInput: no column has the day or the amount, or a value is not usable.
    """

    account: str  # the account's number, which such files rarely contain
    date: str = ""  # the column of the booking day
    amount: str = ""  # the column of the amount; or `debit` and `credit`
    debit: str = ""  # the column of money out
    credit: str = ""  # the column of money in
    sign: str = ""  # ``COLUMN=WORD``: the amount is money out where the column has the word
    text: tuple[str, ...] = ()  # the columns of the payer's message
    reference: str = ""  # the column of the bank's reference
    party: str = ""  # the column of the counterparty's name
    party_account: str = ""  # the column of the counterparty's account
    balance: str = ""  # the column of the balance after the line
    currency: str = ""  # the column of the currency, or its code
    columns: tuple[str, ...] = ()  # the names of the columns of a file without a header
    only: tuple[str, ...] = ()
    """``COLUMN=VALUE``: rows with another value are left out; values of one column are
    alternatives."""
    date_format: str = "%Y-%m-%d"  # `datetime.strptime` formats, separated by ``|``
    decimal: str = "."  # the decimal sign
    delimiter: str = ""  # the separator between cells; empty: it is detected
    encoding: str = ""  # the encoding of the file; empty: it is detected
    skip: int = 0  # the number of lines before which no header is sought
    fee: str = ""  # the column of the charge that the bank took off
    amount_is: str = ""
    """``net`` if the amounts are what is left after the charge, ``gross`` if they are before it;
    empty: the file tells."""
    account_column: str = ""  # the column of our account; rows of another one are left out
    ignored: tuple[str, ...] = ()  # columns that do not matter, although they look so
    inverted: bool | None = None  # whether money out has a positive amount; None if nobody said

    def __post_init__(self) -> None:
        account_number(self.account)
        if not self.date:
            raise InvalidInput("A mapping needs --date, the column of the day.")
        if bool(self.amount) is bool(self.debit and self.credit):
            raise InvalidInput("A mapping needs --amount, or both --debit and --credit.")
        if self.sign and not self.amount:
            raise InvalidInput("--sign needs --amount; --debit and --credit have their sign.")
        for pair in (*self.only, *([self.sign] if self.sign else [])):
            split_pair(pair)
        if self.decimal not in {".", ","}:
            raise InvalidInput(f"'{self.decimal}' is not a decimal sign; say point or comma.")
        if len(self.delimiter) > 1:
            raise InvalidInput("The delimiter must be one character: comma, semicolon or tab.")
        if self.encoding and not is_encoding(self.encoding):
            raise InvalidInput(f"'{self.encoding}' is not an encoding, like utf-8.")
        self._require_forms()
        self._require_columns()

    def _require_forms(self) -> None:
        if self.amount_is not in {"", "net", "gross"}:
            raise InvalidInput(f"'{self.amount_is}' is neither net nor gross.")
        for form in self.date_format.split("|"):
            if "%Z" in form:
                raise InvalidInput("%Z is not read: write the letters, or %z for an offset.")
            if "%" not in form or date(2026, 1, 31).strftime(form) == "":
                raise InvalidInput(f"'{form}' is not a date format, like %d.%m.%Y.")

    @property
    def has_currency_column(self) -> bool:
        """Whether each row names its currency."""
        return bool(self.currency_column)

    @property
    def currency_code(self) -> str:
        """The currency of the whole file; empty if a column has it, or nothing says it."""
        return self.currency if self.currency in DECIMALS else ""

    @property
    def currency_column(self) -> str:
        """The column of the currency, or empty."""
        return "" if self.currency_code else self.currency

    @property
    def named_currency(self) -> str:
        """The currency that the columns of amounts name, such as ``Amount (EUR)``, or empty."""
        words = _WORD.findall(f"{self.amount} {self.debit} {self.credit}")
        return next((word for word in words if word in DECIMALS), "")

    @property
    def required(self) -> list[str]:
        """Every column that the file must have, once."""
        named = dict.fromkeys(self.named_columns)
        return [name for name in named if name not in self.ignored and not name.endswith(OPTIONAL)]

    @property
    def named_columns(self) -> list[str]:
        """Every column that it names, also those that a file may lack."""
        pairs = [split_pair(pair)[0] for pair in (self.sign, *self.only) if pair]
        named = (
            self.date, self.amount, self.debit, self.credit, *pairs, *self.text, self.reference,
            self.party, self.party_account, self.balance, self.currency_column, self.fee,
            self.account_column, *self.ignored,
        )  # fmt: skip
        return list(filter(None, named))

    def _require_columns(self) -> None:
        known = {normal_name(name.removesuffix(OPTIONAL)) for name in self.columns}
        unknown = [one for one in self.required if normal_name(one) not in known]
        if known and unknown:
            raise InvalidInput(
                f"--columns names {', '.join(self.columns)}, but not {', '.join(unknown)}."
            )

    def require_currency(self, currency: str) -> None:
        """Require that the amounts are in the currency of the books.

        Raises:
            InvalidInput: they are in another one.
        """
        if self.currency_code not in {"", currency}:
            raise InvalidInput(
                f"The mapping is in {self.currency_code}, but the books are in {currency}; if the "
                f"account is in {currency}, say --currency {currency} in bank mappings add."
            )

    def document(self) -> dict[str, object]:
        """Return the mapping as it is stored."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def read_mapping(document: Mapping[str, object]) -> CsvMapping:
    """Parse a stored mapping; fields that it lacks have their usual value.

    Raises:
        InvalidInput: a value is not usable.
    """

    def names(key: str) -> tuple[str, ...]:
        value = document.get(key)
        return tuple(map(str, value)) if isinstance(value, list) else ()

    if "amount_is" not in document and {"amount": "Net", _FORM: "%m/%d/%Y"}.items() <= (
        document.items()
    ):
        # PayPal's preset of 0.2.0 read the days of every country in the American order.
        document = {**document, _FORM: "%m/%d/%Y|%d/%m/%Y"}
    others = {"text", "columns", "only", "ignored", "skip", "inverted"}
    inverted = document.get("inverted")
    return CsvMapping(
        **{name: str(value) for name, value in document.items() if name not in others},
        ignored=names("ignored"),
        inverted=None if inverted is None else inverted is True,
        text=names("text"),
        columns=names("columns"),
        only=names("only"),
        skip=int(str(document.get("skip", 0))),
    )


def split_pair(pair: str) -> tuple[str, str]:
    """Split ``COLUMN=VALUE`` at the last sign.

    Raises:
        InvalidInput: it has no column or no sign.
    """
    column, sign, value = pair.rpartition("=")
    if not (sign and column.strip()):
        raise InvalidInput(f"'{pair}' is not COLUMN=VALUE, such as Status=Completed.")
    return column.strip(), value.strip()


def decimal_sign(word: str) -> str:
    """Return the decimal sign that a word names."""
    return _SIGNS.get(word, word)


def delimiter_sign(word: str) -> str:
    """Return the delimiter that a word names."""
    return _WORDS.get(word, word)
