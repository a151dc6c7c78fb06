"""Money committed to a passed proposal: held, paid out, released."""

from typing import NamedTuple

from jara.domain.errors import FundOverdrawn, InvalidInput
from jara.domain.money import format_cents


class Commitment(NamedTuple):
    """The commitment to a passed proposal, in cents."""

    proposal: str  # the proposal's id
    goal: int  # the amount the vote approved
    held: int = 0  # the amount now held for it in the fund ``committed``
    paid: int = 0  # the amount paid out, net of returns
    released: int = 0  # the permanently released part of the goal

    def to_hold(self, free_projects_cents: int) -> int:
        """Return how much free money of the fund ``projects`` to hold now."""
        missing = self.goal - self.held - self.paid - self.released
        return max(0, min(missing, free_projects_cents))

    def hold(self, cents: int) -> "Commitment":
        """Hold more money.

        Raises:
            InvalidInput: less than one cent, or more than the goal still lacks.
        """
        _require_positive(cents)
        if cents > self.to_hold(cents):
            raise InvalidInput(
                f"{format_cents(cents)} is more than the proposal {self.proposal} still lacks "
                f"of its goal of {format_cents(self.goal)}."
            )
        return self._replace(held=self.held + cents)

    def pay(self, cents: int) -> "Commitment":
        """Pay out of the held amount.

        Raises:
            FundOverdrawn: less is held for this proposal.
            InvalidInput: less than one cent.
        """
        self._require_held(cents)
        return self._replace(held=self.held - cents, paid=self.paid + cents)

    def take_back(self, *, cost_cents: int, received_cents: int) -> "Commitment":
        """Hold the returned part of a payment again, by its original cost.

        `received_cents` is the amount received for it, at the rate of the day.

        Raises:
            InvalidInput: less than one cent, or more than was paid.
        """
        _require_positive(cost_cents)
        _require_positive(received_cents)
        if cost_cents > self.paid:
            raise InvalidInput(
                f"{format_cents(cost_cents)} cannot come back from the proposal {self.proposal}; "
                f"it was paid {format_cents(self.paid)}."
            )
        return self._replace(held=self.held + received_cents, paid=self.paid - cost_cents)

    def release(self, cents: int) -> "Commitment":
        """Release a part of the held amount permanently.

        Raises:
            FundOverdrawn: less is held for this proposal.
            InvalidInput: less than one cent.
        """
        self._require_held(cents)
        return self._replace(held=self.held - cents, released=self.released + cents)

    def release_all(self) -> "Commitment":
        """Release the rest of the goal, held or not."""
        return self._replace(held=0, released=max(0, self.goal - self.paid))

    def _require_held(self, cents: int) -> None:
        _require_positive(cents)
        if cents > self.held:
            raise FundOverdrawn(
                f"{format_cents(self.held)} is held for the proposal {self.proposal}; "
                f"{format_cents(cents)} was requested."
            )


def _require_positive(cents: int) -> None:
    if cents <= 0:
        raise InvalidInput(
            f"{format_cents(cents)} cannot be moved; the minimum is {format_cents(1)}."
        )
