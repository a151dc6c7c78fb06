"""What a waiting act does, in one sentence of the values that its signatures cover, and its emails.

The emails hold no code, and their link only opens the desk. They hold the six words of the act,
which stand on the desk and in `jara approvals show` too: whoever compares them trusts no single
screen.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from jara.domain.control.roles import APPROVING
from jara.domain.money import format_cents
from jara.domain.texts import Text, tr
from jara.records.operations import Approval
from jara.security.six_words import words_of
from jara.services import ways_in
from jara.services.approvals import digest_of_act
from jara.services.authority import active_operators, read_control
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.store.unit_of_work import UnitOfWork

_CONTENT = "What the site says about “{what}” changes."

SENTENCES: Mapping[str, str] = {
    "projects.pay": "{amount} leave the account for {what}.",
    "pledges.refund": "{amount} go back to whoever paid {what}.",
    "pledges.refund.payer": "{amount} go back to {what}.",
    "ledger.post": "{amount} leave the account, booked to {what}.",
    "ledger.reverse": "The entry {what} is reversed; {amount} leave the account.",
    "ledger.return": "Money that came back is booked for the payment {what}.",
    "ledger.bank_charge": "{amount} are booked as a charge of the bank.",
    "ledger.transfer": "{amount} move to another fund: {what}.",
    "ledger.undo": "The import {what} is undone; {amount} leave the account.",
    "ledger.erase-document": "A document of the books is erased: {what}.",
    "bank.vouch": "Payments of {amount} on the statement {what} are proven, and give votes.",
    "payments.vouch": "The payment {what} is proven and gives a vote.",
    "members.vouch": "A member's new address is vouched for, and votes again.",
    "members.remove-address": "A member's address is removed while a vote is open.",
    "members.died": "A member who has died loses the account while a vote is open.",
    "members.erase": "A member's account is erased while a vote is open.",
    "members.share-card": "Several members may vote with one card or account.",
    "pledges.pause": "A member's pledge is paused while a vote is open.",
    "pledges.cancel": "A member's pledge ends while a vote is open.",
    "votes.withdraw": "The vote on {what} is withdrawn with its ballots.",
    "votes.correct": "A translation of {what} is corrected while members vote on it.",
    "ways.set": "Payers are told to send their money elsewhere: {what}.",
    "operators.add": "{what} gets a key as {more}.",
    "operators.remove": "The key {more} of {what} is removed.",
    "operators.policy": "The limits of what one person may do alone change: {what}.",
    "organisation.effective": "What the terms promise, or where to pay, changes: {what}.",
    "legal.import": "The text “{what}” gets a new version.",
    "legal.withdraw": "Version {more} of the text “{what}” is withdrawn.",
    "policy.set": "Payments are divided differently from {what} on.",
    "policy.vote-rule": "Votes that open from {what} on pass by another rule.",
    "proposals.release": "{amount} that were set aside for {what} are freed.",
    "years.open": "The closed year {what} is opened again.",
    "mail.announce": "An email goes to {more}: “{what}”.",
    "claims.approve": "An expense of {amount} that a volunteer paid is approved, for {what}.",
    "claims.pay": "{amount} leave the account for {what}, paid back to a volunteer.",
    "projects.pay.milestone": "{amount} leave the account for {what}, milestone {more}.",
}
"""The sentence of each act; content of the site has one of its own."""


_NAMES = (
    *("name", "title", "proposal", "charge", "entry", "import", "statement", "text", "year"),
    *("number", "purpose", "from", "slug", "sha256"),
)
"""Keys of payloads that say what an act is about; the first one counts."""


class Effect(NamedTuple):
    """A sentence that each language writes in its way."""

    template: str  # the English sentence
    cents: int
    what: str  # the payee, or what is changed, as people typed it
    more: str = ""  # a second value, such as the milestone

    def text(self) -> Text:
        """Return the sentence."""
        values = {"amount": format_cents(self.cents), "what": self.what, "more": self.more}
        names = {name for name in values if f"{{{name}}}" in self.template}
        return tr(self.template, **{name: values[name] for name in sorted(names)})


def effect_of(approval: Approval, *, payer: str = "") -> Effect:
    """Return what an act does; for a refund, `payer` is who gets it, if that may be shown."""
    payload, action = approval.payload, approval.action
    what, more = _values(action, payload)
    if payer:
        what, action = payer, "pledges.refund.payer"
    if action == "projects.pay" and more:
        action = "projects.pay.milestone"
    cents = int(payload.get("charge_cents", approval.cents))
    return Effect(SENTENCES.get(action, _CONTENT), cents, what, more)


def _values(action: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    match action:
        case "projects.pay":
            return str(payload["slug"]), str(payload.get("milestone") or "")
        case "ledger.post":
            rows = (row for row in payload["postings"] if row["cents"] > 0)
            return ", ".join(row["account"] for row in rows), ""
        case "ledger.transfer":
            return f"{payload['source']} → {payload['target']}", ""
        case "ways.set":
            return f"{payload['way']}: {ways_in.describe_way(payload['value']) or '–'}", ""
        case "operators.add":
            return str(payload["name"]), ", ".join(payload["roles"])
        case "operators.policy" | "organisation.effective":
            return _changes(payload), ""
        case "mail.announce":
            return str(payload.get("subject", payload.get("title", ""))), str(payload.get("to", ""))
        case _:
            found = (str(payload[name]) for name in _NAMES if payload.get(name))
            return next(found, _title_of(payload)), str(
                payload.get("key") or payload.get("number") or ""
            )


def _changes(payload: Mapping[str, Any]) -> str:
    """Return the values that an act sets, by name; ``–`` for one that it removes."""
    values = payload.get("set", payload)
    shown = {
        **{name: one for name, one in values.items() if name not in {"why", "salt"}},
        **dict.fromkeys(payload.get("removed", ()), "–"),
        **({"from": payload["from"]} if payload.get("from") else {}),
    }
    return ", ".join(
        f"{name.removesuffix('_cents')} {_shown(name, one)}"
        for name, one in shown.items()
        if isinstance(one, int | str)
    )


def _title_of(payload: Mapping[str, Any]) -> str:
    """Return the title of the content that an act changes, or its id."""
    document = payload.get("document") or {}
    return str(document.get("title") or document.get("name") or document.get("id") or "–")


def _shown(name: str, value: int | str) -> str:
    if name.endswith("_cents") and isinstance(value, int):
        return format_cents(value)
    return str(value)


WAITS, DECIDED = "approval_waits", "approval_decided"


def words_of_act(context: Context, work: UnitOfWork, approval: Approval) -> str:
    """Return the six words of an act: of the digest that its signatures cover."""
    return words_of(bytes.fromhex(digest_of_act(context, work, approval)))


def follow_approval(context: Context, work: UnitOfWork, approval: Approval) -> None:
    """Queue the emails about an act that waits now, or was decided now."""
    is_decided = approval.decided_at is not None
    values = {
        "firstname": "",
        "asker": approval.prepared_by,
        "effect": effect_of(approval)._asdict(),
        "why": approval.why,
        "words": words_of_act(context, work, approval),
        "desk": f"{context.rules.site_url}/desk",
        "id": approval.id,
    }
    if is_decided:
        values |= {"state": approval.state, "decider": approval.decided_by or ""}
    kind = DECIDED if is_decided else WAITS
    for name, address in _readers(context, work, approval).items():
        once_key = f"{kind}:{approval.id}:{approval.state}:{name}"
        queue_email(context, work, kind, address=address, values=values, once_key=once_key)


def _readers(context: Context, work: UnitOfWork, approval: Approval) -> dict[str, str]:
    """Return the addresses of the operators whom an act concerns, by name."""
    listed = {name: one.email for name, one in active_operators(work).items() if one.email}
    asker = approval.prepared_by
    if approval.decided_at is not None:
        return {asker: listed[asker]} if asker in listed and asker != approval.decided_by else {}
    control, names = read_control(context, work), work.operations.key_names()
    may = {names.get(key) for key, one in control.keys.items() if one.roles & APPROVING}
    return {
        name: address
        for name, address in listed.items()
        if name != asker and (name in may or not control.needs_keys)
    }
