"""``jara operators remove`` and ``handover``: what a person leaves behind."""

from tests.cli.giving_shell import GivingShell


def test_removing_an_operator_names_the_consequences(jara: GivingShell) -> None:
    """Before the question, on standard error, and in the document."""
    for name in ("tester", "ben"):
        jara.done("operators", "add", name)
    jara.done("operators", "address", "ben", "ben@example.org")
    jara.done("organisation", "set", "--contact", "ben@example.org")

    asked = jara.run("operators", "remove", "ben", typed="n\n")
    removed = jara.json("operators", "remove", "ben", "--yes")

    assert asked[0] != 0
    assert "The contact address is “ben@example.org”." in asked[2]
    assert [one["kind"] for one in removed["hanging"]] == ["notices", "mailbox"]
    assert removed["removedAt"]


def test_the_list_for_handing_over_is_filled_in(jara: GivingShell) -> None:
    """Settings with a password, and what a backup leaves out, are in it."""
    jara.done("operators", "add", "tester")
    (jara.folder / "jara.toml").write_text('JARA_SMTP_URL = "smtps://a:b@mail.example.org:465"\n')

    steps = {one["title"]: one for one in jara.json("operators", "handover", "tester")}

    assert steps["Who goes on"]["state"] == "to do"
    assert "JARA_SMTP_URL" in steps["Passwords"]["what"]
    assert "jara.secrets" in steps["Files"]["what"]
    assert "b@mail" not in str(steps)
