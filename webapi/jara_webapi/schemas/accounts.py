"""Joining, signing in, and what a member's account is."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from jara_webapi.schemas.base import Answer, Body, Done, Email, Password, PaymentMethod, Text

Amount = int | float | Annotated[str, Field(max_length=40)]
"""Whole dollars; spec §3 holds them as text, and a number is as good."""


class Credentials(Body):
    """Who somebody says they are."""

    email: Email
    password: Password


class Registration(Body):
    """The three steps of joining (spec §3)."""

    firstname: Text
    lastname: Text
    email: Email
    password: Password
    country: Text
    notifications: bool = False
    privacy_policy: bool = False
    contribution: Amount
    billing_day: Annotated[str, Field(max_length=20)] | int
    payment_method_id: PaymentMethod


class TodoItem(Answer):
    """A line of the member's checklist."""

    id: str
    title: str
    description: str
    completed: bool
    icon: str
    action_text: str


class User(Answer):
    """A member as the website shows them."""

    id: str
    firstname: str
    lastname: str
    email: str
    country: str
    subscription_amount: int
    billing_day: Literal["current", "1", "28"] | None
    pledge_status: Literal["incomplete", "active", "past_due", "paused", "canceled"] | None
    next_charge_on: date | None
    skips_on: date | None
    may_vote_from: date | None
    member_since: date
    notifications: bool
    votes: dict[str, Literal["voted"]]
    todo: list[TodoItem]


class Available(Answer):
    """The email is free and the password good."""

    success: Literal[True] = True


class SignedIn(Done):
    """A token, for the header ``token``."""

    token: str


class Joined(SignedIn):
    """A new member, whose pledge runs."""

    user: User


class ConfirmationNeeded(Joined):
    """The cardholder's bank wants to be asked; the client does so with the secret."""

    requires_action: Literal[True] = True
    intent_type: Literal["payment", "setup"]
    client_secret: str


class Profile(Done):
    """A member's profile."""

    user: User


class ProfileChange(Body):
    """One change at a time: the name, the email, the password, or the news."""

    firstname: Text | None = None
    lastname: Text | None = None
    email: Email | None = None
    new_password: Password | None = None
    confirm_new_password: Password | None = None
    notifications: bool | None = None
    current_password: Password | None = None


class Closing(Body):
    """The wish to leave; with the password when the sign-in is old."""

    current_password: Password | None = None


class AmountChange(Body):
    """Another monthly amount."""

    subscription_amount: Amount


class AmountChanged(Done):
    """The amount that holds from the next charge on."""

    subscription_amount: int


class PledgeChange(Body):
    """What a member does with their pledge."""

    billing_day: Annotated[str, Field(max_length=20)] | int | None = None
    paused: bool | None = None
    skip_next: bool | None = None
    canceled: Literal[True] | None = None
    payment_method_id: PaymentMethod | None = None
    subscription_amount: Amount | None = None


class PledgeChanged(Done):
    """The member with the pledge as it stands now."""

    user: User


class PledgeConfirmation(PledgeChanged):
    """The cardholder's bank wants to be asked."""

    requires_action: Literal[True] = True
    intent_type: Literal["payment", "setup"]
    client_secret: str


class TodoChange(Body):
    """Whether an item of the checklist is done."""

    completed: bool


class Todo(Done):
    """The checklist after the change."""

    todo: list[TodoItem]


class ForgottenPassword(Body):
    """Whose password is to be set anew."""

    email: Email


class NewPassword(Body):
    """A new password, with the code from the mail."""

    code: Annotated[str, Field(min_length=1, max_length=200)]
    new_password: Password
    confirm_new_password: Password


class BillingPage(Answer):
    """Where a member sees payments and changes the card."""

    success: Literal[True] = True
    url: str
