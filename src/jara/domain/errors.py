"""The exceptions of Jara, one class for each situation.

    JaraError                any error, with a message for people
    |-- InvalidInput         a value breaks a rule (exit 2, HTTP 422)
    |-- NotFound             no object has that name (exit 3, HTTP 404)
    |-- Conflict             the state does not allow it (exit 4, HTTP 409)
    |-- Refused              this person may not do it (exit 4, HTTP 403)
    |-- Unauthenticated      no user is signed in (exit 4, HTTP 401)
    |-- CardDeclined         the card was declined (exit 4, HTTP 402)
    |-- TooManyRequests      a rate limit is reached (exit 5, HTTP 429)
    `-- Unavailable          an external system failed (exit 5, HTTP 502 or 503)

Each class has a ``code``, a stable snake_case word for programs. The CLI and the web API
each map the classes to exit codes or HTTP status codes in one table.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

from jara.domain.texts import tr


class JaraError(Exception):
    """The base class; ``str(error)`` is one sentence that names the value and the rule.

    What members and visitors can see is a template with its values, which other languages
    translate: ``InvalidInput("At most {limit} are allowed.", limit=5)``.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self, message: str, *, fields: Mapping[str, str] | None = None, **values: str | int
    ) -> None:
        self.message = tr(message, **values) if values else message
        super().__init__(self.message)
        self.fields: dict[str, str] = dict(fields or {})


class InvalidInput(JaraError):
    """A value breaks a rule; ``fields`` names the fields when there are any."""

    code = "invalid_input"


class NotFound(JaraError):
    """No object has that name or id."""

    code = "not_found"


class Conflict(JaraError):
    """The current state does not allow this."""

    code = "conflict"


class Refused(JaraError):
    """This person may not do this."""

    code = "refused"


class Unauthenticated(JaraError):
    """No user is signed in, or the token is invalid."""

    code = "unauthenticated"


class CardDeclined(JaraError):
    """The payment provider declined the card; the message is the provider's."""

    code = "card_declined"


class TooManyRequests(JaraError):
    """A rate limit is reached; ``retry_after_seconds`` says when to try again."""

    code = "too_many_requests"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Unavailable(JaraError):
    """An external system failed: the provider, the disk or the database."""

    code = "unavailable"


class Busy(Unavailable):
    """Others are served right now; nothing was done, so the same request may come again.

    Its message is for everybody; messages of failures name files, hosts and settings, and are for
    operators.
    """

    code = "busy"


class NoDatabase(NotFound):
    """There is no database where the settings say; the message is for operators."""

    code = "unavailable"


class OlderDatabase(Conflict):
    """The database needs an upgrade; the message is for operators."""

    code = "unavailable"


class ClosedDatabase(Conflict):
    """The database takes no more changes; the message is for operators."""

    code = "unavailable"


class UnbalancedEntry(InvalidInput):
    """An entry does not sum to zero in one of its funds, or has no postings."""

    code = "unbalanced_entry"


class UnknownAccount(InvalidInput):
    """The chart of accounts has no such account."""

    code = "unknown_account"


class UnknownFund(InvalidInput):
    """There is no such fund."""

    code = "unknown_fund"


class InvalidAmount(InvalidInput):
    """A text is not a valid amount of money."""

    code = "invalid_amount"


class IllegalTransition(Conflict):
    """A state machine does not allow this transition."""

    code = "illegal_transition"


class NoCards(Conflict):
    """It needs a provider of card payments, and the organisation takes no cards."""


class EmailTaken(Conflict):
    """Another member has this address."""

    code = "email_taken"


class AlreadyVoted(Conflict):
    """The member has already voted on this proposal."""

    code = "already_voted"


class CardVoted(Conflict):
    """Another member who pays with the same card or account has voted on this proposal."""

    code = "card_voted"


class VotingClosed(Conflict):
    """The proposal accepts no ballots now."""

    code = "voting_closed"


class NotAChangemaker(Refused):
    """The member may not vote yet; the message names the day."""

    code = "not_a_changemaker"


class FundOverdrawn(Conflict):
    """A fund or a commitment has less money than requested."""

    code = "fund_overdrawn"


class YearLocked(Conflict):
    """The year's books are closed."""

    code = "year_locked"


class DuplicateEntry(Conflict):
    """An external id was already posted with different content."""

    code = "duplicate_entry"


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Name the field of a form, or the header, whose value an error inside is about."""
    try:
        yield
    except InvalidInput as error:
        error.fields = error.fields or {field: error.message}
        raise
