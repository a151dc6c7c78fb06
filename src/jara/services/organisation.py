"""The organisation: its creation, its keys and payment mode, and its name, address and logo.

Values set by the organisation are in the database. They override the defaults of the software.
"""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import MappingProxyType

from jara.domain.books.account import ACCOUNTS, account_type
from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy
from jara.domain.content.translations import require_language
from jara.domain.control.effects import TOUCHES, Touch
from jara.domain.control.state import Outlay
from jara.domain.currency import DEFAULT_CURRENCY, books_currency, parse_books_currency
from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.domain.organisation import Identity, IdentityPart, Logo, PaymentMode
from jara.domain.own_values import OWN_VALUES
from jara.domain.pay_details import pay_details
from jara.domain.publiclog.leaves import currency_leaf, genesis_leaf, policy_leaf
from jara.domain.time_zone import UTC_ZONE, TimeZone, parse_time_zone
from jara.services.audit import record_act, require_operator
from jara.services.authority import limits_in_force, read_control
from jara.services.context import Context
from jara.store.store import Store
from jara.store.unit_of_work import BOOKS_CURRENCY, TIME_ZONE, UnitOfWork

LOG_ORIGIN = "log.origin"
SECRETS_FINGERPRINT = "secrets.fingerprint"
INDEX_FINGERPRINT = "index.fingerprint"
"""Separate from `SECRETS_FINGERPRINT`: the session key may be replaced, the index key never."""
CREATED_AT = "founded.at"
REWRITES_DUE = "erasures"
"""Counts deletions that only a rewrite of the database makes final, such as an erased member;
the daily run rewrites it when the count has grown."""
PAYMENT_MODE = "payments.mode"
PAYMENT_ACCOUNT = "payments.account"
"""The id of the account at the payment provider, once it is known."""

_STRIPE_KEYS = "JARA_STRIPE_SECRET_KEY, JARA_STRIPE_PUBLISHABLE_KEY and JARA_STRIPE_WEBHOOK_SECRET"
_WITHOUT_CARDS = "JARA_CARDS=none"

IDENTITY = "organisation.identity"
"""Key in `meta`: the values that the organisation set, as a document."""
_WORDS = frozenset({IdentityPart.NAME, IdentityPart.LEGAL_NAME, IdentityPart.ADDRESS})


OwnTexts = Mapping[IdentityPart, str]
"""What an organisation says about itself; only what is set."""


def create_organisation(
    context: Context,
    *,
    currency: str = DEFAULT_CURRENCY,
    zone: TimeZone = UTC_ZONE,
    values: OwnTexts = MappingProxyType({}),
    write: Callable[[str], str] = str,
) -> None:
    """Create a database with its chart of accounts, fund policy, currency, log and own values.

    The secrets must exist already: the database stores the fingerprint of the log key. The chart
    is in the language that `write` writes.

    Raises:
        Conflict: the database exists already.
    """
    context.store.create()
    with context.store.write() as work:
        if work.log.size():
            raise Conflict("Another process made the organisation; nothing was changed.")
        origin = context.vault.log_key_name()
        work.log.append(genesis_leaf(origin))
        work.meta.put(LOG_ORIGIN, origin)
        work.meta.put(SECRETS_FINGERPRINT, context.vault.fingerprint())
        work.meta.put(INDEX_FINGERPRINT, context.vault.make_index_key())
        work.meta.put(CREATED_AT, context.now().isoformat())
        work.meta.put(PAYMENT_MODE, context.payment_mode)
        if currency != DEFAULT_CURRENCY:
            _put_currency(work, currency)
        if zone != UTC_ZONE:
            work.meta.put(TIME_ZONE, zone.name)
        if values:
            _put_values(work, values)
        for account in ACCOUNTS:
            if account.meaning:
                work.book_settings.put_account(
                    account.name, kind=account_type(account.name), meaning=write(account.meaning)
                )
        add_policy(work, DEFAULT_POLICY)


def set_time_zone(context: Context, text: str) -> None:
    """Set the organisation's time zone, by its IANA name, before the first entry of its books.

    From then on it stays. An entry has a day, and days of two zones overlap: another zone would
    move payments, votes and the ends of months that reports, receipts and the public log have
    stated, or leave one month with hours that are in no month or in two.

    Raises:
        InvalidInput: there is no such zone.
        Conflict: the books have entries.
    """
    zone = parse_time_zone(text)
    with context.store.write() as work:
        before = work.zone
        if zone == before:
            return
        _require_no_entries(work)
        work.meta.put(TIME_ZONE, zone.name)
        record_act(
            context,
            work,
            "organisation.set",
            "organisation",
            changed={"timeZone"},
            before={"timeZone": before.name},
            facts={"timeZone": zone.name},
        )


def require_payment_mode(store: Store, given: PaymentMode, *, takes_cards: bool = True) -> None:
    """Check that the settings of payments are those of the organisation's mode.

    Raises:
        Conflict: they are of another mode; the message names the settings. Or they take no cards,
            and pledges are still paid by card.
    """
    mode = payment_mode(store)
    if mode is not given:
        raise Conflict(_explain_mode(mode, given))
    if not takes_cards:
        _require_no_pledge_by_card(store)


