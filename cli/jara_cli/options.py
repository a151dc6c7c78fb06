"""Options shared by many commands, and how their values are read."""

import sys
from collections.abc import Sized
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import typer

from jara.documents import Document
from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.foreign import foreign_payment
from jara.domain.books.fund_policy import Weights
from jara.domain.books.journal import Foreign
from jara.domain.dates import Period, parse_first_day, parse_last_day, parse_month, parse_year
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara_cli.exits import ExitCode
from jara_cli.inputs import require_writable
from jara_cli.output import note, show_line

_WEIGHT_DIGITS_MAX = 6  # finer than a cent


def parse_whole_number(text: str | int) -> int:
    """Read a count of at least 1, such as ``--limit 50``."""
    digits = str(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and int(digits) > 0):  # noqa: PLR2004 - far above any list, far below trouble
        raise InvalidInput(f"'{digits}' is not a whole number from 1 to 999999999.")
    return int(digits)


def confirm(question: str, *, yes: bool) -> None:
    """Ask before an action that cannot be undone, unless ``--yes`` was given.

    Raises:
        InvalidInput: there is no terminal to ask on.
        typer.Exit: the answer was no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(f"'{question}' needs an answer; add --yes to confirm.")
    sys.stderr.write(f"{show_line(question)} [y/N] ")  # standard output is for data
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        note("Nothing was done.")
        raise typer.Exit(ExitCode.NO)


def argument(metavar: str, help_text: str, **more: Any) -> Any:  # noqa: ANN401 - Typer's own
    """Declare an argument of a command in its annotation."""
    return typer.Argument(metavar=metavar, help=help_text, **more)


def option(metavar: str, help_text: str, *names: str, **more: Any) -> Any:  # noqa: ANN401 - Typer's own
    """Declare an option with a value; without names it is called like its parameter."""
    return typer.Option(*names, metavar=metavar, help=help_text, **more)


def flag(name: str, help_text: str, *short: str) -> Any:  # noqa: ANN401 - Typer's own
    """Declare an option without a value."""
    return typer.Option(name, *short, help=help_text)


JsonFlag = Annotated[bool, flag("--json", "Print one JSON document.")]
Who = Annotated[str, argument("MEMBER", "Email address, or the id or its first characters.")]
TimeZoneName = Annotated[str | None, option("NAME", "Time zone of all days, like America/Toronto.")]

Why = Annotated[str, option("TEXT", "Reason, for the audit log.", "--why")]
Yes = Annotated[bool, flag("--yes", "Do not ask for confirmation.", "-y")]
Limit = Annotated[int, option("N", "Show at most N.", parser=parse_whole_number)]
MaybeLimit = Annotated[int | None, option("N", "Show at most N.", parser=parse_whole_number)]
At = Annotated[str | None, option("DATE", "Balance at the end of this day, month or year.")]
AtInstant = Annotated[
    str | None, option("SIZE|INSTANT", "Use the books as of this log size or time.")
]
FromDay = Annotated[
    str | None, option("DATE", "First day: 2026-11-01, 2026-11, yesterday.", "--from", "--since")
]
ToDay = Annotated[str | None, option("DATE", "Last day: 2026-11-30, 2026-11, today.", "--to")]
Month = Annotated[str | None, option("MONTH", "One month: 2026-11, last-month.")]
Year = Annotated[str | None, option("YEAR", "One calendar year: 2026, last-year.")]
_OUT_HELP = "Write to this file; - is standard output."
OutTarget = Annotated[str, option("FILE", _OUT_HELP, "--out", "-o")]
"""A file, or a folder where a command writes several."""
OutPath = Annotated[str, option("FILE", _OUT_HELP, "--out", "-o", parser=require_writable)]
"""A file, checked before the command begins."""
Cents = Annotated[int, argument("AMOUNT", "Such as 10, 10.50 or 1,457.", parser=parse_cents)]
ForeignOption = Annotated[str | None, option("AMOUNT", "Amount the payee got: 'KES 464,400'.")]
RateSource = Annotated[str | None, option("TEXT", "Source of the amount: 'bank slip 1182'.")]
PaidFrom = Annotated[
    str | None, option("ACCOUNT", "Account that pays; default: `jara organisation show`.", "--from")
]
BankCharge = Annotated[str | None, option("AMOUNT", "The bank's charge.")]


def more_than_shown(count: int, shown: Sized) -> list[str]:
    """Return the sentence that says how many there are, if not all are shown."""
    return [f"There are {count:,}; show more with --limit."] if count > len(shown) else []


class Options:
    """Options that several commands share: a dataclass with a field for each.

    A command has one parameter of its type, and `jara_cli.verbs` shows each field as an option.
    """


@dataclass(frozen=True)
class PeriodOptions(Options):
    """A period: ``--from --to``, ``--month`` or ``--year``."""

    from_day: FromDay = None
    to_day: ToDay = None
    month: Month = None
    year: Year = None

    def choose(self, *, today: date) -> Period | None:
        """Return the period; None if none is given.

        ``--from`` alone ends today; ``--to`` alone starts at the first entry.
        """
        ranged = self.from_day is not None or self.to_day is not None
        if ranged + (self.month is not None) + (self.year is not None) > 1:
            raise InvalidInput("Give one of --from with --to, --month or --year, not several.")
        if self.month is not None:
            return parse_month(self.month, today=today)
        if self.year is not None:
            return parse_year(self.year, today=today)
        if not ranged:
            return None
        first = date.min if self.from_day is None else parse_first_day(self.from_day, today=today)
        last = today if self.to_day is None else parse_last_day(self.to_day, today=today)
        if last < first:
            raise InvalidInput(f"The range begins on {first} and ends before it, on {last}.")
        return Period(first, last)


def parse_weights(text: str, *, whole: bool = False) -> Weights:
    """Read ``projects=80,staff=7``; omitted funds get 0.

    With `whole` every fund must be named, because an omitted one may have been forgotten.

    Raises:
        InvalidInput: a part names an unknown fund, repeats one, or has no whole number.
    """
    weights: dict[Fund, int] = {}
    for part in text.split(","):
        name, _, digits = (side.strip() for side in part.partition("="))
        if name not in SPLIT_FUNDS:
            raise InvalidInput(f"'{part}' is not a fund of the split: {', '.join(SPLIT_FUNDS)}.")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _WEIGHT_DIGITS_MAX):
            raise InvalidInput(f"'{part}' has no weight; write a whole number, {name}=80.")
        if name in weights:
            raise InvalidInput(f"'{name}' appears twice in the policy '{text}'.")
        weights[Fund(name)] = int(digits)
    missing = [fund for fund in SPLIT_FUNDS if fund not in weights]
    if whole and missing:
        raise InvalidInput(f"'{text}' omits {', '.join(missing)}; write {missing[0]}=0 for none.")
    return {fund: weights.get(fund, 0) for fund in SPLIT_FUNDS}


def read_foreign_options(amount: str | None, *, cents: int, source: str | None) -> Foreign | None:
    """Read a payment in another currency from a command's options.

    Raises:
        InvalidInput: there is a source but no amount, or a value breaks a rule.
    """
    if amount is None:
        if source is not None:
            raise InvalidInput("--rate-source belongs to a payment with --foreign.")
        return None
    if not (source or "").strip():
        raise InvalidInput(f"--foreign '{amount}' needs --rate-source, such as 'bank slip 1182'.")
    return foreign_payment(amount, cents=cents, source=source)


def foreign_text(document: Document) -> str:
    """Describe an entry's amount in another currency."""
    amount = f"{document['text']} at {document['rate']}"
    source, receipt = document.get("source"), document.get("receipt")
    by = f" by {source}" if source else ""
    return f"{amount}{by}" + (f", receipt {receipt}" if receipt else "")
