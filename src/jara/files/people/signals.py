"""Columns that say that somebody should not become a member, in several languages.

Their names are compared as `plain_name` writes them.
"""

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
        "emailsdisabled|emaildisabled|deliverydisabled|suppressed|spamcomplaint|blacklist|blocklist|desabonn|"
        "desinscri|nepascontacter|nepasenvoyer|nepassolliciter|abgemeldet|abbestell|keinemail|"
        "keinenewsletter|keinkontakt|nichtkontakt|fechadebaja|dadodebaja|dadadebaja|noenviar|cancelousubscri|descadastr"
    ),
    "is no longer a member": (
        "suspended|austritt|kundigung|resigned|resignation|dateleft|leftdate|leftat|^lefton|^left$|"
        "membershipend|cancelledat|cancelledon|canceledat|datededepart|datedesortie|demission"
    ),
    "is deleted": (
        "deleted|^archived|intrash|deactivated|anonymized|anonymised|geloscht|geloescht|supprime|"
        "eliminad|borrad|apagad"
    ),
}
_CONSENTS = {
    "has opted out": (
        "consent|optin|optedin|subscribedtoemails|^issubscribed|^subscribed|receivesnewsletter|"
        "receivesemail|einwilligung|zustimmung|consentement|consentimiento|acceptemail|"
        "emailerlaubt|permission"
    ),
    "is no longer a member": (
        "membershipenabled|^isactive|^active$|activemember|^aktiv$|^actif$|^activo$|^ativo$|"
        "ismember|currentmember"
    ),
}
"""Columns in which a no says so."""
_UNCLEAR = (
    "subscriptionstatus|emailstatus|marketingstatus|contacttype|contributortype|recordtype|"
    "accounttype|isorgani|iscompany|statutabonnement"
)
_STATE = re.compile(r"(?:membership|member|mitglieds?|abo)?(?:status|statut|state|etat|estado)")
_ENDED = re.compile(
    r"lapsed|expired|cancell?ed|ended|terminated|resigned|former(?: member)?|inactive|suspended|"
    r"left|quit|withdrawn|no longer(?: a)? member|abgelaufen|gekundigt|ausgetreten|austritt|"
    r"ehemalig(?:es mitglied)?|inaktiv|expiree?|resiliee?|partie?|"
    r"demissionnaire|ancien(?: membre)?|inacti[fv]e?|vencid[oa]|cancelad[oa]|inactiv[oa]|"
    r"ex-?miembro|expirad[oa]|inativ[oa]"
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
_ORGANISATIONS = ("organization", "organisation", "company", "firma", "entreprise", "empresa")
_NEVER = "link|url|token|phone|sms|trade"
"""Names with these mean something else."""
_NO_WORDS = "0 n no non nein nao nee false falsch faux falso none null off never - subscribed"
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
    return "?" if re.search(_UNCLEAR, column) or consent_of(column) else ""


def ends_membership(column: str, text: str) -> bool:
    """Return whether a cell of a column, by its plain name, says that a membership has ended."""
    return bool(_STATE.fullmatch(column) and _ENDED.fullmatch(plain_text(text)))


@cache
def consent_of(column: str) -> str:
    """Return what a no in a column means, by the column's plain name; empty if nothing."""
    if re.search(_NEVER, column) or any(re.search(words, column) for words in _SIGNALS.values()):
        return ""
    return next((reason for reason, words in _CONSENTS.items() if re.search(words, column)), "")


def says_no(text: str) -> bool:
    """Return whether a cell says no; an empty one says nothing."""
    plain = plain_text(text)
    return bool(plain) and plain in _NO


def says_yes(text: str) -> bool:
    """Return whether a cell says yes; a date does, and so does any other text."""
    plain = plain_text(text)
    return bool(plain) and plain not in _NO


def is_telling(text: str) -> bool:
    """Return whether a cell says that somebody should not become a member, in any column."""
    return len(text) <= _TELLING_MAX and _TELLING.fullmatch(plain_text(text)) is not None


def signalled(cells: Mapping[str, str]) -> str:
    """Return the first reason that the cells of a row give to leave it out, or an empty text."""
    for column, text in cells.items():
        reason = signal_of(column) if says_yes(text) else ""
        reason = (consent_of(column) if says_no(text) else "") or reason.strip("?")
        reason = reason or ("is no longer a member" if ends_membership(column, text) else "")
        if reason:
            return reason
    return _organisation(cells)


def is_read(column: str) -> bool:
    """Return whether `signalled` reads a column, by its plain name."""
    has_signal = signal_of(column).strip("?") or consent_of(column) or _STATE.fullmatch(column)
    return bool(has_signal) or column in _ORGANISATIONS


def _organisation(cells: Mapping[str, str]) -> str:
    """Return why a row is no person: it names an organisation, and nobody."""
    if any(cells.get(one, "").strip() for one in ("firstname", "lastname", "name", "fullname")):
        return ""
    organisation = next((cells[one] for one in _ORGANISATIONS if cells.get(one, "").strip()), "")
    return f"the organisation '{organisation.strip()}' is not a person" if organisation else ""
