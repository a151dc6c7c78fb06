"""What each act touches, and how many people it needs: the one table of who may do what.

An act is a row of the audit log, such as `projects.pay`. `ACTS` says for each what it touches and
which roles may do it; the rule of a touch says how many people must sign. Use cases ask by the
name of the act (`jara.services.approvals`), so a new act starts here, with its rules.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from jara.domain.announcement import ALONE_IN_A_DAY
from jara.domain.content.kinds import KINDS
from jara.domain.control.roles import APPROVING, PREPARING, Role


class Rule(StrEnum):
    """How many people must sign for what an act touches, from the mildest rule to the strictest."""

    ALONE = "alone"
    LIMITED = "limited"
    TWO = "two"
    GOVERNING = "governing"
    ALWAYS = "always"
    NOBODY = "nobody"

    @property
    def phrase(self) -> str:
        """What it means, in a sentence."""
        return _RULES[self]


_RULES: Mapping[Rule, str] = {
    Rule.ALONE: "one person alone",
    Rule.LIMITED: "one person alone up to the limits, two people above them",
    Rule.TWO: "two people, as soon as there is a limit",
    Rule.GOVERNING: "two people, as soon as two may approve or there is a limit",
    Rule.ALWAYS: "two people, always",
    Rule.NOBODY: "nobody, except in a sandbox organisation",
}
_STRICTNESS = tuple(Rule)


class Touch(StrEnum):
    """What an act touches; see `TOUCHES` for the rule of each."""

    OUTLAY = "outlay"
    PURPOSE = "purpose"
    ENTRIES = "entries"
    PAPERS = "papers"
    YEARS = "years"
    SPLIT = "split"
    VOTE_RULE = "vote_rule"
    PROOF = "proof"
    VOTERS = "voters"
    DRAFTS = "drafts"
    VOTE = "vote"
    FOR_MEMBER = "for_member"
    OWN_BALLOT = "own_ballot"
    OUTCOME = "outcome"
    EMAIL = "email"
    HEARING = "hearing"
    EMAIL_TO_MANY = "email_to_many"
    WAYS_IN = "ways_in"
    SIGNERS = "signers"
    OPERATORS = "operators"
    TERMS = "terms"
    PAGES = "pages"
    ACCOUNTS = "accounts"
    LOG = "log"
    CLAIMS = "claims"
    SYSTEM = "system"


class About(NamedTuple):
    """What a touch means, and the rule for it."""

    rule: Rule
    meaning: str


TOUCHES: Mapping[Touch, About] = {
    Touch.OUTLAY: About(Rule.LIMITED, "money that leaves the organisation"),
    Touch.PURPOSE: About(Rule.LIMITED, "money that a vote or the split gave a purpose"),
    Touch.ENTRIES: About(Rule.ALONE, "the books, without money that goes out"),
    Touch.PAPERS: About(Rule.TWO, "documents of entries, erased"),
    Touch.YEARS: About(Rule.TWO, "a closed year, opened again"),
    Touch.SPLIT: About(Rule.TWO, "how future payments are divided"),
    Touch.VOTE_RULE: About(Rule.TWO, "when proposals that open later pass"),
    Touch.PROOF: About(
        Rule.ALWAYS, "whose payment by hand, or new address by an operator, gives a vote"
    ),
    Touch.VOTERS: About(Rule.TWO, "who may vote, by an operator's word, while a vote is open"),
    Touch.DRAFTS: About(Rule.ALONE, "proposals before the vote, and the opening"),
    Touch.VOTE: About(Rule.GOVERNING, "a vote with ballots: whether it goes on, its translations"),
    Touch.FOR_MEMBER: About(Rule.NOBODY, "what only a member may do: vote, confirm an address"),
    Touch.OWN_BALLOT: About(Rule.ALONE, "a member's ballot, cast by the member"),
    Touch.OUTCOME: About(Rule.ALONE, "what the rules of the vote prescribe after its end"),
    Touch.EMAIL: About(Rule.ALONE, "what some members, readers or partners are told"),
    Touch.HEARING: About(
        Rule.TWO,
        f"what over {ALONE_IN_A_DAY} people a day are told, "
        "and where the organisation says to send money",
    ),
    Touch.EMAIL_TO_MANY: About(Rule.ALWAYS, "what many are told in the organisation's name"),
    Touch.WAYS_IN: About(Rule.GOVERNING, "where payers send their money"),
    Touch.SIGNERS: About(Rule.GOVERNING, "who may sign, and the limits"),
    Touch.OPERATORS: About(Rule.ALONE, "operators' invitations, addresses and waiting acts"),
    Touch.TERMS: About(
        Rule.TWO, "what the terms and the privacy text promise: their versions and agreed values"
    ),
    Touch.PAGES: About(Rule.ALONE, "what the site shows"),
    Touch.ACCOUNTS: About(Rule.ALONE, "members' accounts, pledges and data"),
    Touch.LOG: About(Rule.ALONE, "the log's keys, checkpoints and witnesses"),
    Touch.CLAIMS: About(Rule.ALONE, "what volunteers claim, and their links"),
    Touch.SYSTEM: About(Rule.ALONE, "the database and its copies, and settings"),
}

_MONEY = (Touch.OUTLAY, Touch.PURPOSE)
_CLAIMS = (Touch.CLAIMS, Touch.EMAIL)
_BOOKS = frozenset({Role.ADMIN, Role.BOOKKEEPER})
_EDITS = frozenset({Role.ADMIN, Role.EDITOR})
_GOVERNS = frozenset({Role.ADMIN})
_DUE = _BOOKS | {Role.SCHEDULER}
"""The acts of the daily run; people may do them earlier."""
_UNATTENDED: frozenset[Role] = frozenset()
"""Acts that no operator asks for, or that anybody who reads the files could do by hand."""


class Act(NamedTuple):
    """An act's roles and touches; some touch only in some cases."""

    roles: frozenset[Role]
    touches: tuple[Touch, ...]

    @property
    def rule(self) -> Rule:
        """The strictest rule of what it touches."""
        return max((TOUCHES[touch].rule for touch in self.touches), key=_STRICTNESS.index)


