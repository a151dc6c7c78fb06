"""A project that is late: what its page, operators and a confirmed partner are told."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.language import Language
from jara.domain.organisation import IdentityPart
from jara.services.context import Context
from jara.services.field.partners import (
    add_partner,
    confirm_partner_address,
    list_links,
    revoke_links,
    set_partner_address,
)
from jara.services.legal.changing import change_values
from jara.services.mailed_codes import UnusableCode
from jara.services.projects.catalogue import show_project
from jara.services.projects.milestones import finish_milestone
from tests.harness import clock_of, make_organisation
from tests.sent_emails import mailed_code
from tests.services.news.news_world import (
    Mailbox,
    add_project,
    add_update,
    give,
    join,
    pay_project,
    run_day,
)

NAME, ADDRESS = "Maji Safi", "maji@example.org"


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with a paid project, one milestone of which is overdue."""
    context = make_organisation(place)
    change_values(context, {IdentityPart.CONTACT: "team@jara.example"})
    add_project(context)
    give(context, join(context, "ama"))
    pay_project(context, 500)
    return context


def add(context: Context, *, confirm: bool = True, email: str = ADDRESS) -> str:
    """Add the partner with an address; return the code of the question to it."""
    add_partner(context, NAME, project="well", language=Language("fr"), email=email)
    code = mailed_code(context, "partner_address")
    if confirm:
        confirm_partner_address(context, code)
    return code


def told(context: Context, *, days: int = 2) -> list[tuple[str, str]]:
    """Run the emails of some days; return which kinds the partner got."""
    mailbox = Mailbox()
    for _ in range(days):
        run_day(context, mailbox)
        clock_of(context).advance(days=1)
    return [(name, kind) for name, kind in mailbox.told if name.startswith("maji")]


def test_an_unconfirmed_partner_gets_only_the_confirmation_email(context: Context) -> None:
    """Operators see that it waits."""
    add(context, confirm=False)

    assert told(context) == [("maji", "partner_address")]
    assert [(one.email, one.email_confirmed) for one in list_links(context)] == [(ADDRESS, False)]


def test_a_confirmed_address_is_told_once_for_each_delay(context: Context) -> None:
    """In the partner's language, and without the link, whose code is stored nowhere."""
    code = add(context)
    mailbox = Mailbox()
    for _ in range(90):
        run_day(context, mailbox)
        clock_of(context).advance(days=1)
    first, second = mailbox.to("maji", "report_due")  # "survey", then "drilling"

    assert first.subject == "Un rapport, s’il vous plaît : A well for Atsu"
    assert "L’étape « Survey » était prévue pour le 1er octobre 2026." in first.text
    assert "/field" not in first.text + second.text
    with pytest.raises(UnusableCode):
        confirm_partner_address(context, code)


@pytest.mark.parametrize("days", [0, 366])
def test_a_link_that_is_revoked_or_over_ends_the_emails(context: Context, days: int) -> None:
    """The question was answered, but the partner does not report any more."""
    add(context)
    if days:
        clock_of(context).advance(days=days)
    else:
        revoke_links(context, NAME)

    assert told(context) == [("maji", "partner_address")]


def test_a_partner_of_another_project_is_not_told(context: Context) -> None:
    """A link is for one project."""
    add_project(context, id="school", title="A school", milestones=[])
    add_partner(context, NAME, project="school", language=Language("en"), email=ADDRESS)
    confirm_partner_address(context, mailed_code(context, "partner_address"))

    assert told(context) == [("maji", "partner_address")]


def test_a_new_address_confirms_itself_and_ends_the_earlier_link(context: Context) -> None:
    """The link to the first address confirms nothing any more."""
    code = add(context, confirm=False)
    set_partner_address(context, NAME, "maji.new@example.org")

    with pytest.raises(UnusableCode):
        confirm_partner_address(context, code)
    assert told(context) == [("maji.new", "partner_address")]


def test_the_same_address_again_stays_confirmed(context: Context) -> None:
    """Nobody is asked twice; an address that is not confirmed is."""
    add(context, confirm=False)
    set_partner_address(context, NAME, ADDRESS)
    confirm_partner_address(context, mailed_code(context, "partner_address"))
    set_partner_address(context, NAME, ADDRESS)

    assert [one.email_confirmed for one in list_links(context)] == [True]
    assert [kind for _, kind in told(context)].count("report_due") == 1


def test_a_removed_address_gets_nothing(context: Context) -> None:
    """Nothing of it stays, in the audit log neither."""
    add(context)
    set_partner_address(context, NAME, "")

    assert told(context) == []
    with context.store.read() as work:
        assert [one.email for one in work.field.partners()] == [""]
        assert ADDRESS not in str(work.operations.audit())


def test_a_link_to_confirm_is_good_for_a_week(context: Context) -> None:
    """The one of the newsletter is too."""
    code = add(context, confirm=False)
    clock_of(context).set(clock_of(context).at + timedelta(days=7, seconds=1))

    with pytest.raises(UnusableCode):
        confirm_partner_address(context, code)


def late_emails(context: Context, mailbox: Mailbox) -> list[str]:
    """Run the day's emails; return what the operators were told so far."""
    run_day(context, mailbox)
    return [email.text for email in mailbox.to("team", "project_late")]


def test_an_overdue_milestone_is_told_once(context: Context, mailbox: Mailbox) -> None:
    """The page says so until it is done."""
    for _ in range(3):
        (text,) = late_emails(context, mailbox)
        clock_of(context).advance(days=1)
    assert 'The milestone "Survey" was planned for 1 October 2026.' in text
    late = show_project(context, "well")["late"]
    assert late == {"silentSince": None, "overdue": [{"title": "Survey", "dueOn": "2026-10-01"}]}

    finish_milestone(context, "well", "survey", on=context.today())
    assert show_project(context, "well")["late"] is None
    clock_of(context).set(clock_of(context).at.replace(month=12, day=21))
    assert len(late_emails(context, mailbox)) == 2


def test_silence_for_more_than_90_days_is_told_once(context: Context, mailbox: Mailbox) -> None:
    """A report ends it; it counts from the last report, or the first payment."""
    finish_milestone(context, "well", "survey", on=context.today())
    finish_milestone(context, "well", "drilling", on=context.today())
    clock_of(context).advance(days=90)
    assert late_emails(context, mailbox) == []

    for _ in range(70):
        clock_of(context).advance(days=1)
        (text,) = late_emails(context, mailbox)
    assert "The last report, or the first payment, was on 20 November 2026." in text
    assert show_project(context, "well")["late"]["silentSince"] == "2026-11-20"

    add_update(context)
    assert show_project(context, "well")["late"] is None
    assert len(late_emails(context, mailbox)) == 1


def test_a_sample_that_was_never_paid_is_never_late(place: Path) -> None:
    """A new organisation has sample projects, and nobody waits for their reports."""
    context = make_organisation(place)
    add_project(context, sample=True)
    clock_of(context).advance(days=400)

    assert context.today() > date(2027, 10, 1)
    assert show_project(context, "well")["late"] is None
