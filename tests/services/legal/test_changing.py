"""Versions of the legal texts: own texts, values, days, withdrawals."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.versions import LegalChange, LegalText, Status
from jara.domain.organisation import IdentityPart, PaymentMode
from jara.files.shipped import read_legal_texts
from jara.records.operations import Approval
from jara.reports.legal_page import view_legal
from jara.services.approvals import approve
from jara.services.context import Context, Rules
from jara.services.legal.changing import (
    HANDLERS,
    LegalImport,
    change_values,
    import_legal,
    read_own_text,
    withdraw_legal,
)
from jara.services.legal.reading import list_versions, show_legal
from jara.services.news.announcing import State, list_announcements, withdraw
from jara.services.operations.effect_sentences import effect_of
from jara.services.organisation import require_no_pay_details, show_identity
from tests.fakes.operators import waits
from tests.harness import clock_of, make_organisation
from tests.services.news.news_world import Mailbox, join, tell

TERMS, PRIVACY = LegalText.TERMS, LegalText.PRIVACY
FRENCH = Language("fr")
TODAY = date(2026, 11, 20)
SITE = "https://give.example"
IN_31_DAYS = TODAY + timedelta(31)
"""Thirty days after all members could be told."""


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that is not live, with the shipped texts."""
    return make_organisation(place, rules=Rules(legal_texts=read_legal_texts, backup_days=35))


@pytest.fixture
def live(context: Context) -> Context:
    """An organisation that is live, with both texts in effect."""
    change_values(
        context,
        {IdentityPart.REFUND_DAYS: "30", IdentityPart.CONTACT: "a@b.example"},
        effective=TODAY,
    )
    join(context, "ama")
    return replace(context, payment_mode=PaymentMode.LIVE)


def read(
    context: Context, text: LegalText = TERMS, number: int | None = None, in_: Language = ENGLISH
) -> str:
    """Return a text as a reader gets it."""
    return view_legal(show_legal(context, text, number), in_, context.gateway.name).markdown


def own(words: str, language: Language = ENGLISH, **more: object) -> LegalImport:
    """Return the import of an own text."""
    return LegalImport(TERMS, {language: words}, **more)  # type: ignore[arg-type]


def made(done: LegalChange | Approval) -> LegalChange:
    """Return what was done at once."""
    assert isinstance(done, LegalChange)
    return done


def set_values(
    context: Context, changes: dict[IdentityPart, str], effective: date | None = None
) -> list[LegalChange]:
    """Set values that need nobody's approval; return the new versions."""
    done = change_values(context, changes, effective=effective)
    assert not isinstance(done, Approval)
    return done


def statuses(context: Context) -> list[tuple[int, Status]]:
    """Return the versions of the terms, in the order in which they hold."""
    return [(one.version, one.status) for one in list_versions(context) if one.text is TERMS]


def test_shipped_legal_texts_hold_until_own_ones_do(context: Context) -> None:
    """An organisation of an earlier version has its texts with the values of now."""
    before = show_legal(context, TERMS)
    change_values(context, {IdentityPart.PROVINCE: "Ontario"})
    after = read(context)
    (terms, privacy) = set_values(context, {}, TODAY)

    assert (before.version, list_versions(context)[0].version) == (None, 1)
    assert "effective_date" in before.missing
    assert "the law of Ontario" in after
    assert "In effect from" not in after
    assert (terms.text, privacy.text, terms.valid_from) == (TERMS, PRIVACY, TODAY)
    assert read(context).startswith("# Terms\n\nIn effect from 20 November 2026.")
    assert "En vigueur à partir du 20 novembre 2026" in read(context, in_=FRENCH)


