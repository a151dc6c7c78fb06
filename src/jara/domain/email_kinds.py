"""The kinds of email: what each is about, to whom it goes, and the consent it needs.

Everything that lists or tells apart kinds of email follows from `KINDS`: links and footers,
the account page, ``jara mail preview``, the API and `docs/mail.md`. Each kind has a template of
its name in `jara.mail`, and its sentence in each language.
"""

from enum import StrEnum
from functools import partial
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN
from jara.domain.errors import NotFound


class Recipient(StrEnum):
    """Who gets an email; members in the first place, if there are several."""

    MEMBERS = "members"
    READERS = "readers"
    """Readers of the newsletter without an account."""
    GIVERS = "givers"
    """Givers without an account."""
    OPERATORS = "operators"
    PARTNERS = "partners"
    """Partners who report from the field."""
    CLAIMANTS = "claimants"
    """Volunteers who claim what they paid."""


class NeededConsent(StrEnum):
    """What a recipient must have asked for."""

    ALWAYS = "always"
    """Nothing: the email is about their own account or money, or a duty of the organisation."""
    VOTES = "votes"
    NEWS = "news"


class EmailChoice(StrEnum):
    """Which emails a member chose to get, besides those that always come."""

    AT_ONCE = "at-once"
    """Votes, and each piece of news when it happens."""
    MONTHLY = "monthly"
    """Votes, and the news of a month in one email."""
    VOTES = "votes"
    NOTHING = "nothing"

    @classmethod
    def of(cls, *, notifications: bool) -> "EmailChoice":
        """Return what the coarse choice means: news or none."""
        return cls.MONTHLY if notifications else cls.NOTHING


CHOICES = {
    EmailChoice.AT_ONCE: "News as they happen, and votes.",
    EmailChoice.MONTHLY: "The news of the month in one email, and votes.",
    EmailChoice.VOTES: "Emails about votes, and no news.",
    EmailChoice.NOTHING: "Only what concerns my account and my money.",
}
"""The text beside each choice, which the record of a consent holds."""


class Delivery(StrEnum):
    """What becomes of an email to somebody with a choice."""

    NOW = "now"
    BUNDLED = "bundled"
    """It becomes a part of the monthly email."""
    NEVER = "never"


class EmailKind(NamedTuple):
    """A kind of email."""

    name: str  # of its template
    about: str  # one sentence that its recipient reads, in the footer and on the account page
    to: tuple[Recipient, ...] = (Recipient.MEMBERS,)
    consent: NeededConsent = NeededConsent.ALWAYS  # what the recipient must have asked for
    may_be_bundled: bool = False  # whether the monthly email can replace it
    has_stop_link: bool = False  # whether it has a link that stops the pledge without signing in
    has_code: bool = False
    """Whether its link holds a code, and so is encrypted while the email waits."""
    goes_to_all: Annotated[bool, HIDDEN] = False
    """Whether all members may get it at once, whatever they chose."""
    is_by_card: Annotated[bool, HIDDEN] = False  # whether only those who pay by card get it

    @property
    def goes_to_many(self) -> bool:
        """Whether many get it at once, so that emails one person waits for go first."""
        return self.goes_to_all or self.is_optional

    @property
    def is_optional(self) -> bool:
        """Whether it needs consent, and so has a one-click link to unsubscribe."""
        return self.consent is not NeededConsent.ALWAYS

    def delivery(self, choice: EmailChoice) -> Delivery:
        """Return what becomes of it for a member with a choice."""
        if choice not in _CHOICES[self.consent]:
            return Delivery.NEVER
        is_bundled = self.may_be_bundled and choice is EmailChoice.MONTHLY
        return Delivery.BUNDLED if is_bundled else Delivery.NOW


_CHOICES = {
    NeededConsent.ALWAYS: frozenset(EmailChoice),
    NeededConsent.VOTES: frozenset({EmailChoice.AT_ONCE, EmailChoice.MONTHLY, EmailChoice.VOTES}),
    NeededConsent.NEWS: frozenset({EmailChoice.AT_ONCE, EmailChoice.MONTHLY}),
}
"""The choices that include the emails of each consent."""

_OPERATORS = (Recipient.OPERATORS,)
_PARTNERS = (Recipient.PARTNERS,)
_CLAIMANTS = (Recipient.CLAIMANTS,)
_READERS_TOO = (Recipient.MEMBERS, Recipient.READERS)
_GIVERS_TOO = (Recipient.MEMBERS, Recipient.GIVERS)
_NEWS = NeededConsent.NEWS

_stoppable = partial(EmailKind, has_stop_link=True)
_by_card = partial(_stoppable, is_by_card=True)
_vote = partial(_stoppable, consent=NeededConsent.VOTES)
_news = partial(_stoppable, consent=_NEWS, may_be_bundled=True)
_with_code = partial(EmailKind, has_code=True)
_operators = partial(EmailKind, to=_OPERATORS)

