"""The context of every use case: store, clock, payment gateway, secrets, settings."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from jara.domain.books.journal import PostedEntry
from jara.domain.control.state import Control
from jara.domain.control.statement import SharedAct
from jara.domain.countries import Countries
from jara.domain.errors import NoCards
from jara.domain.language import ENGLISH, Language
from jara.domain.organisation import DEFAULT_NAME, PaymentMode
from jara.domain.papers import Paper, PaperKind
from jara.domain.time_zone import TimeZone
from jara.records.access import EndedRequest
from jara.records.operations import Approval, SignedAct
from jara.services.ports.outside import ActSigner, Clock, Entropy, PasswordHasher, WitnessNetwork
from jara.services.ports.payments import NO_CARDS, PaymentGateway
from jara.store.checkpoint_file import CheckpointFile
from jara.store.store import Store
from jara.store.unit_of_work import UnitOfWork

if TYPE_CHECKING:  # it imports cryptography, which help of a command does not need
    from jara.security.keys import SecretsFolder

PAPERS = "documents"
"""Key of the payload of an act: the documents of its entry."""

_STORED_AFTER = timedelta(hours=1)


class Rules(NamedTuple):
    """Settings that use cases read."""

    organisation: str = DEFAULT_NAME  # the name, until the organisation sets its own
    site_url: str = "http://127.0.0.1:8000"  # the base of links in emails
    approval_cents: int | None = None
    """From this amount on an action needs a second operator's approval; None for never."""
    mail_per_hour: int | None = None  # how many emails may be sent in an hour; None for no limit
    legal_texts: Callable[[str], Mapping[Language, str]] = lambda _name: {}
    """Returns a legal text as it comes with Jara, by language."""
    log_days: int | None = None  # for how many days logs are kept; None if the settings do not say
    backup_days: int | None = None
    """For how many days backups are kept; None if the settings do not say."""
    common_passwords: Container[str] = frozenset()  # passwords that are refused
    countries: Countries = Countries()  # the list of countries, name and code
    time_zone_of: Callable[[str], str | None] = lambda _country: None
    """The main time zone of a country, by its name; None where it is unknown."""
    languages: tuple[Language, ...] = (ENGLISH,)
    """The languages of the site, in which content may be written."""
    language: Language = ENGLISH  # the one for whoever has chosen none


class PaymentChange(StrEnum):
    """What an entry did to a payment."""

    BOOKED = "booked"
    RETURNED = "returned"
    """A part of it was refunded or disputed, or came back."""
    REVERSED = "reversed"
    """It was booked by mistake."""


class PaymentEvent(NamedTuple):
    """A change of a payment in the books, for those who act on it in the same transaction."""

    change: PaymentChange
    payment: PostedEntry  # its entry
    entry: PostedEntry  # the entry that changed it


PaymentListener = Callable[["Context", UnitOfWork, PaymentEvent], None]
ApprovalListener = Callable[["Context", UnitOfWork, Approval], None]


