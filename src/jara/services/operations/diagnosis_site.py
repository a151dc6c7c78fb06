"""The doctor's checks of what the site says: the legal texts, its links and sums."""

from collections.abc import Iterator, Mapping

from jara.domain.content.kinds import DONATIONS, GRANTS, KINDS
from jara.domain.control.ways_in import WayIn
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.organisation import PaymentMode
from jara.domain.own_values import OWN_VALUES, SOCIAL
from jara.records.content import ContentItem
from jara.services.books.posting import cells_of
from jara.services.content import ContentEditor
from jara.services.context import Context
from jara.services.legal.reading import missing_places
from jara.services.operations.diagnosis_setup import CheckResult, Environment, error, fine, warning
from jara.services.organisation import own_values
from jara.services.ways_in import stored_value
from jara.store.unit_of_work import UnitOfWork

_SET = "jara organisation set"
_SOCIAL_OPTION = OWN_VALUES[next(iter(SOCIAL))].option

Remedies = Mapping[str, str]
"""What is missing, and the command or the setting that gives it."""


def missing_on_site(context: Context, work: UnitOfWork) -> dict[str, Remedies]:
    """Return what visitors miss, by where they miss it."""
    return {
        "the legal texts": {one.what: one.remedy for one in missing_places(context, work)},
        "the links of the site": dict(_missing_links(context, work)),
    }


def _missing_links(context: Context, work: UnitOfWork) -> Iterator[tuple[str, str]]:
    values = own_values(work)
    if stored_value(context, work, WayIn.DONATE) is None:
        yield "the donate link", f"{_SET} --donate-url URL"
    for part, one in OWN_VALUES.items():
        if one.is_expected and not one.place and part not in values:
            yield one.what, f"{_SET} {one.option} {one.metavar}"
    if not any(part in values for part in SOCIAL):
        yield "a page on a social site", f"{_SET} {_SOCIAL_OPTION} URL"


def check_legal_texts(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that the legal texts know every value; an organisation that is live must."""
    with context.store.read() as work:
        texts, _ = missing_on_site(context, work).values()
    if not texts:
        yield fine("legal", "The terms and the privacy text know every value.")
        return
    finding = error if context.payment_mode is PaymentMode.LIVE else warning
    yield finding("legal", f"Missing in the terms and the privacy text: {_listed(texts)}.")


def check_links(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that the site has the links that it offers."""
    with context.store.read() as work:
        _, links = missing_on_site(context, work).values()
    if links:
        yield warning("links", f"The site does not show {_listed(links)}.")
    else:
        yield fine("links", "The site has its links.")


def _listed(missing: Remedies) -> str:
    return "; ".join(f"{what}: {remedy}" for what, remedy in missing.items())


def check_content(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Check that what is public is stored as publishing stores it: pages are filled with it."""
    with context.store.read() as work:
        for kind in KINDS.values():
            editor = ContentEditor(context, work, kind)
            for item in (one for one in editor.items.values() if one.published):
                mend = f"jara {kind.command} publish {item.id}"
                try:
                    shown = editor.as_published(item.doc)
                    added = [repr(key) for key in shown if shown[key] != item.doc.get(key)]
                    fault = f"The {kind.noun} '{item.id}' lacks a part of {' and '.join(added)}."
                except InvalidInput as refused:
                    mend = f"jara {kind.command} edit {item.id} --set KEY=VALUE"
                    added, fault = [item.id], refused.message
                if added:
                    yield error("content", f"A page cannot show an item: {fault} Mend it: {mend}")


def check_shown_sums(context: Context, _environment: Environment) -> Iterator[CheckResult]:
    """Compare the sums of grants and donations on the website with what the books paid."""
    shown: dict[str, list[ContentItem]] = {}
    with context.store.read() as work:
        for kind in (GRANTS, DONATIONS):
            for item in work.content.all(kind):
                if item.published and not item.doc.get("sample"):
                    shown.setdefault(item.account, []).append(item)
        paid = {account: cells_of(work, account).total() for account in shown}
    wrong = [
        (items, said)
        for account, items in shown.items()
        if (said := sum(int(one.doc["amountCents"]) for one in items)) != paid[account]
    ]
    for items, said in wrong:
        names = " and ".join(f"'{one.slug}' of {one.kind}" for one in items)
        account = items[0].account
        yield warning(
            "shown sums",
            f"The website says {format_cents(said)} for {names}; the books paid "
            f"{format_cents(paid[account])} on {account}. Correct what is shown "
            f"(jara {items[0].kind} edit), or book what is missing.",
        )
    if shown and not wrong:
        yield fine("shown sums", "Grants and donations on the website are as the books paid them.")
