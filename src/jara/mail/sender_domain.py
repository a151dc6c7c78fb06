"""Asks DNS about the domain of the sender: SPF, DKIM, DMARC and mail servers."""

from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from jara.services.operations.diagnosis_setup import Answers, SenderDomain

SECONDS = 3.0
"""For each question; all are asked at the same time."""


def is_public_name(name: str) -> bool:
    """Return whether a host name can have records; an address or ``localhost`` cannot."""
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." in name
    return False


def ask_about(name: str, bounce_name: str, selector: str, *, server: str = "") -> SenderDomain:
    """Ask DNS about a domain.

    Args:
        name: the domain of the sender's address.
        bounce_name: the domain of the address for delivery reports.
        selector: of the DKIM key; empty for none.
        server: the DNS server, ``host:port``; empty for those of the system.
    """
    labels = name.split(".")
    above = [".".join(labels[place:]) for place in range(max(len(labels) - 1, 1))]
    with ThreadPoolExecutor() as pool:
        spf = pool.submit(_ask, bounce_name, "TXT", server)
        dkim = pool.submit(_ask, f"{selector}._domainkey.{name}", "TXT", server)
        dmarc = [pool.submit(_ask, f"_dmarc.{one}", "TXT", server) for one in above]
        mail = {
            one: pool.submit(_ask, one, "MX", server) for one in dict.fromkeys((name, bounce_name))
        }
    found = [_beginning("v=dmarc1", one.result()) for one in dmarc]
    return SenderDomain(
        name=name,
        bounce_name=bounce_name,
        selector=selector,
        spf=_beginning("v=spf1", spf.result()),
        dkim=dkim.result() if selector else (),
        dmarc=next((records for records in found if records != ()), ()),
        mail_servers={one: future.result() for one, future in mail.items()},
    )


def _ask(name: str, kind: str, server: str) -> Answers:
    try:
        resolver = Resolver(configure=not server)
        if server:
            host, _, port = server.rpartition(":")
            resolver.nameservers, resolver.port = [host.strip("[]")], int(port)
        answer = resolver.resolve(name, kind, lifetime=SECONDS, search=False)
        if kind == "TXT":
            return tuple(b"".join(one.strings).decode("utf-8", "replace") for one in answer)
        return tuple(sorted(f"{one.preference} {one.exchange}" for one in answer))
    except (NXDOMAIN, NoAnswer):
        return ()
    except (DNSException, OSError):
        return None


def _beginning(word: str, records: Answers) -> Answers:
    if records is None:
        return None
    return tuple(one for one in records if one.lower().split(";")[0].split()[:1] == [word])
