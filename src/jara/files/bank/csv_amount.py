"""Amounts and signs in the CSV of banks."""

import re
from collections.abc import Sequence

from jara.domain.currency import DECIMALS, books_currency, books_marks
from jara.domain.errors import InvalidAmount, InvalidInput
from jara.domain.lookup import plain_text

DEBIT_WORDS = frozenset({
    *("-", "d", "dr", "db", "dbit", "debit", "debito", "debe", "s", "soll", "af", "cargo", "dare"),
    *("out", "withdrawal"),
})  # fmt: skip
"""How banks say that money left the account, in plain letters."""
CREDIT_WORDS = frozenset({
    *("+", "c", "cr", "crdt", "credit", "credito", "haber", "h", "haben", "bij", "abono", "avere"),
    *("in", "deposit"),
})  # fmt: skip

_SIGNS = str.maketrans(
    dict.fromkeys("\u00a0\u2007\u2009\u202f", " ") | dict.fromkeys("\u2212\u2013", "-") | {"’": "'"}
)
_SEPARATORS = str.maketrans("", "", ",.' ")
_NUMBER = {
    decimal: re.compile(
        rf"([0-9]{{1,3}}(?:[{other}' ][0-9]{{3}})*|[0-9]{{0,13}}"
        rf"|[0-9]{{1,2}}(?:{other}[0-9]{{2}})*{other}[0-9]{{3}})"  # 1,00,000 in India
        rf"(?:[{decimal}]([0-9]{{1,2}}))?",
        re.ASCII,
    )
    for decimal, other in ((".", ","), (",", r"\."))
}
_DIGITS = re.compile(r"[.,]?[0-9](?:[0-9.,' ]*[0-9])?", re.ASCII)
_WORD = re.compile(r"[()+-]|[^\s()+-]+")


def csv_cents(text: str, *, decimal: str) -> int:
    """Read an amount as a bank writes it: ``-1,234.50``, ``(30.00)``, ``30.00 DR``, ``$5``.

    Thousands separators, and a sign or word on either side, are optional.

    Raises:
        InvalidAmount: it is not an amount.
        InvalidInput: it names another currency than that of the books.
    """
    plain = text.translate(_SIGNS)
    digits = _DIGITS.search(plain)
    number = digits and _NUMBER[decimal].fullmatch(digits[0])
    if digits is None or number is None:
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    units = int(number[1].translate(_SEPARATORS) or 0)
    cents = units * 100 + int((number[2] or "").ljust(2, "0"))
    rest = f"{plain[: digits.start()]} {plain[digits.end() :]}".strip()
    return -cents if rest and _is_negative(rest, text) else cents


def sign_column(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, letters: bool = False
) -> str:
    """Return ``COLUMN=WORD`` for a column that tells money in from money out, or empty.

    One of which each row says that money went out tells it too; if its words are letters, which
    may mean anything, only with `letters`.
    """
    for place, column in enumerate(columns):
        words = [row[place].strip() for row in rows if place < len(row) and row[place].strip()]
        plain = set(map(plain_text, words))
        out = plain & DEBIT_WORDS
        is_clear = plain & CREDIT_WORDS or any(len(word) > 1 for word in out)
        is_clear = is_clear or (letters and all(map(str.isalpha, out)))
        if out and is_clear and plain <= DEBIT_WORDS | CREDIT_WORDS:
            return f"{column}={next(one for one in words if plain_text(one) in DEBIT_WORDS)}"
    return ""


def _is_negative(rest: str, text: str) -> bool:
    words = [plain_text(word) for word in _WORD.findall(rest)]
    if words.count("(") != words.count(")"):
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    is_out = "(" in words or not DEBIT_WORDS.isdisjoint(words)
    if is_out and not CREDIT_WORDS.isdisjoint(words):
        raise InvalidAmount(f"'{text[:40]}' has two signs.")
    for word in words:
        if word not in DEBIT_WORDS | CREDIT_WORDS | {"(", ")"}:
            _require_currency(word.upper(), text)
    return is_out


def _require_currency(word: str, text: str) -> None:
    currency = books_currency()
    if word in {*map(str.strip, books_marks()), f"{currency[:2]}$"}:
        return
    if word.removesuffix("$") in DECIMALS or not (word.isascii() and word.isalnum()):
        raise InvalidInput(f"the amount is in {word}, not {currency}.")
    raise InvalidAmount(f"'{text[:40]}' is not an amount.")
