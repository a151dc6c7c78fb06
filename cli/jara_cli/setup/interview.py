"""Asks the questions of `jara setup` at a terminal."""

import getpass
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jara.bootstrap.emails import mail_way, send_mail_test
from jara.bootstrap.keys import agent_keys
from jara.config.settings_file import Value
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.currency import DEFAULT_CURRENCY
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.organisation import DEFAULT_NAME, Cards, Identity
from jara.domain.time_zone import UTC_ZONE, parse_time_zone
from jara_cli.output import fold, note, show_line
from jara_cli.setup.answers import Answers, Draft
from jara_cli.setup.questions import (
    CARDS,
    EFFECTIVE,
    KEY,
    OPERATOR,
    SPLIT,
    STRIPE_KEYS,
    TERMS,
    Question,
    check_first_day,
    questions,
    read_public_key,
)
from jara_cli.setup.steps import Setup

LEFT_OUT = "-"
_INTRODUCTION = (
    "Enter takes the value in brackets, and - leaves a question out. Nothing is changed before "
    "the last answer. Ctrl+C stops; then the same command goes on."
)
_AGAIN = "Another answer, or - to leave it out."


class Asked(NamedTuple):
    """A question, and those that follow if it is answered, or has one answer."""

    key: str
    then: Sequence[str] = ()
    when: Value | None = None

    def open_key(self, answers: Mapping[str, Value | None], defaults: Answers) -> str | None:
        """Return which of them comes next; None if all are answered."""
        if self.key in answers:
            given = answers[self.key]
            if self.when is not None and given is None:
                given = defaults.get(self.key)  # it stays as it is
            if given is None or self.when not in {None, given}:
                return None
        return next((key for key in (self.key, *self.then) if key not in answers), None)


_ORDER = (
    Asked("name"),
    Asked("legal-name"),
    Asked("address"),
    Asked("contact"),
    Asked("currency"),
    Asked("time-zone"),
    Asked("language"),
    Asked(SPLIT),
    Asked("site-url"),
    Asked(CARDS, STRIPE_KEYS, when=Cards.STRIPE),
    Asked("smtp-url", ("mail-from",)),
    Asked(TERMS[0], (*TERMS[1:], "log-days", EFFECTIVE)),
    Asked(KEY, (OPERATOR,)),
)


def interview(setup: Setup, draft: Draft) -> Answers:
    """Ask what is not answered yet, and return all answers.

    Raises:
        KeyboardInterrupt: the person stopped; the draft has the answers so far.
    """
    for sentence in ("Jara sets up an organisation in this folder.", _INTRODUCTION):
        _say(sentence)
    if draft.answers:
        _say(f"{len(draft.answers)} answers of an earlier run are in {draft.path}.")
    defaults = {**_usual(setup), **setup.current()}
    for number, asked in enumerate(_ORDER, 1):
        while (key := asked.open_key(draft.answers, defaults)) is not None:
            count = f"{number}/{len(_ORDER)} " if key == asked.key else ""
            if not _ask_until_right(questions()[key], count, defaults, setup, draft):
                for tried in (asked.key, *asked.then):  # any of them may be wrong
                    draft.take_back(tried)
    return {key: value for key, value in draft.answers.items() if value is not None}