_ALL: tuple[EmailKind, ...] = (
    # Votes
    _vote("vote_opened", "We tell you when a vote opens.", to=_READERS_TOO),
    _vote("vote_reminder", "We remind you before a vote ends if you can vote and have not."),
    _vote("vote_result", "We tell you how a vote ended.", to=_READERS_TOO),
    _stoppable(
        "vote_closed",
        "We tell everyone who could vote how it ended, and whether their vote was counted.",
        goes_to_all=True,
    ),
    # News
    _news("update", "We tell you when a project has news, with your share if you gave."),
    _news("milestone", "We tell you when a project reaches a milestone."),
    _news("payout", "We tell you when a project is paid, with your share if you gave."),
    _news("event", "We tell you of events of the community."),
    _stoppable("event_soon", "We remind you of an event a week before.", consent=_NEWS),
    _stoppable(
        "month",
        "We tell you once a month what your money did, and the news of the month.",
        to=_READERS_TOO,
        consent=_NEWS,
    ),
    EmailKind("announcement", "We write to you about our work.", to=_READERS_TOO, consent=_NEWS),
    EmailKind("chat_opened", "We tell you when the community chat opens.", consent=_NEWS),
    # Your membership
    EmailKind(
        "coming_change",
        "We tell you before the split of payments, the terms or the privacy text changes.",
        goes_to_all=True,
    ),
    # Your giving
    _stoppable(
        "welcome",
        "We welcome you when you join, and ask you to confirm your address.",
        has_code=True,
    ),
    _stoppable(
        "how_to_pay",
        "We tell you how to pay what you promised, with your reference.",
        to=_GIVERS_TOO,
    ),
    EmailKind(
        "payment_way_changed",
        "We tell you when the account, or the way, in which you pay changes.",
        to=_GIVERS_TOO,
        goes_to_all=True,
    ),
    _by_card("first_charge", "We tell you on which day you first pay."),
    _stoppable("receipt", "We send a receipt for each payment of yours."),
    EmailKind("gift_receipt", "We send a receipt for each gift.", to=(Recipient.GIVERS,)),
    _stoppable("refund", "We tell you when we give a payment back.", to=_GIVERS_TOO),
    _stoppable("payment_returned", "We tell you when a bank sends a payment back.", to=_GIVERS_TOO),
    EmailKind(
        "statement", "We tell you when a statement of what you gave is ready.", goes_to_all=True
    ),
    _stoppable("amount_changed", "We tell you when your monthly amount changes."),
    _by_card("card_expiring", "We tell you before your card expires."),
    _by_card(
        "confirm_renewal",
        "We tell you when your bank asks you to confirm a payment.",
        has_code=True,
    ),
    _by_card("charge_failed", "We tell you when a payment does not go through."),
    _stoppable("payment_missing", "We tell you when a payment has not arrived."),
    EmailKind("payment_ended", "We tell you when your pledge ends because no payment arrived."),
    EmailKind(
        "pledge_ended",
        "We tell you when your pledge ends because your card was declined.",
        is_by_card=True,
    ),
    EmailKind(
        "pledge_stopped", "We tell you when we, or a link in an email, have stopped your pledge."
    ),
    # Your account
    _with_code("invitation", "We invite you to an account that was made for you."),
    _with_code("address_confirm", "We ask you to confirm an address before we use it."),
    _with_code("address_changed", "We tell you when your address changes."),
    _with_code(
        "address_agreement", "We ask the old address to agree when an operator has changed it."
    ),
    _with_code("password_reset", "We send the link to a new password if you ask."),
    _with_code("password_changed", "We tell you when your password changes."),
    _with_code("passkey_added", "We tell you when a passkey is added to your account."),
    EmailKind("signed_out", "We tell you when you are signed out everywhere."),
    EmailKind("account_closed", "We tell you when your account is closed."),
    EmailKind("death_recorded", "We tell an address when its member is recorded as dead."),
    _with_code(
        "newsletter_confirmation",
        "We ask an address to confirm the newsletter before we send it.",
        to=(Recipient.READERS,),
    ),
    # Partners
    _with_code(
        "partner_address", "We ask a partner to confirm an address before we use it.", to=_PARTNERS
    ),
    EmailKind("report_due", "We ask partners to report when a project is late.", to=_PARTNERS),
    # Claimants
    _with_code(
        "claim_link", "We send the link with which you claim what you paid for us.", to=_CLAIMANTS
    ),
    EmailKind(
        "claim_decided",
        "We tell you when a claim of yours is approved, paid back or refused.",
        to=_CLAIMANTS,
    ),
    # Operators
    _operators("project_late", "We tell operators when a project is late."),
    _operators("operator_invitation", "We invite a new operator."),
    _with_code("operator_phone", "We invite a new operator who signs with a phone.", to=_OPERATORS),
    _operators("approval_waits", "We tell approvers when an act waits for them."),
    _operators("approval_decided", "We tell operators what became of an act they asked for."),
    _operators("operator_address", "We tell an operator when their address changes."),
    _operators("mail_test", "We check that emails arrive."),
    _operators("way_changed", "We tell operators when the way to pay changes."),
    _operators("fraud_warning", "We tell operators when a bank suspects fraud.", is_by_card=True),
)

KINDS = {kind.name: kind for kind in _ALL}
"""Every kind by its name."""


def kind_of(name: str) -> EmailKind:
    """Return a kind by its name.

    Raises:
        NotFound: there is no such kind.
    """
    kind = KINDS.get(name)
    if kind is None:
        raise NotFound(f"There is no email '{name}'; there are {', '.join(sorted(KINDS))}.")
    return kind
