"""``jara demo``: a sample organisation to try everything with."""

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from jara.bootstrap import build, build_sample, read_settings
from jara.bootstrap.keys import make_scheduler_key
from jara.bootstrap.organisation import initialise
from jara.bootstrap.witness import LocalWitness, create_witness, open_cosigner
from jara.config.settings import SETTING_NAMES, Settings, variable_of
from jara.documents import Document
from jara.domain.books.account import STAFF, Fund
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.content.translations import require_language
from jara.domain.control.state import Limits
from jara.domain.currency import (
    DEFAULT_CURRENCY,
    books_currency,
    parse_books_currency,
    use_currency,
)
from jara.domain.errors import Conflict
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_cents
from jara.domain.organisation import IdentityPart
from jara.domain.time_zone import UTC_ZONE
from jara.languages import known_languages
from jara.records.operations import Command
from jara.services.approvals import list_approvals
from jara.services.books.bookkeeping import post_entry
from jara.services.context import Context, SignedCommand
from jara.services.legal.changing import change_values
from jara.services.log_keys import verification_key
from jara.services.notices.links import complete_links
from jara.services.notices.outbox import list_outbox
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.invitations import invite_phone
from jara.services.operations.operators import add_operator, list_operators
from jara.services.publiclog.offering import offer_checkpoint
from jara.services.publiclog.witnesses import add_witness
from jara.services.samples.demonstration import play, show_demo
from jara.services.samples.stage import SHOWN_EMAIL, SHOWN_PASSWORD, Stage, StoryClock, story_start
from jara.services.samples.words import in_own_words
from jara_cli.columns import Column, Kind
from jara_cli.commands.samples import read_demo_files
from jara_cli.commands.serve import Address, become_server
from jara_cli.options import JsonFlag, flag, option, parse_whole_number
from jara_cli.output import note, show_progress
from jara_cli.verbs import Answer, show, verb

FOLDER = "jara-demo"
_STEPS = 1000
_WITNESS = "witness"
_WITNESS_PORT = 7380
_KEY, _TRUSTEE, _SCHEDULER = "ada", "ama", "scheduler"
_LIMIT_CENTS = 2000
_OWN_VALUES = {
    IdentityPart.CONTACT: "hello@example.org",
    IdentityPart.INSTAGRAM: "https://instagram.example/jara",
    IdentityPart.LINKEDIN: "https://linkedin.example/jara",
    IdentityPart.X: "https://x.example/jara",
}
_ROOMY = 1000


app = typer.Typer()


