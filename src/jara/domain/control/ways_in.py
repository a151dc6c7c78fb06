"""The ways in: where payers send their money. Operators govern them like the limits.

The log has the hash of each value in force, so a value that nobody signed is not offered, and
anybody can compare what a page shows with the log.
"""

from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Any
from unicodedata import normalize

from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog import canonical

WAYS_ACTION = "ways.set"
WAY_VALUES = "values"
"""The field of a leaf with the hash of each value that it sets, by the name of the way."""
NO_VALUE = ""
"""Stands for the hash of a way that is not set up."""


class WayIn(StrEnum):
    """A way in, by its name in the log."""

    TRANSFER = "transfer"
    CASH = "cash"
    MOBILE = "mobile"
    CHEQUE = "cheque"
    ACCOUNT = "account"
    """The account at the payment provider."""
    DONATE = "donate"
    """The address that the website's donate link opens."""

    @property
    def phrase(self) -> str:
        """What it is, in a sentence."""
        if self is WayIn.ACCOUNT:
            return "the account at the payment provider"
        if self is WayIn.DONATE:
            return "the donate link of the website"
        return f"payment by {PaymentWay(self).phrase}"


def way_hash(way: WayIn, value: Mapping[str, Any] | None) -> str:
    """Return the hash of a value as the log has it; empty without a value."""
    if value is None:
        return NO_VALUE
    # A stored text may be older than the rule that texts are in NFC.
    plain = {
        name: normalize("NFC", part) if isinstance(part, str) else part
        for name, part in value.items()
    }
    document = {"value": plain, "way": way.value}
    return sha256(b"jara/v1/way_in\0" + canonical.encode(document)).hexdigest()