ACTS: Mapping[str, Act] = {
    # Money
    "projects.pay": Act(_BOOKS, _MONEY),
    "pledges.refund": Act(_BOOKS, (*_MONEY, Touch.VOTERS, Touch.ACCOUNTS, Touch.EMAIL)),
    "ledger.post": Act(_BOOKS, _MONEY),
    "ledger.reverse": Act(_BOOKS, (*_MONEY, Touch.VOTERS)),
    "ledger.return": Act(_BOOKS, _MONEY),
    "ledger.bank_charge": Act(_BOOKS, (Touch.OUTLAY,)),
    "ledger.transfer": Act(_BOOKS, (Touch.PURPOSE,)),
    "ledger.import": Act(_BOOKS, _MONEY),
    "ledger.undo": Act(_BOOKS, (*_MONEY, Touch.VOTERS)),
    "ledger.document": Act(_BOOKS, (Touch.ENTRIES, Touch.PAGES)),
    "ledger.erase-document": Act(_BOOKS, (Touch.PAPERS,)),
    "ledger.reconcile": Act(_DUE, (Touch.ENTRIES, Touch.EMAIL)),
    "bank.import": Act(_BOOKS, (*_MONEY, Touch.ACCOUNTS)),
    "bank.match": Act(_BOOKS, (*_MONEY, Touch.ACCOUNTS)),
    "bank.rematch": Act(_BOOKS, (*_MONEY, Touch.ACCOUNTS)),
    "bank.rules.add": Act(_BOOKS, (*_MONEY, Touch.ACCOUNTS)),
    **{
        name: Act(_BOOKS, (Touch.ENTRIES,))
        for name in (
            *("bank.rules.remove", "bank.senders.forget", "bank.mappings.add", "accounts.add"),
            *("bank.mappings.remove", "bank.accounts.set", "bank.accounts.remove", "plan.import"),
            *("ledger.count", "payments.receipt"),
        )
    },
    **{f"fixed_costs.{one}": Act(_BOOKS, (Touch.PAGES,)) for one in ("add", "put", "remove")},
    "plan.publish": Act(_BOOKS, (Touch.PAGES,)),
    "years.close": Act(_BOOKS, (Touch.ENTRIES,)),
    "years.open": Act(_BOOKS, (Touch.YEARS,)),
    "audit.bundle": Act(_BOOKS | {Role.AUDITOR}, (Touch.LOG,)),
    **{f"audit.{one}": Act(frozenset({Role.AUDITOR}), (Touch.LOG,)) for one in ("note", "close")},
    "policy.set": Act(_BOOKS, (Touch.SPLIT, Touch.EMAIL)),
    "policy.vote-rule": Act(_BOOKS, (Touch.VOTE_RULE, Touch.EMAIL)),
    # Members and their payments
    "members.add": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    "members.invite": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    "members.import": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    "members.send-invitations": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    "members.undo": Act(_BOOKS, (Touch.ACCOUNTS,)),
    "members.confirm": Act(_BOOKS, (Touch.FOR_MEMBER,)),
    "members.edit": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    "members.remove-address": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL, Touch.VOTERS)),
    "members.vouch": Act(_BOOKS, (Touch.PROOF,)),
    "members.share-card": Act(_BOOKS, (Touch.VOTERS,)),
    "members.died": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL, Touch.VOTERS)),
    "members.erase": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL, Touch.VOTERS)),
    "members.export": Act(_BOOKS, (Touch.ACCOUNTS,)),
    "pledges.start": Act(_BOOKS, (Touch.ACCOUNTS, Touch.ENTRIES, Touch.EMAIL)),
    "pledges.confirm": Act(_BOOKS, (Touch.ACCOUNTS, Touch.ENTRIES, Touch.EMAIL)),
    "pledges.charge": Act(_DUE, (Touch.ACCOUNTS, Touch.ENTRIES, Touch.EMAIL)),
    "pledges.card": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL)),
    **{f"pledges.{one}": Act(_BOOKS, (Touch.ACCOUNTS,)) for one in ("amount", "day", "skip")},
    "pledges.pause": Act(_BOOKS, (Touch.ACCOUNTS, Touch.VOTERS)),
    "pledges.resume": Act(_BOOKS, (Touch.ACCOUNTS,)),
    "pledges.cancel": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL, Touch.VOTERS)),
    "payments.promise": Act(_BOOKS, (Touch.ACCOUNTS, Touch.EMAIL, Touch.VOTERS)),
    "payments.receive": Act(_BOOKS, (Touch.ACCOUNTS, Touch.ENTRIES, Touch.EMAIL)),
    "payments.vouch": Act(_BOOKS, (Touch.PROOF,)),
    "payments.unproven": Act(_UNATTENDED, (Touch.VOTERS,)),
    "payments.fraud-warning": Act(_UNATTENDED, (Touch.SYSTEM,)),
    "bank.vouch": Act(_BOOKS, (Touch.PROOF,)),
    "stripe.adopt": Act(_GOVERNS, (Touch.ACCOUNTS, Touch.EMAIL)),
    # Votes
    "proposals.new": Act(_EDITS, (Touch.DRAFTS,)),
    "proposals.edit": Act(_EDITS, (Touch.DRAFTS,)),
    "proposals.open": Act(_EDITS, (Touch.DRAFTS, Touch.EMAIL, Touch.HEARING)),
    "proposals.withdraw": Act(_EDITS, (Touch.DRAFTS,)),
    "proposals.close": Act(_DUE, (Touch.OUTCOME, Touch.EMAIL)),
    "proposals.fund": Act(_BOOKS, (Touch.OUTCOME, Touch.PAGES)),
    "proposals.release": Act(_BOOKS, (Touch.PURPOSE,)),
    "proposals.correct": Act(_EDITS, (Touch.PAGES,)),
    "votes.correct": Act(_GOVERNS, (Touch.VOTE,)),
    "votes.withdraw": Act(_GOVERNS, (Touch.VOTE,)),
    "votes.cast": Act(_BOOKS, (Touch.FOR_MEMBER,)),
    "votes.seal": Act(_DUE, (Touch.OUTCOME,)),
    "votes.destroy-early": Act(_BOOKS, (Touch.OUTCOME,)),
    # What people are told
    "mail.announce": Act(_BOOKS, (Touch.EMAIL, Touch.HEARING, Touch.EMAIL_TO_MANY)),
    "mail.withdraw": Act(_BOOKS, (Touch.EMAIL,)),
    "mail.test": Act(_BOOKS, (Touch.EMAIL,)),
    "mail.send": Act(_DUE, (Touch.EMAIL,)),
    "mail.clear": Act(_BOOKS, (Touch.ACCOUNTS,)),
    "mail.bounces": Act(_UNATTENDED, (Touch.ACCOUNTS,)),
    "report.mail": Act(_BOOKS, (Touch.EMAIL,)),
    **{f"newsletter.{one}": Act(_BOOKS, (Touch.ACCOUNTS,)) for one in ("export", "remove")},
    "legal.import": Act(_GOVERNS, (Touch.TERMS, Touch.EMAIL)),
    "legal.withdraw": Act(_GOVERNS, (Touch.TERMS, Touch.EMAIL)),
    "organisation.effective": Act(_GOVERNS, (Touch.PAGES, Touch.TERMS, Touch.HEARING, Touch.EMAIL)),
    **{
        f"{kind}.{change}": Act(_EDITS, (Touch.PAGES, Touch.EMAIL, Touch.HEARING))
        for kind in KINDS
        for change in ("add", "edit")
    },
    **{f"{kind}.remove": Act(_EDITS, (Touch.PAGES, Touch.EMAIL)) for kind in KINDS},
    **{f"partners.{one}": Act(_EDITS, (Touch.PAGES,)) for one in ("add", "revoke", "remove")},
    **{f"partners.{one}": Act(_EDITS, (Touch.PAGES, Touch.EMAIL)) for one in ("email", "link")},
    "reports.field.publish": Act(_EDITS, (Touch.PAGES, Touch.EMAIL)),
    "reports.field.refuse": Act(_EDITS, (Touch.PAGES,)),
    **{f"claims.{one}": Act(_BOOKS, _CLAIMS) for one in ("link", "end", "erase", "refuse")},
    **{f"claims.purposes.{one}": Act(_BOOKS, _CLAIMS) for one in ("add", "remove")},
    **{f"claims.{one}": Act(_BOOKS, (*_MONEY, *_CLAIMS)) for one in ("approve", "pay")},
    # Where payers send money, and who may sign
    "ways.set": Act(_GOVERNS, (Touch.WAYS_IN, Touch.EMAIL)),
    "payments.ways.set": Act(_GOVERNS, (Touch.WAYS_IN, Touch.EMAIL)),
    "payments.ways.remove": Act(_GOVERNS, (Touch.WAYS_IN, Touch.EMAIL)),
    "stripe.account": Act(_GOVERNS, (Touch.WAYS_IN,)),
    **{f"stripe.{act}": Act(_GOVERNS, (Touch.SYSTEM,)) for act in ("setup", "confirm", "rehearse")},
    "organisation.set": Act(_GOVERNS, (Touch.PAGES, Touch.SYSTEM, Touch.WAYS_IN)),
    "organisation.unset": Act(_GOVERNS, (Touch.PAGES, Touch.SYSTEM)),
    **{f"operators.{one}": Act(_GOVERNS, (Touch.SIGNERS,)) for one in ("add", "remove", "policy")},
    "operators.invite": Act(_GOVERNS, (Touch.OPERATORS,)),
    "operators.revoke": Act(_GOVERNS, (Touch.OPERATORS,)),
    "operators.address": Act(_GOVERNS, (Touch.OPERATORS,)),
    "approvals.prepare": Act(PREPARING, (Touch.OPERATORS,)),
    "approvals.sign": Act(PREPARING, (Touch.OPERATORS,)),
    "approvals.approve": Act(APPROVING, (Touch.OPERATORS,)),
    "approvals.refuse": Act(PREPARING, (Touch.OPERATORS,)),
    "approvals.fail": Act(PREPARING | {Role.SCHEDULER}, (Touch.OPERATORS,)),
    # The log and the database
    "run.daily": Act(_DUE, (Touch.SYSTEM,)),
    "proofs.checkpoint": Act(_DUE, (Touch.LOG,)),
    **{f"proofs.{one}": Act(_GOVERNS, (Touch.LOG,)) for one in ("rotate-key", "signer-reset")},
    **{f"witnesses.{one}": Act(_GOVERNS, (Touch.LOG,)) for one in ("add", "remove", "quorum")},
    "keys.renew": Act(_GOVERNS, (Touch.ACCOUNTS,)),
    "keys.make": Act(_UNATTENDED, (Touch.SYSTEM,)),
    "organisation.init": Act(_UNATTENDED, (Touch.SYSTEM,)),
    "organisation.adopt": Act(_UNATTENDED, (Touch.SYSTEM,)),
    **{f"database.{one}": Act(_UNATTENDED, (Touch.SYSTEM,)) for one in ("migrate", "copy", "move")},
    **{f"backup.{one}": Act(_UNATTENDED, (Touch.SYSTEM,)) for one in ("make", "restore")},
}
"""Every act by its name in the audit log."""


