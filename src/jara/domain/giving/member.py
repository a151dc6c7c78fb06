"""Members, the validation of sign-up forms, and the checklist on the dashboard."""

import re
import unicodedata
from collections.abc import Callable, Container
from datetime import datetime
from typing import NamedTuple, TypeVar

from jara.domain.countries import Countries, find_country
from jara.domain.email_kinds import Delivery, EmailChoice, EmailKind, NeededConsent
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.giving.billing_day import BillingDay, parse_billing_day
from jara.domain.giving.pledge import PLEDGE_DOLLARS_DEFAULT, parse_pledge
from jara.domain.language import ENGLISH, Language, parse_language
from jara.domain.pay_details import NUMBER_DIGITS

NAME_MAX = 80
EMAIL_MAX = 254
LOCAL_PART_MAX = 64
PASSWORD_MIN = 8
PASSWORD_MAX = 128
"""Counted in characters after NFC."""

SITE_WORDS = (
    *("jara", "changemaker", "contributor", "member", "account", "password", "pledge", "gift"),
    *("donation", "donate", "giving", "ledger", "proposal", "project", "vote", "voting"),
)
"""Words that are easy to guess on this site; a password may not consist of them alone."""

_SITE_WORDS_ALONE = re.compile(rf"(?:(?:{'|'.join(SITE_WORDS)})s?)+")
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_EMAIL = re.compile(rf"({_ATOM}(?:\.{_ATOM})*)@(?:{_LABEL}\.)+(?![0-9]+$){_LABEL}", re.ASCII)
_WEB_ADDRESS = re.compile(r"://|www\.|\w\.[^\W\d_]{2,}", re.IGNORECASE)
_DOTS = str.maketrans({"\u3002": ".", "\uff61": ".", "\u2024": "."})
"""Other characters that programs treat as a dot in domain names."""

_FORBIDDEN_IN_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

T = TypeVar("T")


def address_allows_vote(*, email_confirmed: bool, is_added: bool) -> bool:
    """Return whether an address allows the vote; one that an operator typed needs its owner."""
    return email_confirmed or not is_added


class Member(NamedTuple):
    """A person with an account."""

    id: str  # the member's id in the API
    key: str  # the random key that stands for the member in ledger entries
    firstname: str  # as the member writes it
    lastname: str  # as the member writes it
    email: str
    """In lower case, so that each address belongs to one member; empty without one. Then nobody can
    sign in, and the member is on no roll and gets no email: the address is not confirmed, and
    `is_added` holds."""
    country: str  # a country's name
    email_choice: EmailChoice
    joined_at: datetime  # UTC instant of registration
    closed_at: datetime | None = None  # UTC instant of closing the account
    session_epoch: int = 0  # increased to end all older sessions
    email_confirmed: bool = False
    """Whether the member has proven that they receive email at the address."""
    language: Language = ENGLISH  # the language of the website and of emails for them
    is_added: bool = False
    """Whether an operator added them; then they vote only with a confirmed address."""

    @property
    def may_vote(self) -> bool:
        """Whether the address allows the member to vote."""
        return address_allows_vote(email_confirmed=self.email_confirmed, is_added=self.is_added)

    @property
    def notifications(self) -> bool:
        """The coarse form of the choice of emails: any, or none."""
        return self.email_choice is not EmailChoice.NOTHING

    def delivery(self, kind: EmailKind) -> Delivery:
        """Return what becomes of an email of a kind for them, now.

        News go only to an address that they confirmed. Emails about votes have no such rule:
        the sign-up of a payer has always been enough for them.
        """
        is_stranger = kind.consent is NeededConsent.NEWS and not self.email_confirmed
        if kind.is_optional and (is_stranger or not self.is_open):
            return Delivery.NEVER
        return kind.delivery(self.email_choice)

    @property
    def is_open(self) -> bool:
        """Whether the account is open."""
        return self.closed_at is None

    @property
    def names(self) -> tuple[str, str]:
        """The names by which operators can find the member."""
        return f"{self.firstname} {self.lastname}", self.lastname

    @property
    def label(self) -> str:
        """What names the member in a message: the address, else name and id."""
        return self.email or f"{self.names[0]} ({self.id})"

    @property
    def mailbox(self) -> str:
        """The name, with the address if there is one."""
        return f"{self.names[0]} <{self.email}>" if self.email else self.names[0]

    @property
    def greeting_name(self) -> str:
        """The name in emails; empty while the address, possibly a stranger's, is unconfirmed."""
        return self.firstname if self.email_confirmed else ""


