"""No email, legal text or shipped answer speaks of what an organisation lacks.

``tests/absent.json`` says what must not be there, by what is missing. The website's pages follow
the same table, in ``webui/src/app/configurations.isolated.test.tsx``; those of another currency in
``webui/e2e/own-currency.e2e.ts``.
"""

import json
import re
from collections.abc import Iterator

import pytest
import yaml

from jara.config.settings import SETTING_NAMES
from jara.domain.currency import use_currency
from jara.domain.email_kinds import KINDS
from jara.domain.language import Language
from jara.domain.legal.places import PLACES
from jara.mail.rendering import render, sample_values
from jara.services.legal.reading import fill_places
from tests.mail.emails_for_tests import IDENTITY, SITE
from tests.test_kept_promises import FRENCH, ROOT

ABSENT: dict[str, dict[str, str]] = json.loads((ROOT / "tests" / "absent.json").read_text("utf-8"))
VALUES: dict[str, dict[str, object]] = {
    "contact": {"contact": ""},
    "cards": {"way": "bank transfer", "isByCard": False},
    "votes": {"votes": []},
    "voters": {"roll": 0, "yes": 0, "no": 0, "result": "did not pass"},
}
"""What an email is given where something is missing, if it is given it at all."""
LEGAL = {"en": ROOT / "data" / "legal", "fr": FRENCH / "legal"}
PLACE_OF = {"contact": "contact_email", "cards": "payment_provider"}
PAIRS = [(one, language) for one in ABSENT if one != "a way to pay" for language in ("en", "fr")]
"""Without any way to pay, emails and texts are those without cards."""


def is_sent(kind: str, missing: str) -> bool:
    """Return whether an organisation that lacks something sends an email of a kind."""
    return not {
        "cards": KINDS[kind].is_by_card,
        "chat": kind == "chat_opened",
        "votes": kind.startswith("vote_"),
    }.get(missing, False)


def emails(missing: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield each email that such an organisation sends."""
    contact = "" if missing == "contact" else IDENTITY.contact_email
    for kind in KINDS:
        sample = sample_values(kind, organisation="Jara", site_url=SITE)
        others = {one: to for one, to in VALUES.get(missing, {}).items() if one in sample}
        values = {**sample, **others, "language": Language(language)}
        if missing != "sandbox":
            values["sandbox"] = "" if missing == "cards" else "yes"
        if is_sent(kind, missing):
            email = render(kind, values, IDENTITY._replace(contact_email=contact))
            yield f"email {kind}", f"{email.subject}\n{email.text}"


def texts(missing: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the legal texts of such an organisation, and the answers that come with Jara."""
    place = PLACE_OF.get(missing, missing.replace(" ", "_"))
    values = {name: name for name in PLACES if name != place}
    for file in sorted(LEGAL[language].glob("*.md")):
        yield f"legal {file.stem}", fill_places(file.read_text("utf-8"), values, "")
    for faq in yaml.safe_load((ROOT / "data" / "faqs.yaml").read_text("utf-8")):
        if (missing, faq["id"]) != ("contact", "contact-support"):  # it begins with "If"
            yield f"answer {faq['id']}", str((faq if language == "en" else faq["fr"])["answer"])
    folder = FRENCH / "site" if language == "fr" else ROOT / "webui" / "src" / "messages" / "en"
    for key, text in json.loads((folder / "field.json").read_text("utf-8")).items():
        if key not in {"costHint", "rateHint"}:  # they speak of the claimant's own card
            yield f"field {key}", text


@pytest.mark.parametrize(("missing", "language"), PAIRS)
def test_nothing_is_said_of_what_is_missing(missing: str, language: str) -> None:
    """Such a sentence stands in its text with the condition under which it is true."""
    use_currency("EUR" if missing == "dollars" else "USD")
    never = re.compile(ABSENT[missing][language], re.IGNORECASE)

    assert [
        (place, text[max(0, found.start() - 60) : found.end() + 40])
        for place, text in (*emails(missing, language), *texts(missing, language))
        if (found := never.search(text))
    ] == []


@pytest.mark.parametrize("part", ["newsletter", "field"])
def test_what_no_setting_turns_off_has_no_row(part: str) -> None:
    """The newsletter's form is in every footer; the page of partners waits for a link."""
    limits = tuple(name for name in SETTING_NAMES if name.startswith("limit_"))

    assert part not in ABSENT
    assert [name for name in {*SETTING_NAMES} - {*limits} if part in name] == []
