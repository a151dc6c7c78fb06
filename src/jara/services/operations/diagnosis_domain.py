"""What DNS says about the domain of the sender, and what to set there so that emails arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jara.services.operations.diagnosis_setup import CheckResult, fine, warning

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
    if not _are_related(name, domain.name):
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


def _are_related(one: str, other: str) -> bool:
    return f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")
