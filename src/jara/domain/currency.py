"""Currencies: that of the books, and amounts in others.

An organisation has one currency, with two decimals; its amounts are whole cents of it. Which
one it is holds for a thread, as the context of `decimal` does: whoever opens the books says it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal, localcontext

from jara.domain.errors import InvalidAmount, InvalidInput
from jara.domain.texts import Value, count_of, value

DEFAULT_CURRENCY = "USD"
MINOR_MAX = 2**53 - 1
"""The largest amount that a leaf of the public log can hold."""

_TWO = 2
_WITHOUT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_OTHERS = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD "
    "CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD "
    "GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD "
    "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP "
    "PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS "
    "TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
)
DECIMALS = {
    **dict.fromkeys(_OTHERS.split(), _TWO),
    **dict.fromkeys(_WITHOUT.split(), 0),
    **dict.fromkeys(_THREE.split(), 3),
}
"""The number of decimals of each currency in ISO 4217, list one, and of the former BGN and ANG.

Codes for precious metals, funds and tests are left out; they are not used for payments.
"""

SYMBOLS = {
    "AUD": "A$",
    "BRL": "R$",
    "CAD": "CA$",
    "CNY": "CN¥",
    "EUR": "€",
    "GBP": "£",
    "HKD": "HK$",
    "ILS": "₪",
    "INR": "₹",
    "MXN": "MX$",
    "NZD": "NZ$",
    "PHP": "₱",
    "TWD": "NT$",
    "USD": "$",
    "XCD": "EC$",
}
"""How English writes a currency before an amount (CLDR); others have their code and a space."""

HOMES = {
    "AUD": "AU CC CX KI NF NR TV",
    "CAD": "CA",
    "NZD": "CK NU NZ PN TK",
    "XCD": "AG AI DM GD KN LC MS VC",
}
"""The countries, by code, whose own English does not say whose currency it is (CLDR)."""

_WHOSE = re.compile(r"^(?:A|[A-Z]{2})(?=[^A-Z])")
"""The letters of a symbol that say whose sign it is: those of ``CA$``, not that of ``R$``."""
_FIFTHS = frozenset({"MGA", "MRU"})
"""ISO 4217 gives them two decimals, but five of their smallest unit are one."""

_books: ContextVar[str | Callable[[], str]] = ContextVar("books_currency", default=DEFAULT_CURRENCY)
_reader: ContextVar[str] = ContextVar("reader_country", default="")

_AMOUNT = re.compile(
    r"(?P<currency>[A-Za-z]{3}) ?(?P<minus>-)?"
    r"(?P<whole>[0-9]{1,16}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,5})(?:\.(?P<part>[0-9]+))?",
    re.ASCII,
)
_DIGITS = 6
"""Significant digits of a rate; it always has at least two decimals."""


def books_currency() -> str:
    """Return the currency of the books that this thread opened last."""
    currency = _books.get()
    if not isinstance(currency, str):
        currency = currency()
        _books.set(currency)
    return currency


def use_currency(currency: str | Callable[[], str]) -> None:
    """Set the currency of the books for this thread, or how to find it when it is first needed."""
    _books.set(currency)


def parse_books_currency(text: str) -> str:
    """Parse the code of a currency that books can have, such as ``CAD``.

    Raises:
        InvalidInput: ISO 4217 has no such currency, or it is not divided into hundredths.
    """
    currency = text.strip().upper()
    decimals = decimals_of(currency)
    if decimals != _TWO or currency in _FIFTHS:
        raise InvalidInput(
            f"{currency} is not divided into hundredths; books can be in currencies that are, "
            "such as USD, CAD or EUR."
        )
    return currency


def symbol_of(currency: str) -> str:
    """Return what English writes before an amount: ``CA$``, ``€``, ``CHF`` with a space."""
    return SYMBOLS.get(currency, f"{currency}\u00a0")


def books_marks() -> tuple[str, ...]:
    """Return how people write the books' currency beside an amount: ``CA$``, ``$``, ``CAD``."""
    currency = books_currency()
    return tuple(dict.fromkeys((symbol_of(currency).strip("\u00a0"), short_sign(), currency)))


