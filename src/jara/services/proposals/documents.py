"""Proposals as documents, for files and the API (spec §3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta
from typing import Any

from jara.domain.content.fields import Field, Form, normalise
from jara.domain.content.schema import MEASURE, measure_document, measures_of
from jara.domain.content.translations import (
    check_languages,
    in_language,
    languages_in,
    note_originals,
    outdated_texts,
    split_languages,
)
from jara.domain.content.values import Category, slugify
from jara.domain.errors import InvalidInput
from jara.domain.language import Language
from jara.domain.money import parse_cents
from jara.domain.voting.proposal import BudgetLine, Proposal, Submitter, parse_end
from jara.records.voting import ProposalRecord

Document = Mapping[str, Any]

KEYS = frozenset(
    {
        "id",
        "slug",
        "title",
        "summary",
        "fundingGoal",
        "fundingGoalCents",
        "country",
        "countryCode",
        "category",
        "endDate",
        "endsInDays",
        "storySections",
        "implementation",
        "budgetList",
        "metrics",
        "measures",
        "submitters",
        "sample",
    }
)
"""The keys that an operator may set."""

NEEDED_KEYS = (
    ("title",),
    ("summary",),
    ("fundingGoal", "fundingGoalCents"),
    ("country",),
    ("category",),
    ("endDate", "endsInDays"),
)
"""The keys that a draft needs, one of each."""

TEXTS = (
    Field("title", Form.LINE),
    Field("summary"),
    Field("storySections", Form.HTML),
    Field("implementation", Form.HTML),
    Field("budgetList", Form.ITEMS, fields=(Field("description", Form.LINE),)),
    Field("metrics", Form.TEXTS),
    Field("measures", Form.ITEMS, fields=MEASURE),
)
"""The fields that may be translated."""

PROPOSAL_HTML_KEYS = frozenset(field.name for field in TEXTS if field.form is Form.HTML)
"""The keys with HTML."""

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
        "project",
        "openedAt",
        "decidedAt",
    }
)
"""Further keys of exported documents; ignored on import."""

_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", re.ASCII)
_DAYS_MAX = 3650
_MEASURE = "measure of a proposal"


def read_proposal(
    document: Document, *, proposal_id: str, today: date, languages: Collection[Language]
) -> Proposal:
    """Parse a draft; the error names the first invalid key.

    `check_texts` checks lengths and links, `read_languages` its translations.

    Args:
        document: the keys of spec §3, amounts in units or in cents.
        proposal_id: used if the document has no id.
        today: the day from which ``endsInDays`` counts.
        languages: the languages of the site.

    Raises:
        InvalidInput: a key is missing, unknown, or its value breaks a rule.
    """
    document, _ = split_languages(KEYS, document, languages)
    unknown = sorted(set(document) - KEYS - SHOWN_KEYS)
    if unknown:
        raise InvalidInput(f"A proposal has no key '{unknown[0]}'.")
    _require_keys(document)
    title = _text(document, "title")
    own_id = _text(document, "id") or proposal_id
    if _ID.fullmatch(own_id) is None:
        raise InvalidInput(f"'{own_id[:40]}' is not an id; use letters, digits, hyphens and dots.")
    ends_text = _ends_text(document, today)
    return Proposal(
        id=own_id,
        slug=_text(document, "slug") or slugify(title),
        title=title,
        summary=_text(document, "summary"),
        goal_cents=_money(document, "fundingGoal"),
        country=_text(document, "country"),
        country_code=_text(document, "countryCode"),
        category=_category(_text(document, "category")),
        ends_text=ends_text,
        ends_at=parse_end(ends_text),
        story_html=_text(document, "storySections"),
        implementation_html=_text(document, "implementation"),
        budget=tuple(_items(document, "budgetList", _budget_line)),
        metrics=_metrics(document),
        measures=measures_of(
            {
                "measures": _items(
                    document, "measures", lambda item: normalise(_MEASURE, MEASURE, item)
                )
            }
        ),
        submitters=tuple(_items(document, "submitters", _submitter)),
        sample=document.get("sample") is True,
    )


def export_proposal(record: ProposalRecord) -> dict[str, Any]:
    """Return a proposal as a document that can be imported again."""
    proposal = record.proposal
    document: dict[str, Any] = {
        "id": proposal.id,
        "slug": proposal.slug,
        "title": proposal.title,
        "status": proposal.status.value,
        "endDate": proposal.ends_text,
        "category": proposal.category.value,
        "country": proposal.country,
        "countryCode": proposal.country_code,
        "fundingGoalCents": proposal.goal_cents,
        "summary": proposal.summary,
        "submitters": [
            {"name": one.name, "linkedinUrl": one.linkedin_url, "image": one.image or None}
            for one in proposal.submitters
        ],
        "storySections": proposal.story_html,
        "implementation": proposal.implementation_html,
        "budgetList": [
            {"description": line.description, "amountCents": line.amount_cents}
            for line in proposal.budget
        ],
        "metrics": proposal.metrics[0] if len(proposal.metrics) == 1 else list(proposal.metrics),
        "measures": [measure_document(measure) for measure in proposal.measures],
    }
    if proposal.sample:
        document["sample"] = True
    return {**document, **languages_in(TEXTS, record.languages)}


def proposal_in(record: ProposalRecord, language: Language) -> dict[str, Any]:
    """Return a proposal as a reader of a language sees it; the vote is on the original."""
    return in_language(TEXTS, {**export_proposal(record), **record.languages}, language)


def is_outdated(record: ProposalRecord) -> bool:
    """Return whether a text of a draft changed after it was translated."""
    return bool(outdated_texts(TEXTS, {**export_proposal(record), **record.languages}))


def read_languages(
    document: Document,
    record: ProposalRecord,
    *,
    before: ProposalRecord | None,
    languages: Collection[Language],
    checked: Collection[Language] = (),
) -> Document:
    """Return the language and the translations in a proposal's document.

    Args:
        document: the document, in its own language and others.
        record: the proposal that was read from it.
        before: the proposal before the change; None for a new one.
        languages: the languages of the site.
        checked: languages whose texts fit the originals of now.

    Raises:
        InvalidInput: the site does not have a language, or a translation breaks a rule.
    """
    _, beside = split_languages(KEYS, document, languages)
    stored = {} if before is None else {**export_proposal(before), **before.languages}
    what = f"proposal '{record.proposal.slug}'"
    plain = export_proposal(record._replace(languages={}))
    given = check_languages(what, TEXTS, plain, beside, languages=languages, before=stored)
    whole = note_originals(TEXTS, {**plain, **given}, stored, checked=checked)
    return {key: value for key, value in whole.items() if key not in plain}


def _require_keys(document: Document) -> None:
    missing = [
        either[0]
        for either in NEEDED_KEYS
        if all(document.get(key) is None or document.get(key) == "" for key in either)
    ]
    if missing:
        raise InvalidInput(
            f"A proposal needs {' and '.join(map(repr, missing))}.",
            fields=dict.fromkeys(missing, "It is missing."),
        )


def _text(document: Document, key: str) -> str:
    value = document.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"'{key}' of a proposal is {value!r}; it must be a text.")
    return value


def _money(document: Document, key: str) -> int:
    """Parse an amount under a key, or in cents under `<key>Cents`."""
    cents, dollars = document.get(f"{key}Cents"), document.get(key)
    if isinstance(cents, int) and not isinstance(cents, bool):
        return cents
    if cents is not None:
        raise InvalidInput(f"'{key}Cents' is {cents!r}; it must be a whole number of cents.")
    if dollars is None or isinstance(dollars, bool) or not isinstance(dollars, int | str):
        raise InvalidInput(f"'{key}' is {dollars!r}; it must be an amount such as 3,600.")
    return parse_cents(str(dollars))


def _ends_text(document: Document, today: date) -> str:
    days = document.get("endsInDays")
    if document.get("endDate") not in (None, "") or days is None:
        return _text(document, "endDate")
    if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= _DAYS_MAX:
        raise InvalidInput(f"'endsInDays' is {days!r}; it must be from 0 to {_DAYS_MAX} days.")
    return (today + timedelta(days=days)).isoformat()


def _category(text: str) -> Category:
    try:
        return Category(text)
    except ValueError:
        names = ", ".join(Category)
        raise InvalidInput(f"'{text}' is not a category; the categories are {names}.") from None


def _metrics(document: Document) -> tuple[str, ...]:
    value = document.get("metrics")
    if value is None:
        return ()
    metrics = value if isinstance(value, list) else [value]
    for metric in metrics:
        if not isinstance(metric, str):
            raise InvalidInput(f"A metric is {metric!r}; it must be a text.")
    return tuple(metrics)


def _items(document: Document, key: str, read: Callable[[Document], Any]) -> list[Any]:
    value = document.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise InvalidInput(f"'{key}' of a proposal must be a list of items with keys.")
    return [read(item) for item in value]


def _budget_line(item: Document) -> BudgetLine:
    description = _text(item, "description")
    if not description:
        raise InvalidInput("A line of 'budgetList' needs a 'description'.")
    return BudgetLine(description, _money(item, "amount"))


def _submitter(item: Document) -> Submitter:
    return Submitter(
        image=_text(item, "image"),
        linkedin_url=_text(item, "linkedinUrl"),
        name=_text(item, "name") or None,
    )
