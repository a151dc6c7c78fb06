"""The organisation's own name, address, contact, colour and logo.

Values set by the organisation are in the database. They override the settings of the
installation, which override the defaults of the software.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping

from jara.domain.errors import InvalidInput
from jara.domain.giving.member import parse_email
from jara.domain.organisation import (
    ADDRESS_MAX,
    LEGAL_NAME_MAX,
    NAME_MAX,
    Identity,
    Logo,
    Part,
    parse_colour,
    parse_words,
)
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

SETTING = "organisation.identity"
"""Key in `meta`: the values that the organisation set, as a document."""

_WORDS = frozenset({Part.NAME, Part.LEGAL_NAME, Part.ADDRESS})
_READ: Mapping[Part, Callable[[str], str]] = {
    Part.NAME: lambda text: parse_words(text, "name", NAME_MAX),
    Part.LEGAL_NAME: lambda text: parse_words(text, "legal name", LEGAL_NAME_MAX),
    Part.ADDRESS: lambda text: parse_words(text, "address", ADDRESS_MAX),
    Part.CONTACT: parse_email,
    Part.COLOUR: parse_colour,
    Part.LOGO: lambda text: Logo.parse(text).text(),
}


def read_identity(context: Context, work: UnitOfWork) -> Identity:
    """Return the organisation's identity."""
    own, rules = own_parts(work), context.rules
    return Identity(
        name=own.get(Part.NAME, rules.organisation),
        legal_name=own.get(Part.LEGAL_NAME, ""),
        address=own.get(Part.ADDRESS, " ".join(rules.postal_address.split())),
        contact=own.get(Part.CONTACT, rules.contact_email),
        colour=own.get(Part.COLOUR, ""),
        logo=Logo.parse(own[Part.LOGO]) if Part.LOGO in own else None,
        has_own_words=bool(_WORDS & own.keys()),
    )


def show_identity(context: Context) -> tuple[Identity, Collection[Part]]:
    """Return the organisation's identity, and which parts of it are set in the database."""
    with context.store.read() as work:
        return read_identity(context, work), own_parts(work).keys()


def identity_of(context: Context) -> Identity:
    """Return the organisation's identity, in a transaction of its own."""
    return show_identity(context)[0]


def set_identity(context: Context, changes: Mapping[Part, str]) -> Identity:
    """Set parts of the identity.

    Args:
        context: names the operator.
        changes: the new values; for the logo the text of a `Logo` that the site has.

    Raises:
        InvalidInput: a value breaks its rule, or none is given.
    """
    if not changes:
        raise InvalidInput("Say what to set, such as --name or --logo.")
    read = {part: _READ[part](text) for part, text in changes.items()}
    with context.store.write() as work:
        before = own_parts(work)
        return _keep(context, work, "organisation.set", before, {**before, **read})


def unset_identity(context: Context, parts: Collection[Part]) -> Identity:
    """Remove own parts of the identity; the defaults apply again.

    Raises:
        InvalidInput: none is named.
    """
    if not parts:
        raise InvalidInput(f"Say what to unset: {', '.join(Part)}.")
    with context.store.write() as work:
        before = own_parts(work)
        after = {part: text for part, text in before.items() if part not in parts}
        return _keep(context, work, "organisation.unset", before, after)


def own_parts(work: UnitOfWork) -> dict[Part, str]:
    """Return the parts that are set in the database."""
    document = json.loads(work.meta.get(SETTING) or "{}")
    return {Part(name): text for name, text in document.items()}


def _keep(
    context: Context,
    work: UnitOfWork,
    action: str,
    before: Mapping[Part, str],
    after: Mapping[Part, str],
) -> Identity:
    changed = {part for part in Part if before.get(part) != after.get(part)}
    work.meta.put(SETTING, json.dumps(after, ensure_ascii=False, sort_keys=True))
    record_act(
        context,
        work,
        action,
        "organisation",
        changed=changed,
        before={part: before.get(part, "") for part in sorted(changed)},
        facts={part: after.get(part, "") for part in sorted(changed)},
    )
    return read_identity(context, work)
