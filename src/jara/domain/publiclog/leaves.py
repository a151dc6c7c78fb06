"""The leaves of the public log: the hashed fields of each event.

A leaf is an object with `t`, its type and version. Fields without a value are omitted,
since canonical JSON has no null.
"""

import unicodedata
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, TypeAlias

from jara.domain.books.account import FUND_NAMES, Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.journal import JournalEntry
from jara.domain.books.outflow import outflow_of
from jara.domain.errors import InvalidInput
from jara.domain.projects import Milestone
from jara.domain.publiclog import canonical
from jara.domain.voting.proposal import Proposal
from jara.domain.voting.tally import RuleChange, Tally

Leaf: TypeAlias = dict[str, Any]
"""A leaf's fields, ready for `canonical.encode`."""

SALT_BYTES = 16
"""Length of the salt that prevents guessing an entry from its leaf hash."""

ENTRY_ID_LENGTH = 16
_ENTRY_ID_BYTES = ENTRY_ID_LENGTH * 5 // 8

_CHOICES = ("up", "down")


class LeafType(StrEnum):
    """The types of leaves, each with its version."""

    GENESIS = "jara/v1/genesis"
    ENTRY = "jara/v1/entry"
    PROPOSAL_OPEN = "jara/v1/proposal_open"
    BALLOT = "jara/v1/ballot"
    POLICY = "jara/v1/policy"
    CURRENCY = "jara/v1/currency"
    PROPOSAL_WITHDRAW = "jara/v1/proposal_withdraw"
    PROPOSAL_CORRECT = "jara/v1/proposal_correct"
    PROPOSAL_CLOSE = "jara/v1/proposal_close"
    PROPOSAL_RELEASE = "jara/v1/proposal_release"
    OPERATOR_KEY = "jara/v1/operator_key"
    CONTROL_POLICY = "jara/v1/control_policy"
    WAYS_IN = "jara/v1/ways_in"
    APPROVAL = "jara/v1/approval"
    LOG_KEY = "jara/v1/log_key"
    VOTE_RULE = "jara/v1/vote_rule"
    PROMISE_KEY = "jara/v1/promise_key"
    RESTORE = "jara/v1/restore"
    YEAR = "jara/v1/year"
    MILESTONES = "jara/v1/milestones"
    DOCUMENT = "jara/v1/document"
    AUDIT = "jara/v1/audit"


PROPOSAL, MILESTONE, POSTED = "proposal", "milestone", "posted"
"""Fields of an entry that entries of 0.2.0 lack: whose committed money it moves, and when it was
posted, if that is another day than its own."""

_ENTRY = LeafType.ENTRY.value  # cached here, since an import has up to a million leaves


def is_public(leaf_type: str) -> bool:
    """Return whether visitors may read leaves of a type; only contributors may read entries."""
    return leaf_type != LeafType.ENTRY


def entry_id(leaf_hash: bytes) -> str:
    """Return the id of an entry: the first 16 base32 characters of its leaf hash."""
    return b32encode(leaf_hash[:_ENTRY_ID_BYTES]).decode("ascii").lower()


def salt_at(salt: bytes, number: int) -> bytes:
    """Return the salt of the entry at a place among several that have one salt together."""
    return salt if number == 0 else sha256(salt + b"%d" % number).digest()[:SALT_BYTES]


def external_reference(salt: bytes, external_id: str) -> str:
    """Return `ref`: a salted hash that links a leaf to an external id."""
    return sha256(salt + external_id.encode("utf-8")).hexdigest()


def instant_text(instant: datetime) -> str:
    """Format an instant as `2026-03-31T23:59:59Z`.

    Raises:
        InvalidInput: the instant has no time zone.
    """
    if instant.tzinfo is None:
        raise InvalidInput(f"The instant {instant.isoformat()} has no time zone.")
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def genesis_leaf(name: str) -> Leaf:
    """Return the first leaf of a log, which names it."""
    return {"name": name, "t": LeafType.GENESIS.value, "v": 1}


