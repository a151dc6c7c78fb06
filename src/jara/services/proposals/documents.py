"""Proposals as documents, for files and the API (spec §3)."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any

from jara.domain.content import translations
from jara.domain.content.fields import Document, fill
from jara.domain.content.kinds import PROPOSAL
from jara.domain.errors import InvalidInput
from jara.domain.language import Language
from jara.domain.money import parse_cents
from jara.records.voting import ProposalRecord

SHOWN_KEYS = frozenset(
    {
        "_id",
        "__v",
        "status",
        "votes",
        "upvotePercentage",
        "downvotePercentage",
        "tally",
        "userVote",
        "result",
        "withdrawal",
        "corrections",
        "project",
        "openedAt",
        "decidedAt",
        "keyDestroyedAt",
    }
)
"""Further keys of exported documents; ignored on import."""

_DAYS_MAX = 3650


def settle(document: Mapping[str, Any], today: date) -> Document:
    """Return what a file says of a proposal, by the keys of its kind.

    A file may have amounts in units (``fundingGoal``, and ``amount`` in the budget) and the end
    in days from today (``endsInDays``). Empty values count as missing.

    Raises:
        InvalidInput: an amount or a number of days is none.
    """
    given = {key: value for key, value in document.items() if key not in SHOWN_KEYS}
    days = given.pop("endsInDays", None)
    if days is not None and not given.get("endDate"):
        if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= _DAYS_MAX:
            raise InvalidInput(f"'endsInDays' is {days!r}; it must be from 0 to {_DAYS_MAX} days.")
        given["endDate"] = (today + timedelta(days=days)).isoformat()
    for key in ("budgetList", "submitters"):
        if isinstance(given.get(key), list):
            given[key] = [
                _settle_amount(one, "amount") if isinstance(one, Mapping) else one
                for one in given[key]
            ]
    return _settle_amount(given, "fundingGoal")


def _settle_amount(item: Mapping[str, Any], key: str) -> Document:
    """Return an item without empty texts, and with an amount in cents."""
    given = {name: None if value == "" else value for name, value in item.items()}
    units = given.pop(key, None)
    if units is not None and given.get(f"{key}Cents") is None:
        if isinstance(units, bool) or not isinstance(units, int | str):
            raise InvalidInput(f"'{key}' is {units!r}; it must be an amount such as 3,600.")
        given[f"{key}Cents"] = parse_cents(str(units))
    return given


def read_texts(
    document: Mapping[str, Any],
    languages: Collection[Language],
    *,
    before: ProposalRecord | None = None,
    checked: Collection[Language] = (),
) -> tuple[Document, Document]:
    """Return the text of a proposal, and its language with its translations.

    The document has the keys of its kind, in its own language and in others of the site. `before`
    is the proposal before the change, None for a new one; texts in the languages of `checked` fit
    the originals of now.

    Raises:
        InvalidInput: a value breaks a rule; the message names the key.
    """
    stored = {} if before is None else whole_document(before)
    made = PROPOSAL.complete(document, languages, {str(stored.get("id")): stored})
    text = fill(PROPOSAL.fields, made)
    noted = translations.note_originals(PROPOSAL.fields, {**made, **text}, stored, checked=checked)
    return text, {key: value for key, value in noted.items() if key not in text}


def whole_document(record: ProposalRecord) -> Document:
    """Return the text of a proposal with its translations, as the store holds them."""
    return {**record.proposal.text, **record.languages}


def export_proposal(record: ProposalRecord) -> Document:
    """Return a proposal as a document that can be imported again."""
    text = record.proposal.text
    names = {key: text[key] for key in ("id", "slug", "title")}
    return {
        **names,
        "status": record.proposal.status.value,
        **text,
        **translations.languages_in(PROPOSAL.fields, record.languages),
    }


def proposal_in(record: ProposalRecord, language: Language) -> Document:
    """Return a proposal as a reader of a language sees it; the vote is on the original."""
    return translations.in_language(
        PROPOSAL.fields, {**export_proposal(record), **record.languages}, language
    )


def is_outdated(record: ProposalRecord) -> bool:
    """Return whether a text of a draft changed after it was translated."""
    return bool(translations.outdated_texts(PROPOSAL.fields, whole_document(record)))