@verb(app, name="demo")
def command(
    members: Annotated[int, option("N", "Number of members.", parser=parse_whole_number)] = 120,
    seed: Annotated[
        str, option("S", "The same seed gives the same data on the same day.")
    ] = "jara",
    fresh: Annotated[bool, flag("--fresh", "Replace an existing demo.")] = False,
    port: Annotated[int, option("PORT", "Port of the website.", parser=parse_whole_number)] = 8000,
    no_serve: Annotated[
        bool, flag("--no-serve", "Create it without starting the website.")
    ] = False,
    currency: Annotated[str, option("CODE", "Currency of its books.")] = DEFAULT_CURRENCY,
    language: Annotated[
        str, option("CODE", "Language of the organisation and its notes.")
    ] = ENGLISH,
    witness: Annotated[
        bool, flag("--witness", "Let a second program, a witness, sign its public log too.")
    ] = False,
    trustee: Annotated[
        bool, flag("--trustee", "Let a payment wait for a trustee's phone, to be invited.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Create a sample organisation in ./jara-demo and serve its website.

    Over two years that end today, invented members join, pay with test cards and vote.
    In Canadian dollars, six more pay by Interac, in cash and by cheque in the last two months.
    An existing demo is left unchanged. With --json the website is not started.

    Examples:
      jara demo
      jara demo --no-serve
      jara demo --members 20 --seed kente --fresh
      jara demo --currency CAD --language fr
      jara demo --trustee
    """
    address = Address(port=port)
    folder = Path(FOLDER).absolute()
    if fresh or not (folder / "jara.db").exists():
        use_currency(parse_books_currency(currency))  # before the sample content is read
        spoken = require_language(language, known_languages())
        # Links in the demo's emails use the address at which it will be served.
        settings = _settings(folder.with_name(f".{FOLDER}.part"), _site_url(address), spoken)
        _make(folder, settings, members=members, seed=seed, fresh=fresh)
    else:
        note(f"{FOLDER} is there already; use --fresh to replace it.")
    if witness:
        _add_witness(folder)
    if trustee:
        _add_trustee(folder, f"http://localhost:{address.port}")
    show(Answer(_overview(folder), hints=_TO_TRY), as_json=as_json, columns=_COLUMNS)
    if not (as_json or no_serve):
        _serve(folder, address)


_TO_TRY = [
    "",
    "To try:",
    *(
        f"  jara --db {FOLDER}/jara.db {words}"
        for words in (
            "members list",
            "ledger balance",
            "votes tally beekeeping",
            "ledger verify",
            "run daily",
        )
    ),
    "  jara demo --trustee    # a payment waits for the signature of a phone",
]
_COLUMNS = [
    Column("database", "Database"),
    Column("members", "Members", Kind.COUNT),
    Column("changemakers", "Changemakers", Kind.COUNT),
    Column("monthlyPledgedCents", "Their pledges a month", Kind.CENTS),
    Column("cashAtHandCents", "Cash at hand", Kind.CENTS),
    Column("cashDeployedCents", "Cash deployed", Kind.CENTS),
    Column("donationsText", "Donations"),
    Column("fundsText", "Funds"),
    Column("voteText", "Open vote"),
    Column("entries", "Entries", Kind.COUNT),
    Column("email", "Sign in as"),
    Column("password", "Password"),
]


def _make(folder: Path, settings: Settings, *, members: int, seed: str, fresh: bool) -> None:
    """Build the demo in the folder of the settings, and move it into place when it is complete."""
    if folder.exists() and not (folder / "jara.db").exists() and any(folder.iterdir()):
        raise Conflict(f"'{folder}' contains other files; nothing was changed.")
    draft = settings.secrets_dir.parent
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        normal = build(settings)
        today = UTC_ZONE.day_of(normal.context.now())
        end = UTC_ZONE.start_of(today)
        files = read_demo_files()
        clock = StoryClock(story_start(files, today))
        sample = build_sample(settings, clock=clock, seed=seed)
        own = {} if settings.language == ENGLISH else {IdentityPart.LANGUAGE: settings.language}
        initialise(sample, currency=books_currency(), values=own)
        stage = Stage(sample.context, clock, sample.sandbox, normal.context.hasher)
        with show_progress("Creating two years of history", total=_STEPS) as advance:
            done = 0

            def progress(part: float) -> None:
                nonlocal done
                advance(int(part * _STEPS) - done)
                done = int(part * _STEPS)

            play(stage, files, members=members, seed=seed, end=end, progress=progress)
        change_values(sample.context, _OWN_VALUES)
        sample.context.store.truncate_log()
        sample.context.store.close()
        if fresh and folder.exists():
            shutil.rmtree(folder)
        draft.replace(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _add_witness(folder: Path) -> None:
    """Let a witness in the demo's folder cosign its log, now and while both are served."""
    home = folder / _WITNESS
    context = build(_settings(folder)).context
    if not home.exists():
        key = create_witness(home, "witness.localhost/demo", [verification_key(context)])
        add_witness(context, f"http://127.0.0.1:{_WITNESS_PORT}", key.text())
    offer_checkpoint(replace(context, witnesses=LocalWitness(open_cosigner(home))))
    note(f"Its witness, in another terminal: jara witness serve --folder {FOLDER}/{_WITNESS}")


def _add_trustee(folder: Path, site_url: str) -> None:
    """Give the demo an operator's key, limits, the invitation of a phone, and an act that waits.

    What is there stays; the invitation is renewed until a phone is confirmed.
    """
    key = folder / _KEY
    public = key.with_suffix(".pub")
    if not key.exists():
        _make_key(key, public)
    given = {
        "database_url": str(folder / "jara.db"),
        "operator": _KEY,
        "operator_key": str(key),
        "site_url": site_url,
    }
    application = build(read_settings({}, overrides=given), describe=lambda: Command("demo", {}))
    context = application.context

    def acting() -> Context:
        return replace(context, signed=SignedCommand())

    names = {one.operator.name for one in list_operators(context)}
    if _KEY not in names:
        add_operator(acting(), _KEY, key=public.read_text("utf-8"))
    if _SCHEDULER not in names:
        own = make_scheduler_key(application)
        add_operator(acting(), _SCHEDULER, key=own, roles=(_SCHEDULER,))
    limits = Limits(_LIMIT_CENTS, _LIMIT_CENTS, total_limit_cents=_LIMIT_CENTS)
    if show_limits(context) != limits:
        why = in_own_words(context, "Voted by the trustees")
        set_limits(acting(), limits, why=why)
    if not list_approvals(context):
        salary = Spending(STAFF, Fund.STAFF, _LIMIT_CENTS, note="Salaries")  # projects may be empty
        entry = spending_entry(context.today(), salary, available_cents=_LIMIT_CENTS)
        post_entry(acting(), entry)
    command = f"jara --db {FOLDER}/jara.db --key {FOLDER}/{_KEY}"
    if _TRUSTEE not in names:
        invite_phone(acting(), _TRUSTEE, role="approver", email=f"{_TRUSTEE}@example.org")
        invitation = next(one for one in list_outbox(context) if one.kind == "operator_phone")
        link = complete_links(context, invitation).doc["link"]
        note(f"Its trustee's phone, in a browser that knows passkeys: {link}")
        note(f'Then: {command} operators confirm {_TRUSTEE} --words "…"; what waits is at /desk')
    note(f"From now on each change is signed: {command} …")


def _make_key(private: Path, public: Path) -> None:
    """Write an SSH key's two halves, the private one last and readable by its owner alone."""
    made = Ed25519PrivateKey.generate()
    public.write_bytes(made.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    draft = private.with_suffix(".part")
    draft.touch(mode=0o600)
    draft.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    draft.replace(private)


def _serve(folder: Path, address: Address) -> None:
    """Serve the demo, with rate limits for many people behind one address."""
    settings = _settings(folder)
    for name in SETTING_NAMES:
        os.environ.pop(variable_of(name), None)  # keep settings of a real organisation out
        if name.startswith("limit_") and name.endswith("_address"):
            rate = getattr(settings, name)
            os.environ[variable_of(name)] = str(replace(rate, count=rate.count * _ROOMY))
    os.environ[variable_of("site_url")] = _site_url(address, phone_folder=folder)
    become_server(build(settings), address, config=None)


def _site_url(address: Address, phone_folder: Path | None = None) -> str:
    """Return the address of the site; phones sign at a name only."""
    is_named = phone_folder is not None and (phone_folder / _KEY).exists()
    return f"http://{'localhost' if is_named else address.host}:{address.port}"


def _settings(
    folder: Path, site_url: str = Settings.site_url, language: Language = ENGLISH
) -> Settings:
    """Return the settings of the demo, without those of a real organisation."""
    database = str(folder / "jara.db")
    return Settings(database_url=database, operator="demo", site_url=site_url, language=language)


def _overview(folder: Path) -> Document:
    overview = show_demo(build(_settings(folder)).context)
    figures, funds, vote = overview.figures, overview.funds, overview.vote
    return {
        "folder": str(folder),
        "database": str(folder / "jara.db"),
        "members": overview.members,
        "changemakers": figures.changemakers,
        "monthlyPledgedCents": figures.cash.monthly_donation_cents,
        "cashAtHandCents": figures.cash.cash_at_hand_cents,
        "cashDeployedCents": figures.cash.cash_deployed_cents,
        "donations": {"count": figures.donations, "totalCents": figures.donations_cents},
        "donationsText": f"{figures.donations}, {format_cents(figures.donations_cents)} in all",
        "funds": funds,
        "fundsText": ", ".join(f"{fund} {format_cents(cents)}" for fund, cents in funds.items()),
        "openVote": vote,
        "voteText": vote and f"{vote.title}: {vote.yes:,} yes, {vote.no:,} no of {vote.roll:,}",
        "entries": overview.entries,
        "email": SHOWN_EMAIL,
        "password": SHOWN_PASSWORD,
    }
