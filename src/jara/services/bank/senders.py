"""Remembered senders: whose payments a payer's lines are, as operators matched them by hand."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from jara.domain.bank.senders import (
    APART,
    NameIndex,
    SenderName,
    Share,
    digest_of_sender,
    fits_promises,
    name_of_sender,
)
from jara.domain.errors import Conflict
from jara.domain.lookup import choose_one
from jara.records.bank import BankLine, SenderRow
from jara.services.approvals import APPROVED
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

VOUCH_ACTION = "bank.vouch"
"""The act by which a second operator signs a statement, and the senders that it lists."""
SIGNED_SENDERS = "senders"
"""Key in the payload of that act: the digests of the senders."""
BY_HAND = "by hand"
"""Stands for the digest of a sender that is not remembered."""
FORGET_ACTION = "bank.senders.forget"


class Sender(NamedTuple):
    """A remembered sender."""

    id: str
    key: str  # the keyed hash of the account or words by which its lines are known
    line: str
    by: str  # the operator who said it
    at: datetime
    shares: tuple[Share, ...]  # the members, with the amount of each if there are several

    @property
    def digest(self) -> str:
        """What a second operator signs."""
        return digest_of_sender(self.key, self.shares)


class ShownSender(NamedTuple):
    """A remembered sender with the text of its line, its members, and whether two people said so.

    The text is empty once it is erased, six years after its year.
    """

    sender: Sender
    text: str
    members: tuple[str, ...]
    is_signed: bool


def signed_senders(work: UnitOfWork) -> frozenset[str]:
    """Return the digests of the senders that a second operator signed with a statement."""
    return frozenset(
        digest
        for one in work.operations.approvals(waiting_only=False)
        if one.action == VOUCH_ACTION and one.state == APPROVED
        for digest in one.payload.get(SIGNED_SENDERS, ())
    )


class Senders:
    """Finds the sender of a line, in one transaction."""

    def __init__(self, context: Context, work: UnitOfWork) -> None:
        self._context = context
        self._work = work
        self._by_key: defaultdict[str, list[Sender]] = defaultdict(list)
        for sender in _read(work):
            self._by_key[sender.key].append(sender)
        self._alike: defaultdict[SenderName, list[BankLine]] = defaultdict(list)

    @cached_property
    def signed(self) -> frozenset[str]:
        """The digests of the senders that a second operator signed."""
        return signed_senders(self._work)

    @cached_property
    def _names(self) -> NameIndex:
        people = self._work.members.all()
        return NameIndex((one.id, one.names[0]) for one in people if one.is_open)

    def load(self, lines: Sequence[BankLine]) -> None:
        """Look up the lines near those of one account, which may be of the same senders."""
        if not self._by_key:
            return
        days = [one.line.day for one in lines]
        near = self._work.bank.between(lines[0].account, min(days) - APART, max(days) + APART)
        for one in near:
            name = name_of_sender(one.line)
            if name is not None:
                self._alike[name].append(one)

    def of(self, line: BankLine) -> list[Sender]:
        """Return what is remembered of the sender of a line, perhaps for several members."""
        name = name_of_sender(line.line) if self._by_key else None
        return [] if name is None else self._by_key.get(self._key(name), [])

    def certain(self, line: BankLine, dollars: Mapping[str, int]) -> Sender | None:
        """Return the sender of a line of money in if only one fits it; None if none is remembered.

        `dollars` has the amount a month of each member with a promise.

        Raises:
            Conflict: it is remembered, and the line may yet be somebody else's.
        """
        known = self.of(line)
        if not known:
            return None
        cents = line.line.gross_cents
        fitting = [one for one in known if fits_promises(cents, one.shares, dollars)]
        if not fitting:
            raise Conflict("Its sender is remembered, but the amount is not whole months.")
        if len(fitting) > 1:
            raise Conflict("Its sender is remembered for several members whom the amount fits.")
        name = name_of_sender(line.line)
        members = {share.member_id for one in known for share in one.shares}
        is_by_name = name is not None and name.kind == "text"
        if is_by_name and self._names.members_in(line.line) - members:
            raise Conflict("Its sender is remembered, but another member has that name.")
        for other in self._alike[name] if name is not None else ():
            is_near = abs(other.line.day - line.line.day) < APART and other.id != line.id
            if is_near and fits_promises(other.line.gross_cents, fitting[0].shares, dollars):
                raise Conflict(
                    f"Its sender is remembered, but {other.id} of {other.line.day} is from the "
                    "same one; it may be another person's."
                )
        return fitting[0]

    def candidates(self, line: BankLine) -> set[str]:
        """Return the ids of the members who may have paid a line, by memory or by name."""
        remembered = {share.member_id for one in self.of(line) for share in one.shares}
        return remembered | self._names.members_in(line.line)

    def remember(self, line: BankLine, shares: Sequence[Share]) -> Sender | None:
        """Remember whose payments the lines of a sender are; None if the line names nobody."""
        name = name_of_sender(line.line)
        if name is None:
            return None
        key = self._key(name)
        for sender in self._by_key[key]:
            if set(sender.shares) == set(shares):
                return sender
        sender = Sender(
            self._context.new_key("snd_"),
            key,
            line.id,
            self._context.operator,
            self._context.now(),
            tuple(shares),
        )
        for share in shares:
            self._work.bank_rules.add_sender(
                SenderRow(
                    sender.id, key, share.member_id, share.cents, line.id, sender.by, sender.at
                )
            )
        self._by_key[key].append(sender)
        return sender

    def _key(self, name: SenderName) -> str:
        return self._context.vault.keyed_hash("sender", "\0".join(name))


def list_senders(context: Context) -> list[ShownSender]:
    """Return the remembered senders, oldest first."""
    with context.store.read() as work:
        signed = signed_senders(work)
        return [_show(work, sender, signed) for sender in _read(work)]


def forget_sender(context: Context, text: str) -> ShownSender:
    """Forget a sender; what was booked stays, and later lines wait.

    Raises:
        NotFound: no id begins with the text.
        Conflict: several do.
    """
    with context.store.write() as work:
        sender = choose_one(
            text,
            [
                one
                for one in _read(work)
                if one.id.removeprefix("snd_").startswith(text.removeprefix("snd_"))
            ],
            kinds="senders",
            label=lambda one: one.id,
            missing=f"There is no sender '{text}'; see `jara bank senders list`.",
        )
        shown = _show(work, sender, signed_senders(work))
        work.bank_rules.remove_sender(sender.id)
        record_act(context, work, FORGET_ACTION, sender.id)
    return shown


def _read(work: UnitOfWork) -> list[Sender]:
    rows = work.bank_rules.senders()
    groups = (list(group) for _, group in groupby(rows, key=lambda row: row.id))
    senders = [
        Sender(
            first.id,
            first.key,
            first.line,
            first.remembered_by,
            first.remembered_at,
            tuple(Share(row.member_id, row.cents) for row in (first, *others)),
        )
        for first, *others in groups
    ]
    return sorted(senders, key=lambda one: (one.at, one.id))


def _show(work: UnitOfWork, sender: Sender, signed: frozenset[str]) -> ShownSender:
    people = [work.members.get(share.member_id) for share in sender.shares]
    labels = tuple("" if one is None else one.label for one in people)
    text = work.bank.find(sender.line).line.label
    return ShownSender(sender, text, labels, sender.digest in signed)