class RegistrationForm(NamedTuple):
    """The values typed into the three steps of sign-up, unchecked."""

    firstname: str
    lastname: str
    email: str
    password: str
    country: str
    notifications: bool = False
    privacy_policy: bool = False
    contribution: object = PLEDGE_DOLLARS_DEFAULT
    billing_day: object = BillingDay.CURRENT
    language: str = ENGLISH


class Registration(NamedTuple):
    """A validated registration."""

    firstname: str
    lastname: str
    email: str
    password: str
    country: str
    notifications: bool
    dollars: int
    billing_day: BillingDay
    language: Language = ENGLISH


class FieldErrors:
    """Collects the errors of a form, to report them together."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def collect(self, field: str, read: Callable[[], T], otherwise: T) -> T:
        """Return the result of ``read``; if it fails, record the error and return ``otherwise``."""
        try:
            return read()
        except InvalidInput as error:
            self._fields[field] = error.message
            return otherwise

    def require(self, field: str, message: str, *, holds: bool) -> None:
        """Record the message if the rule does not hold."""
        if not holds:
            self._fields[field] = message

    def raise_any(self) -> None:
        """Raise one error with the messages of all fields, if there are any."""
        if self._fields:
            raise InvalidInput(" ".join(self._fields.values()), fields=self._fields)


def parse_registration(
    form: RegistrationForm, *, countries: Countries, common_passwords: Container[str]
) -> Registration:
    """Check every field of a registration; `common_passwords`, in lower case, are rejected.

    Raises:
        InvalidInput: a field breaks its rule; ``fields`` has a message for each.
    """
    errors = FieldErrors()
    registration = Registration(
        firstname=errors.collect("firstname", lambda: parse_name(form.firstname, "first name"), ""),
        lastname=errors.collect("lastname", lambda: parse_name(form.lastname, "last name"), ""),
        email=errors.collect("email", lambda: parse_email(form.email), ""),
        password=errors.collect(
            "password", lambda: parse_password(form.password, common=common_passwords), ""
        ),
        country=errors.collect("country", lambda: find_country(form.country, countries), ""),
        notifications=form.notifications,
        dollars=errors.collect("contribution", lambda: parse_pledge(form.contribution), 0),
        billing_day=errors.collect(
            "billingDay", lambda: parse_billing_day(form.billing_day), BillingDay.CURRENT
        ),
        language=errors.collect("language", lambda: parse_language(form.language), ENGLISH),
    )
    errors.require(
        "privacyPolicy", "Please agree to the privacy policy to join.", holds=form.privacy_policy
    )
    errors.raise_any()
    return registration


def parse_new_password(
    password: str, confirmation: str, *, common_passwords: Container[str]
) -> str:
    """Check a new password that was typed twice.

    Raises:
        InvalidInput: it breaks a rule, or the two passwords differ.
    """
    errors = FieldErrors()
    parsed = errors.collect(
        "newPassword", lambda: parse_password(password, common=common_passwords), ""
    )
    same = unicodedata.normalize("NFC", password) == unicodedata.normalize("NFC", confirmation)
    errors.require("confirmNewPassword", "The two passwords are not the same.", holds=same)
    errors.raise_any()
    return parsed


def parse_name(text: str, what: str = "name") -> str:
    """Return a first or last name without surrounding spaces, in NFC.

    Raises:
        InvalidInput: it is empty, longer than 80 characters, or has a control character, a web
            address or an account's number, which could be abused, since names appear in emails.
    """
    name = unicodedata.normalize("NFC", text).strip()
    kinds = [unicodedata.category(c) for c in name]
    if any(kind in _FORBIDDEN_IN_NAMES for kind in kinds) or _BIDI_CONTROLS.intersection(name):
        raise InvalidInput(f"The {what} contains a control character; write letters only.")
    if all(kind[0] in "CZ" for kind in kinds):
        raise InvalidInput(f"The {what} is empty; please write your {what}.")
    if _WEB_ADDRESS.search(unicodedata.normalize("NFKC", name).translate(_DOTS)):
        raise InvalidInput(
            f"The {what} looks like a web address; leave out '://', 'www.' and dots inside words."
        )
    if sum(unicodedata.digit(c, None) is not None for c in name) >= NUMBER_DIGITS:
        raise InvalidInput(f"The {what} has an account or phone number in it; leave that out.")
    if len(name) > NAME_MAX:
        raise InvalidInput(
            f"The {what} has {{count}} characters; at most {{limit}} are allowed.",
            count=str(len(name)),
            limit=NAME_MAX,
        )
    return name


def parse_email(text: str) -> str:
    """Return an address in lower case without surrounding spaces, its domain in ASCII (IDNA 2008).

    Spellings that differ only in case or surrounding spaces are one address.

    Raises:
        InvalidInput: it is not an address with one @ and at most 254 characters, or has other
            characters than ASCII before the @.
    """
    typed = with_ascii_domain(text.strip())
    email = typed.lower() if typed.isascii() else typed
    if not email:
        raise InvalidInput("The email address is empty; please write yours.")
    if len(email) > EMAIL_MAX:
        raise InvalidInput(
            "The email address has {count} characters; at most {limit} are allowed.",
            count=str(len(email)),
            limit=EMAIL_MAX,
        )
    local, at, _ = email.partition("@")
    if at and not local.isascii():
        raise InvalidInput(
            "'{email}' is not an email address that every mail server takes: "
            "before the @ it needs letters from a to z, digits and signs.",
            email=email,
        )
    match = _EMAIL.fullmatch(email)
    if match is None or len(match[1]) > LOCAL_PART_MAX:
        raise InvalidInput("'{email}' is not an email address like ama@example.org.", email=email)
    return email


def email_key(address: str) -> str:
    """Return what is the same for all spellings of an address: case, spaces, script of the domain.

    It takes any text, so that a search may use it.
    """
    return with_ascii_domain(address.strip()).casefold()


def with_ascii_domain(address: str) -> str:
    """Return an address whose domain mail servers know, such as ``xn--bcher-kva.example``."""
    if address.rpartition("@")[2].isascii() or len(address) > EMAIL_MAX:
        return address
    return _with_domain(address, is_ascii=True)


def address_spellings(address: str) -> list[str]:
    """Return a stored address, and beside it the form with letters of any script if it has one."""
    is_foreign = "xn--" in address.rpartition("@")[2]
    return [address, *([_with_domain(address, is_ascii=False)] if is_foreign else [])]


def _with_domain(address: str, *, is_ascii: bool) -> str:
    import idna  # noqa: PLC0415 - slow to load, and few addresses need it

    local, at, domain = address.rpartition("@")
    try:
        new = idna.encode(domain, uts46=True).decode("ascii") if is_ascii else idna.decode(domain)
    except idna.IDNAError:
        return address
    return local + at + new


def parse_password(text: str, *, common: Container[str]) -> str:
    """Return a password in NFC, never trimmed.

    The message never repeats the password.

    Raises:
        InvalidInput: it is shorter than 8 or longer than 128 characters, common, made only of
            words of this site, or contains characters that cannot be typed.
    """
    password = unicodedata.normalize("NFC", text)
    if any(c == "\0" or unicodedata.category(c) == "Cs" for c in password):
        raise InvalidInput("The password contains a character that cannot be stored.")
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise InvalidInput(
            "This password has {count} characters. Use {least} to {most}.",
            count=str(len(password)),
            least=PASSWORD_MIN,
            most=PASSWORD_MAX,
        )
    if password.lower() in common:
        raise InvalidInput("This password is among the most common ones; choose another.")
    if _SITE_WORDS_ALONE.fullmatch("".join(c for c in password.lower() if c.isalpha())):
        raise InvalidInput("This password is only made of words of this site; choose another.")
    return password


class TodoItem(NamedTuple):
    """A line of the member's checklist.

    ``completed`` says whether it is done (spec §3).
    """

    id: str
    title: str
    description: str
    completed: bool
    icon: str
    action_text: str


TODO_ITEMS = (
    TodoItem(
        id="invite-a-friend",
        title="Invite a friend",
        description="One more square in the cloth.",
        completed=False,
        icon="invite",
        action_text="Invite",
    ),
    TodoItem(
        id="spread-the-word",
        title="Spread the word",
        description="Share Jara where your people are.",
        completed=True,
        icon="share",
        action_text="Share",
    ),
    TodoItem(
        id="join-the-conversation",
        title="Join the conversation",
        description="Say hello in the community chat.",
        completed=True,
        icon="chat",
        action_text="Open chat",
    ),
)
"""The checklist; the first item starts incomplete, the others complete (spec §4)."""


def todo_list(toggled: Container[str]) -> tuple[TodoItem, ...]:
    """Return a member's checklist, given the items toggled since the start."""
    return tuple(
        item._replace(completed=not item.completed) if item.id in toggled else item
        for item in TODO_ITEMS
    )


def toggle_todo(toggled: frozenset[str], item_id: str, *, completed: bool) -> frozenset[str]:
    """Return the toggled items after marking this one as completed or not.

    Raises:
        NotFound: the checklist has no such item.
    """
    for item in TODO_ITEMS:
        if item.id == item_id:
            others = toggled - {item_id}
            return others if item.completed is completed else others | {item_id}
    raise NotFound("The checklist has no item '{item}'.", item=item_id)
