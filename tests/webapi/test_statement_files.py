"""A member's statement for any period, as a file."""

import re
import sys
from pathlib import Path

import pytest

from tests.webapi.desk import Desk, open_desk


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation."""
    return open_desk(place)


def test_a_statement_is_a_file_of_the_period_that_was_asked_for(desk: Desk) -> None:
    """The default period is this year; the file names no other member."""
    token = desk.join(email="ama@example.org")
    desk.join(email="kofi@example.org", firstname="Kofi")
    today = desk.clock.now().date()
    year = desk.get("/user/statement.html", token=token)
    early = desk.get("/user/statement.html?from=2020-01-01&to=2020-12-31", token=token)

    assert (
        year.headers["content-disposition"]
        == f'attachment; filename="statement-{today.year}-01-01-{today}.html"'
    )
    assert "$10.00" in year.text
    assert "Kofi" not in year.text
    assert "$10.00" not in early.text


def test_a_pdf_is_a_pdf(desk: Desk) -> None:
    """A statement is also available as a PDF file."""
    answer = desk.get("/user/statement.pdf", token=desk.join())

    assert answer.status_code == 200
    assert answer.content.startswith(b"%PDF-")


def test_a_member_gets_so_many_statements_and_no_more(place: Path) -> None:
    """Statements are limited per member, because each takes long to draw."""
    desk = open_desk(place, limit_statement_member="2/h")
    busy, other = desk.join(), desk.join()
    asked = [desk.get("/user/statement.html", token=busy).status_code for _ in range(3)]

    assert asked == [200, 200, 429]
    assert desk.get("/user/statement.html", token=other).status_code == 200


def test_without_the_package_the_answer_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the PDF package, the error lets the page offer a printable file."""
    monkeypatch.setitem(sys.modules, "typst", None)
    answer = desk.get("/user/statement.pdf", token=desk.join())

    assert (answer.status_code, answer.json["code"]) == (422, "pdf_not_installed")


def test_a_period_that_ends_before_it_starts_is_refused(desk: Desk) -> None:
    """The error is at the invalid field."""
    answer = desk.get("/user/statement.html?from=2026-05-02&to=2026-05-01", token=desk.join())

    assert answer.status_code == 422
    assert re.search("ends before it starts", answer.json["fields"]["to"])


def test_a_statement_is_in_the_members_language(desk: Desk) -> None:
    """The account's language wins over the browser's."""
    token = desk.join(email="ama@example.org")
    desk.put("/user/update-profile", {"language": "fr"}, token=token)
    french = desk.get("/user/statement.html", token=token)

    assert '<html lang="fr">' in french.text
    assert "Relevé de contributions" in french.text
    assert "10,00\xa0$\xa0US" in french.text