def currency_leaf(currency: str) -> Leaf:
    """Return the leaf that names the currency of all amounts; without one they are US dollars."""
    return {"currency": currency, "t": LeafType.CURRENCY.value}


def policy_leaf(policy: FundPolicy) -> Leaf:
    """Return the leaf of a fund policy that is valid from a given day."""
    return {
        "fee_weights": {fund.value: weight for fund, weight in policy.fee_weights.items()},
        "from": policy.valid_from.isoformat(),
        "t": LeafType.POLICY.value,
        "weights": {fund.value: weight for fund, weight in policy.weights.items()},
    }


def vote_rule_leaf(change: RuleChange) -> Leaf:
    """Return the leaf of the rule of proposals that open from a day on."""
    return {
        "from": change.valid_from.isoformat(),
        "rule": change.rule.document(),
        "t": LeafType.VOTE_RULE.value,
    }


def proposal_open_leaf(
    proposal: Proposal, translations: Mapping[str, str] | None = None, day: date | None = None
) -> Leaf:
    """Return the leaf that opens a vote.

    Args:
        translations: the SHA-256 of its canonical text in each other language, in hex. Leaves of
            0.2.0 lack it.
        day: the day of the opening, by which the rule is in force; None while no rule was set.
    """
    figures = proposal.text.get("figures")
    return {
        **({} if day is None else {"day": day.isoformat()}),
        **({} if figures is None else {"figures": figures}),
        **({} if translations is None else {"translations": dict(translations)}),
        "content_hash": content_hash(proposal),
        "ends": instant_text(proposal.ends_at),
        "goal_cents": proposal.goal_cents,
        "proposal": proposal.id,
        "rule": proposal.rule.document(),
        "t": LeafType.PROPOSAL_OPEN.value,
    }


def proposal_correct_leaf(
    proposal: str, language: str, content: Leaf, *, day: date, reason: str
) -> Leaf:
    """Return the leaf of a translation that changed after the opening.

    `content` is the whole text in that language, as `content_document` returns it.
    """
    return {
        "content": content,
        "day": day.isoformat(),
        "language": language,
        "proposal": proposal,
        "reason": reason,
        "t": LeafType.PROPOSAL_CORRECT.value,
    }


def ballot_leaf(proposal: str, voter: str, choice: str, nonce_hash: str) -> Leaf:
    """Return the leaf of a ballot, `up` or `down`; it contains no name and no time.

    Raises:
        InvalidInput: the choice is neither.
    """
    if choice not in _CHOICES:
        raise InvalidInput(f"'{choice}' is not a choice; a ballot says up or down.")
    return {
        "choice": str(choice),
        "nonce_hash": nonce_hash,
        "proposal": proposal,
        "t": LeafType.BALLOT.value,
        "voter": voter,
    }


def proposal_withdraw_leaf(proposal: str, reason: str, last_index: int, ballots: int) -> Leaf:
    """Return the leaf that ends a vote without a result; it has the number of ballots cast."""
    return {
        "ballots": ballots,
        "last_index": last_index,
        "proposal": proposal,
        "reason": reason,
        "t": LeafType.PROPOSAL_WITHDRAW.value,
    }


def proposal_close_leaf(  # noqa: PLR0913 - one argument for each field
    proposal: str,
    tally: Tally,
    *,
    roll_root: str,
    passed: bool,
    last_index: int,
    shared_cards: int | None = None,
    emails: int | None = None,
    dropped: Sequence[str] | None = None,
    ways: Mapping[str, int] | None = None,
    changed_addresses: int | None = None,
    off_roll: Mapping[str, int] | None = None,
    lost_votes: int | None = None,
) -> Leaf:
    """Return the leaf of a vote's result.

    Args:
        proposal: the id of the proposal.
        tally: the counts, with the number of voters on the roll.
        roll_root: the Merkle root of their tokens, in hex.
        last_index: the index of the leaf before this one.
        shared_cards: the number of counted ballots whose card has another counted ballot.
        emails: how many tell members if their ballot was counted. Version 1 lacks these two.
        dropped: the leaf hashes of ballots that do not count, in hex, in random order.
        ways: how many counted ballots rest on a payment of each way. Leaves of votes that
            closed before ballots were sealed lack these two.
        changed_addresses: the number of counted ballots of accounts whose address an operator
            changed since the opening. Leaves of 0.2.0 lack it and the next two.
        off_roll: the number of members who were not on the roll, by reason.
        lost_votes: the number of payers who may not vote since an operator acted.
    """
    later = {
        "changed_addresses": changed_addresses,
        "dropped": dropped,
        "emails": emails,
        "lost_votes": lost_votes,
        "off_roll": off_roll,
        "shared_cards": shared_cards,
        "ways": ways,
    }
    return {
        **{name: value for name, value in later.items() if value is not None},
        "last_index": last_index,
        "no": tally.no,
        "passed": passed,
        "proposal": proposal,
        "roll_root": roll_root,
        "roll_size": tally.roll,
        "t": LeafType.PROPOSAL_CLOSE.value,
        "void": tally.void,
        "yes": tally.yes,
    }


