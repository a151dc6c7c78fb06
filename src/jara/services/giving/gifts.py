"""One-time gifts through the website (spec §1)."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from jara.domain.books.provider_row import RowCategory
from jara.domain.errors import CardDeclined, JaraError, Unavailable
from jara.domain.giving.member import FieldErrors, parse_email, parse_name
from jara.domain.language import ENGLISH, Language, parse_language
from jara.domain.money import format_cents
from jara.domain.texts import tr
from jara.services import idempotency, rate_limits
from jara.services.context import Context
from jara.services.ports.payments import IntentType
from jara.services.rate_limits import Limits, MailCause

GIFT_CENTS_MIN = 100
GIFT_CENTS_MAX = 99_999_900
GIFT_ID_LENGTH = 32
_SCOPE = "gifts"


class GiftForm(NamedTuple):
    """The form of a gift."""

    cents: int
    email: str
    name: str
    payment_method: str
    language: str = ENGLISH


class GiftTaken(NamedTuple):
    """The result of a gift; the giver's bank may require confirmation."""

    gift_id: str
    cents: int
    intent_type: IntentType | None = None
    client_secret: str | None = None
    payment: str | None = None
    """The provider's id of the payment."""


def booked_gift(context: Context, taken: GiftTaken) -> str | None:
    """Return the id of a gift's entry in the books, if it has one already and can be read."""
    if taken.payment is None:
        return None
    with suppress(Unavailable), context.store.read() as work:
        movements = work.identities.by_source([taken.payment]).get(taken.payment, ())
        index = next((one.index for one in movements if one.category == RowCategory.CHARGE), None)
        return None if index is None else work.journal.get(index).id
    return None


def give(
    context: Context, limits: Limits, form: GiftForm, *, address: str, key: str | None, body: bytes
) -> GiftTaken:
    """Take a gift; repeating the request with the same key takes no second gift.

    Raises:
        InvalidInput: a field breaks its rule.
        CardDeclined: the card was declined.
        TooManyRequests: too many declined cards, or emails to this address or from this network.
        Conflict: the key belongs to another request, or the first is in progress.
    """
    context.require_cards()
    checked = check_gift(form)
    # The id follows from the key, so that a retry after a crash repeats the same call
    # at the provider and gets the same result.
    gift_id = context.new_id() if key is None else idempotency.name_of(_SCOPE, key)[:GIFT_ID_LENGTH]
    return idempotency.run_once(
        context,
        idempotency.Request(_SCOPE, key, body),
        lambda: _take(context, limits, checked, address, gift_id=gift_id),
        dump=_dump,
        load=lambda answer: _load(answer, checked.cents),
        admit=lambda work: rate_limits.require_room(
            context,
            work,
            limits,
            rate_limits.mail_uses(MailCause.GIFT, checked.email, network=address),
        ),
    )


def _dump(taken: GiftTaken) -> Mapping[str, Any]:
    return {
        "gift": taken.gift_id,
        "intent": taken.intent_type.value if taken.intent_type else None,
        "secret": taken.client_secret,
        "payment": taken.payment,
    }


def _load(answer: Mapping[str, Any], cents: int) -> GiftTaken:
    intent = IntentType(answer["intent"]) if answer["intent"] else None
    return GiftTaken(answer["gift"], cents, intent, answer["secret"], answer.get("payment"))


def check_gift(form: GiftForm) -> GiftForm:
    """Return a form with checked values.

    Raises:
        InvalidInput: a field breaks its rule.
    """
    errors = FieldErrors()
    email = errors.collect("email", lambda: parse_email(form.email), "")
    name = errors.collect("name", lambda: parse_name(form.name), "") if form.name else ""
    errors.require(
        "amountCents",
        tr(
            "A gift is from {least} to {most}.",
            least=format_cents(GIFT_CENTS_MIN),
            most=format_cents(GIFT_CENTS_MAX),
        ),
        holds=GIFT_CENTS_MIN <= form.cents <= GIFT_CENTS_MAX,
    )
    language = errors.collect("language", lambda: parse_language(form.language), ENGLISH)
    errors.raise_any()
    return GiftForm(form.cents, email, name, form.payment_method, language)


def _take(
    context: Context, limits: Limits, form: GiftForm, address: str, *, gift_id: str
) -> GiftTaken:
    acquired = rate_limits.acquire(
        context,
        limits,
        *rate_limits.declined_uses(form.email, network=address),
        *rate_limits.mail_uses(MailCause.GIFT, form.email, network=address),
    )
    try:
        attempt = context.gateway.take_gift(
            cents=form.cents,
            email=form.email,
            name=form.name,
            payment_method=form.payment_method,
            gift_id=gift_id,
            language=Language(form.language),
            key=f"gift:{gift_id}:{form.payment_method}",
        )
    except CardDeclined:
        rate_limits.release(context, acquired, *rate_limits.MAIL_LIMITS)
        raise
    except JaraError:
        rate_limits.release(context, acquired)
        raise
    rate_limits.release(context, acquired, *rate_limits.DECLINED_LIMITS)
    return GiftTaken(
        gift_id, form.cents, attempt.intent_type, attempt.client_secret, attempt.reference
    )