def test_values_are_shown_as_they_are_written(context: Context) -> None:
    """Neither Markdown nor HTML in a value means anything."""
    hostile = """1 <script>alert("x")</script> *Main* [a](b) {province} & `x` ’ | # _y_ """
    change_values(context, {IdentityPart.ADDRESS: hostile})
    view = view_legal(show_legal(context, TERMS), ENGLISH, context.gateway.name)

    assert hostile.strip() in view.markdown
    assert "<script" not in view.html
    assert (
        "1 &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; *Main* [a](b) {province}" in view.html
    )


def test_own_texts_are_shown_safely(context: Context) -> None:
    """HTML is shown as text, links lead nowhere that a browser would run."""
    words = read_own_text(
        b"\xef\xbb\xbf# Ours\r\n\r\n<img src=x onerror=alert(1)> **{{ organisation }}** "
        b"[a](javascript:alert(1)) [b](https://b.example) <https://c.example>\r\n"
    )
    made(import_legal(context, own(words)))
    html = view_legal(show_legal(context, TERMS), ENGLISH, context.gateway.name).html

    assert "<img" not in html
    assert 'href="javascript' not in html
    assert "<strong>Jara</strong>" in html
    assert '<a href="https://b.example"' in html


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"caf\xe9", "not UTF-8: byte 4 is 0xe9"),
        (b" \n", "is empty"),
        (b"a\x00b", "control character U\\+0000"),
        (b"{refund}", r"\{refund\} is the form of"),
        (b"# Ours\n\nWrite to ____, or", r"Line 3 has a blank, '____'; write what belongs there"),
        (b"x" * 100_001, "100001 characters; it has at most 100000"),
    ],
)
def test_a_wrong_file_is_refused(data: bytes, says: str) -> None:
    """The message names what is wrong in the file."""
    with pytest.raises(InvalidInput, match=says):
        read_own_text(data)


def test_a_text_in_one_language_is_shown_to_everybody(context: Context) -> None:
    """The page of another language says so; a later translation joins it."""
    made(import_legal(context, own("# Le nôtre\n", FRENCH)))
    english = view_legal(show_legal(context, TERMS), ENGLISH, context.gateway.name)
    made(import_legal(context, own("# Ours\n")))

    assert "This text exists only in French." in english.notes
    assert '<div class="prose" lang="fr"><h1>Le nôtre</h1>' in english.html
    assert (read(context), read(context, in_=FRENCH)) == ("# Ours\n", "# Le nôtre\n")


def test_an_older_translation_says_so(context: Context) -> None:
    """Until the change is translated too."""
    made(import_legal(context, own("# Ours\n")))
    made(import_legal(context, own("# Le nôtre\n", FRENCH)))
    clock_of(context).advance(days=1)
    made(import_legal(context, own("# Ours, better\n")))
    french = view_legal(show_legal(context, TERMS), FRENCH, context.gateway.name)

    assert "Cette traduction est plus ancienne que le texte du 21 novembre 2026." in french.notes


def test_a_live_change_is_announced_30_days_before(live: Context) -> None:
    """It cannot hold earlier, it holds then, and the earlier version stays readable."""
    for day, says in ((TODAY - timedelta(1), "in the past"), (TODAY + timedelta(30), "too early")):
        with pytest.raises(InvalidInput, match=says):
            import_legal(live, own("# New\n", valid_from=day))
    change = made(import_legal(live, own("# New\n")))
    page = view_legal(show_legal(live, TERMS), ENGLISH, live.payment_mode)

    assert (change.number, change.valid_from) == (2, IN_31_DAYS)
    assert "A new version holds from 21 December 2026 on." in page.notes
    assert read(live).startswith("# Terms")
    assert read(live, number=2) == "# New\n"

    clock_of(live).advance(days=31)
    assert read(live) == "# New\n"
    assert "In effect from 20 November 2026" in read(live, number=1)
    assert statuses(live) == [(1, Status.EARLIER), (2, Status.IN_FORCE)]


