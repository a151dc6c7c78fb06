"""Builds a small organisation's public log with the domain, and writes it as a bundle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from jara.domain.books.account import BANK, IN_TRANSIT, STRIPE, Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.movements import MovementFacts, Payment, entry_from_row
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.publiclog import ballots, canonical, leaves, merkle, notes
from jara.files.publiclog import bundle
from tests.domain.publiclog.merkle_tree import MemoryTree

NAME = "jara.example/log"
POLICY_2027 = FundPolicy(
    valid_from=date(2026, 3, 1),
    weights=dict(zip(DEFAULT_POLICY.weights, (70, 10, 10, 10), strict=True)),
    fee_weights=dict(zip(DEFAULT_POLICY.weights, (0, 1, 1, 1), strict=True)),
)

Files = dict[str, bytes]
Check = Callable[..., tuple[int, str]]


class LogBuilder:
    """A log under construction; its leaves can be changed before it is written."""

    def __init__(self, seed: int = 7) -> None:
        """Start a log with its genesis and the default policy."""
        self._signer = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.key = notes.VerificationKey(NAME, self._signer.public_key().public_bytes_raw())
        self.leaves: list[leaves.Leaf] = []
        self.entries: dict[int, JournalEntry] = {}
        self.checkpoint_sizes: list[int] = []
        self.rolls: dict[str, list[str]] = {}
        self.proposals: dict[str, bytes] = {}
        self.append(leaves.genesis_leaf(NAME))
        self.policy = DEFAULT_POLICY
        self.append(leaves.policy_leaf(self.policy))

    def append(self, leaf: leaves.Leaf) -> int:
        """Append a leaf and return its index."""
        self.leaves.append(leaf)
        return len(self.leaves) - 1

    def change_policy(self, policy: FundPolicy) -> int:
        """Append another fund policy."""
        self.policy = policy
        return self.append(leaves.policy_leaf(policy))

    def post(self, entry: JournalEntry) -> int:
        """Append an entry."""
        salt = hashlib.sha256(b"salt %d" % len(self.leaves)).digest()[: leaves.SALT_BYTES]
        index = self.append(leaves.entry_leaf(entry, salt))
        self.entries[index] = entry
        return index

    def move(
        self,
        category: RowCategory,
        amount: int,
        fee: int = 0,
        *,
        fee_tax: int = 0,
        kind: ChargeKind | None = None,
        of: tuple[int, int] | None = None,
        day: int = 5,
        month: int = 1,
        locked_years: tuple[int, ...] = (),
    ) -> int:
        """Book a provider's row; `of` names a payment and the amount refunded so far."""
        row = ProviderRow(
            created=datetime(2026, month, day, 12, tzinfo=UTC),
            category=category,
            amount=amount,
            fee=fee,
            fee_tax=fee_tax,
            net=amount - fee,
            txn_id=f"txn_{len(self.leaves)}",
            charge_kind=kind,
        )
        payment = None if of is None else self._payment(*of)
        facts = MovementFacts(policy=self.policy, payment=payment, locked_years=locked_years)
        entry = entry_from_row(row, facts)
        assert entry is not None
        return self.post(entry)

    def _payment(self, index: int, returned_cents: int) -> Payment:
        entry = self.entries[index]
        income = [p for p in entry.postings if p.account.startswith("income:")]
        parts = {posting.fund: -posting.cents for posting in income}
        return Payment(index, income[0].account, parts, returned_cents)

    def reverse(self, index: int) -> int:
        """Reverse an entry."""
        entry = self.entries[index]
        opposite = tuple(Posting(p.account, p.fund, -p.cents) for p in entry.postings)
        return self.post(
            JournalEntry(entry.day, EntryKind.REVERSAL, "Reversal", opposite, reverses=index)
        )

    def open_vote(self, proposal: str) -> int:
        """Open a vote."""
        text = canonical.encode({"id": proposal, "title": f"Wells of {proposal}"})
        self.proposals[proposal] = text
        return self.append(
            leaves.proposal_open_leaf(
                proposal,
                hashlib.sha256(text).hexdigest(),
                datetime(2026, 2, 1, tzinfo=UTC),
                (1, 2, "roll"),
                50_000,
            )
        )

    def voter(self, proposal: str, member: str) -> str:
        """Return a member's pseudonym on the ballots of a proposal."""
        return ballots.voter_token(hashlib.sha256(proposal.encode()).digest(), proposal, member)

    def nonce(self, member: str) -> bytes:
        """Return the member's nonce."""
        return hashlib.sha256(member.encode()).digest()[: ballots.NONCE_BYTES]

    def cast(self, proposal: str, member: str, choice: str) -> int:
        """Cast a ballot."""
        nonce_hash = ballots.nonce_hash(proposal, self.nonce(member))
        return self.append(
            leaves.ballot_leaf(proposal, self.voter(proposal, member), choice, nonce_hash)
        )

    def void(self, ballot: int) -> int:
        """Void a ballot."""
        return self.append(leaves.ballot_void_leaf(ballot, "No contribution is left"))

    def withdraw(self, proposal: str) -> int:
        """Withdraw a proposal."""
        last_index = len(self.leaves) - 1
        return self.append(leaves.proposal_withdraw_leaf(proposal, "Not needed now", last_index))

    def close(
        self, proposal: str, members: str, *, yes: int, no: int, void: int, passed: bool
    ) -> int:
        """Close a vote with a token for each member on the roll."""
        voters = sorted(self.voter(proposal, member) for member in members)
        self.rolls[proposal] = voters
        return self.append(
            leaves.proposal_close_leaf(
                proposal,
                roll_size=len(voters),
                roll_root=ballots.roll_root(voters),
                yes=yes,
                no=no,
                void=void,
                passed=passed,
                last_index=len(self.leaves) - 1,
            )
        )

    def checkpoint(self) -> None:
        """Publish a checkpoint of the log's current size."""
        self.checkpoint_sizes.append(len(self.leaves))

    def note_at(self, size: int) -> str:
        """Sign the first leaves in their current state."""
        root = merkle.tree_root(self._hashes()[:size])
        return notes.sign_checkpoint(size, root, key=self.key, sign=self._signer.sign)

    def files(self, *, withhold: bool = False) -> Files:
        """Return the bundle's files; entries are left out of a visitor's bundle."""
        lines = []
        for leaf in self.leaves:
            data = canonical.encode(leaf)
            seen = leaves.is_public(leaf["t"]) or not withhold
            lines.append(
                bundle.entry_line(data) if seen else bundle.withheld_line(merkle.leaf_hash(data))
            )
        published = notes.join_notes(self.note_at(size) for size in self.checkpoint_sizes)
        return {
            bundle.ENTRIES: b"".join(lines),
            bundle.CHECKPOINTS: published.encode(),
            bundle.KEY: self.key.text().encode() + b"\n",
            **{bundle.proposal_name(p): text for p, text in self.proposals.items()},
            **{
                bundle.roll_name(p): "".join(f"{voter}\n" for voter in voters).encode()
                for p, voters in self.rolls.items()
            },
            bundle.VERIFIER: bundle.verifier_source(),
        }

    def receipt(self, index: int, member: str, size: int) -> dict[str, Any]:
        """Return the voter's receipt."""
        tree = MemoryTree(self._hashes()[:size])
        data = canonical.encode(self.leaves[index])
        leaf = merkle.leaf_hash(data)
        return {
            "leaf": leaf.hex(),
            "leafBytes": data.decode(),
            "index": index,
            "size": size,
            "root": tree.frontier.root().hex(),
            "proof": [step.hex() for step in merkle.inclusion_proof(tree.node, index, size)],
            "checkpoint": self.note_at(size),
            "nonce": self.nonce(member).hex(),
            "tracker": ballots.tracker(leaf),
        }

    def _hashes(self) -> list[bytes]:
        return [merkle.leaf_hash(canonical.encode(leaf)) for leaf in self.leaves]


