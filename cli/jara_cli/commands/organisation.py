"""``jara organisation``: what the organisation says about itself."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.domain.dates import parse_one_day
from jara.domain.errors import InvalidInput
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES
from jara.records.operations import Approval
from jara.services.approvals import describe_waiting
from jara.services.books.payment_account import set_payment_account, show_payment_account
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.organisation import change_currency, currency_of, set_time_zone, show_identity
from jara.services.ways_in import donate_link, set_donate_link
from jara_cli.columns import Column, spell_key
from jara_cli.inputs import name_input, open_input
from jara_cli.options import TimeZoneName, Why, argument, option
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

_COLUMNS = (
    *(Column(part, spell_key(part)) for part in OWN_VALUES),
    Column("donateUrl", "Donate link"),
    Column("currency", "Currency"),
    Column("paymentAccount", "Pays from"),
    Column("timeZone", "Time zone"),
    Column("own", "Set here"),
)

_OF_SERVER = {IdentityPart.LANGUAGE, IdentityPart.SITE_URL}
_AT_START = "A server that runs takes the language and the site's address when it starts again."
_DONATE = "donateUrl"
_PARTS = (*OWN_VALUES, _DONATE)

PaymentAccount = Annotated[
    str | None, option("ACCOUNT", "Account of the books that payments leave.")
]
Change = Callable[..., Answer]


def _with_own_values(change: Change) -> Change:
    """Give a function one option for each value that an organisation sets about itself.

    It receives those that were given as `given`.
    """
    options = [
        Parameter(
            part.name.lower(),
            Parameter.POSITIONAL_OR_KEYWORD,
            default=None,
            annotation=Annotated[str | None, option(value.metavar, value.help, value.option)],
        )
        for part, value in OWN_VALUES.items()
    ]
    first, *others = signature(change, eval_str=True).parameters.values()

    @wraps(change)
    def read(application: Application, **words: str | None) -> Answer:
        texts = {part: words.pop(part.name.lower()) for part in OWN_VALUES}
        given = {part: text for part, text in texts.items() if text is not None}
        return change(application, given=given, **words)

    read.__signature__ = Signature(  # type: ignore[attr-defined] # the verb's frame reads it
        [first, *options, *(one for one in others if one.name != "given")]
    )
    return read


@verb(app, *_COLUMNS)
def show(context: Context) -> Answer:
    """Show what the organisation says about itself: names, address, links, values of its terms.

    Values that are not set are empty, or the default.

    Example: jara organisation show
    """
    return _answer(context)


@verb(app, *_COLUMNS, name="set")
@_with_own_values
def set_command(
    application: Application,
    given: dict[IdentityPart, str],
    donate_url: Annotated[str | None, option("URL", "Address that the donate link opens.")] = None,
    currency: Annotated[str | None, option("CODE", "Currency, until the books are used.")] = None,
    payment_account: PaymentAccount = None,
    time_zone: TimeZoneName = None,
    effective: Annotated[
        str | None, option("DATE", "First day of the terms and the privacy text.")
    ] = None,
    why: Why = "",
) -> Answer:
    """Set what the organisation says about itself; other values stay.

    Names, address, colour, links, and what the terms and the privacy text need to know. If
    operators have keys, others must approve the donate link; if there are limits, also --effective,
    a province or refund days that the terms promise, the addresses that members are sent to
    (--contact, --chat, --site-url), and a value that says where to send money.
    The rest is shown at once. The currency is fixed once there is an entry, a pledge, a proposal
    or a bank account; the time zone, in which all days and deadlines are, once there is an entry.

    --effective puts the terms and the privacy text into effect, as they are shipped. From then on
    another value is a new version of them. With live payments, another province or number of
    refund days holds 30 days later at the earliest.

    Examples:
      jara organisation set --name "Sankofa Circle" \\
          --legal-name "Sankofa Giving Circle Inc."
      jara organisation set --address "12 Harbour Road, Halifax"
      jara organisation set --colour "#7a1f3d" --logo sankofa.svg
      jara organisation set --province Ontario --refund-days 30 \\
          --privacy-officer "Secretary"
      jara organisation set --effective today
      jara organisation set --chat https://chat.sankofa.example
      jara organisation set --time-zone America/Toronto
    """
    changes, keep_logo = dict(given), None
    if IdentityPart.LOGO in given:
        changes[IdentityPart.LOGO], keep_logo = _read_logo(application, given[IdentityPart.LOGO])
    with application.context.together() as context:
        day = None if effective is None else parse_one_day(effective, today=context.today())
        is_of_books = _set_books(context, currency, payment_account, time_zone)
        has_values = bool(changes) or effective is not None
        done: list[object] = []
        if has_values or (donate_url is None and not is_of_books):
            done.append(change_values(context, changes, effective=day, why=why))
        if donate_url is not None:
            done.append(set_donate_link(context, donate_url, why=why))
        if keep_logo is not None:
            keep_logo()
    answer = _answer_of(application.context, [*done, None] if is_of_books else done)
    return answer._replace(hints=[_AT_START] * bool(_OF_SERVER & changes.keys()))


def _set_books(
    context: Context, currency: str | None, payment_account: str | None, time_zone: str | None
) -> bool:
    """Set what belongs to the books; return whether there was something to set."""
    given = {
        change_currency: currency,
        set_payment_account: payment_account,
        set_time_zone: time_zone,
    }
    for change, text in given.items():
        if text is not None:
            change(context, text)
    return any(text is not None for text in given.values())


@verb(app, *_COLUMNS)
def unset(
    context: Context,
    parts: Annotated[list[str], argument("PART...", f"Of {', '.join(_PARTS)}.")],
    why: Why = "",
) -> Answer:
    """Go back to the default of values that were set.

    Example: jara organisation unset colour logo
    """
    by_name = {part.lower(): part for part in OWN_VALUES}
    keys = [word.lower().replace("-", "") for word in parts]
    unknown = [
        word
        for word, key in zip(parts, keys, strict=True)
        if key not in by_name and key != _DONATE.lower()
    ]
    if unknown:
        raise InvalidInput(f"'{unknown[0]}' cannot be set; there are {', '.join(_PARTS)}.")
    parts_of_identity = [by_name[key] for key in keys if key in by_name]
    done: list[object] = []
    with context.together() as joined:
        if parts_of_identity:
            done.append(change_values(joined, {}, removed=parts_of_identity, why=why))
        if _DONATE.lower() in keys:
            done.append(set_donate_link(joined, None, why=why))
    return _answer_of(context, done)


def _read_logo(application: Application, source: str) -> tuple[str, Callable[[], object]]:
    """Return the text of a logo, and what stores its file."""
    from jara.files import logo, media  # noqa: PLC0415 - Pillow is slow

    with open_input(source) as stream:
        data = stream.read(logo.LOGO_BYTES_MAX + 1)
    own_logo, picture = logo.read_logo(data, name_input(source))
    return own_logo.text(), partial(media.keep_media, picture, application.settings.media_dir)


def _answer_of(context: Context, done: Sequence[object]) -> Answer:
    """Return the values, or the approvals of what waits and whether anything else was changed."""
    waits = [one for one in done if isinstance(one, Approval)]
    if not waits:
        return _answer(context)
    answer = waiting(waits[0])
    notes = [*answer.notes, *map(describe_waiting, waits[1:])]
    is_changed = len(done) > len(waits)
    return answer._replace(notes=[*notes, *(["Everything else was changed."] * is_changed)])


def _answer(context: Context) -> Answer:
    identity, values = show_identity(context)
    document = {
        **{part.value: values.get(part, "") for part in OWN_VALUES},
        "name": identity.name,
        "language": values.get(IdentityPart.LANGUAGE, context.rules.language),
        "siteUrl": values.get(IdentityPart.SITE_URL, context.rules.site_url),
        "logo": identity.logo.path if identity.logo else "",
        "donateUrl": donate_link(context) or "",
        "currency": currency_of(context),
        "paymentAccount": show_payment_account(context),
        "timeZone": context.zone.name,
        "own": [part for part in OWN_VALUES if part in values],
    }
    return Answer(document)