def proposal_release_leaf(
    proposal: str, *, cents: int, day: date, reason: str, signers: Iterable[str]
) -> Leaf:
    """Return the leaf that releases a part of a passed proposal's goal.

    So many cents of the goal are no longer promised. The operator's reason is published; `signers`
    are the fingerprints of the keys that signed, none while no key is enrolled.
    """
    return {
        "cents": cents,
        "day": day.isoformat(),
        "proposal": proposal,
        "reason": _nfc(reason),
        "signers": list(signers),
        "t": LeafType.PROPOSAL_RELEASE.value,
    }


def shared_act_leaf(
    leaf_type: LeafType, digest: str, public: Mapping[str, Any], signatures: Iterable[Leaf]
) -> Leaf:
    """Return the leaf of an act signed by operators: a key, the limits or an approval.

    `digest` is the SHA-256 of the act, in hex; `public` are its public fields, without names. A
    signature has the key's fingerprint, the time, the nonce and the SSH signature.
    """
    return {**public, "act": digest, "signatures": list(signatures), "t": leaf_type.value}


def log_key_leaf(old: str, new: str) -> Leaf:
    """Return the leaf that replaces the log's key; both keys are in their published form."""
    return {"new": new, "old": old, "t": LeafType.LOG_KEY.value}


def promise_key_leaf(key: bytes) -> Leaf:
    """Return the leaf that names the key which signs voters' receipts, from here on."""
    return {"key": key.hex(), "t": LeafType.PROMISE_KEY.value}


def milestones_leaf(proposal: str, milestones: Iterable[Milestone]) -> Leaf:
    """Return the leaf with the cost of each milestone of a voted project, and what is done.

    The titles, which editors write, are not in it.
    """
    plan = [
        {"completed": one.completed, "cost_cents": one.cost_cents, "id": _nfc(one.id)}
        for one in milestones
    ]
    return {"milestones": plan, "proposal": proposal, "t": LeafType.MILESTONES.value}


CLOSE, OPEN = "close", "open"
"""What happens to a year of the books."""


def year_close_leaf(year: int, balances: Mapping[str, int]) -> Leaf:
    """Return the leaf that closes a year of the books, with what each fund has at its end."""
    return {"balances": dict(balances), "change": CLOSE, "t": LeafType.YEAR.value, "year": year}


def year_open_leaf(year: int, reason: str) -> Leaf:
    """Return the leaf that opens a closed year again."""
    return {"change": OPEN, "reason": _nfc(reason), "t": LeafType.YEAR.value, "year": year}


def restore_leaf(size: int, root: bytes, *, last_size: int, last_root: bytes) -> Leaf:
    """Return the leaf that records a restore from a backup.

    `size` is the number of leaves in the backup, `last_size` that of the newest checkpoint known at
    the restore; if it is larger, the leaves from index ``size`` are lost.
    """
    return {
        "last_root": last_root.hex(),
        "last_size": last_size,
        "root": root.hex(),
        "size": size,
        "t": LeafType.RESTORE.value,
    }


