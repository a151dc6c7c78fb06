"""The doctor's results, and its checks of the settings, the disk and the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from jara.domain.own_values import OWN_VALUES
from jara.domain.progress import Progress
from jara.services.books.verification import Reopen
from jara.services.context import Context
from jara.services.operations.stored_files import compare_files, describe_faults, describe_files
from jara.services.organisation import identity_of, own_values


class Level(StrEnum):
    """The severity of a result."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class CheckResult(NamedTuple):
    """The result of one check."""

    name: str
    level: Level
    message: str

    @property
    def ok(self) -> bool:
        """Whether it is not an error."""
        return self.level is not Level.ERROR


class Environment(NamedTuple):
    """Facts about the installation that the entry point collects."""

    unknown_variables: tuple[str, ...] = ()  # JARA_ variables that are not settings
    free_bytes: int | None = 0  # free space on the database's disk; None for a database server
    has_pdf: bool = False  # whether the extra for PDF reports is installed
    sends_mail: bool = False  # whether a mail server is set; else emails become files
    decided_settings: Mapping[str, str] = MappingProxyType({})
    """Language and site's address as the settings say them, by the option of `jara organisation
    set`."""
    retired_settings: Mapping[str, str] = MappingProxyType({})
    """Variables that were settings up to 0.2.0, and the option of `organisation set` for each."""
    trusted_proxies: tuple[str, ...] = ()  # networks trusted to report a client's address
    is_open: bool = False  # whether others than this machine can reach the site
    media_problem: str = ""  # why photos and documents cannot be stored; empty when they can
    media_folder: Path | None = None  # where they are; None if that is not looked at
    exposed_settings: str = ""  # a world-readable file with keys, if any
    progress: Progress | None = None  # called with the rows that the check of the books reads
    reopen: Reopen | None = None  # lets other processes check large books too


Check = Callable[[Context, Environment], Iterable[CheckResult]]


def fine(name: str, message: str) -> CheckResult:
    """Return the result of a check without findings."""
    return CheckResult(name, Level.OK, message)


def warning(name: str, message: str) -> CheckResult:
    """Return a warning."""
    return CheckResult(name, Level.WARNING, message)


def error(name: str, message: str) -> CheckResult:
    """Return an error, which needs immediate action."""
    return CheckResult(name, Level.ERROR, message)


FREE_BYTES_MIN = 200_000_000
FREE_BYTES_LOW = 1_000_000_000
PREFIX_PUBLIC_MIN = {4: 16, 6: 48}
"""The shortest prefix of a trusted public network; a larger network includes strangers."""
PREFIX_MIN = 8
"""The shortest prefix of any trusted network: that of 10.0.0.0/8."""


def is_sandbox(context: Context) -> bool:
    """Return whether payments are the sandbox's."""
    return context.gateway.name == "sandbox"


def _check_settings(_context: Context, environment: Environment) -> Iterator[CheckResult]:
    for name in environment.unknown_variables:
        yield warning("settings", f"The variable {name} is not a setting of Jara; is it misspelt?")
    for name, option in environment.retired_settings.items():
        yield warning(
            "settings",
            f"{name} is not a setting any more. `jara migrate` takes its value into the database, "
            f"or set it with `jara organisation set --{option} VALUE`; then remove {name}.",
        )
    if environment.exposed_settings:
        yield error(
            "settings",
            f"{environment.exposed_settings} holds keys and everybody can read it: chmod 640 it.",
        )
    elif not (environment.unknown_variables or environment.retired_settings):
        yield fine("settings", "Every variable that begins with JARA_ is a setting.")


def _check_disk(_context: Context, environment: Environment) -> Iterator[CheckResult]:
    free = environment.free_bytes
    if free is None:
        return
    message = f"{free / 1e9:.1f} GB are free on the database's disk."
    if free < FREE_BYTES_MIN:
        yield error("disk", message)
    else:
        yield warning("disk", message) if free < FREE_BYTES_LOW else fine("disk", message)