def small_organisation() -> LogBuilder:
    """Return a log with every type of leaf; the comments give the indexes."""
    log = LogBuilder()  # 0 genesis, 1 policy
    charge, refund = RowCategory.CHARGE, RowCategory.REFUND
    log.move(charge, 1000, 59, kind=ChargeKind.PLEDGE)  # 2
    log.move(charge, 2537, 104, fee_tax=13, kind=ChargeKind.GIFT)  # 3
    log.open_vote("prop_01")  # 4
    log.cast("prop_01", "a", "up")  # 5
    log.cast("prop_01", "b", "down")  # 6
    log.checkpoint()
    log.move(refund, -39, of=(2, 0))  # 7
    log.move(refund, -1, of=(2, 39))  # 8
    log.cast("prop_01", "c", "up")  # 9
    log.void(6)  # 10
    log.move(RowCategory.DISPUTE, -2537, 1500, of=(3, 0))  # 11
    log.move(RowCategory.DISPUTE_REVERSAL, 2537, -700, of=(3, 2537))  # 12
    log.close("prop_01", "acde", yes=2, no=0, void=1, passed=True)  # 13
    log.checkpoint()
    log.open_vote("prop_02")  # 14
    log.cast("prop_02", "a", "down")  # 15
    log.withdraw("prop_02")  # 16
    log.change_policy(POLICY_2027)  # 17
    log.move(charge, 501, 45, kind=ChargeKind.PLEDGE, month=3)  # 18
    log.move(refund, -77, month=3)  # 19, names no payment
    log.post(_payout())  # 20
    log.reverse(20)  # 21
    log.move(charge, 700, 50, kind=ChargeKind.PLEDGE, month=4, locked_years=(2026,))  # 22
    log.open_vote("prop_03")  # 23
    log.close("prop_03", "", yes=0, no=0, void=0, passed=False)  # 24
    log.checkpoint()
    return log


def _payout() -> JournalEntry:
    return JournalEntry(
        date(2026, 3, 9),
        EntryKind.PAYOUT_ARRIVED,
        "Payout",
        (
            Posting(BANK, Fund.PROJECTS, 800),
            Posting(IN_TRANSIT, Fund.PROJECTS, -500),
            Posting(STRIPE, Fund.PROJECTS, -300),
        ),
    )


def tiny_log() -> LogBuilder:
    """Return the smallest log with an entry and a closed vote."""
    log = LogBuilder()
    log.move(RowCategory.CHARGE, 500, kind=ChargeKind.PLEDGE)
    log.open_vote("p")
    log.cast("p", "a", "up")
    log.close("p", "a", yes=1, no=0, void=0, passed=True)
    log.checkpoint()
    return log


def lines_of(files: Files) -> list[bytes]:
    """Return the lines of entries.ndjson."""
    return files[bundle.ENTRIES].splitlines(keepends=True)


def write_folder(files: Files, folder: Path) -> Path:
    """Write a bundle as a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def write_receipt(receipt: object, path: Path) -> Path:
    """Write a receipt as the browser saves it."""
    path.write_text(json.dumps(receipt, ensure_ascii=False), encoding="utf-8")
    return path


def failures(out: str) -> str:
    """Return the lines of the checks that failed."""
    return "".join(line for line in out.splitlines() if line.startswith("FAILED"))
