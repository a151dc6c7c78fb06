"""The rules of single settings: each reads a text or says in a few words what it must be.

The sentence around those words (variable, source, value) is made by ``loading``.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr

_OPERATOR_LENGTH = 100
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)
_RATE = re.compile(r"(?P<count>[1-9][0-9]{0,8})/(?P<unit>s|min|h|d)", re.ASCII)
_UNIT_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
_SECRET_KEYS = frozenset({"password", "sslpassword"})
_MAIL_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_NAMED_ADDRESS = re.compile(rf"(?:[^<>\r\n]*<{_MAIL_ADDRESS.pattern}>|{_MAIL_ADDRESS.pattern})")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many times within so many seconds, written ``10/h``."""

    count: int
    seconds: int

    def __str__(self) -> str:
        unit = next(unit for unit, seconds in _UNIT_SECONDS.items() if seconds == self.seconds)
        return f"{self.count}/{unit}"


def _read_database_url(text: str) -> str:
    """Accept a path, ``sqlite:///path`` or ``postgresql://…``; make a path absolute."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        path = text
    elif scheme == "sqlite" and rest.startswith("/"):
        path = rest[1:]
    elif scheme in {"postgresql", "postgres"}:
        # The address may hold a password, so it is not repeated.
        if not rest.partition("?")[0].partition("/")[2]:
            raise ValueError("must name a database, like postgresql://user@host/jara")
        try:
            without_password(text)
        except ValueError:
            raise ValueError("is no address of a database") from None
        return f"postgresql://{rest}"
    else:
        raise ValueError("must be a path, sqlite:///path or postgresql://user@host/name")
    if path in {"", ":memory:"}:
        raise ValueError("must name a file, like sqlite:///jara.db")
    return f"sqlite:///{Path(path).absolute()}"


def without_password(url: str) -> str:
    """Return the address of a database as it may be shown."""
    parts = urlsplit(url)
    user, at, place = parts.netloc.rpartition("@")
    query = "&".join(
        pair for pair in parts.query.split("&") if pair.partition("=")[0] not in _SECRET_KEYS
    )
    netloc = f"{user.partition(':')[0]}{at}{place}"
    # Not urlunsplit: it drops the empty host of a socket's address.
    return f"{parts.scheme}://{netloc}{parts.path}{'?' if query else ''}{query}"


def _read_path(value: object) -> object:
    return Path(value).absolute() if isinstance(value, str | Path) else value


def _check_web_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or re.search(r"\s", text):
        raise ValueError("must be an address that begins with https:// or http://")
    return text


def _check_site_url(text: str) -> str:
    parts = urlsplit(_check_web_url(text))
    if parts.query or parts.fragment or parts.username:
        raise ValueError("must be the site's address alone, without ?, # and user name")
    return text.rstrip("/")


def _check_smtp_url(secret: SecretStr) -> SecretStr:
    parts = urlsplit(secret.get_secret_value())
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ValueError("must look like smtp://user:password@host:587 or smtps://host:465")
    return secret


def _check_address(text: str) -> str:
    if not _MAIL_ADDRESS.fullmatch(text):
        raise ValueError("must be a mail address")
    return text


def _check_sender(text: str) -> str:
    if not _NAMED_ADDRESS.fullmatch(text):
        raise ValueError("must be a mail address, or a name and <address>")
    return text


def _split_list(value: object) -> object:
    """Let a variable hold a list, separated by commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(value) if isinstance(value, list) else value


def _check_network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise ValueError("must be addresses or networks, like 127.0.0.1, 10.0.0.0/8") from None


def _check_origin(text: str) -> str:
    parts = urlsplit(_check_site_url(text))
    if parts.path not in {"", "/"}:
        raise ValueError("must be origins, like https://jara.example, without a path")
    return text.rstrip("/")


def _check_operator(text: str) -> str:
    if not (len(text) <= _OPERATOR_LENGTH and text.isprintable()):
        raise ValueError(f"must be a name of at most {_OPERATOR_LENGTH} characters on one line")
    return text


def parse_rate(text: str) -> Rate:
    """Read ``10/h``: a count per s, min, h or d."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise ValueError("must be a count per s, min, h or d, like 10/h")
    return Rate(count=int(match["count"]), seconds=_UNIT_SECONDS[match["unit"]])


def _read_rate(value: object) -> object:
    return parse_rate(value) if isinstance(value, str) else value


def _read_positive_count(value: object) -> object:
    """Take digits alone: neither ``1e3`` nor ``1_000`` nor a decimal point."""
    number = int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value
    if type(number) is not int or number < 1:
        raise ValueError("must be a whole number from 1")
    return number


DatabaseUrl = Annotated[str, AfterValidator(_read_database_url)]
Folder = Annotated[Path, BeforeValidator(_read_path)]
WebUrl = Annotated[str, AfterValidator(_check_web_url)]
SiteUrl = Annotated[str, AfterValidator(_check_site_url)]
SmtpUrl = Annotated[SecretStr, AfterValidator(_check_smtp_url)]
MailAddress = Annotated[str, AfterValidator(_check_address)]
Sender = Annotated[str, AfterValidator(_check_sender)]
Networks = Annotated[
    tuple[Annotated[str, AfterValidator(_check_network)], ...], BeforeValidator(_split_list)
]
Origins = Annotated[
    tuple[Annotated[str, AfterValidator(_check_origin)], ...], BeforeValidator(_split_list)
]
OperatorName = Annotated[str, AfterValidator(_check_operator)]
RateText = Annotated[Rate, BeforeValidator(_read_rate)]
PositiveCount = Annotated[int, BeforeValidator(_read_positive_count)]