STEPS: Mapping[str, tuple[Touch, ...]] = {
    "charges": (Touch.ACCOUNTS, Touch.ENTRIES),
    "events": (Touch.ACCOUNTS, Touch.ENTRIES),
    "registrations": (Touch.ACCOUNTS, Touch.ENTRIES),
    "overdue": (Touch.ACCOUNTS, Touch.ENTRIES),
    "votes": (Touch.OUTCOME, Touch.EMAIL),
    "commitments": (Touch.OUTCOME,),
    "approvals": (Touch.OPERATORS,),
    "notices": (Touch.EMAIL,),
    "retention": (Touch.ACCOUNTS, Touch.EMAIL, Touch.PAGES),
    "mail": (Touch.EMAIL,),
    "checkpoint": (Touch.LOG,),
    "keys": (Touch.OUTCOME,),
    "erasure": (Touch.SYSTEM,),
    "reconcile": (Touch.ACCOUNTS, Touch.ENTRIES),
    "books": (Touch.SYSTEM,),
    "tiles": (Touch.LOG,),
    "witnesses": (Touch.LOG,),
}
"""What each step of the daily run touches. A step does what a rule prescribes, so nobody signs."""

_OWN_ACCOUNT = (Touch.ACCOUNTS,)
_OWN_MONEY = (Touch.ACCOUNTS, Touch.ENTRIES)
CALLS: Mapping[str, tuple[Touch, ...]] = {
    "POST /email-exists": _OWN_ACCOUNT,
    "POST /register": _OWN_MONEY,
    "POST /register/promise": _OWN_ACCOUNT,
    "POST /gifts": _OWN_MONEY,
    "POST /gifts/promise": _OWN_ACCOUNT,
    "POST /user/login": _OWN_ACCOUNT,
    "POST /user/login/passkey": _OWN_ACCOUNT,
    "POST /user/login/passkey/options": _OWN_ACCOUNT,
    "POST /user/logout": _OWN_ACCOUNT,
    "POST /user/logout-everywhere": _OWN_ACCOUNT,
    "DELETE /user/sessions/{session}": _OWN_ACCOUNT,
    "POST /user/passkeys": _OWN_ACCOUNT,
    "POST /user/passkeys/options": _OWN_ACCOUNT,
    "DELETE /user/passkeys/{passkey}": _OWN_ACCOUNT,
    "POST /user/forgot-password": _OWN_ACCOUNT,
    "POST /user/reset-password": _OWN_ACCOUNT,
    "POST /user/reset-password/check": _OWN_ACCOUNT,
    "POST /confirm-address": _OWN_ACCOUNT,
    "POST /agree-address": _OWN_ACCOUNT,
    "POST /undo-change": _OWN_ACCOUNT,
    "PUT /user/update-profile": _OWN_ACCOUNT,
    "PUT /user/update-subscription": _OWN_ACCOUNT,
    "PUT /user/todo/{item}": _OWN_ACCOUNT,
    "PUT /user/pledge": _OWN_MONEY,
    "POST /user/pledge/pay": _OWN_MONEY,
    "POST /stop-pledge": _OWN_ACCOUNT,
    "DELETE /user/delete-account": _OWN_ACCOUNT,
    "POST /user/votes": (Touch.OWN_BALLOT,),
    "POST /proofs/ballot": (),
    "POST /newsletter": _OWN_ACCOUNT,
    "POST /newsletter/confirm": _OWN_ACCOUNT,
    "POST /newsletter/unsubscribe": _OWN_ACCOUNT,
    "POST /emails/choice": _OWN_ACCOUNT,
    "POST /partners/confirm": (Touch.PAGES,),
    "PUT /field/reports/{key}": (Touch.PAGES,),
    "PUT /field/claims/{key}": (Touch.CLAIMS,),
    "PUT /field/reports/{key}/photos/{photo}": (Touch.PAGES, Touch.CLAIMS),
    "POST /desk/session": (Touch.OPERATORS,),
    "POST /desk/session/options": (),
    "POST /desk/waiting/{act}/options": (),
    "POST /desk/waiting/{act}/approve": (Touch.OPERATORS,),
    "POST /desk/waiting/{act}/refuse": (Touch.OPERATORS,),
    "POST /desk/invitation": (Touch.OPERATORS,),
    "POST /desk/invitation/accept": (Touch.OPERATORS,),
    "POST /sandbox/confirm": _OWN_MONEY,
    "POST /webhooks/stripe": _OWN_MONEY,
}
"""What each call of the API touches: a visitor's or member's own, so nobody else signs.

At the desk an operator signs an act, which touches what its own row says.
"""