def is_home_currency(country: str) -> bool:
    """Return whether people of a country, by its code, write the books' currency shorter.

    They write ``$10`` where others need ``CA$10``. It is false where all write the same: ``€10``.
    """
    return country in HOMES.get(books_currency(), "").split()


@contextmanager
def written_for(country: str) -> Iterator[None]:
    """Write amounts as people of a country do, by its code; of none if it is empty."""
    token = _reader.set(country)
    try:
        yield
    finally:
        _reader.reset(token)


def home_sign() -> str | None:
    """Return the sign with which the reader's country writes the books' currency: ``$``.

    None if it is another country's currency.
    """
    return short_sign() if is_home_currency(_reader.get()) else None


def short_sign() -> str:
    """Return the sign of the books' currency where there is no room to say whose: ``$``."""
    return _WHOSE.sub("", symbol_of(books_currency()).strip("\u00a0"))


def decimals_of(currency: str) -> int:
    """Return a currency's number of decimals.

    Raises:
        InvalidInput: ISO 4217 has no such currency.
    """
    if currency not in DECIMALS:
        raise InvalidInput(f"'{currency}' is not a currency of ISO 4217, like KES.")
    return DECIMALS[currency]


def parse_foreign_amount(text: str) -> tuple[str, int]:
    """Parse an amount such as ``KES 464,400`` into the currency and its smallest units.

    Raises:
        InvalidInput: the currency is unknown, or that of the books.
        InvalidAmount: it is not a positive amount, or has more decimals than the currency.
    """
    match = _AMOUNT.fullmatch(text.strip(" "))
    if match is None:
        raise InvalidAmount(
            f"'{text}' is not an amount in another currency; write code and amount, like "
            "KES 464,400."
        )
    currency = match["currency"].upper()
    decimals = decimals_of(currency)
    if currency == books_currency():
        raise InvalidInput(f"'{text}' is in {currency}, as the books are; no other is needed.")
    part = match["part"] or ""
    if len(part) > decimals:
        most = f"at most {decimals}" if decimals else "none"
        raise InvalidAmount(
            f"'{text}' has {count_of(len(part), 'decimal')}; {currency} has {most}."
        )
    minor = int(match["whole"].replace(",", "") + part.ljust(decimals, "0"))
    if match["minus"] or minor == 0:
        raise InvalidAmount(f"'{text}' is not above zero; the amount that was received is.")
    if minor > MINOR_MAX:
        most = format_minor(currency, MINOR_MAX)
        raise InvalidAmount(f"'{text}' is too large; the maximum is {most}.")
    return currency, minor


def format_minor(currency: str, minor: int) -> Value:
    """Format an amount of smallest units: ``KES 464,400``, ``KES 0.50``, ``-XOF 900``.

    Unknown currencies, from imported entries, get two decimals.
    """
    decimals = DECIMALS.get(currency, _TWO)
    whole, part = divmod(abs(minor), 10**decimals)
    sign = "-" if minor < 0 else ""
    rest = f".{part:0{decimals}d}" if part else ""
    return value(f"{sign}{currency} {whole:,}{rest}", "foreign", currency, f"{sign}{whole}{rest}")


def plain_minor(currency: str, minor: int) -> str:
    """Format an amount for files: ``464400.00``, without currency or grouping."""
    decimals = DECIMALS.get(currency, _TWO)
    return f"{Decimal(minor).scaleb(-decimals):f}"


def derive_rate(currency: str, minor: int, cents: int) -> str:
    """Return the units of a currency for one of the books, for display: ``129.00``.

    It has six significant digits, at least two decimals, and no further trailing zeros. It
    is never used in calculations.
    """
    with localcontext(prec=50):
        rate = Decimal(minor).scaleb(-decimals_of(currency)) / Decimal(cents).scaleb(-2)
        places = max(_TWO, _DIGITS - 1 - rate.adjusted())
        text = f"{rate:.{places}f}"
    whole, _, part = text.partition(".")
    return f"{whole}.{part.rstrip('0').ljust(_TWO, '0')}"
