"""Customers of the sandbox: their card, their subscriptions, their charges."""

from jara.domain.errors import CardDeclined
from jara.payments.sandbox.billing import SandboxBilling
from jara.payments.sandbox.cards import SandboxCard, find_card
from jara.payments.sandbox.objects import (
    Charge,
    Customer,
    Intent,
    Objects,
    Payer,
    Replay,
    Subscription,
)


class SandboxCustomers:
    """Creates customers, and deletes them with everything that identifies the person."""

    def __init__(self, objects: Objects, billing: SandboxBilling) -> None:
        self._objects = objects
        self._billing = billing

    def create(self, *, email: str, name: str, member_id: str, card: str) -> str:
        """Create a customer with a default card.

        Raises:
            CardDeclined: the card cannot be attached.
        """
        require_attachable(card)
        customer_id = self._objects.new_id("cus_")
        payer = Payer(self._objects.new_id("payer_"), customer_id, member_id, email)
        self._objects.put(payer)
        self._objects.put(Customer(customer_id, payer.id, name, card))
        return customer_id

    def delete(self, customer_id: str) -> None:
        """Delete a customer, end their subscriptions, and forget who paid."""
        customer = self._objects.find(Customer, customer_id)
        if customer is None:
            return
        gone = {customer_id}
        for subscription in self.subscriptions(customer_id):
            self._billing.cancel(subscription)
            self._objects.delete(Subscription, subscription.id)
            gone.add(subscription.id)
        for intent in self._objects.all(Intent):
            if intent.payer == customer.payer:
                self._objects.delete(Intent, intent.id)
        for replay in self._objects.all(Replay):
            if gone.intersection(replay.answer.values()):
                self._objects.delete(Replay, replay.id)
        self._forget_payer(customer.payer)
        self._objects.delete(Customer, customer_id)

    def _forget_payer(self, payer_id: str) -> None:
        """Forget the payer of the charges, and of gifts from the same address."""
        email = self._objects.get(Payer, payer_id).email
        for payer in self._objects.all(Payer):
            if payer.id == payer_id or (payer.email == email and payer.customer_id is None):
                self._objects.delete(Payer, payer.id)

    def change(self, customer_id: str, *, email: str, name: str) -> None:
        """Give a customer another address or name."""
        customer = self._objects.get(Customer, customer_id)
        customer.name = name
        self._objects.put(customer)
        payer = self._objects.get(Payer, customer.payer)
        payer.email = email
        self._objects.put(payer)

    def set_card(self, customer_id: str, card: str) -> None:
        """Make a card the customer's default; the next attempt uses it.

        Raises:
            CardDeclined: the card cannot be attached.
        """
        require_attachable(card)
        customer = self._objects.get(Customer, customer_id)
        customer.card = card
        customer.confirmed = False
        self._objects.put(customer)

    def of_member(self, member_id: str) -> list[str]:
        """Return the customers created for a member."""
        return [
            payer.customer_id
            for payer in self._objects.all(Payer)
            if payer.member_id == member_id and payer.customer_id is not None
        ]

    def subscriptions(self, customer_id: str) -> list[Subscription]:
        """Return a customer's subscriptions."""
        found = self._objects.all(Subscription)
        return [each for each in found if each.customer_id == customer_id]

    def charges(self, customer_id: str) -> list[Charge]:
        """Return a customer's charges."""
        payer = self._objects.get(Customer, customer_id).payer
        return [charge for charge in self._objects.all(Charge) if charge.payer == payer]


def require_attachable(payment_method: str) -> SandboxCard:
    """Return the test card, if it can be attached.

    Raises:
        CardDeclined: it cannot be attached.
    """
    card = find_card(payment_method)
    if card.attach_refusal:
        raise CardDeclined(card.attach_refusal)
    return card
