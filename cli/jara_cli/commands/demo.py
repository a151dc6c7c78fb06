"""``jara demo``: a whole sample organisation to try everything on."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara_cli.environment import read_demo_files
from jara_cli.options import JsonFlag, parse_whole_number
from jara_cli.output import Column, Kind, emit, note
from jara_cli.progress import show_progress
from jara_cli.serving import Place, become_server

if TYPE_CHECKING:
    from jara.bootstrap import Application
    from jara.config.settings import Settings

FOLDER = "jara-demo"
_STEPS = 1000
_CONTACT = "hello@example.org"
_ROOMY = 1000


def command(
    members: Annotated[
        int,
        typer.Option(metavar="N", parser=parse_whole_number, help="How many people join."),
    ] = 120,
    seed: Annotated[
        str, typer.Option(metavar="S", help="The same seed gives the same story on the same day.")
    ] = "jara",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make it anew, and remove the one that is there.")
    ] = False,
    port: Annotated[
        int, typer.Option(parser=parse_whole_number, metavar="PORT", help="The website's port.")
    ] = 8000,
    no_serve: Annotated[
        bool, typer.Option("--no-serve", help="Only make it; do not start the website.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a whole sample organisation in ./jara-demo and serve its website.

    Invented members join, pay through the sandbox and vote over two years that end
    today; projects are paid, and every figure adds up to the ledger. One that is there
    already is shown as it is. With --json it is only made and described.

    \b
    Examples:
      jara demo
      jara demo --no-serve
      jara demo --members 20 --seed kente --fresh
    """
    place = Place(port=port)
    folder = Path(FOLDER).absolute()
    if fresh or not (folder / "jara.db").exists():
        _make(folder, members=members, seed=seed, fresh=fresh)
    else:
        note(f"{FOLDER} is there already; --fresh makes it anew.")
    document = _overview(folder)
    emit(document, as_json=as_json, columns=_COLUMNS)
    if as_json:
        return
    _say_what_to_try()
    if not no_serve:
        _serve(folder, place)


_COLUMNS = [
    Column("database", "Database"),
    Column("members", "Members", Kind.COUNT),
    Column("changemakers", "Changemakers", Kind.COUNT),
    Column("monthlyPledgedCents", "Pledged a month", Kind.CENTS),
    Column("cashAtHandCents", "Cash at hand", Kind.CENTS),
    Column("cashDeployedCents", "Cash deployed", Kind.CENTS),
    Column("donationsText", "Donations"),
    Column("fundsText", "Funds"),
    Column("voteText", "Open vote"),
    Column("entries", "Entries", Kind.COUNT),
    Column("email", "Sign in as"),
    Column("password", "Password"),
]


def _make(folder: Path, *, members: int, seed: str, fresh: bool) -> None:
    """Play the story beside the folder's place, and put it there when it is whole."""
    from jara.bootstrap import build, build_sample
    from jara.bootstrap.organisation import initialise
    from jara.domain.errors import Conflict
    from jara.services.samples.demonstration import play
    from jara.services.samples.stage import Stage, StoryClock, story_begins

    if folder.exists() and not (folder / "jara.db").exists() and any(folder.iterdir()):
        raise Conflict(f"'{folder}' holds other things; they were left alone.")
    draft = folder.with_name(f".{FOLDER}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        settings = _settings(draft)
        normal = build(settings)
        end = datetime.combine(normal.context.today(), time(0), tzinfo=UTC)
        files = read_demo_files()
        clock = StoryClock(story_begins(files, end.date()))
        sample = build_sample(settings, clock=clock, seed=seed)
        initialise(sample)
        stage = Stage(sample.context, clock, sample.sandbox, normal.context.hasher)
        with show_progress("Two years pass", total=_STEPS) as advance:
            shown = 0

            def show(part: float) -> None:
                nonlocal shown
                advance(int(part * _STEPS) - shown)
                shown = int(part * _STEPS)

            play(stage, files, members=members, seed=seed, end=end, progress=show)
        sample.context.store.truncate_log()
        sample.context.store.close()
        if fresh and folder.exists():
            shutil.rmtree(folder)
        draft.replace(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _serve(folder: Path, place: Place) -> None:
    """Serve the sample, with room for many people behind one address (trust §4)."""
    import os
    from dataclasses import replace

    from jara.bootstrap import build
    from jara.config.settings import SETTING_NAMES, variable_of

    settings = _settings(folder)
    for name in SETTING_NAMES:
        os.environ.pop(variable_of(name), None)  # nothing of a real organisation's
        if name.startswith("limit_") and name.endswith("_address"):
            rate = getattr(settings, name)
            os.environ[variable_of(name)] = str(replace(rate, count=rate.count * _ROOMY))
    os.environ[variable_of("site_url")] = f"http://{place.host}:{place.port}"
    os.environ[variable_of("contact_email")] = _CONTACT
    become_server(build(settings), place, config=None)


def _settings(folder: Path) -> Settings:
    """Return the settings of the sample: none of the real organisation's."""
    from jara.config.settings import Settings

    return Settings(database_url=str(folder / "jara.db"), operator="demo")


def _overview(folder: Path) -> dict[str, Any]:
    from jara.bootstrap import build
    from jara.domain.money import format_cents
    from jara.services.books.posting import fund_balances
    from jara.services.reports.figures import site_figures
    from jara.services.samples.people import SHOWN_EMAIL, SHOWN_PASSWORD

    application = build(_settings(folder))
    context = application.context
    figures = site_figures(context)
    with context.store.read() as work:
        funds = {fund.value: cents for fund, cents in fund_balances(work).items()}
        members = sum(1 for _ in work.members.all())
        entries = work.journal.count()
    vote = _open_vote(application)
    return {
        "folder": str(folder),
        "database": str(folder / "jara.db"),
        "members": members,
        "changemakers": figures.changemakers,
        "monthlyPledgedCents": figures.cash.monthly_donation_cents,
        "cashAtHandCents": figures.cash.cash_at_hand_cents,
        "cashDeployedCents": figures.cash.cash_deployed_cents,
        "donations": {"count": figures.donations, "totalCents": figures.donations_cents},
        "donationsText": f"{figures.donations}, {format_cents(figures.donations_cents)} in all",
        "funds": funds,
        "fundsText": ", ".join(f"{fund} {format_cents(cents)}" for fund, cents in funds.items()),
        "openVote": vote,
        "voteText": vote
        and f"{vote['title']}: {vote['yes']} yes, {vote['no']} no of {vote['roll']}",
        "entries": entries,
        "email": SHOWN_EMAIL,
        "password": SHOWN_PASSWORD,
    }


def _open_vote(application: Application) -> dict[str, Any] | None:
    from jara.domain.voting.proposal import ProposalStatus
    from jara.services.ballots.counting import count_vote

    context = application.context
    with context.store.read() as work:
        for record in work.proposals.all(ProposalStatus.OPEN):
            tally = count_vote(context, work, record)
            return {
                "id": record.proposal.id,
                "slug": record.proposal.slug,
                "title": record.proposal.title,
                "endDate": record.proposal.ends_text,
                "yes": tally.yes,
                "no": tally.no,
                "roll": tally.roll,
            }
    return None


def _say_what_to_try() -> None:
    note("")
    note("To try:")
    for line in (
        "members list",
        "ledger balance",
        "votes tally beekeeping",
        "ledger verify",
        "run daily",
    ):
        note(f"  jara --db {FOLDER}/jara.db {line}")
