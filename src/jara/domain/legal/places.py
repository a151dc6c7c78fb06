"""Places in the legal texts, such as ``{{ postal_address }}``, and what fills them.

`jara.services.legal.reading` fills them.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES


class Place(NamedTuple):
    """A place in a legal text."""

    what: str  # what fills it, in a sentence
    remedy: str = ""  # the command or the setting that gives its value; empty if it always has one
    part: IdentityPart | None = None
    """The value of the organisation that fills it; None for a value of the program."""
    is_agreed: bool = False  # whether a change of its value waits like a change of the text


ORGANISATION, EFFECTIVE = "organisation", "effective_date"

PLACES: Mapping[str, Place] = {
    ORGANISATION: Place("the legal name, or the name"),
    EFFECTIVE: Place(
        "the day from which it holds", "jara organisation set --effective today"
    ),
    **{
        value.place: Place(
            value.what,
            f"jara organisation set {value.option} {value.metavar}",
            part,
            value.is_agreed,
        )
        for part, value in OWN_VALUES.items()
        if value.place
    },
    "site_url": Place("the address of the site"),
    "payment_provider": Place("the company that takes card payments"),
    "minimum": Place("the smallest pledge"),
    "maximum": Place("the largest pledge"),
    "currency": Place("the currency"),
    "threshold": Place("the share of yes votes that passes a proposal"),
    "rule": Place("when a proposal passes: 50% or more of changemakers vote yes"),
    "absent": Place("the sentence about members who do not vote"),
    "notice_days": Place("how many days before it holds a change is announced"),
    "log_days": Place("for how many days logs are kept", "JARA_LOG_DAYS"),
    "backup_days": Place("for how many days backups are kept", "JARA_BACKUP_DAYS"),
}  # fmt: skip
"""Every place, by its name."""

OLD_MARK = re.compile(
    r"(?<!\{)\{(?:(?P<start>if|else if) (?P<names>[a-z_]+(?:, ?[a-z_]+)*)"
    r"|(?P<other>else|end)|(?P<place>[a-z_]+))\}(?!\})"
)
"""A mark of the form that texts had up to 0.2.0: ``{if province, refund_days}``."""


def new_form(text: str) -> str:
    """Return a text of 0.2.0 or before in the form of today; one of today stays as it is."""
    return OLD_MARK.sub(_new_mark, text)


def _new_mark(old: re.Match[str]) -> str:
    if old["start"]:
        names = " and ".join(name.strip() for name in old["names"].split(","))
        return f"{{% {'if' if old['start'] == 'if' else 'elif'} {names} %}}"
    if old["other"]:
        return "{% else %}" if old["other"] == "else" else "{% endif %}"
    return f"{{{{ {old['place']} }}}}"
