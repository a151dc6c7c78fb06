"""The rules of single settings: each parses a value, or raises what it must be.

``settings`` builds the message from that text, the variable, its source and its value.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from jara.domain.errors import InvalidAmount, NotFound
from jara.domain.giving.member import LOCAL_PART_MAX
from jara.domain.language import Language
from jara.domain.money import parse_cents, plain_decimal
from jara.domain.organisation import Cards
from jara.domain.returned_email import MARK_DIGITS
from jara.domain.web_address import is_web_address, parse_site_address
from jara.languages import known_languages, require_available

_OPERATOR_LENGTH = 100
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)
_RATE = re.compile(r"(?P<count>[1-9][0-9]{0,8})/(?P<unit>s|min|h|d)", re.ASCII)
_UNIT_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
_SECRET_KEYS = frozenset({"password", "sslpassword"})
_DRAWN = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}", re.ASCII)
"""What Stripe draws has 32 letters and digits or more."""
_SECRET_CHARACTERS_MIN = 8
_ROW = 6
_TYPED = (
    *("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "01234567890", "9876543210"),
    *("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890abcdef"),
)
_PLACEHOLDER_WORDS = (
    *("secret", "webhook", "stripe", "replace", "change", "placeholder", "pending"),
    *("example", "sample", "insert", "dummy", "paste"),
)
"""Long words only, which hardly ever come up in what is drawn."""
_SELECTOR = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", re.ASCII)
_MAIL_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_NAMED_ADDRESS = re.compile(rf"(?:[^<>\r\n]*<{_MAIL_ADDRESS.pattern}>|{_MAIL_ADDRESS.pattern})")


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of times within a number of seconds, written ``10/h``."""

    count: int
    seconds: int

    def __str__(self) -> str:
        unit = next(unit for unit, seconds in _UNIT_SECONDS.items() if seconds == self.seconds)
        return f"{self.count}/{unit}"


def is_placeholder(secret: str) -> bool:
    """Return whether a secret was written by a person: short, or with words, rows or repeats."""
    lowered = secret.casefold()
    rows = {lowered[at : at + _ROW] for at in range(len(lowered) - _ROW + 1)}
    return (
        _DRAWN.fullmatch(secret) is None
        or len(set(secret)) < _SECRET_CHARACTERS_MIN
        or any(word in lowered for word in _PLACEHOLDER_WORDS)
        or any(row in typed for row in rows for typed in _TYPED)
        or len(rows) < len(lowered) - _ROW  # a part that is repeated
    )


def read_age_recipient(text: str) -> str:
    """Accept text that looks like an age recipient; the encryption checks it fully."""
    if not re.fullmatch("age1[a-z0-9]{58}", text):
        raise ValueError("must be age recipients (age1…)")
    return text


def read_cards(text: str) -> Cards:
    """Accept who takes payments by card."""
    if text not in set(Cards):
        raise ValueError(f"must be {', '.join(Cards)}".replace(", none", " or none"))
    return Cards(text)


def read_flag(value: object) -> bool:
    """Accept true and false, also as text."""
    if isinstance(value, bool):
        return value
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if not isinstance(value, str) or value.lower() not in known:
        raise ValueError("must be true or false")
    return known[value.lower()]


