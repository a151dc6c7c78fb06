"""Emails as they are sent: the outbox holds their links encrypted, or not at all."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from jara.records.operations import Email
from jara.services.context import Context
from jara.services.notices.links import complete_links


def newest_email(context: Context, kind: str, address: str | None = None) -> Email:
    """Return the newest email of a kind, optionally to one address, with its links."""
    with context.store.read() as work:
        emails = work.outbox.all()
    email = next(one for one in emails if one.kind == kind and address in {None, one.address})
    return complete_links(context, email)


def values_of(context: Context, email: Email) -> Mapping[str, Any]:
    """Return the values of an email, with its links."""
    return complete_links(context, email).doc


def code_in(link: object) -> str:
    """Return the code in a link."""
    return parse_qs(urlsplit(str(link)).query)["code"][0]


def mailed_code(context: Context, kind: str, address: str | None = None) -> str:
    """Return the code in the newest email of a kind, optionally to one address."""
    return code_in(newest_email(context, kind, address).doc["link"])
