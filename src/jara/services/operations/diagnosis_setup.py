"""The doctor's results, and its checks of settings, disk, network and the sender's domain."""

import re
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
from jara.services.organisation import identity_of, own_values, payment_mode


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
            f"{name} is not a setting any more. Set it with `jara organisation set --{option} "
            f"VALUE`; then remove {name}.",
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
    """Check that real money moves; settings of another mode are told by their own check."""
    if is_sandbox(context):
        if payment_mode(context.store) is not context.payment_mode:
            return
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
    bad = f"links begin with {url}, not https:// (--site-url of `jara organisation set`)."
    if url.startswith("https://") or (is_sandbox(context) and not environment.is_open):
        yield fine("site", f"Links in emails begin with {url}.")
    elif not is_sandbox(context):
        yield error("site", f"Payments are live, but {bad}")
    else:
        yield warning("site", f"Others reach it, but {bad}")


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
    check_site,
    check_proxies,
)


Answers = tuple[str, ...] | None
"""The records of a name; none if there are none, None if DNS could not be asked."""

_REVOKED = re.compile(r"(?:^|;)\s*p\s*=\s*(?:;|$)", re.IGNORECASE)
_KEY = re.compile(r"(?:^|;)\s*p\s*=", re.IGNORECASE)
_POLICY = re.compile(r";\s*p\s*=\s*(none|quarantine|reject)\b", re.IGNORECASE)
_NULL_MX = "0 ."


class SenderDomain(NamedTuple):
    """The domain of the sender's address, and what DNS says about it."""

    name: str  # the domain of ``JARA_MAIL_FROM``
    bounce_name: str  # that of ``JARA_BOUNCE_ADDRESS``, which mail servers check by SPF
    selector: str  # of the DKIM key, ``JARA_DKIM_SELECTOR``; empty if it is not set
    spf: Answers  # the SPF records of ``bounce_name``
    dkim: Answers  # the keys of the selector
    dmarc: Answers  # the DMARC records of the domain or the nearest one above it
    mail_servers: dict[str, Answers]  # the mail servers (MX) of each domain that must get email


def check_sender_domain(domain: SenderDomain) -> list[CheckResult]:
    """Return in one sentence each what to set for SPF, DKIM, DMARC and MX."""
    return [
        _check_spf(domain),
        _check_dkim(domain),
        _check_dmarc(domain),
        *_check_mail_servers(domain),
    ]


def _check_spf(domain: SenderDomain) -> CheckResult:
    name, records = domain.bounce_name, domain.spf
    if records is None:
        return _unasked("spf", name)
    if not records:
        return warning(
            "spf",
            f'{name} has no SPF record: add the TXT record "v=spf1 mx -all" there, or the one that '
            "your mail provider names.",
        )
    if len(records) > 1:
        return warning("spf", f"{name} has {len(records)} SPF records, so none counts: join them.")
    if re.search(r"\s\+?all\b", records[0]):
        return warning(
            "spf", f'The SPF record of {name} lets every server send: end it with "-all".'
        )
    if not (f".{name}".endswith(f".{domain.name}") or f".{domain.name}".endswith(f".{name}")):
        return warning(
            "spf",
            f"JARA_BOUNCE_ADDRESS is at {name}, so SPF proves nothing of {domain.name}: "
            f"use an address at {domain.name}.",
        )
    return fine("spf", f"The SPF record of {name} names the servers that send.")


def _check_dkim(domain: SenderDomain) -> CheckResult:
    if not domain.selector:
        return warning(
            "dkim",
            "Which key signs your emails is not known: set JARA_DKIM_SELECTOR to the selector that "
            "your mail server or provider uses.",
        )
    place = f"{domain.selector}._domainkey.{domain.name}"
    keys = domain.dkim
    if keys is None:
        return _unasked("dkim", place)
    if not any(map(_KEY.search, keys)):
        return warning(
            "dkim",
            f'{place} has no DKIM key: add the TXT record "v=DKIM1; k=rsa; p=..." with the public '
            "key of your mail server or provider.",
        )
    if any(map(_REVOKED.search, keys)):
        return warning("dkim", f"The DKIM key at {place} is withdrawn (p= is empty): add a key.")
    return fine("dkim", f"There is a DKIM key at {place}.")


def _check_dmarc(domain: SenderDomain) -> CheckResult:
    place = f"_dmarc.{domain.name}"
    records = domain.dmarc
    if records is None:
        return _unasked("dmarc", place)
    example = f'"v=DMARC1; p=none; rua=mailto:postmaster@{domain.name}"'
    if not records:
        return warning(
            "dmarc", f"There is no DMARC record: add the TXT record {example} at {place}."
        )
    policy = _POLICY.search(records[0])
    if len(records) > 1 or policy is None:
        return warning(
            "dmarc",
            f"The DMARC record of {domain.name} cannot be read: it must be one, as {example}.",
        )
    if policy[1].lower() == "none":
        return fine(
            "dmarc", "The DMARC record only asks for reports; p=quarantine also stops forgeries."
        )
    return fine("dmarc", f"The DMARC record says p={policy[1].lower()}.")


def _check_mail_servers(domain: SenderDomain) -> Iterator[CheckResult]:
    for name, servers in domain.mail_servers.items():
        if servers is None:
            yield _unasked("mx", name)
        elif not servers or servers == (_NULL_MX,):
            yield warning(
                "mx",
                f"{name} takes no email, so answers and delivery reports are lost: "
                f'add an MX record such as "10 mail.{name}".',
            )
        else:
            yield fine("mx", f"{name} takes email at {servers[0].split()[-1]}")


def _unasked(check: str, name: str) -> CheckResult:
    return warning(check, f"DNS could not be asked about {name}; try again with a network.")