def _ask_until_right(
    question: Question, count: str, defaults: Answers, setup: Setup, draft: Draft
) -> bool:
    """Ask one question until its answer is right, and put the answer into the draft.

    Returns:
        Whether it also works with the answers before it; else it is not in the draft.
    """
    _say(f"{count}{question.help}")
    default = defaults.get(question.key)
    if question.key == KEY:
        keys = list(_public_keys())
        for number, (label, _) in enumerate(keys, 1):
            _say(f"  {number}  {label}")
        default = "1" if keys else None
    while True:
        typed = _ask(question, default)
        if typed in {"", LEFT_OUT}:
            if question.key in STRIPE_KEYS and not default:
                _say("Without both keys Stripe takes no cards.")
                return False
            draft.put(question.key, None)
            return True
        try:
            if question.key == KEY and typed.isascii() and typed.isdigit():
                typed = _chosen(keys, int(typed))
            value = question.read(typed)
            if question.key == EFFECTIVE:
                check_first_day({**draft.answers, EFFECTIVE: value}, setup.current())
        except JaraError as error:
            _say(f"{error.message} {_AGAIN}")
            continue
        try:
            _try_out(question.key, {**draft.answers, question.key: value}, setup)
        except JaraError as error:
            _say(f"{error.message} {_AGAIN}")
            return False
        is_there = bool(question.setting) and value == default  # the file stays as it is
        draft.put(question.key, None if is_there else value)
        return True


def _try_out(key: str, answers: dict[str, Value | None], setup: Setup) -> None:
    """Try what can be tried at once: Stripe's keys, and the mail server."""
    given = {name: value for name, value in answers.items() if value is not None}
    if key == STRIPE_KEYS[1]:
        setup.check(given)
        _say("Stripe accepts the key.")
    contact, address = given.get("contact"), given.get("address")
    if key == "mail-from" and contact and address:
        application = setup.application(given)
        own = Identity(
            name=str(given.get("name", DEFAULT_NAME)), address=str(address), contact=str(contact)
        )
        send_mail_test(application.context, application.settings, str(contact), own)
        setup.tested = mail_way(application.settings)
        _say(f"A test was sent to {contact}.")


def _ask(question: Question, default: Value | None) -> str:
    """Return what was typed, or the default."""
    shown = "set" if question.is_secret and default else default
    prompt = show_line(f"{question.key}{'' if shown is None else f' [{shown}]'}: ")
    if question.is_secret:
        typed = getpass.getpass(prompt, stream=sys.stderr)
    else:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = sys.stdin.buffer.readline()
        if not line:
            raise KeyboardInterrupt
        try:
            typed = line.decode("utf-8")
        except UnicodeDecodeError:
            _say("That is not UTF-8 text.")
            return _ask(question, default)
    typed = typed.strip()
    return typed or ("" if default is None else str(default))


def _usual(setup: Setup) -> dict[str, Value]:
    """Return good answers for a new organisation."""
    weights = DEFAULT_POLICY.weights
    settings = setup.settings()
    return {
        "currency": DEFAULT_CURRENCY,
        "time-zone": _zone_of_machine(),
        SPLIT: ",".join(f"{fund}={weight}" for fund, weight in weights.items()),
        "language": settings.language,
        "site-url": settings.site_url,
        CARDS: settings.cards,
        EFFECTIVE: "today",
        OPERATOR: settings.operator,
        **({"mail-from": settings.mail_from} if settings.mail_from else {}),
    }


def _zone_of_machine() -> str:
    """Return the time zone of this machine by its name; UTC if it has none."""
    place = os.environ.get("TZ") or os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    try:
        return parse_time_zone(place).name
    except InvalidInput:
        return UTC_ZONE.name


def _public_keys() -> Iterator[tuple[str, str]]:
    """Yield the keys that Jara accepts, of the user's folder and the agent: label and answer."""
    folder, seen = Path.home() / ".ssh", set()
    for file in sorted(folder.glob("*.pub")) if folder.is_dir() else ():
        try:
            key = read_public_key(str(file))
        except JaraError:
            continue  # RSA, ECDSA
        seen.add(key)
        yield str(file), str(file)
    for held in agent_keys(os.environ):
        if held.text() not in seen:
            yield f"the SSH agent's {held.fingerprint}", held.text()


def _chosen(keys: Sequence[tuple[str, str]], number: int) -> str:
    if not 1 <= number <= len(keys):
        raise InvalidInput(f"There is no key {number}.")
    return keys[number - 1][1]


def _say(sentence: str) -> None:
    for line in fold(show_line(sentence), sys.stderr):
        note(line)