def test_a_live_text_holds_at_once_as_a_correction(live: Context) -> None:
    """It needs a reason; a change that is announced already stays as it is."""
    announced = made(import_legal(live, own("# New\n")))
    with pytest.raises(InvalidInput, match="needs a reason"):
        import_legal(live, own("# Terms!\n", is_correction=True))
    made(import_legal(live, own("# Terms!\n", is_correction=True, why="a slip")))

    assert read(live) == "# Terms!\n"
    assert read(live, number=announced.number) == "# New\n"
    assert statuses(live) == [(1, Status.EARLIER), (3, Status.IN_FORCE), (2, Status.UPCOMING)]


def test_values_that_members_agreed_to_wait_and_others_do_not(live: Context) -> None:
    """Both in one command: two versions of the terms, one of the privacy text."""
    changes = set_values(
        live, {IdentityPart.REFUND_DAYS: "14", IdentityPart.CONTACT: "c@d.example"}
    )

    assert [(one.text, one.number, one.valid_from) for one in changes] == [
        (TERMS, 2, TODAY),
        (TERMS, 3, IN_31_DAYS),
        (PRIVACY, 2, TODAY),
    ]
    assert "within 30\ndays" in read(live)
    assert "Write to c@d.example" in read(live)
    assert "Write to a@b.example" in read(live, number=1)
    assert "Write to c@d.example" in read(live, number=3)
    assert "within 14\ndays" in read(live, number=3)


def test_a_value_that_was_missing_is_shown_at_once(live: Context) -> None:
    """Filling a blank takes nothing away from anybody."""
    (change,) = set_values(live, {IdentityPart.PROVINCE: "Ontario"})

    assert change.valid_from == TODAY
    assert "the law of Ontario" in read(live)


def test_a_day_alone_changes_nothing_once_both_texts_hold(live: Context) -> None:
    """The message says what a day goes with."""
    with pytest.raises(Conflict, match="Both texts are in effect already; name a day only with"):
        change_values(live, {}, effective=IN_31_DAYS)

    assert statuses(live) == [(1, Status.IN_FORCE)]


def test_of_two_imports_on_one_day_the_later_holds(context: Context) -> None:
    """The later one holds; both stay readable."""
    made(import_legal(context, own("# First\n")))
    made(import_legal(context, own("# Second\n")))

    assert read(context) == "# Second\n"
    assert [read(context, number=number) for number in (1, 2)] == ["# First\n", "# Second\n"]
    assert statuses(context) == [(1, Status.EARLIER), (2, Status.IN_FORCE)]
    with pytest.raises(Conflict, match="nothing to change"):
        import_legal(context, own("# Second\n"))


def test_a_withdrawn_version_never_holds(live: Context) -> None:
    """It stays readable, its values go back, and one that holds cannot be withdrawn."""
    (change,) = set_values(live, {IdentityPart.REFUND_DAYS: "14"})
    withdraw_legal(live, TERMS, change.number, why="too short")
    clock_of(live).advance(days=40)

    assert "within 30\ndays" in read(live)
    assert show_identity(live)[1][IdentityPart.REFUND_DAYS] == "30"
    note = "This is version 2, which was withdrawn before it held."
    page = show_legal(live, TERMS, 2)
    assert note in view_legal(page, ENGLISH, live.payment_mode).notes
    for number in (1, 2):
        with pytest.raises(Conflict, match="only an upcoming one"):
            withdraw_legal(live, TERMS, number, why="again")
    with pytest.raises(NotFound, match="no version 7"):
        withdraw_legal(live, TERMS, 7, why="none")


def test_a_later_version_says_nothing_of_a_withdrawn_one(live: Context) -> None:
    """A change that is announced after it is of the text that holds."""
    (change,) = set_values(live, {IdentityPart.REFUND_DAYS: "14"})
    withdraw_legal(live, TERMS, change.number, why="too short")
    (later,) = set_values(live, {IdentityPart.PROVINCE: "Ontario"}, IN_31_DAYS)

    assert "within 30\ndays" in read(live, number=later.number)
    assert "the law of Ontario" in read(live, number=later.number)