def _require_no_pledge_by_card(store: Store) -> None:
    with store.read() as work:
        count = work.pledges.count_by_card()
    if count:
        pledges = "1 pledge is" if count == 1 else f"{count:,} pledges are"
        raise Conflict(
            f"{pledges} paid by card, and the provider goes on charging, so {_WITHOUT_CARDS} must "
            f"wait: set JARA_CARDS=stripe and {_STRIPE_KEYS}, and end them with `jara pledges "
            "cancel MEMBER`; `jara pledges list --way card` names the members."
        )


def payment_mode(store: Store) -> PaymentMode:
    """Return the stored payment mode."""
    with store.read() as work:
        return PaymentMode(work.meta.get(PAYMENT_MODE) or "")


def _explain_mode(mode: PaymentMode, given: PaymentMode) -> str:
    if mode.is_sandbox:
        return (
            "This organisation uses sandbox payments and never becomes a real one: remove the "
            f"settings {_STRIPE_KEYS} and JARA_CARDS, or create another organisation with "
            "`jara init`."
        )
    keys = "there are none" if given.is_sandbox else f"these are of {given} mode"
    without = f", or {_WITHOUT_CARDS} if it takes no cards" if mode is PaymentMode.LIVE else ""
    return (
        f"This organisation's payments are in {mode} mode: set {_STRIPE_KEYS} to the keys of "
        f"{mode} mode ({keys}){without}."
    )


def currency_of(context: Context) -> str:
    """Return the code of the books' currency."""
    with context.store.read():
        return books_currency()


def change_currency(context: Context, text: str) -> None:
    """Change the currency of books that were not used yet.

    Raises:
        InvalidInput: books cannot be in this currency.
        Conflict: the books were used.
    """
    currency = parse_books_currency(text)
    with context.store.write() as work:
        before = books_currency()
        if currency == before:
            return
        _require_unused(work, before, currency)
        _put_currency(work, currency)
        record_act(
            context,
            work,
            "organisation.set",
            "organisation",
            changed=["currency"],
            before={"currency": before},
            facts={"currency": currency},
        )


def require_changeable(
    context: Context, *, currency: str | None = None, time_zone: str | None = None
) -> None:
    """Check that currency and time zone may be changed to these, and change nothing.

    Raises:
        InvalidInput: there is no such currency or zone.
        Conflict: the books were used.
    """
    before = currency_of(context)
    with context.store.read() as work:
        if currency is not None and parse_books_currency(currency) != before:
            _require_unused(work, before, currency)
        if time_zone is not None and parse_time_zone(time_zone) != work.zone:
            _require_no_entries(work)


def _require_unused(work: UnitOfWork, before: str, currency: str) -> None:
    used = work.inspection.used_for_money()
    if used is not None:
        raise Conflict(
            f"There are {used.replace('_', ' ')} in {before}, so the currency stays {before}; "
            f"books in {currency} need an organisation of their own: jara init --currency "
            f"{currency}"
        )


def _require_no_entries(work: UnitOfWork) -> None:
    if work.inspection.has_entries():
        raise Conflict(
            f"The books have entries, whose days are those of {work.zone.name}, so the time zone "
            "stays. It is set before the first entry: jara init --time-zone NAME"
        )


def _put_currency(work: UnitOfWork, currency: str) -> None:
    work.log.append(currency_leaf(currency))
    work.meta.put(BOOKS_CURRENCY, currency)


def add_policy(work: UnitOfWork, policy: FundPolicy) -> int:
    """Append a fund policy to the log, valid from its day on; return its log index."""
    leaf = work.log.append(policy_leaf(policy))
    work.book_settings.add_policy(policy, log_index=leaf.index)
    return leaf.index


def renew_token_key(context: Context) -> None:
    """Replace the key that signs sessions, which ends every session.

    The database stores the new fingerprint before the new key is activated. If the command is
    interrupted in between, running it again completes the change.

    Raises:
        Refused: other operators are listed, but not this one.
        Unavailable: the secrets folder belongs to another database.
    """
    with context.store.write() as work:
        require_operator(context, work, "keys.renew")
        if work.meta.get(SECRETS_FINGERPRINT) != context.vault.prepare_token_key():
            require_own_secrets(context, work)
        work.meta.put(SECRETS_FINGERPRINT, context.vault.prepare_token_key())
        work.sessions.end_all()  # in every running server at once
        record_act(context, work, "keys.renew", "token.key")
    context.vault.adopt_token_key()


def require_own_secrets(context: Context, work: UnitOfWork) -> None:
    """Check that the secrets folder belongs to this database.

    Raises:
        Unavailable: it belongs to another database.
    """
    if work.meta.get(SECRETS_FINGERPRINT) != context.vault.fingerprint():
        raise Unavailable(
            "The secrets folder does not belong to this database; set JARA_SECRETS_DIR "
            "to the folder it was made with."
        )
    if work.meta.get(INDEX_FINGERPRINT) != context.vault.index_fingerprint():
        raise Unavailable(
            "The index key in the secrets folder does not belong to this database; "
            "restore the secrets folder."
        )