def entry_leaf(entry: JournalEntry, salt: bytes, *, posted: date | None = None) -> Leaf:
    """Return the leaf of an entry, without member, free text or external id.

    `posted` is the day on which it is posted, by which the limits count too; the leaf has it if it
    is not the entry's, and the entry takes money out.
    """
    leaf: Leaf = {
        "day": entry.day.isoformat(),
        "description": entry.description,
        "kind": entry.kind.value,
        "postings": [[p.account, FUND_NAMES[p.fund], p.cents] for p in entry.postings],
        "salt": salt.hex(),
        "t": _ENTRY,
    }
    if entry.external_id is not None:
        leaf["ref"] = external_reference(salt, entry.external_id)
    if entry.reverses is not None:
        leaf["reverses"] = entry.reverses
    if entry.of is not None:
        leaf["of"] = entry.of
    if entry.reference is not None and any(p.fund is Fund.COMMITTED for p in entry.postings):
        leaf[PROPOSAL] = entry.reference
    if entry.milestone is not None:
        leaf[MILESTONE] = entry.milestone
    if posted not in {None, entry.day} and outflow_of(entry, frozenset()).cents:
        leaf[POSTED] = f"{posted}"
    if entry.true_day is not None:
        leaf["true_day"] = entry.true_day.isoformat()
    if entry.foreign is not None:
        leaf["foreign"] = foreign_fields(entry.foreign._asdict(), salt)
    return leaf


def foreign_fields(foreign: Mapping[str, Any], salt: bytes) -> Leaf:
    """Return the leaf fields of a foreign amount; the operator's source text is hashed.

    `foreign` has the values of `Foreign` by name; empty ones may be missing.
    """
    fields: Leaf = {
        "amount": foreign["amount_minor"],
        "currency": foreign["currency"],
        "rate": foreign["rate"],
    }
    if foreign.get("source") is not None:
        fields["source"] = external_reference(salt, foreign["source"])
    if foreign.get("receipt") is not None:
        fields["receipt"] = foreign["receipt"]
    return fields


def content_hash(proposal: Proposal) -> str:
    """Return the SHA-256 of a proposal's canonical text, in hex."""
    return sha256(content_bytes(proposal)).hexdigest()


def content_bytes(proposal: Proposal) -> bytes:
    """Return the canonical bytes of a proposal's text; the public log holds their hash."""
    return canonical.encode(content_document(proposal))


def content_document(proposal: Proposal) -> Leaf:
    """Return a proposal's text as a document for canonical JSON.

    It contains only NFC strings, integers, lists and dictionaries. Texts without measures are as
    they were before proposals had them; so are measures with a cost per unit.
    """
    text = proposal.text
    metrics = text["metrics"]
    measures = [
        {
            "baseline": str(measure["baseline"]),
            "by": measure["by"],
            "id": measure["id"],
            "name": _nfc(measure["name"]),
            "target": str(measure["target"]),
            "unit": _nfc(measure["unit"]),
            **({} if measure.get("costPerUnit", True) else {"cost_per_unit": "no"}),
        }
        for measure in text["measures"]
    ]
    return {
        **({"measures": measures} if measures else {}),
        **({"figures": text["figures"]} if text.get("figures") else {}),
        "budget": [
            {"amount_cents": line["amountCents"], "description": _nfc(line["description"])}
            for line in text["budgetList"]
        ],
        "category": str(text["category"]),
        "country": _nfc(text["country"]),
        "country_code": text["countryCode"],
        "ends": text["endDate"],
        "goal_cents": text["fundingGoalCents"],
        "implementation_html": _nfc(text["implementation"]),
        "metrics": [_nfc(one) for one in (metrics if isinstance(metrics, list) else [metrics])],
        "proposal": text["id"],
        "story_html": _nfc(text["storySections"]),
        "submitters": [
            {
                "image": _nfc(one["image"] or ""),
                "linkedin_url": _nfc(one["linkedinUrl"]),
                **({} if one["name"] is None else {"name": _nfc(one["name"])}),
            }
            for one in text["submitters"]
        ],
        "summary": _nfc(text["summary"]),
        "title": _nfc(text["title"]),
    }


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
