"""A volunteer whose phone sends claims, through the web API."""

from datetime import date
from typing import Any

from jara.domain.books.account import BANK, Fund
from jara.domain.books.spending import opening_entry
from jara.domain.language import Language
from jara.services.books.bookkeeping import post_entry
from jara.services.field.claim_views import ClaimView, list_claims, show_claim
from jara.services.field.claimants import add_purpose, give_link
from tests.webapi.desk import Desk
from tests.webapi.field.field_world import KEY, FieldPhoto, Phone, code_of, field_photo

KOFI, EMAIL = "Kofi Addo", "kofi@example.org"
FOOD = "Food for meetings"
ACCOUNT = "Interac: kofi@example.org"
PHOTO = field_photo(size=120)


class ClaimPhone(Phone):
    """A phone with a link for claims."""

    def claim(self, key: str = KEY, **changes: Any) -> Any:
        """Send a claim with the photo of its receipt; return the last answer."""
        photo = changes.pop("photo", PHOTO)
        sent = self.call("PUT", f"/claims/{key}", json=claim_body(photo, **changes))
        return sent if sent.status_code != 200 else self.send_photo(photo, key)


def claim_body(*photos: FieldPhoto, **changes: Any) -> dict[str, Any]:
    """Return a claim as a phone sends it."""
    return {
        "currency": "USD",
        "amount": "45.50",
        "spentOn": "2026-11-03",
        "shop": "Makola market",
        "purpose": FOOD,
        "repayTo": ACCOUNT,
        "photos": [one.announced for one in photos],
        **changes,
    }


def claim_phone(desk: Desk, name: str = KOFI, email: str = EMAIL) -> ClaimPhone:
    """Open the books with money, and give a volunteer a link."""
    context = desk.application.context
    with context.store.read() as work:
        is_new = work.journal.newest() is None
    if is_new:
        opening = opening_entry(date(2026, 1, 1), {(BANK, Fund.OTHER): 100_000})
        post_entry(context, opening)
    add_purpose(context, FOOD, "expenses:operations", None)
    made = give_link(context, name, email=email, language=Language("fr"))
    return ClaimPhone(desk, code_of(made))


def claims_of(desk: Desk) -> list[ClaimView]:
    """Return every claim, oldest first."""
    context = desk.application.context
    return [show_claim(context, one.id) for one in list_claims(context, unpaid_only=False)]