def read_database_url(text: str) -> str:
    """Accept a path, ``sqlite:///path`` or ``postgresql://…``; make a path absolute."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        path = text
    elif scheme == "sqlite" and rest.startswith("/"):
        path = rest[1:]
    elif scheme in {"postgresql", "postgres"}:
        # The address may contain a password, so the message does not repeat it.
        if not rest.partition("?")[0].partition("/")[2]:
            raise ValueError("must name a database, like postgresql://user@host/jara")
        try:
            without_password(text)
        except ValueError:
            raise ValueError("is not a database address") from None
        return f"postgresql://{rest}"
    else:
        raise ValueError("must be a path, sqlite:///path or postgresql://user@host/name")
    if path in {"", ":memory:"}:
        raise ValueError("must name a file, like sqlite:///jara.db")
    return f"sqlite:///{Path(path).absolute()}"


def without_password(url: str) -> str:
    """Return the address of a database without its password."""
    parts = urlsplit(url)
    user, at, place = parts.netloc.rpartition("@")
    query = "&".join(
        pair for pair in parts.query.split("&") if pair.partition("=")[0] not in _SECRET_KEYS
    )
    netloc = f"{user.partition(':')[0]}{at}{place}"
    # Not urlunsplit: it drops the empty host of a socket's address.
    return f"{parts.scheme}://{netloc}{parts.path}{'?' if query else ''}{query}"


def read_path(value: object) -> Path:
    """Read the path of a file or folder, relative to the working directory."""
    if not isinstance(value, str | Path):
        raise ValueError("must be a path")  # noqa: TRY004 - a broken rule like any other
    return Path(value).absolute()


def read_web_url(text: str) -> str:
    """Accept the address of a page, in ASCII."""
    if not (text.isascii() and is_web_address(text, schemes=frozenset({"http", "https"}))):
        raise ValueError("must be an address that begins with https:// or http://")
    return text


def read_smtp_url(text: str) -> SecretStr:
    """Accept the address of a mail server, which may hold a password."""
    parts = urlsplit(text)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ValueError("must look like smtp://user:password@host:587 or smtps://host:465")
    return SecretStr(text)


def read_beginning(*beginnings: str) -> Callable[[str], str]:
    """Return a reader of texts that begin in one of these ways."""

    def read_text(text: str) -> str:
        if not text.startswith(beginnings):
            raise ValueError(f"must begin with {' or '.join(beginnings)}")
        return text

    return read_text


def read_secret(*beginnings: str) -> Callable[[str], SecretStr]:
    """Return a reader of secrets that begin in one of these ways."""
    read_text = read_beginning(*beginnings)
    return lambda text: SecretStr(read_text(text))


def read_bounce_address(text: str) -> str:
    """Accept a mail address whose part before the @ has ``{id}`` for the mark of an email."""
    local, _, host = text.partition("@")
    name = local.replace("{id}", "", 1)
    full = _MAIL_ADDRESS.fullmatch(f"{name}@{host}" if name else f"x@{host}")
    room = LOCAL_PART_MAX - MARK_DIGITS
    if "{id}" not in local or full is None or len(name) > room:
        raise ValueError(
            f"must look like bounces+{{id}}@example.org, with up to {room} characters beside {{id}}"
        )
    return text


def read_selector(text: str) -> str:
    """Accept the selector of a DKIM key."""
    if not _SELECTOR.fullmatch(text):
        raise ValueError(
            "must be a selector of letters, digits, dots and hyphens, such as mail2026"
        )
    return text


def read_dns_server(text: str) -> str:
    """Accept the address and port of a DNS server."""
    host, _, port = text.rpartition(":")
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        host = ""
    if not host or not port.isdecimal():
        raise ValueError("must be an address with a port, such as 192.0.2.53:53")
    return text


def read_sender(text: str) -> str:
    """Accept a mail address with or without a name."""
    if not _NAMED_ADDRESS.fullmatch(text):
        raise ValueError("must be a mail address, or a name and <address>")
    return text


def read_list(read: Callable[[str], str]) -> Callable[[object], tuple[str, ...]]:
    """Return a reader of lists; a variable separates the items with commas."""

    def read_parts(value: object) -> tuple[str, ...]:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise ValueError("must be a list")  # noqa: TRY004 - a broken rule like any other
        words = [str(part).strip() for part in parts]
        return tuple(read(word) for word in words if word)

    return read_parts


def read_network(text: str) -> str:
    """Accept an address or a network of them."""
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise ValueError("must be addresses or networks, like 127.0.0.1, 10.0.0.0/8") from None


def read_origin(text: str) -> str:
    """Accept an origin: a site's scheme, host and port."""
    parts = urlsplit(parse_site_address(text))
    if parts.path not in {"", "/"}:
        raise ValueError("must be origins, like https://jara.example, without a path")
    return text.rstrip("/")


def read_operator(text: str) -> str:
    """Accept an operator's name for the audit log."""
    if not (len(text) <= _OPERATOR_LENGTH and text.isprintable()):
        raise ValueError(f"must be a name of at most {_OPERATOR_LENGTH} characters on one line")
    return text


def read_language(text: str) -> Language:
    """Accept a language that has texts."""
    try:
        return require_available(text)
    except NotFound:
        raise ValueError(f"must be one of {', '.join(known_languages())}") from None


def read_rate(text: str) -> Rate:
    """Read ``10/h``: a count per s, min, h or d."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise ValueError("must be a count per s, min, h or d, like 10/h")
    return Rate(count=int(match["count"]), seconds=_UNIT_SECONDS[match["unit"]])


@dataclass(frozen=True, slots=True)
class CardFee:
    """What a card payment is expected to cost.

    Settings write it ``2.9% + 0.30``. The books hold the actual fee of each payment.
    """

    basis_points: int
    fixed_cents: int

    def __str__(self) -> str:
        return f"{plain_decimal(self.basis_points)}% + {plain_decimal(self.fixed_cents)}"


_CARD_FEE_POINTS_MAX = 2000
_CARD_FEE_CENTS_MAX = 1000


def read_card_fee(text: str) -> CardFee:
    """Read ``2.9% + 0.30``: a share of the payment plus a fixed amount."""
    share, _, fixed = text.replace(" ", "").partition("%+")
    try:
        fee = CardFee(parse_cents(share), parse_cents(fixed))
    except InvalidAmount:
        raise ValueError("must be a share and an amount, like 2.9% + 0.30") from None
    if fee.basis_points > _CARD_FEE_POINTS_MAX or fee.fixed_cents > _CARD_FEE_CENTS_MAX:
        raise ValueError("must be at most 20% + 10.00")
    return fee


def read_positive_count(value: object) -> int:
    """Accept only digits: neither ``1e3`` nor ``1_000`` nor a decimal point."""
    number = int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value
    if type(number) is not int or number < 1:
        raise ValueError("must be a whole number from 1")
    return number
