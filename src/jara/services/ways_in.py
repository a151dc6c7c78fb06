"""Where payers send their money: the ways to pay, the account at the provider, the donate link.

Once operators have keys, a value is offered only if the newest leaf of the log about it has its
hash. Changing it takes an admin and as many people as a change of the limits, and every operator
with an address gets an email.
"""

from collections.abc import Mapping
from typing import Any

from jara.domain.control.state import BrokenControl, Control
from jara.domain.control.statement import SharedAct, digest_of
from jara.domain.control.ways_in import NO_VALUE, WAY_VALUES, WAYS_ACTION, WayIn, way_hash
from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PledgeState
from jara.domain.iban import print_iban
from jara.domain.publiclog.leaves import LeafType
from jara.domain.web_address import is_web_address
from jara.records.journal import WaySetting
from jara.records.operations import Approval
from jara.services.approvals import Handler, Shared, share
from jara.services.audit import record_act
from jara.services.authority import active_operators, append_leaf, limits_in_force, read_control
from jara.services.context import Context
from jara.services.log_keys import organisation_key
from jara.services.notices.emails import queue_email, queue_member_email
from jara.services.organisation import PAYMENT_ACCOUNT
from jara.store.unit_of_work import UnitOfWork

DONATE_URL = "organisation.donate_url"
"""Key in `meta`: the address of the donate link."""
DONATE_SET, DONATE_UNSET = "organisation.set", "organisation.unset"

Value = Mapping[str, Any]
"""A way in as the log hashes it."""


def stored_value(context: Context, work: UnitOfWork, way: WayIn) -> Value | None:
    """Return the value of the database, signed or not; None without one."""
    if way is WayIn.ACCOUNT:
        account = work.meta.get(PAYMENT_ACCOUNT)
        return account_value(context, account) if account else None
    if way is WayIn.DONATE:
        url = work.meta.get(DONATE_URL)
        return {"url": url} if url else None
    settings = {setting.way: setting for setting in work.book_settings.ways()}
    return settings[way]._asdict() if way in settings else None


def account_value(context: Context, account: str) -> Value:
    """Return an account at the provider, of the organisation's mode."""
    return {"id": account, "mode": context.payment_mode.value}


def is_signed(control: Control, way: WayIn, value: Value | None) -> bool:
    """Return whether a value is the one in the log; always, if the log knows no way at all."""
    is_governed = control.needs_keys and bool(control.ways)
    return not is_governed or control.ways.get(way.value, NO_VALUE) == way_hash(way, value)


def way_in_force(context: Context, work: UnitOfWork, way: WayIn) -> Value | None:
    """Return the value of a way in, unless nobody signed it."""
    value = stored_value(context, work, way)
    return value if value is not None and way in _signed(context, work, {way: value}) else None


def ways_offered(context: Context, work: UnitOfWork) -> list[WaySetting]:
    """Return the ways to pay without a card, by name, except those that nobody signed."""
    settings = {WayIn(setting.way): setting for setting in work.book_settings.ways()}
    values = {way: setting._asdict() for way, setting in settings.items()}
    return [settings[way] for way in _signed(context, work, values)]


def _signed(
    context: Context, work: UnitOfWork, values: Mapping[WayIn, Value]
) -> Mapping[WayIn, Value]:
    """Return the values that operators signed; none if the log's leaves about it are broken."""
    if not values:
        return {}
    try:
        control = read_control(context, work)
    except BrokenControl:
        return {}
    return {way: value for way, value in values.items() if is_signed(control, way, value)}


def change_way(
    context: Context,
    work: UnitOfWork,
    way: WayIn,
    value: Value | None,
    *,
    action: str,
    why: str = "",
) -> Approval | None:
    """Set a way in, or remove it; it waits for other operators if they have keys or limits.

    The new value must be checked already; None removes it. `action` is the command's name in the
    audit log; the reason is shown to the other operators.

    Returns:
        None if it is done, or the approval that it waits for.
    """
    control = read_control(context, work)
    limits = limits_in_force(context, control)
    before, after = dict(stored_value(context, work, way) or {}), dict(value or {})
    if control.needs_keys or limits.is_set:
        shared = Shared(
            action=WAYS_ACTION,
            payload={
                "way": way.value,
                "before": before,
                "value": after,
                "command": action,
                "why": why,
            },
            why=why,
            public={WAY_VALUES: _hashes(context, work, control, {way: value})},
            leaf_type=LeafType.WAYS_IN,
        )
        waiting = share(context, work, shared)
        if waiting is not None:
            return waiting
    _store(work, way, value)
    record_act(context, work, action, way.value, why=why, before=before, facts=after)
    _tell_operators(context, work, way, before, after)
    _tell_payers(context, work, way, before, after)
    return None


def log_first_ways(context: Context, work: UnitOfWork) -> None:
    """Before the first key, append every way in to the log, so that all of them are governed."""
    control = read_control(context, work)
    public = {WAY_VALUES: _hashes(context, work, control, {})}
    digest = digest_of("first", WAYS_ACTION, public, organisation_key(context, work))
    append_leaf(context, work, SharedAct(WAYS_ACTION, digest, public), [], LeafType.WAYS_IN)


