"""Clients that write while the server is killed, and record the answers."""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import stripe

from jara.bootstrap import SystemClock
from tests.faults.fault_world import Server, Voter
from tests.sizes import PATIENCE_SECONDS
from tests.stripe_double.double import WEBHOOK_SECRET, StripeDouble
from tests.webapi.desk import PASSWORD, registration

ROOT = Path(__file__).parents[2]
_SHORT = 0.02
CARD_TYPED_AGAIN = 5
"""The most tries with a new card; kills are less frequent."""


@dataclass
class Told:
    """The answers that clients got, and the number of their retries."""

    server: Server
    double: StripeDouble
    ended: threading.Event = field(default_factory=threading.Event)
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)
    joined: list[str] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    """The provider's events that were answered with 200."""
    posted: set[int] = field(default_factory=set)
    retried: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)

    def insist(self, what: str, act: Callable[[], tuple[int, Any]]) -> tuple[int, Any]:
        """Repeat a call until it is answered, as a client does after a lost answer."""
        while True:
            try:
                status, document = act()
            except (OSError, http.client.HTTPException):
                self.retried[what] += 1
                time.sleep(_SHORT)
                continue
            if status not in {502, 503}:
                return status, document
            time.sleep(0.05)


def cast_votes(told: Told, proposal: str, voters: list[Voter]) -> None:
    """Let voters vote one after the other, each until the answer arrives."""
    for voter in voters:
        if told.ended.is_set():
            return
        body = {"id": proposal, "voteType": "upvote", "nonce": voter.nonce}

        def act(body: Any = body, token: str = voter.token) -> tuple[int, Any]:
            answer = told.server.live.call("POST", "/user/votes", body, token)
            return answer.status, answer.json

        status, document = told.insist("vote", act)
        if status == 200:
            told.receipts[voter.nonce] = document["receipt"]
        else:
            told.surprises.append(f"vote: {status} {document}")


def join(told: Told) -> None:
    """Register paying members one after the other, each with an idempotency key."""
    number = 0
    while not told.ended.is_set():
        number += 1
        email = f"joiner{number}@example.org"
        form = _form(told, email)
        status, document = told.insist("join", partial(_register, told, form, f"joining-{number}"))
        for _ in range(CARD_TYPED_AGAIN):
            if not _asks_for_the_card(status, document):
                break
            form = _form(told, email)
            status, document = told.insist("join", partial(_register, told, form, None))
        if (status, document.get("code")) == (409, "email_taken"):
            # The registration was done before the kill, so signing in works.
            credentials = {"email": email, "password": PASSWORD}
            status, document = told.insist("sign in", partial(_sign_in, told, credentials))
        if status in {200, 201}:
            told.joined.append(email)
        else:
            told.surprises.append(f"join: {status} {document}")


def _asks_for_the_card(status: int, document: dict[str, Any]) -> bool:
    """Return whether a kill made the form invalid, so that it is sent again with a new card.

    The key of an interrupted attempt is locked for two minutes, too long to wait; and Stripe
    accepts no payment method twice, even if the first attempt was undone.
    """
    if status == 422:
        return "paymentMethodId" in document.get("fields", {})
    return (status, document.get("code")) == (409, "request_running")


def _form(told: Told, email: str) -> dict[str, Any]:
    card = told.double.make_card("pm_card_visa")
    return registration(email=email, paymentMethodId=card)


def _register(told: Told, form: dict[str, Any], key: str | None) -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    connection = http.client.HTTPConnection("127.0.0.1", told.server.port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("POST", "/api/register", json.dumps(form), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def _sign_in(told: Told, credentials: dict[str, Any]) -> tuple[int, Any]:
    answer = told.server.live.call("POST", "/user/login", credentials)
    return answer.status, answer.json


def tell_of_events(told: Told) -> None:
    """Send Stripe's events to the webhook, each until it is accepted."""
    address = f"http://127.0.0.1:{told.server.port}/api/webhooks/stripe"
    while not told.ended.is_set():
        told.double.advance(minutes=1)
        waiting = [body for body, _ in told.double.deliveries()]
        for body in waiting:
            now = int(SystemClock().now().timestamp())  # Stripe's clock runs ahead in this test.
            signature = stripe.WebhookSignature.generate_signature_header(
                body.decode(), WEBHOOK_SECRET, now
            )
            status, _ = told.insist("webhook", partial(_send, address, body, signature))
            if status == 200:
                told.heard.add(json.loads(body)["id"])
            else:
                told.surprises.append(f"webhook: {status}")
        if not waiting:
            time.sleep(_SHORT)


def _send(address: str, body: bytes, signature: str) -> tuple[int, Any]:
    headers = {"Stripe-Signature": signature, "Content-Type": "application/json"}
    request = urllib.request.Request(address, data=body, headers=headers)  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310 - our own server
            return answer.status, None
    except urllib.error.HTTPError as error:
        return error.code, None


class Poster:
    """The parent of ``poster.py``, which restarts it after each kill where it stopped."""

    def __init__(self, told: Told, folder: Path) -> None:
        """Start with the first entry."""
        self._told, self._folder = told, folder
        self.start()

    def start(self) -> None:
        """Continue with the first entry that was not reported as posted."""
        first = max(self._told.posted, default=-1) + 1
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.poster", str(self._folder), str(first)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *_paths()])},
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def kill(self) -> None:
        """Kill the process, then read its remaining output."""
        self._process.kill()
        self._process.wait(timeout=PATIENCE_SECONDS)
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, _, number = line.partition(" ")
            self._told.posted.add(int(number))
            self._told.retried["entry"] += word == "known"
        self._process.stdout.close()


def _paths() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