def test_nothing_holds_before_the_first_version(context: Context) -> None:
    """Nothing holds before the first version, and no later change comes before it."""
    join(context, "ama")
    live = replace(context, payment_mode=PaymentMode.LIVE)
    first = made(import_legal(live, own("# Ours {{ contact_email }}\n")))
    made(import_legal(live, own("# Le nôtre\n", FRENCH, is_correction=True, why="translated")))
    change_values(live, {IdentityPart.CONTACT: "a@b.example"})

    assert first.valid_from == IN_31_DAYS
    assert show_legal(live, TERMS).version is None
    assert {one.valid_from for one in list_versions(live)} == {IN_31_DAYS}
    clock_of(live).advance(days=31)
    assert read(live) == "# Ours a@b.example\n"


def test_a_stored_text_of_an_earlier_version_is_shown(context: Context) -> None:
    """It has the form of 0.2.0; whoever exports it gets the form of today."""
    made(import_legal(context, own("# Ours {if contact_email}{contact_email}{else}–{end}\n")))

    assert read(context) == "# Ours –\n"
    change_values(context, {IdentityPart.CONTACT: "a@b.example"})
    assert read(context) == "# Ours a@b.example\n"
    assert show_legal(context, TERMS).wording.contents[ENGLISH].text == (
        "# Ours {% if contact_email %}{{ contact_email }}{% else %}–{% endif %}\n"
    )


def test_the_shipped_texts_come_back(context: Context) -> None:
    """With all their languages."""
    made(import_legal(context, own("# Ours\n")))
    made(import_legal(context, LegalImport(TERMS, {})))

    assert read(context).startswith("# Terms\n\nIn effect from")
    assert read(context, in_=FRENCH).startswith("# Conditions")


AGREED = {IdentityPart.REFUND_DAYS: "14"}
BANK = {IdentityPart.ADDRESS: "Our new account is DE89 3704 0044 0532 0130 00"}


@pytest.mark.parametrize(
    "act",
    [
        lambda one: import_legal(one, own("# Ours\n")),
        lambda one: withdraw_legal(one, TERMS, 2, why="no"),
        lambda one: change_values(one, AGREED),
        lambda one: change_values(one, BANK),
        lambda one: change_values(one, {IdentityPart.SITE_URL: "https://elsewhere.example"}),
        lambda one: change_values(one, {}, removed=[IdentityPart.SITE_URL]),
        lambda one: change_values(one, {IdentityPart.CONTACT: "mallory@evil.example"}),
        lambda one: change_values(one, {IdentityPart.CHAT: "https://chat.evil.example"}),
    ],
    ids=[
        *("import", "withdraw", "agreed value", "bank account in the address", "site's address"),
        *("no address of its own", "contact", "chat"),
    ],
)
def test_what_the_texts_promise_needs_two(
    context: Context, act: Callable[[Context], object]
) -> None:
    """If there are limits, a second operator signs; until then nothing changes."""
    change_values(context, {IdentityPart.REFUND_DAYS: "30"}, effective=TODAY)
    made(import_legal(context, own("# Later: {{ refund_days }} days\n", valid_from=IN_31_DAYS)))
    change_values(context, {IdentityPart.SITE_URL: SITE})
    limited = replace(context, rules=context.rules._replace(approval_cents=1, site_url=SITE))
    before = (list_versions(context), show_identity(context))

    waiting = waits(act(limited))

    assert (list_versions(context), show_identity(context)) == before
    approve(replace(limited, operator="second"), waiting.id, handlers=HANDLERS)
    assert (list_versions(context), show_identity(context)) != before