def _check_media(_context: Context, environment: Environment) -> Iterator[CheckResult]:
    if environment.media_problem:
        yield error("media", environment.media_problem)
    else:
        yield fine("media", "Photos and documents can be stored.")


def check_decided(context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check that the database has what the settings say and the organisation decides."""
    with context.store.read() as work:
        values = own_values(work)
    own = {OWN_VALUES[part].name: text for part, text in values.items()}
    for option, text in environment.decided_settings.items():
        if own.get(option) != text:
            variable = f"JARA_{option.upper().replace('-', '_')}"
            yield warning(
                "settings",
                f"{variable} is {text}, and the database, which a restore brings back, has "
                f"{own.get(option, 'none')}: jara organisation set --{option} {text}, or remove "
                f"{variable}.",
            )


def check_files(context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check that each file that the database refers to is in the media folder."""
    if environment.media_folder is None:
        return
    kinds = compare_files(context, environment.media_folder)
    for fault in describe_faults(kinds, environment.media_folder):
        yield error("files", fault)
    if not any(one.bad for one in kinds):
        yield fine("files", f"The database refers to {describe_files(kinds)}; all are there.")


def _check_pdf(_context: Context, environment: Environment) -> Iterator[CheckResult]:
    if environment.has_pdf:
        yield fine("pdf", "Reports can be written as PDF.")
    else:
        yield fine("pdf", "Reports as PDF need the extra 'pdf': pip install 'jara[pdf]'.")


def check_payments(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that real money moves."""
    if is_sandbox(context):
        yield warning(
            "payments",
            "Payments use the sandbox: no real money moves, and this organisation never becomes a "
            "real one.",
        )
    elif context.takes_cards:
        yield fine("payments", f"Payments go through {context.gateway.name}.")
    else:
        yield fine("payments", "This organisation takes no cards.")


def check_site(context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check that an open site, and one with live payments, has TLS."""
    url = context.rules.site_url
    if url.startswith("https://"):
        yield fine("site", f"Links in emails begin with {url}.")
    elif not is_sandbox(context):
        yield error("site", f"Payments are live, but JARA_SITE_URL is {url}; it must be https://.")
    elif environment.is_open:
        yield warning("site", f"Others reach it, but JARA_SITE_URL is {url}; it must be https://.")
    else:
        yield fine("site", f"Links in emails begin with {url}.")


def check_proxies(_context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check that an open site knows its proxy, and believes nobody else."""
    wide = [network for network in environment.trusted_proxies if _is_wide(network)]
    for network in wide:
        yield error(
            "proxies",
            f"JARA_TRUSTED_PROXIES trusts {network}: clients there can fake the "
            "address that limits count; name the proxy alone.",
        )
    if environment.is_open and not environment.trusted_proxies:
        yield warning(
            "proxies",
            "No proxy is trusted, so all visitors share one rate limit: set JARA_TRUSTED_PROXIES "
            "to the proxy's address.",
        )
    elif not wide:
        yield fine("proxies", f"Trusted proxies: {len(environment.trusted_proxies)}.")


def _is_wide(text: str) -> bool:
    network = ip_network(text)
    if network.prefixlen < PREFIX_MIN:
        return True
    return not network.is_private and network.prefixlen < PREFIX_PUBLIC_MIN[network.version]


def check_mail(context: Context, environment: Environment) -> Iterator[CheckResult]:
    """Check that emails are sent, with a postal address."""
    if not environment.sends_mail and is_sandbox(context):
        yield warning("mail", "No mail server is set: emails are written as files.")
    elif not environment.sends_mail:
        yield error("mail", "Payments are live, but JARA_SMTP_URL is not set: no emails are sent.")
    elif not identity_of(context).address:
        yield error(
            "mail",
            "No postal address is set (`jara organisation set --address TEXT`); "
            "every email has one.",
        )
    else:
        yield fine("mail", "A mail server and a postal address are set.")


SETUP_CHECKS: tuple[Check, ...] = (
    _check_settings,
    _check_disk,
    _check_media,
    _check_pdf,
    check_payments,
    check_site,
    check_proxies,
)
