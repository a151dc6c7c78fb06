"""The kinds of email, and which of them an address gets."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from jara.domain.email_kinds import EmailChoice, EmailKind
from jara_webapi.schemas.base import Answer, Body, Code, Component, Document, Done


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


class LinkedChoice(Body):
    """A code from an email, and what its address chooses; without a choice, nothing changes."""

    code: Code
    choice: WrittenChoice | None = None


class ChosenEmails(Done):
    """Which emails an address gets; without an account it is the newsletter or nothing."""

    email: str
    is_member: bool
    choice: EmailChoice
