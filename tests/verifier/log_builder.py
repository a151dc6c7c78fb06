"""Builds a small organisation's public log with the domain, and writes it as a bundle."""

import hashlib
import json
from collections.abc import Callable, Mapping
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
from jara.domain.publiclog.ballots import LISTED_WITHIN, promise_bytes
from jara.domain.voting.tally import Tally
from jara.files.publiclog import bundle
from tests.domain.publiclog.merkle_tree import MemoryTree
from tests.domain.voting.voting_builders import a_proposal

NAME = "jara.example/log"
ENDS = datetime(2026, 2, 1, tzinfo=UTC)
"""When every vote ends."""
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
        self._promiser = Ed25519PrivateKey.from_private_bytes(bytes([seed + 1]) * 32)
        self.key = notes.VerificationKey(NAME, self._signer.public_key().public_bytes_raw())
        self.leaves: list[leaves.Leaf] = []
        self.entries: dict[int, JournalEntry] = {}
        self.checkpoint_sizes: list[int] = []
        self.rolls: dict[str, list[str]] = {}
        self.proposals: dict[str, bytes] = {}
        self.today: date | None = None
        """When entries are posted; None for their own day."""
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
        index = self.append(leaves.entry_leaf(entry, salt, posted=self.today))
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
                a_proposal(id=proposal, endDate=leaves.instant_text(ENDS), fundingGoalCents=50_000)
            )
            | {"content_hash": hashlib.sha256(text).hexdigest()}
        )

    def voter(self, proposal: str, member: str) -> str:
        """Return a member's pseudonym on the ballots of a proposal."""
        return ballots.voter_token(hashlib.sha256(proposal.encode()).digest(), proposal, member)

    def nonce(self, member: str) -> bytes:
        """Return the member's nonce."""
        return hashlib.sha256(member.encode()).digest()[: ballots.NONCE_BYTES]

    def ballot(self, proposal: str, member: str, choice: str) -> leaves.Leaf:
        """Return the leaf of a ballot, which no log has yet."""
        nonce_hash = ballots.nonce_hash(proposal, self.nonce(member))
        return leaves.ballot_leaf(proposal, self.voter(proposal, member), choice, nonce_hash)

    def cast(self, proposal: str, member: str, choice: str) -> int:
        """List a ballot."""
        return self.append(self.ballot(proposal, member, choice))

    def name_promise_key(self) -> int:
        """Name the key that signs receipts."""
        return self.append(leaves.promise_key_leaf(self._promiser.public_key().public_bytes_raw()))

    def withdraw(self, proposal: str) -> int:
        """Withdraw a proposal as earlier versions did, without the number of its ballots."""
        leaf = leaves.proposal_withdraw_leaf(proposal, "Not needed now", len(self.leaves) - 1, 0)
        return self.append({key: value for key, value in leaf.items() if key != "ballots"})

    def close_sealed(
        self,
        proposal: str,
        members: str,
        cast: Mapping[str, str],
        *,
        dropped: Mapping[str, str] | None = None,
        passed: bool,
    ) -> int:
        """List the sealed ballots that count, and close the vote.

        Args:
            proposal: the id of the proposal.
            members: who is on the roll.
            cast: the choice on each sealed ballot that counts, by member.
            dropped: the same, of ballots that do not count.
            passed: whether it passed.
        """
        for member, choice in cast.items():
            self.append(self.ballot(proposal, member, choice))
        lost = [self.ballot(proposal, *one) for one in (dropped or {}).items()]
        choices = list(cast.values())
        ways = {"card": len(cast) - len(cast) // 3, "cash": len(cast) // 3}
        return self.close(
            proposal,
            members,
            yes=choices.count("up"),
            no=choices.count("down"),
            void=len(lost),
            passed=passed,
            dropped=[merkle.leaf_hash(canonical.encode(leaf)).hex() for leaf in lost],
            ways={"card": 0, "cash": 0, "mobile": 0, "transfer": 0} | ways,
        )

    def close(
        self,
        proposal: str,
        members: str,
        *,
        yes: int,
        no: int,
        void: int,
        passed: bool,
        dropped: list[str] | None = None,
        ways: Mapping[str, int] | None = None,
    ) -> int:
        """Close a vote with a token for each member on the roll."""
        voters = sorted(self.voter(proposal, member) for member in members)
        self.rolls[proposal] = voters
        return self.append(
            leaves.proposal_close_leaf(
                proposal,
                Tally(yes=yes, no=no, roll=len(voters), void=void),
                roll_root=ballots.roll_root(voters),
                passed=passed,
                last_index=len(self.leaves) - 1,
                dropped=dropped or [],
                ways=ways or {"card": yes + no, "cash": 0, "mobile": 0, "transfer": 0},
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

    def promise(self, proposal: str, member: str, choice: str) -> dict[str, Any]:
        """Return the voter's receipt: a signed promise."""
        data = canonical.encode(self.ballot(proposal, member, choice))
        leaf = merkle.leaf_hash(data)
        return self.sign_promise(
            {
                "leaf": leaf.hex(),
                "leafBytes": data.decode(),
                "proposal": proposal,
                "listedBy": leaves.instant_text(ENDS + LISTED_WITHIN),
                "nonce": self.nonce(member).hex(),
                "tracker": ballots.tracker(leaf),
            }
        )

    def sign_promise(self, receipt: Mapping[str, Any]) -> dict[str, Any]:
        """Return a receipt with the key and its signature of what the receipt promises."""
        listed_by = datetime.fromisoformat(receipt["listedBy"])
        promise = promise_bytes(receipt["proposal"], receipt["leaf"], listed_by)
        return {
            **receipt,
            "key": self._promiser.public_key().public_bytes_raw().hex(),
            "signature": self._promiser.sign(promise).hex(),
        }

    def ballot_proof(self, receipt: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the server says about the ballot of a promise: leaves with their proofs."""
        name, size = receipt["proposal"], len(self.leaves)
        voter = json.loads(receipt["leafBytes"])["voter"]
        tree = MemoryTree(self._hashes())

        def find(*types: str, **fields: object) -> dict[str, Any] | None:
            for index, leaf in enumerate(self.leaves):
                if leaf["t"] in types and fields.items() <= leaf.items():
                    proof = merkle.inclusion_proof(tree.node, index, size)
                    return {
                        "index": index,
                        "leaf": canonical.encode(leaf).decode(),
                        "proof": [step.hex() for step in proof],
                    }
            return None

        kinds = leaves.LeafType
        return {
            "size": size,
            "root": tree.frontier.root().hex(),
            "key": find(kinds.PROMISE_KEY, key=receipt["key"]),
            "opening": find(kinds.PROPOSAL_OPEN, proposal=name),
            "ballot": find(kinds.BALLOT, proposal=name, voter=voter),
            "ending": find(kinds.PROPOSAL_CLOSE, kinds.PROPOSAL_WITHDRAW, proposal=name),
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
    log.name_promise_key()  # 5
    log.move(RowCategory.DISPUTE, -2537, 1500, of=(3, 0))  # 6
    log.checkpoint()
    log.move(refund, -39, of=(2, 0))  # 7
    log.move(refund, -1, of=(2, 39))  # 8
    log.move(RowCategory.DISPUTE_REVERSAL, 2537, -700, of=(3, 2537))  # 9
    cast = {"a": "up", "b": "down", "c": "up"}  # 10 to 12
    log.close_sealed("prop_01", "abce", cast, dropped={"x": "down"}, passed=True)  # 13
    log.checkpoint()
    log.open_vote("prop_02")  # 14
    log.name_promise_key()  # 15
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


def sealed_votes() -> LogBuilder:
    """Return a log with sealed ballots; the comments give the indexes."""
    log = LogBuilder()  # 0 genesis, 1 policy
    log.name_promise_key()  # 2
    log.open_vote("old")  # 3
    log.move(RowCategory.CHARGE, 1000, 59, kind=ChargeKind.PLEDGE)  # 4
    log.open_vote("new")  # 5
    log.open_vote("gone")  # 6
    log.close_sealed("old", "d", {"d": "up"}, passed=True)  # 7, 8
    log.withdraw("gone")  # 9
    cast = {"a": "up", "b": "down", "c": "up"}  # 10 to 12
    log.close_sealed("new", "abcde", cast, dropped={"x": "down"}, passed=False)  # 13
    log.open_vote("open")  # 14
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
