"""Registration, sign-in, the member's account, and passkeys (base64url texts of the browser)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from jara.domain.email_kinds import EmailChoice, EmailKind
from jara.domain.giving.member import TodoItem
from jara.services.members.documents import MemberPayment
from jara.services.members.documents import Profile as MemberProfile
from jara_webapi.schemas.base import (
    Answer,
    Body,
    Component,
    Document,
    Done,
    Email,
    LanguageCode,
    Password,
    PaymentMethod,
    Shape,
    Text,
    answer_model,
)
from jara_webapi.schemas.public import AnyGift, MailedCode


def _by_name(value: object) -> object:
    return next((choice for choice in EmailChoice if choice == value), value)


WrittenChoice = Annotated[EmailChoice, BeforeValidator(_by_name)]
"""A choice of emails by its name; bodies are read strictly."""


class DescribedChoice(Answer):
    """A choice of emails, and the text beside it."""

    name: EmailChoice
    about: str


class EmailKinds(Answer):
    """The choices, and the kinds of email with what each is about."""

    choices: list[DescribedChoice]
    kinds: list[Annotated[Document, Component(EmailKind)]]


class LinkedChoice(MailedCode):
    """A code from an email, and what its address chooses; without a choice, nothing changes."""

    choice: WrittenChoice | None = None


class ChosenEmails(Done):
    """Which emails an address gets; without an account it is the newsletter or nothing."""

    email: str
    is_member: bool
    choice: EmailChoice


User = Annotated[Document, Component(answer_model(MemberProfile, "User"))]
PAYMENT = Shape(answer_model(MemberPayment, "Payment"))

Amount = int | float | Annotated[str, Field(max_length=40)]
"""Whole dollars; spec §3 has them as text, and a number is accepted too."""


OtherWay = Literal["transfer", "cash", "mobile", "cheque"]
"""A way to pay other than by card."""


class Credentials(Body):
    """An email address and a password."""

    email: Email
    password: Password


class SignIn(Credentials):
    """An email address, a password, and the token of a device that signed in before."""

    device: Annotated[str, Field(max_length=100)] | None = None


class Joining(Body):
    """The fields of joining that every way to pay needs (spec §3)."""

    firstname: Text
    lastname: Text
    email: Email
    password: Password
    country: Text
    notifications: bool = False
    privacy_policy: bool = False
    contribution: Amount
    language: LanguageCode | None = None
    """By default that of the request."""


class Registration(Joining):
    """The three steps of joining with a card."""

    billing_day: Annotated[str, Field(max_length=20)] | int
    payment_method_id: PaymentMethod


class Promise(Joining):
    """Joining with a way to pay other than a card."""

    way: OtherWay


class Code(Answer):
    """A QR code: the modules in a row, and the dark ones as an SVG path."""

    size: int
    path: str


class PaymentByOtherWay(Answer):
    """How a member pays without a card; the code is for a SEPA transfer in euros."""

    way: OtherWay
    subscription_amount: int
    pledge_status: Literal["incomplete", "active", "past_due", "paused", "canceled"]
    reference: str
    paid_until: date | None
    may_vote_until: date | None
    details: str
    iban: str
    holder: str
    code: Code | None


class PromisedGift(AnyGift):
    """A one-time gift that is paid without a card."""

    way: OtherWay


class GiftOnTheWay(Done):
    """The gift is noted: how to pay it, which an email says too."""

    amount_cents: int
    way: OtherWay
    reference: str
    details: str
    iban: str
    holder: str
    code: Code | None


class Available(Answer):
    """The email address is available and the password acceptable."""

    success: Literal[True] = True


class PasswordSet(Done):
    """A token for the device, which may sign in while others have to wait."""

    device: str


class SignedIn(Done):
    """A token, for the header ``token``."""

    token: str


class KnownDevice(SignedIn):
    """A token, and one for the device, which may sign in while others have to wait."""

    device: str


class Joined(SignedIn):
    """A new member with an active pledge."""

    user: User


class ConfirmationNeeded(Joined):
    """The cardholder's bank must confirm; the client starts this with the secret."""

    requires_action: Literal[True] = True
    intent_type: Literal["payment", "setup"]
    client_secret: str


class Profile(Done):
    """A member's profile."""

    user: User


