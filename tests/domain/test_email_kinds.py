"""The kinds of email, and which of them a member's choice includes."""

import pytest

from jara.domain.email_kinds import (
    KINDS,
    Delivery,
    EmailChoice,
    EmailKind,
    NeededConsent,
    Recipient,
    kind_of,
)
from jara.domain.errors import NotFound

NOW, BUNDLED, NEVER = Delivery.NOW, Delivery.BUNDLED, Delivery.NEVER


@pytest.mark.parametrize(
    ("consent", "may_be_bundled", "expected"),
    [
        (NeededConsent.ALWAYS, False, (NOW, NOW, NOW, NOW)),
        (NeededConsent.VOTES, False, (NOW, NOW, NOW, NEVER)),
        (NeededConsent.NEWS, False, (NOW, NOW, NEVER, NEVER)),
        (NeededConsent.NEWS, True, (NOW, BUNDLED, NEVER, NEVER)),
    ],
)
def test_an_email_choice_includes_the_choices_after_it(
    consent: NeededConsent, may_be_bundled: bool, expected: tuple[Delivery, ...]
) -> None:
    """Each choice includes the ones after it; only monthly bundles."""
    kind = EmailKind("new", "We tell.", consent=consent, may_be_bundled=may_be_bundled)

    assert tuple(kind.delivery(choice) for choice in EmailChoice) == expected


def test_vote_emails_need_consent_except_results() -> None:
    """A vote's result for those who could vote always comes; the others need consent."""
    assert {name for name, kind in KINDS.items() if kind.consent is NeededConsent.VOTES} == {
        "vote_opened",
        "vote_reminder",
        "vote_result",
    }
    assert not kind_of("vote_closed").is_optional


def test_news_go_only_to_addresses_with_a_choice() -> None:
    """Operators and givers without an account have none; what is bundled is news."""
    assert [
        kind.name
        for kind in KINDS.values()
        if kind.is_optional and not {*kind.to} <= {Recipient.MEMBERS, Recipient.READERS}
    ] == []
    assert [
        kind.name
        for kind in KINDS.values()
        if kind.may_be_bundled and kind.consent is not NeededConsent.NEWS
    ] == []


def test_an_unknown_kind_is_named() -> None:
    """The error lists the known ones."""
    with pytest.raises(NotFound, match="no email 'love'; there are account_closed, "):
        kind_of("love")