class RecentUses:
    """Counts recent uses in this process, in memory only."""

    def __init__(self) -> None:
        self._times: OrderedDict[str, list[datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def count(self, name: str, now: datetime, *, most: int, seconds: int) -> timedelta | None:
        """Count one use; if the limit is reached, return how long to wait instead."""
        since = now - timedelta(seconds=seconds)
        with self._lock:
            while self._times and next(iter(self._times.values()))[-1] <= since:
                self._times.popitem(last=False)
            times = [at for at in self._times.get(name, ()) if at > since]
            if len(times) >= most:
                return times[-most] - since
            self._times[name] = [*times, now]
            self._times.move_to_end(name)  # the least recently used comes first
            return None


class SignedCommand:
    """What the operator signed for the running command; one signature serves the whole command.

    A command may change the database in several transactions. The first one asks for a
    signature; the others reuse it.
    """

    def __init__(self) -> None:
        self.acts: list[tuple[SharedAct | None, SignedAct]] = []
        self.control: tuple[object, Control] | None = None
        """The keys and limits at the beginning of a transaction, and the transaction."""
        self.carrying: set[str] = set()
        """The acts that this command has taken to the payment provider."""


class UsedSessions:
    """In memory, the sessions used today until their day of use is stored."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._since: datetime | None = None
        self._lock = threading.Lock()

    def note(self, name: str, now: datetime) -> frozenset[str]:
        """Note a session; return those to store now, once an hour."""
        with self._lock:
            self._names.add(name)
            self._since = self._since or now
            if now - self._since < _STORED_AFTER:
                return frozenset()
            due = frozenset(self._names)
            self._names.clear()
            self._since = None
            return due


class OpenCount(NamedTuple):
    """How many ballots of an open vote were counted, up to a place in its box."""

    key: bytes  # the ballot key that opened them
    place: int  # the place of the last counted ballot; 0 for none
    box: str  # its box token
    yes: int
    no: int


class OpenCounts:
    """The counts of open votes, in memory only: stored counts would tell when each changed.

    Each vote has its last counts, oldest first: a reader's snapshot may be older than the newest.
    """

    def __init__(self) -> None:
        self.by_proposal: dict[str, deque[OpenCount]] = {}
        self.lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Context:
    """Everything from outside that a use case needs, in one argument."""

    store: Store
    clock: Clock
    entropy: Entropy
    vault: SecretsFolder
    gateway: PaymentGateway
    hasher: PasswordHasher
    rules: Rules
    operator: str = "system"
    """The operator's name; if operators have keys, the name of the key counts."""
    note_file: CheckpointFile | None = None
    payment_mode: PaymentMode = PaymentMode.SANDBOX
    recent: RecentUses = field(default_factory=RecentUses)
    signer: ActSigner | None = None
    """Signs what the operator does; None in the web server, where no operator acts."""
    signed: SignedCommand = field(default_factory=SignedCommand)
    approved: Approval | None = None  # the approval that is being carried out
    papers: tuple[Paper, ...] = ()  # the stored documents of the entry that the use case posts
    used_sessions: UsedSessions = field(default_factory=UsedSessions)
    open_counts: OpenCounts = field(default_factory=OpenCounts)
    ended_requests: dict[str, EndedRequest] = field(default_factory=dict)
    """Requests with an idempotency key whose end the database could not take yet, by attempt."""
    witnesses: WitnessNetwork | None = None
    """Reaches the log's witnesses; None where nothing goes over the network."""
    on_payment: tuple[PaymentListener, ...] = ()
    """Called with each change of a payment, in the transaction of its entry."""
    on_approval: tuple[ApprovalListener, ...] = ()
    """Called with each act that begins to wait, or is decided, in its transaction."""
    language: Language = ENGLISH  # the language of the reader, for texts that operators wrote

    def for_reader(self, language: Language) -> Context:
        """Return the same context for a reader of a language."""
        return self if language == self.language else replace(self, language=language)

    @contextmanager
    def together(self) -> Iterator[Context]:
        """Open one transaction; return the context whose use cases all run in it, or none does.

        What may take long does not belong inside: the payment provider, a password's hash. The
        sandbox provider, whose state is in the same database, fails inside.
        """
        with self.store.together() as store:
            yield replace(self, store=store)

    @property
    def takes_cards(self) -> bool:
        """Whether payments can be made by card."""
        return self.gateway.name != NO_CARDS

    def require_cards(self) -> None:
        """Check that payments can be made by card.

        Raises:
            NoCards: they cannot.
        """
        if not self.takes_cards:
            raise NoCards("This organisation takes no cards.")

    @property
    def papers_of_act(self) -> tuple[Paper, ...]:
        """The stored documents of the entry that the use case posts; an approval names its own."""
        if self.approved is None:
            return self.papers
        rows = self.approved.payload.get(PAPERS, ())
        return tuple(Paper(row["sha256"], PaperKind(row["kind"])) for row in rows)

    @property
    def papers_payload(self) -> dict[str, list[dict[str, str]]]:
        """What the payload of an act has of its documents, so that signatures cover them."""
        rows = [{"kind": one.kind.value, "sha256": one.hash} for one in self.papers_of_act]
        return {PAPERS: rows} if rows else {}

    def now(self) -> datetime:
        """Return the present instant in whole seconds, UTC."""
        return self.clock.now().astimezone(UTC).replace(microsecond=0)

    def today(self) -> date:
        """Return the organisation's present day."""
        return self.zone.day_of(self.now())

    @property
    def zone(self) -> TimeZone:
        """The organisation's time zone, to which every day belongs."""
        return self.store.zone()

    def new_id(self) -> str:
        """Return a new UUID version 7 (RFC 9562): time first, then random bits."""
        milliseconds = int(self.clock.now().timestamp() * 1000)
        random = int.from_bytes(self.entropy.token(10), "big")
        value = (
            (milliseconds & (2**48 - 1)) << 80
            | 0x7 << 76
            | (random >> 62 & 0xFFF) << 64
            | 0b10 << 62
            | random & (2**62 - 1)
        )
        return str(uuid.UUID(int=value))

    def new_key(self, prefix: str) -> str:
        """Return a short random key such as ``prop_4f7k2m9q``."""
        alphabet = "abcdefghijkmnpqrstuvwxyz23456789"
        return prefix + "".join(alphabet[byte % 32] for byte in self.entropy.token(12))