class ProfileChange(Body):
    """One change: the name, email, country, password, emails to get, or language."""

    firstname: Text | None = None
    lastname: Text | None = None
    email: Email | None = None
    new_password: Password | None = None
    confirm_new_password: Password | None = None
    country: Text | None = None
    notifications: bool | None = None
    email_choice: WrittenChoice | None = None
    language: LanguageCode | None = None
    current_password: Password | None = None


class Closing(Body):
    """A request to close the account; with the password when the sign-in is old."""

    current_password: Password | None = None


class AmountChange(Body):
    """A new monthly amount."""

    subscription_amount: Amount


class AmountChanged(Done):
    """The amount that applies from the next charge on."""

    subscription_amount: int


class PledgeChange(Body):
    """A change of the pledge."""

    billing_day: Annotated[str, Field(max_length=20)] | int | None = None
    paused: bool | None = None
    skip_next: bool | None = None
    canceled: Literal[True] | None = None
    payment_method_id: PaymentMethod | None = None
    subscription_amount: Amount | None = None
    way: OtherWay | None = None
    """Promises to pay the pledge in this way from now on."""


class PledgeChanged(Done):
    """The member with the changed pledge."""

    user: User


class PledgeConfirmation(PledgeChanged):
    """The cardholder's bank must confirm."""

    requires_action: Literal[True] = True
    intent_type: Literal["payment", "setup"]
    client_secret: str


class TodoChange(Body):
    """Whether an item of the checklist is done."""

    completed: bool


class Todo(Done):
    """The checklist after the change."""

    todo: list[Annotated[Document, Component(TodoItem)]]


class ForgottenPassword(Body):
    """The account whose password was forgotten."""

    email: Email


class NewPassword(Body):
    """A new password, with the code from the email."""

    code: Annotated[str, Field(min_length=1, max_length=200)]
    new_password: Password
    confirm_new_password: Password


class BillingPage(Answer):
    """Where a member sees payments and changes the card."""

    success: Literal[True] = True
    url: str


Encoded = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"^[A-Za-z0-9_-]+$")]


class Reauthentication(Body):
    """The password, when the sign-in is old."""

    current_password: Password | None = None


class NewPasskey(Body):
    """A new passkey: its name, and what the browser answered."""

    name: Text
    id: Encoded
    client_data: Encoded
    attestation: Encoded


class PasskeySignIn(Body):
    """What the browser answered for signing in."""

    id: Encoded
    client_data: Encoded
    authenticator_data: Encoded
    signature: Encoded


class DeskSignature(Body):
    """A statement of the desk, and what the passkey answered."""

    statement: Annotated[str, Field(min_length=1, max_length=20_000)]
    authenticator_data: Encoded
    client_data: Encoded
    signature: Encoded


RefusalText = Annotated[str, Field(min_length=1, max_length=500)]


class Refusal(DeskSignature):
    """The same for a refusal, with its reason."""

    why: RefusalText


class RefusalReason(Body):
    """Why an act is refused; without it, the act is approved."""

    why: RefusalText | None = None


class InvitationPasskey(Body):
    """The code of an invitation, and the passkey that the browser made."""

    code: Annotated[str, Field(min_length=1, max_length=200)]
    id: Encoded
    client_data: Encoded
    attestation: Encoded


class RelyingParty(Answer):
    """The site that a passkey is for."""

    id: str
    name: str


class PasskeyUser(Answer):
    """The account that a passkey is for."""

    id: str
    name: str
    display_name: str


class Credential(Answer):
    """A passkey that exists already."""

    id: str
    type: Literal["public-key"]
    transports: list[str] = Field(default=[])


class CreationOptions(Answer):
    """The browser's options for creating a passkey."""

    rp: RelyingParty
    user: PasskeyUser
    challenge: str
    pub_key_cred_params: list[Document]
    timeout: int
    exclude_credentials: list[Credential] = Field(default=[])
    authenticator_selection: Document
    attestation: str


class RequestOptions(Answer):
    """The browser's options for signing in with a passkey."""

    challenge: str
    timeout: int
    rp_id: str
    allow_credentials: list[Credential] = Field(default=[])
    user_verification: str


class PasskeyLine(Answer):
    """A passkey in the member's list."""

    id: str
    name: str
    added_on: date