class Effect(NamedTuple):
    """A row of the whole table."""

    name: str  # an act, a call of the API, or a step of the daily run
    by: str  # who does it: an operator, whoever makes the call, or the daily run
    touches: tuple[Touch, ...]
    rule: Rule | None
    """The strictest rule of these; a call and a step have none, because a member decides on their
    own things, and a step does what a rule prescribes."""
    roles: tuple[Role, ...] = ()  # the operators' roles that may do it


def list_effects() -> list[Effect]:
    """Return the whole table: acts, calls and steps."""
    return [
        *(
            Effect(name, "operator", act.touches, act.rule, tuple(sorted(act.roles)))
            for name, act in ACTS.items()
        ),
        *(Effect(name, "caller", touches, None) for name, touches in CALLS.items()),
        *(Effect(name, "daily run", touches, None) for name, touches in STEPS.items()),
    ]


def roles_for(action: str) -> frozenset[Role]:
    """Return the roles that may do an act; none for an act that is not in the table."""
    act = ACTS.get(action)
    return frozenset() if act is None else act.roles


def is_for_nobody(action: str) -> bool:
    """Return whether nobody may do an act, except in a sandbox organisation."""
    return action in ACTS and ACTS[action].rule is Rule.NOBODY


def rule_for(action: str, touches: Iterable[Touch] = ()) -> Rule:
    """Return the rule for an act, by what it touches this time; by default all that it may touch.

    Raises:
        LookupError: the act is not in the table, or does not declare one of the touches.
    """
    act = ACTS[action]
    asked = tuple(touches) or act.touches
    undeclared = set(asked) - set(act.touches)
    if undeclared:
        raise LookupError(f"'{action}' does not declare: {', '.join(sorted(undeclared))}.")
    return act._replace(touches=asked).rule
