"""What `jara setup` can be told: options of other commands, and settings.

Each question is read off the declaration of its option or setting.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from jara.bootstrap import SystemClock
from jara.config.settings import DECIDED, SETTING_NAMES, declared
from jara.config.settings_file import Value
from jara.domain.books.fund_policy import require_percentages
from jara.domain.control.ssh import parse_public_key
from jara.domain.currency import parse_books_currency
from jara.domain.dates import parse_one_day
from jara.domain.errors import InvalidInput
from jara.domain.legal.versions import day_from
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES
from jara.domain.time_zone import UTC_ZONE, parse_time_zone
from jara.domain.web_address import is_web_address
from jara.files.logo import LOGO_BYTES_MAX, read_logo
from jara.services.operations.operators import parse_operator_name
from jara_cli.inputs import open_input
from jara_cli.options import parse_weights
from jara_cli.root import load_command

SPLIT, OPERATOR, KEY = "split", "operator", "key"
ZONE, EFFECTIVE = "time-zone", "effective"
CARDS = "cards"
STRIPE_KEYS = ("stripe-secret-key", "stripe-publishable-key")

TERMS = tuple(
    value.name
    for part, value in OWN_VALUES.items()
    if value.place and part not in {IdentityPart.ADDRESS, IdentityPart.CONTACT}
)
"""What the legal texts need to know beside the address and the contact."""


class Question(NamedTuple):
    """One thing that setup can be told."""

    key: str  # its name in a file of answers
    help: str  # of its option or setting
    check: Callable[[Any], object]
    """Raises InvalidInput or ValueError, with the rule that an answer breaks."""
    metavar: str = "TEXT"  # what stands for the answer
    setting: str = ""  # the name of the setting; empty for an option
    is_secret: bool = False  # whether the answer is never shown

    def read(self, value: object) -> Value:
        """Return a checked answer; a number counts as the text of an option.

        Raises:
            InvalidInput: it breaks a rule; the message names the key and the rule.
        """
        if not self.setting:
            value = str(value) if type(value) is int else value
            if not isinstance(value, str):
                raise InvalidInput(f"'{self.key}' must be text.")
        try:
            checked = self.check(value)
        except ValueError as error:
            said = "the value" if self.is_secret else f"'{value}'"
            raise InvalidInput(f"'{self.key}': {said} {error}.") from None
        except InvalidInput as error:
            raise InvalidInput(f"'{self.key}': {error.message}") from None
        if self.setting and type(checked) is int:  # typed as digits
            return checked
        return cast("Value", value)  # its check accepted it


@cache
def questions() -> Mapping[str, Question]:
    """Return all questions by their key; an option goes before a setting of its name."""
    settings = (
        Question(
            name.replace("_", "-"),
            declared(name)["help"],
            declared(name)["read"],
            setting=name,
            is_secret=declared(name)["secret"],
        )
        for name in SETTING_NAMES
    )
    options = (
        *_options("organisation", "set"),
        *_options("init"),
        *_options("policy", "set", weights=SPLIT),
        *_options("operators", "add", name=OPERATOR, key=KEY),
    )
    return {one.key: one for one in (*settings, *options)}


def _options(noun: str, verb: str = "", **renamed: str) -> list[Question]:
    """Return the questions of a command's parameters: of those that are named, or of all."""
    command = load_command(noun)
    parameters = (command.commands[verb] if verb else command).params
    keys = {
        one: renamed.get(one.name, "") if renamed else max(one.opts, key=len).removeprefix("--")
        for one in parameters
    }
    return [
        Question(key, one.help, _CHECKS[key], one.metavar or "TEXT")
        for one, key in keys.items()
        if key in _CHECKS
    ]


def check_first_day(answers: Mapping[str, object], before: Mapping[str, object]) -> None:
    """Check the first day of the legal texts by the time zone of the organisation.

    `before` is what the organisation says now; if it has a first day, another one is not set.

    Raises:
        InvalidInput: the day is in the past.
    """
    if EFFECTIVE not in answers or EFFECTIVE in before:
        return
    zone = parse_time_zone(str({**answers, **before}.get(ZONE) or UTC_ZONE.name))
    today = zone.day_of(SystemClock().now())
    try:
        day_from(parse_one_day(str(answers[EFFECTIVE]), today=today), today, today)
    except InvalidInput as error:
        raise InvalidInput(f"'{EFFECTIVE}': {error.message}") from None


def read_public_key(text: str) -> str:
    """Return a public key, given as its text or as its file.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is not a key that Jara accepts.
    """
    if text.startswith(("ssh-", "sk-")):
        return parse_public_key(text).text()
    with open_input(str(Path(text).expanduser())) as stream:
        return parse_public_key(stream.read(_KEY_BYTES_MAX).decode("utf-8", "replace")).text()


_KEY_BYTES_MAX = 100_000


def _check_link(text: str) -> None:
    if not (text.isascii() and is_web_address(text)):
        raise ValueError("is not an address that begins with https://")


def _check_logo(text: str) -> None:
    with open_input(text) as stream:
        read_logo(stream.read(LOGO_BYTES_MAX + 1), text)


_CHECKS: Mapping[str, Callable[[str], object]] = {
    **{value.name: value.parse for value in OWN_VALUES.values()},
    "logo": _check_logo,
    **{option: declared(name)["read"] for name, option in DECIDED.items()},
    "currency": parse_books_currency,
    ZONE: parse_time_zone,
    "donate-url": _check_link,
    EFFECTIVE: lambda text: parse_one_day(text, today=UTC_ZONE.day_of(SystemClock().now())),
    SPLIT: lambda text: require_percentages(parse_weights(text, whole=True)),
    OPERATOR: parse_operator_name,
    KEY: read_public_key,
}
"""How an answer that becomes an option is checked, as the command itself does."""
