"""Sign-up on the website, with rate limits and idempotency keys."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from jara.domain.errors import CardDeclined, EmailTaken, Unavailable
from jara.domain.giving.member import FieldErrors, RegistrationForm, email_key, parse_password
from jara.services import idempotency, rate_limits
from jara.services.context import Context
from jara.services.giving.joining import TAKEN, is_email_available, register
from jara.services.giving.subscription_sync import StartedPledge, started_document
from jara.services.members.attempts import Attempt, Place, begin_attempt_within, withdraw_within
from jara.services.members.profiles import require_member
from jara.services.ports.payments import IntentType, PaymentOutcome
from jara.services.rate_limits import Acquired, Limit, Limits, MailCause, Use
from jara.store.unit_of_work import UnitOfWork

Entered = TypeVar("Entered")

REGISTER = "register"
_QUESTION = Limit.EMAIL_EXISTS_ADDRESS


def check_credentials(
    context: Context, limits: Limits, *, email: str, password: str, address: str
) -> None:
    """Validate email and password in the first step of sign-up.

    The email is checked first; the password is never compared with a stored one.

    Raises:
        EmailTaken: a confirmed member has the address.
        InvalidInput: the address or the password breaks its rule.
        TooManyRequests: too many requests from this address.
    """
    rate_limits.acquire(context, limits, (Limit.EMAIL_EXISTS_ADDRESS, address))
    errors = FieldErrors()
    available = errors.collect("email", lambda: is_email_available(context, email), otherwise=True)
    if not available:
        raise EmailTaken(TAKEN)
    common = context.rules.common_passwords
    errors.collect("password", lambda: parse_password(password, common=common), "")
    errors.raise_any()


def join(
    context: Context,
    limits: Limits,
    form: RegistrationForm,
    *,
    payment_method: str,
    address: str,
    key: str | None,
    body: bytes,
) -> StartedPledge:
    """Sign up; repeating the request with the same key gives the same answer.

    Raises:
        InvalidInput: a field breaks its rule.
        EmailTaken: the address has a member or another sign-up.
        CardDeclined: the card was declined.
        TooManyRequests: too many sign-ups or declined cards.
        Conflict: the key belongs to another request, or the first is in progress.
    """
    context.require_cards()
    mail = rate_limits.mail_uses(MailCause.SIGN_UP, form.email, network=address)
    return idempotency.run_once(
        context,
        idempotency.Request(REGISTER, key, body),
        lambda: within_limits(
            context,
            limits,
            form,
            lambda: register(
                context,
                form,
                payment_method=payment_method,
                request=None if key is None else idempotency.name_of(REGISTER, key),
            ),
            address=address,
            mail=mail,
        ),
        dump=started_document,
        load=lambda answer: _answered_before(context, answer),
        admit=lambda work: rate_limits.require_room(context, work, limits, mail),
    )


def within_limits(
    context: Context,
    limits: Limits,
    form: RegistrationForm,
    enter: Callable[[], Entered],
    *,
    address: str,
    mail: tuple[Use, ...] = (),
) -> Entered:
    """Sign up within the limits of the address, the account, everybody, and its email."""
    account = email_key(form.email)

    def begin(work: UnitOfWork) -> tuple[Attempt, Acquired]:
        rate_limits.require_room(context, work, limits, mail)  # before anything is written
        attempt = begin_attempt_within(
            context,
            work,
            limits,
            account=account,
            place=Place(address),
            # Guesses at an account that does not exist must keep nobody from joining.
            has_day_limit=work.members.by_email(account) is not None,
        )
        uses = (
            (_QUESTION, address),
            (Limit.REGISTER_ADDRESS, address),
            *rate_limits.declined_uses(account, network=address),
            *mail,
        )
        return attempt, rate_limits.acquire_within(context, work, limits, uses)

    def release(work: UnitOfWork) -> None:
        rate_limits.release_within(work, acquired, *refunded)
        if not is_failed_sign_in:
            withdraw_within(work, attempt)

    attempt, acquired = context.store.write_grouped(begin)
    mail_limits = tuple(limit for limit, _ in mail)
    refunded: tuple[Limit, ...] = tuple(acquired.ids)
    is_failed_sign_in = False
    try:
        entered = enter()
        refunded = (_QUESTION, *rate_limits.DECLINED_LIMITS)
    except CardDeclined:
        refunded = (_QUESTION, Limit.REGISTER_ADDRESS, *mail_limits)
        raise
    except EmailTaken:
        # A wrong password for an existing address; the answer reveals that the address is taken.
        is_failed_sign_in = True
        refunded = (Limit.REGISTER_ADDRESS, *rate_limits.DECLINED_LIMITS, *mail_limits)
        raise
    finally:
        with suppress(Unavailable):  # the uses stay counted; the sign-up has ended
            context.store.write_grouped(release)
    return entered


def _answered_before(context: Context, answer: Mapping[str, Any]) -> StartedPledge:
    with context.store.read() as work:
        member = require_member(work, answer["member"])
        pledge = work.pledges.get(member.id)
    if pledge is None:
        raise EmailTaken(TAKEN)
    return StartedPledge(
        PaymentOutcome(answer["outcome"]),
        member,
        pledge,
        IntentType(answer["intent"]) if answer["intent"] else None,
        answer["secret"],
    )