def set_donate_link(context: Context, url: str | None, *, why: str = "") -> Approval | None:
    """Set the address that the website's donate link opens; None removes it.

    Raises:
        InvalidInput: it is not a web address.
    """
    if url is not None and not (url.isascii() and is_web_address(url)):
        raise InvalidInput(f"'{url}' is not an address that begins with https://.")
    value = None if url is None else {"url": url}
    action = DONATE_UNSET if url is None else DONATE_SET
    with context.store.write() as work:
        return change_way(context, work, WayIn.DONATE, value, action=action, why=why)


def adopt_donate_link(work: UnitOfWork, url: str) -> str:
    """Store an address that was a setting up to 0.2.0, unless there is one; return it if it did.

    Operators who have keys signed it as it stood in the settings, so their hash still holds.
    """
    if not url or work.meta.get(DONATE_URL) or not (url.isascii() and is_web_address(url)):
        return ""
    work.meta.put(DONATE_URL, url)
    return url


def donate_link(context: Context) -> str | None:
    """Return the address that the website's donate link opens, if operators signed it."""
    with context.store.read() as work:
        value = way_in_force(context, work, WayIn.DONATE)
    return None if value is None else str(value["url"])


def _hashes(
    context: Context, work: UnitOfWork, control: Control, changes: Mapping[WayIn, Value | None]
) -> dict[str, str]:
    """Return the hashes for a leaf: the changes, and every way that the log does not know yet.

    Cheques are in the log once they are set up, since release 0.2.0 does not know them.
    """
    unknown = {
        way: stored_value(context, work, way) for way in WayIn if way.value not in control.ways
    }
    hashes = {way.value: way_hash(way, value) for way, value in {**unknown, **changes}.items()}
    if hashes.get(WayIn.CHEQUE) == NO_VALUE and WayIn.CHEQUE not in changes:
        del hashes[WayIn.CHEQUE]
    return hashes


def _store(work: UnitOfWork, way: WayIn, value: Value | None) -> None:
    match way:
        case WayIn.ACCOUNT:
            work.meta.put(PAYMENT_ACCOUNT, "" if value is None else value["id"])
        case WayIn.DONATE:
            work.meta.put(DONATE_URL, "" if value is None else value["url"])
        case _ if value is None:
            work.book_settings.remove_way(way.value)
        case _:
            work.book_settings.put_way(WaySetting(**value))


def _tell_operators(
    context: Context, work: UnitOfWork, way: WayIn, before: Value, after: Value
) -> None:
    """Email every operator who has an address."""
    values = {
        "firstname": "",
        "way": way.value,
        "before": describe_way(before),
        "after": describe_way(after),
        "operator": context.operator,
    }
    for operator in active_operators(work).values():
        if operator.email:
            queue_email(context, work, "way_changed", address=operator.email, values=values)


def _tell_payers(
    context: Context, work: UnitOfWork, way: WayIn, before: Value, after: Value
) -> None:
    """Email everybody who promised to pay in a way where they pay now, or that it has ended."""
    if way in {WayIn.ACCOUNT, WayIn.DONATE} or all(
        before.get(name) == after.get(name) for name in ("details", "iban", "holder")
    ):
        return
    values = {
        "isRemoved": not after,
        "way": PaymentWay(way.value).phrase,
        "details": after.get("details", ""),
        "iban": print_iban(after.get("iban", "")),
        "holder": after.get("holder", ""),
    }
    for pledge in work.pledges.in_states(*PledgeState):
        member = work.members.get(pledge.member_id)
        if pledge.way == way.value and pledge.state is not PledgeState.CANCELED and member:
            own = {
                "isGift": False,
                "amountCents": pledge.dollars * 100,
                "reference": print_reference(pledge.reference or ""),
            }
            queue_member_email(
                context, work, "payment_way_changed", member, values={**values, **own}
            )
    for gift in work.gift_promises.all():
        if gift.way == way.value and gift.arrived_on is None:
            own = {
                "isGift": True,
                "amountCents": gift.cents,
                "reference": print_reference(gift.reference),
                "firstname": "",
                "language": gift.language,
            }
            queue_email(
                context, work, "payment_way_changed", address=gift.email, values={**values, **own}
            )


def describe_way(value: Value) -> str:
    """Return a value on one line, without names and empty parts; empty for no value."""
    parts = [part for name, part in value.items() if part and name not in {"mode", "way"}]
    return ", ".join("EUR" if part is True else str(part) for part in parts)


def _change_approved(context: Context, payload: Mapping[str, Any]) -> object:
    with context.store.write() as work:
        return change_way(
            context,
            work,
            WayIn(payload["way"]),
            payload["value"] or None,
            action=payload["command"],
            why=payload["why"],
        )


HANDLERS: Mapping[str, Handler] = {WAYS_ACTION: _change_approved}
