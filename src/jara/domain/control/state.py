"""The keys, limits and ways in that are in force, computed from the public log alone.

The log is the authority: writing a key into a table does not enrol it, and changing a limit
there has no effect.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from jara.domain.control.effects import Rule
from jara.domain.control.roles import APPROVING, PREPARING, Role, require_passkey_roles
from jara.domain.control.ssh import BadSignature, PublicKey, Verify, parse_public_key
from jara.domain.control.statement import LIFETIME, SharedAct, signer_of
from jara.domain.control.ways_in import WAY_VALUES, WAYS_ACTION
from jara.domain.errors import Conflict, JaraError, Refused
from jara.domain.money import format_cents
from jara.domain.publiclog.leaves import LeafType, instant_text

ADD, REMOVE = "add", "remove"
ADD_ACTION, REMOVE_ACTION = "operators.add", "operators.remove"
POLICY_ACTION = "operators.policy"
OWN_ACCOUNTS = "assets"
"""The field of the limits with the organisation's own asset accounts."""
DECIDED = "funds"
"""The field of the limits with the funds that are added up by themselves; earlier versions named
none."""
APPROVALS = 2
"""The number of people an act above the limit needs, including the one who requests it."""


class BrokenControl(Refused):
    """The log's leaves about operators break the rules, so they were not written by Jara."""

    code: ClassVar[str] = "broken_control"


class SameSigner(Conflict):
    """Somebody signs an act a second time; it needs another person."""


class PhoneLimit(Refused):
    """A passkey signs an act over the limit up to which passkeys count."""

    code: ClassVar[str] = "phone_limit"


class EnrolledKey(NamedTuple):
    """A key in force."""

    key: PublicKey
    person: str  # the random name of its owner; two keys of one person count once
    roles: frozenset[Role]


class Outlay(NamedTuple):
    """What an act takes out, and what goes out with it."""

    cents: int  # its own sum
    payee_cents: int = 0  # the most that one of its payees gets on a day
    day_cents: int = 0  # the most that goes out on a day without another person's signature
    month_cents: int = 0  # the same in a calendar month
    outside: tuple[str, ...] = ()  # the asset accounts that get it and the limits do not name


