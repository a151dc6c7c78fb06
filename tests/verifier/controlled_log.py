"""A log with operators' keys and limits of $100, and entries that one person writes alone."""

from collections.abc import Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from jara.domain.books.account import BANK, GRANTS, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.outflow import DECIDED_FUNDS, FIRST_ACCOUNTS, received
from jara.domain.books.spending import transfer_entry
from jara.domain.control.state import ADD, DECIDED, act_of_key, act_of_limits
from jara.domain.control.statement import SharedAct, spends_hash
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from tests.fakes.operators import SIGNED_AT, Signer, TestSigner, signatures
from tests.fakes.passkeys import Phone
from tests.verifier.log_builder import LogBuilder

LIMIT = 10_000
SMALL = LIMIT - 100
LARGE = 5 * LIMIT
DAY = date(2026, 11, 20)
ADA, BEN, KIT = (TestSigner(name) for name in ("ada", "ben", "kit"))
AMA = Phone("ama")
_ROLES = {ADA.key: "admin", BEN.key: "approver", KIT.key: "bookkeeper", AMA.key: "approver"}


class ControlledLog(LogBuilder):
    """A log whose operators have keys; every act is signed unless a test says otherwise."""

    def __init__(self, *, names_accounts: bool = True, names_funds: bool = True) -> None:
        """Enrol three keys and set the limits; earlier versions named no accounts or no funds."""
        super().__init__()
        self._acts = 0
        figures: dict[str, Any] = {"limit_cents": LIMIT, "day_limit_cents": LIMIT}
        if names_accounts:
            figures |= {"total_limit_cents": 2 * LIMIT, "assets": sorted(FIRST_ACCOUNTS)}
        self._by_fund = names_accounts and names_funds
        if self._by_fund:
            figures[DECIDED] = sorted(DECIDED_FUNDS)
        self.add_key(ADA, ADA)
        self.add_key(BEN, ADA)
        self.add_key(KIT, ADA, BEN)
        self.figures = figures
        self.limits = self.set_limits(figures, ADA, BEN)
        self.post(moved(GRANTS, -1_000_000, EntryKind.GRANT))

    def add_key(self, one: Signer, *signers: Signer) -> int:
        """Enrol a key."""
        public = {
            "change": ADD,
            "key": one.key.fingerprint,
            "person": f"op_{sha256(one.key.blob).hexdigest()[:8]}",
            "public_key": one.key.text(),
            "roles": [_ROLES[one.key]],
        }
        leaf = shared_act_leaf(LeafType.OPERATOR_KEY, self._digest(), public, [])
        return self.append(self._signed(leaf, act_of_key(leaf), *signers))

    def set_limits(self, figures: dict[str, Any], *signers: Signer) -> int:
        """Set the limits."""
        public = {"approvals": 2, **figures}
        leaf = shared_act_leaf(LeafType.CONTROL_POLICY, self._digest(), public, [])
        return self.append(self._signed(leaf, act_of_limits(leaf), *signers))

    def approve(self, *entries: JournalEntry, signers: Sequence[Signer] = (KIT, BEN)) -> int:
        """Append an approval of the entries that are posted next."""
        salt = sha256(b"salt %d" % (len(self.leaves) + 1)).digest()[:16]
        several = {"entries": len(entries)} if len(entries) > 1 else {}
        public = {"spends": spends_hash(received(entries, by_fund=self._by_fund), salt), **several}
        act = SharedAct("ledger.post", self._digest(), public)
        leaf = shared_act_leaf(LeafType.APPROVAL, act.digest, {"action": act.action, **public}, [])
        return self.append(self._signed(leaf, act, *signers))

    def end(self) -> LogBuilder:
        """Publish a checkpoint."""
        self.checkpoint()
        return self

    def _digest(self) -> str:
        self._acts += 1
        return sha256(b"act %d" % self._acts).hexdigest()

    def _signed(
        self, leaf: dict[str, Any], act: SharedAct, *signers: Signer, at: datetime = SIGNED_AT
    ) -> dict[str, Any]:
        return leaf | {"signatures": signatures(act, self.key.text(), *signers, at=at)}


def moved(
    account: str,
    cents: int,
    kind: EntryKind = EntryKind.MANUAL,
    *,
    source: str = BANK,
    day: date = DAY,
    **links: Any,
) -> JournalEntry:
    """Return an entry that moves money from an asset account to another account."""
    postings = (Posting(account, Fund.OTHER, cents), Posting(source, Fund.OTHER, -cents))
    return JournalEntry(day, kind, "An entry", postings, **links)


def between(source: Fund, target: Fund, cents: int = LARGE) -> JournalEntry:
    """Return an entry that moves money from one fund to another."""
    return transfer_entry(DAY, source=source, target=target, draws=[(BANK, cents)])