def test_an_address_in_the_settings_alone_is_not_the_organisations(context: Context) -> None:
    """Whoever starts a command with JARA_SITE_URL neither stores it nor sends readers there."""
    limited = replace(context, rules=context.rules._replace(approval_cents=1, site_url=SITE))

    assert isinstance(change_values(limited, {IdentityPart.SITE_URL: SITE}), Approval)
    with limited.store.read() as work, pytest.raises(Conflict):
        require_no_pay_details(limited, work, "It", f"{SITE}/pay")
    change_values(context, {IdentityPart.SITE_URL: SITE})
    with limited.store.read() as work:
        require_no_pay_details(limited, work, "It", f"{SITE}/pay")


def test_the_first_day_of_the_texts_needs_two(context: Context) -> None:
    """If there are limits, one person does not put the shipped texts into effect."""
    limited = replace(context, rules=context.rules._replace(approval_cents=1))

    waiting = waits(change_values(limited, {}, effective=TODAY))

    assert list_versions(context) == []
    approve(replace(limited, operator="second"), waiting.id, handlers=HANDLERS)
    assert {one.valid_from for one in list_versions(context)} == {TODAY}


def test_a_value_that_promises_nothing_needs_one(context: Context) -> None:
    """The address in a text that holds is a fact, which one person corrects."""
    change_values(context, {IdentityPart.ADDRESS: "1 Main Street"}, effective=TODAY)
    limited = replace(context, rules=context.rules._replace(approval_cents=1))

    assert set_values(limited, {IdentityPart.ADDRESS: "12 Harbour Road"}) != []


def test_all_members_hear_of_a_coming_legal_change(live: Context) -> None:
    """The announcement links to the version; corrections and other values are not announced."""
    change_values(live, {IdentityPart.CONTACT: "c@d.example"})
    made(import_legal(live, own("# Terms!\n", is_correction=True, why="a slip")))
    made(import_legal(live, own("# New\n", why="Shorter.")))
    change_values(live, {IdentityPart.REFUND_DAYS: "14"})
    told = live.store.read_once().announcements.all()

    assert [one.about for one in told] == [
        {
            "topic": "terms",
            "day": IN_31_DAYS.isoformat(),
            "summary": {"en": "Shorter."},
            "path": "/terms?version=4",
        }
    ]


def test_waiting_emails_of_a_withdrawn_version_are_not_sent(live: Context) -> None:
    """Its emails that wait are not sent; those of another change are."""
    clock_of(live).advance(seconds=1)
    change = made(import_legal(live, own("# New\n")))
    clock_of(live).advance(seconds=1)
    other = LegalImport(PRIVACY, {ENGLISH: "# Private\n"})
    made(import_legal(live, other))
    mailbox = Mailbox(is_away=True)
    tell(live, mailbox)

    withdraw_legal(live, TERMS, change.number, why="the trustees said no")
    mailbox.is_away = False
    clock_of(live).advance(days=1)
    tell(live, mailbox)

    (email,) = mailbox.to("ama", "coming_change")
    assert "privacy" in email.subject
    privacy, terms = list_announcements(live)
    assert [(one.sent, one.state) for one in (terms, privacy)] == [
        (0, State.WITHDRAWN),
        (1, State.SENT),
    ]
    with pytest.raises(Conflict, match="is withdrawn already"):
        withdraw(live, terms.id, why="the trustees said no")


def test_a_signature_shows_the_changes(context: Context) -> None:
    """The sentence names the values and the version, and nothing else of the stored act."""
    change_values(context, {IdentityPart.REFUND_DAYS: "30"}, effective=TODAY)
    made(import_legal(context, own("# Later: {{ refund_days }} days\n", valid_from=IN_31_DAYS)))
    limited = replace(context, rules=context.rules._replace(approval_cents=1))
    values, version = change_values(limited, AGREED), withdraw_legal(limited, TERMS, 2, why="no")

    assert isinstance(values, Approval)
    assert isinstance(version, Approval)
    assert [effect_of(one).text() for one in (values, version)] == [
        "What the terms promise, or where to pay, changes: refundDays 14.",
        "Version 2 of the text “terms” is withdrawn.",
    ]