def require_ready(context: Context) -> None:
    """Check that requests can be served: the database fits this program, and the secrets fit it.

    Raises:
        JaraError: something is missing, locked or of another version.
    """
    with context.store.read() as work:
        require_own_secrets(context, work)


def read_identity(context: Context, work: UnitOfWork, values: OwnTexts | None = None) -> Identity:
    """Return the organisation's identity, or what it would be with other values."""
    values = own_values(work) if values is None else values
    logo = values.get(IdentityPart.LOGO)
    return Identity(
        name=values.get(IdentityPart.NAME, context.rules.organisation),
        legal_name=values.get(IdentityPart.LEGAL_NAME, ""),
        address=values.get(IdentityPart.ADDRESS, ""),
        contact=values.get(IdentityPart.CONTACT, ""),
        colour=values.get(IdentityPart.COLOUR, ""),
        logo=Logo.parse(logo) if logo else None,
        has_own_words=bool(_WORDS & values.keys()),
        currency=books_currency(),
        time_zone=work.zone.name,
    )


def show_identity(context: Context) -> tuple[Identity, OwnTexts]:
    """Return the identity, and every value that is set."""
    with context.store.read() as work:
        return read_identity(context, work), own_values(work)


def identity_of(context: Context) -> Identity:
    """Return the organisation's identity, in a transaction of its own."""
    with context.store.read() as work:
        return read_identity(context, work)


def values_after(
    work: UnitOfWork, changes: OwnTexts, removed: Collection[IdentityPart] = ()
) -> dict[IdentityPart, str]:
    """Return the values after a change; nothing is stored.

    Raises:
        InvalidInput: a value breaks its rule, or none is given.
    """
    if not changes and not removed:
        raise InvalidInput("Say what to set, such as --name or --logo.")
    read = {part: OWN_VALUES[part].parse(text) for part, text in changes.items()}
    values = {**own_values(work), **read}
    return {part: text for part, text in values.items() if part not in removed}


def require_language_of(context: Context, values: OwnTexts) -> None:
    """Check that the site has the language of some values, if there is one.

    Raises:
        InvalidInput: it has not.
    """
    if language := values.get(IdentityPart.LANGUAGE):
        require_language(language, context.rules.languages)


def change_identity(
    context: Context, work: UnitOfWork, changes: OwnTexts, removed: Collection[IdentityPart] = ()
) -> None:
    """Set values, and remove others, whose defaults then apply again.

    The value of the logo is the text of a `Logo` that the site has.

    Raises:
        InvalidInput: a value breaks its rule, or none is given.
    """
    before, after = own_values(work), values_after(work, changes, removed)
    changed = {part for part in IdentityPart if before.get(part) != after.get(part)}
    _put_values(work, after)
    record_act(
        context,
        work,
        "organisation.set" if changes else "organisation.unset",
        "organisation",
        changed=changed,
        before={part: before.get(part, "") for part in sorted(changed)},
        facts={part: after.get(part, "") for part in sorted(changed)},
    )


def adopt_settings(work: UnitOfWork, given: OwnTexts) -> OwnTexts:
    """Store values that were settings up to 0.2.0, where there is none; return those stored."""
    before, adopted = own_values(work), {}
    for part in given.keys() - before.keys():
        with suppress(InvalidInput):  # the doctor names it as long as it is in the settings
            adopted[part] = OWN_VALUES[part].parse(" ".join(given[part].split()))
    _put_values(work, {**before, **adopted})
    return adopted


def _put_values(work: UnitOfWork, values: OwnTexts) -> None:
    work.meta.put(IDENTITY, json.dumps(values, ensure_ascii=False, sort_keys=True))


def own_values(work: UnitOfWork) -> dict[IdentityPart, str]:
    """Return the values that the organisation set."""
    document = json.loads(work.meta.get(IDENTITY) or "{}")
    return {IdentityPart(name): text for name, text in document.items()}


def own_site(work: UnitOfWork) -> str:
    """Return the address of the site that operators set; empty without one.

    Another one in the settings of whoever acts is no place that readers may be sent to.
    """
    return own_values(work).get(IdentityPart.SITE_URL, "")


def require_no_pay_details(context: Context, work: UnitOfWork, what: str, text: object) -> None:
    """Check that what pages show at once, on one person's word, does not say where to pay.

    Raises:
        Conflict: it does, and another operator would have to sign that.
    """
    control = read_control(context, work)
    rule, limits = TOUCHES[Touch.HEARING].rule, limits_in_force(context, control)
    if pay_details(text, own_site(work)) and control.needs_another(rule, limits, Outlay(0)):
        raise Conflict(f"{what} says where to send money, which one operator cannot tell readers.")