class Limits(NamedTuple):
    """The amounts from which an act needs approval, and the number of people it needs."""

    limit_cents: int | None = None  # the limit for one act; None for no limit
    day_limit_cents: int | None = None
    """The limit for what one payee gets on one day; None for no limit."""
    approvals: int = APPROVALS  # the number of people, including the one who requests the act
    total_limit_cents: int | None = None
    """The limit for what goes out on one day over all; None for no limit."""
    month_limit_cents: int | None = None  # the same for a calendar month
    phone_limit_cents: int | None = None
    """The most that an act may take out for which a passkey counts, such as a phone's; 0 if none
    counts, None for no limit."""
    documents_from_cents: int | None = None
    """From which amount on a spend needs a document; None for none."""
    documents_within_days: int | None = None  # after how many days one without is named

    def counts_phone(self, cents: int) -> bool:
        """Return whether a passkey's signature counts for an act that takes out so much."""
        most = self.phone_limit_cents
        return most is None or 0 < most >= cents

    def stricter(self, cents: int | None) -> "Limits":
        """Return these limits, but for the month's, each capped at another limit if there is one.

        The limit over all is capped only where it is set: without operators' keys, nothing tells
        which entries of a day two people approved.
        """
        if cents is None:
            return self
        act, day = (
            cents if limit is None else min(cents, limit)
            for limit in (self.limit_cents, self.day_limit_cents)
        )
        total = self.total_limit_cents
        return self._replace(
            limit_cents=act,
            day_limit_cents=day,
            total_limit_cents=None if total is None else min(cents, total),
        )

    def reached(self, outlay: Outlay) -> str:
        """Return which limit is reached by what an act takes out, and by how much; or nothing."""
        for cents, limit, what in (
            (outlay.cents, self.limit_cents, "it takes out {}"),
            (outlay.payee_cents, self.day_limit_cents, "one payee gets {} in a day with it"),
            (outlay.day_cents, self.total_limit_cents, "{} go out in a day with it"),
            (outlay.month_cents, self.month_limit_cents, "{} go out in a month with it"),
        ):
            if limit is not None and cents > 0 and cents >= limit:
                more = "".join(f"; the limits do not name {one} as ours" for one in outlay.outside)
                taken = what.replace("{}", format_cents(cents))
                return f"{taken}, and {format_cents(limit)} is the limit{more}"
        return ""

    @property
    def is_set(self) -> bool:
        """Whether there is a limit of what one person may do alone."""
        limits = (self.limit_cents, self.day_limit_cents, self.total_limit_cents)
        return any(one is not None for one in (*limits, self.month_limit_cents))

    def document(self) -> dict[str, int]:
        """Return the limits as stored in a leaf, without unset ones."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class Control(NamedTuple):
    """Who may act, and within which limits."""

    organisation: str
    keys: Mapping[str, EnrolledKey]
    """By fingerprint."""
    persons: Mapping[str, str]
    """The owner of each current or former key, by fingerprint."""
    limits: Limits | None = None
    ways: Mapping[str, str] = {}
    """The hash of each way in that the log has; see `jara.domain.control.ways_in`."""
    own: frozenset[str] | None = None
    """The organisation's own asset accounts, as the limits name them; None if they do not."""
    names_funds: bool = False
    """Whether the limits name the funds that are added up by themselves."""
    approved: Mapping[int, int] = {}
    """How many entries each approval is for, by its log index."""
    changed_at: datetime | None = None
    """When the newest change of keys or limits was signed."""

    @property
    def needs_keys(self) -> bool:
        """Whether a key was ever enrolled; from then on every change needs one."""
        return bool(self.persons)

    @property
    def approvers(self) -> frozenset[str]:
        """The people who may approve."""
        return frozenset(one.person for one in self.keys.values() if one.roles & APPROVING)

    @property
    def signatures_for_change(self) -> int:
        """The number of people who must sign a change of keys or limits; at most all approvers."""
        asked = self.limits.approvals if self.limits is not None else APPROVALS
        return min(asked, len(self.approvers))

    def needs_another(self, rule: Rule, limits: Limits, outlay: Outlay) -> bool:
        """Return whether an act may not be done alone, by its rule in `control.effects`."""
        match rule:
            case Rule.ALONE:
                return False
            case Rule.LIMITED:
                return bool(limits.reached(outlay))
            case Rule.TWO:
                return limits.is_set
            case _:
                return self.people_for(rule, limits) > 1

    def people_for(self, rule: Rule, limits: Limits) -> int:
        """Return the number of people who sign an act that may not be done alone."""
        if rule is Rule.ALONE:
            return 1
        if rule is not Rule.GOVERNING:
            return limits.approvals
        if self.needs_keys:
            return self.signatures_for_change
        return limits.approvals if limits.is_set else 1

    def people_of(
        self, fingerprints: Iterable[str], what: str
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the signers, and the approvers among them; two keys of one person count once.

        Raises:
            BadSignature: a key is not enrolled, or none of its roles may sign.
        """
        known = [self._enrolled(fingerprint, what) for fingerprint in fingerprints]
        approvers = {one.person for one in known if one.roles & APPROVING}
        return frozenset(one.person for one in known), frozenset(approvers)

    def counting(self, fingerprints: Iterable[str], cents: int = 0) -> list[str]:
        """Return the keys whose signatures count for an act that takes out so much."""
        if (self.limits or Limits()).counts_phone(cents):
            return list(fingerprints)
        return [name for name in fingerprints if not self._is_passkey(name)]

    def require_counting(self, fingerprint: str, cents: int) -> None:
        """Require that a key counts for an act.

        Raises:
            PhoneLimit: it is a passkey, and the act takes out more than passkeys count for.
        """
        if not self.counting([fingerprint], cents):
            raise PhoneLimit(
                "This is over the limit for phones; an operator has to sign it with an SSH key: "
                "jara approvals approve ID"
            )

    def _is_passkey(self, fingerprint: str) -> bool:
        known = self.keys.get(fingerprint)
        return known is not None and known.key.is_passkey

    def join(
        self, before: Sequence[str], fingerprint: str, what: str, *, again: bool = False
    ) -> list[str]:
        """Add a key to those that signed before; `what` is the approval, for messages.

        With `again` people may sign again, because the act failed after they signed.

        Raises:
            Conflict: the key's owner has already signed.
            BadSignature: a key is not enrolled, or none of its roles may sign.
        """
        people, _ = self.people_of(before, what)
        if self._enrolled(fingerprint, what).person in people and not again:
            raise SameSigner(f"You signed {what} already; it needs another person's approval.")
        return [*before, fingerprint]

    def _enrolled(self, fingerprint: str, what: str) -> EnrolledKey:
        known = self.keys.get(fingerprint)
        if known is None:
            raise BadSignature(f"{what} is signed by {fingerprint}, which is not enrolled now.")
        if not known.roles & PREPARING:
            raise BadSignature(
                f"{what} is signed by {fingerprint}, whose role is only "
                f"{' and '.join(sorted(known.roles))}."
            )
        return known


class _Past:
    """What earlier leaves used up: each signature and each act counts once, and in order."""

    def __init__(self) -> None:
        self._nonces: set[str] = set()
        self._acts: set[str] = set()
        self.changed_at: datetime | None = None

    def note(self, leaf: Mapping[str, Any]) -> None:
        """Record the act and the signatures of a leaf."""
        self._acts.add(leaf["act"])
        self._nonces.update(row["nonce"] for row in leaf["signatures"])

    def take(self, leaf: Mapping[str, Any]) -> None:
        """Record a change of keys or limits, which must be new.

        Raises:
            BadSignature: its act or one of its signatures was used before, or it was signed
                before an earlier change.
        """
        for row in leaf["signatures"]:
            if row["nonce"] in self._nonces:
                raise BadSignature(f"the signature {row['nonce']} was used before.")
            self._nonces.add(row["nonce"])
        if leaf["act"] in self._acts:
            raise BadSignature(f"the act {leaf['act']} was done before.")
        self._acts.add(leaf["act"])
        signed_at = newest_of(leaf["signatures"])
        require_order(signed_at, self.changed_at)
        self.changed_at = signed_at or self.changed_at


def newest_of(rows: Iterable[Mapping[str, Any]]) -> datetime | None:
    """Return the time of the newest signature of a leaf; None if it has none."""
    return max((datetime.fromisoformat(row["time"]) for row in rows), default=None)


def require_order(signed_at: datetime | None, changed_at: datetime | None) -> None:
    """Require that an act was not signed before the newest change of keys or limits.

    Otherwise an act that was signed and then refused could be carried out later, when fewer
    signatures are needed.

    Raises:
        BadSignature: it was, and not only by a clock's error.
    """
    if signed_at and changed_at and signed_at < changed_at - LIFETIME:
        raise BadSignature(
            f"it was signed at {instant_text(signed_at)}, before the change of keys or limits at "
            f"{instant_text(changed_at)}."
        )


def replay(
    leaves: Iterable[tuple[int, Mapping[str, Any]]], organisation: str, verify: Verify
) -> Control:
    """Return the keys and limits that result from the leaves; each leaf is checked in order.

    Approvals only use up their acts and signatures.

    Raises:
        BrokenControl: a leaf breaks the rules; the message names it.
    """
    control = Control(organisation, keys={}, persons={})
    past = _Past()
    approved: dict[int, int] = {}
    for index, leaf in leaves:
        try:
            if leaf["t"] == LeafType.APPROVAL:
                past.note(leaf)
                if "spends" in leaf:
                    approved[index] = leaf.get("entries", 1)
                continue
            past.take(leaf)
            control = _CHANGES[leaf["t"]](control, leaf, verify)
        except (JaraError, KeyError, TypeError, ValueError) as error:
            raise BrokenControl(f"Leaf {index} of the log is not valid: {error}") from None
    return control._replace(approved=approved, changed_at=past.changed_at)


def act_of_key(leaf: Mapping[str, Any]) -> SharedAct:
    """Return the act that the signatures of a leaf about a key sign."""
    public = {name: leaf[name] for name in ("change", "key", "person", "public_key", "roles")}
    action = ADD_ACTION if leaf["change"] == ADD else REMOVE_ACTION
    return SharedAct(action, leaf["act"], public)


def act_of_limits(leaf: Mapping[str, Any]) -> SharedAct:
    """Return the act that the signatures of a leaf about limits sign."""
    names = (*Limits._fields, OWN_ACCOUNTS, DECIDED)
    return SharedAct(
        POLICY_ACTION, leaf["act"], {name: leaf[name] for name in names if name in leaf}
    )


def act_of_ways(leaf: Mapping[str, Any]) -> SharedAct:
    """Return the act that the signatures of a leaf about ways in sign."""
    return SharedAct(WAYS_ACTION, leaf["act"], {WAY_VALUES: leaf[WAY_VALUES]})


def _change_key(control: Control, leaf: Mapping[str, Any], verify: Verify) -> Control:
    key, name, person = parse_public_key(leaf["public_key"]), leaf["key"], leaf["person"]
    if key.fingerprint != name:
        raise BadSignature(f"the key is {key.fingerprint}, not {name}.")
    signers = _signers(control, act_of_key(leaf), leaf, verify)
    keys = dict(control.keys)
    if leaf["change"] == REMOVE:
        _require_change(control, signers, "Removing a key")
        del keys[name]
    else:
        require_free(control, name, person)
        roles = frozenset(map(Role, leaf["roles"]))
        if key.is_passkey:
            require_passkey_roles(roles)
        if control.needs_keys:
            _require_change(control, signers, "A new key")
        elif signers != [name]:
            raise BadSignature("the first key is not signed by itself.")
        keys[name] = EnrolledKey(key, person, roles)
    return control._replace(keys=keys, persons={**control.persons, name: person})


def require_free(control: Control, fingerprint: str, person: str) -> None:
    """Require that a key is not enrolled and never belonged to another person.

    Raises:
        BadSignature: it is enrolled, or belonged to another person.
    """
    if fingerprint in control.keys or control.persons.get(fingerprint, person) != person:
        raise BadSignature(
            f"The key {fingerprint} is or was enrolled; each person needs their own key."
        )


def _change_limits(control: Control, leaf: Mapping[str, Any], verify: Verify) -> Control:
    signers = _signers(control, act_of_limits(leaf), leaf, verify)
    if control.needs_keys:
        _require_change(control, signers, "The change of the limits")
    return control._replace(
        limits=limits_of(leaf),
        own=frozenset(leaf[OWN_ACCOUNTS]) if OWN_ACCOUNTS in leaf else None,
        names_funds=DECIDED in leaf,
    )


def limits_of(document: Mapping[str, Any]) -> Limits:
    """Return the limits that a leaf or a waiting act holds."""
    return Limits(**{name: document[name] for name in Limits._fields if name in document})


def _change_ways(control: Control, leaf: Mapping[str, Any], verify: Verify) -> Control:
    signers = _signers(control, act_of_ways(leaf), leaf, verify)
    if control.needs_keys:
        _require_change(control, signers, "The change of a way to pay")
    return control._replace(ways={**control.ways, **leaf[WAY_VALUES]})


_CHANGES: Mapping[str, Callable[[Control, Mapping[str, Any], Verify], Control]] = {
    LeafType.OPERATOR_KEY.value: _change_key,
    LeafType.CONTROL_POLICY.value: _change_limits,
    LeafType.WAYS_IN.value: _change_ways,
}


def _signers(
    control: Control, act: SharedAct, leaf: Mapping[str, Any], verify: Verify
) -> list[str]:
    return [signer_of(act, row, control.organisation, verify) for row in leaf["signatures"]]


def _require_change(control: Control, signers: list[str], what: str) -> None:
    """Require an admin's signature and enough signers for a change of keys or limits.

    No passkey is an admin's, so at least one of the signatures is by an SSH key.
    """
    needed = control.signatures_for_change
    people, approvers = control.people_of(control.counting(signers), what)
    if len(people) < needed:
        raise BadSignature(f"{what} is signed by {len(people)} of the {needed} people it needs.")
    if len(approvers) < needed - 1:
        raise BadSignature(
            f"{what} is signed by {len(approvers)} of the {needed - 1} approvers it needs."
        )
    if not any(Role.ADMIN in control.keys[name].roles for name in signers):
        raise BadSignature(f"{what} is signed by no admin.")
