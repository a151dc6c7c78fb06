"""Columns that say that somebody should not become a member, in several languages.

Their names are compared as `plain_name` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from jara.domain.lookup import plain_text

_SIGNALS = {
    "has died": (
        "deceas|isdead|died|dateofdeath|decede|datededeces|verstorben|gestorben|todesdatum|"
        "fallecid|fallecimiento|difunt|falecid"
    ),
    "the address bounced": (
        "bounc|onhold|undeliverable|unzustellbar|rebot|devuelt|nonremis|invalidemail|emailinvalid"
    ),
    "has opted out": (
        "optout|optedout|unsub|donotemail|donotcontact|nobulkemail|noemail|nocontact|nomailing|"
        "emailsdisabled|deliverydisabled|suppressed|spamcomplaint|blacklist|blocklist|desabonn|"
        "desinscri|nepascontacter|nepasenvoyer|nepassolliciter|abgemeldet|abbestell|keinemail|"
        "keinenewsletter|keinkontakt|nichtkontakt|fechadebaja|dadodebaja|dadadebaja|noenviar|cancelousubscri|descadastr"
    ),
    "is deleted": (
        "deleted|^archived|intrash|deactivated|anonymized|anonymised|geloscht|geloescht|supprime|"
        "eliminad|borrad|apagad"
    ),
}
_UNCLEAR = (
    "subscriptionstatus|emailstatus|marketingstatus|subscribedtoemails|^issubscribed|^subscribed|"
    "optin|receivesnewsletter|receivesemail|contacttype|contributortype|recordtype|accounttype|"
    "isorgani|iscompany|statutabonnement"
)
_TELLING = re.compile(
    r"deceased|dead|died|decedee?|verstorben|gestorben|fallecid[oa]|falecid[oa]|"
    r"bounced|cleaned|undeliverable|unsubscribed|opted[ -]?out|do not (?:e?-?mail|contact)|"
    r"desabonnee?|desinscrite?|abgemeldet|deleted|archived|geloscht|"
    r"organi[sz]ation|company|household|business|foundation|organisme|entreprise|"
    r"firma|unternehmen|haushalt|empresa|organizacion"
)
"""The whole text of a cell that says so, whatever its column is called."""
_TELLING_MAX = 20
_NEVER = "link|url|token|phone|sms|trade"
"""Names with these mean something else."""
_NO_WORDS = "0 n no non nein nao false falsch faux falso none null off never - subscribed"
_NO = frozenset(_NO_WORDS.split())


@cache
def signal_of(column: str) -> str:
    """Return what a yes in a column means, by the column's plain name; empty if nothing.

    ``"?"`` stands for columns whose values say more than yes and no.
    """
    if re.search(_NEVER, column):
        return ""
    for reason, words in _SIGNALS.items():
        if re.search(words, column):
            return reason
    return "?" if re.search(_UNCLEAR, column) else ""


def says_yes(text: str) -> bool:
    """Return whether a cell says yes; a date does, and so does any other text."""
    plain = plain_text(text)
    return bool(plain) and plain not in _NO


def is_telling(text: str) -> bool:
    """Return whether a cell says that somebody should not become a member, in any column."""
    return len(text) <= _TELLING_MAX and _TELLING.fullmatch(plain_text(text)) is not None


def signalled(cells: Mapping[str, str]) -> str:
    """Return the first reason that the cells of a row give to leave it out, or an empty text."""
    reasons = (signal_of(column) for column, text in cells.items() if says_yes(text))
    return next((reason for reason in reasons if reason not in {"", "?"}), "")
