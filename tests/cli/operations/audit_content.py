"""The commands of content, projects and claims in the walk of test_audit_everywhere.py."""

import json
import os

from jara.bootstrap import build_from_environ
from jara.services.field.partners import Caller
from jara.services.field.receiving import ReportForm, receive_report
from tests.cli.operations.audit_walk import Walk
from tests.webapi.desk import Desk
from tests.webapi.field.claims_world import ClaimPhone

CONTENT = {
    "projects": "title=Wells,status=Planning,category=water",
    "grants": "name=Books,project=A library,category=education,amountCents=5000",
    "donations": "title=Roof,code=GH,amountCents=5000",
    "updates": "title=Begun,project=wells,author=Asha,date=2026-11-01,content=<p>Dug.</p>",
    "events": "title=Meeting,date=2026-12-01",
    "team": "name=Asha,role=Treasurer,group=trustees",
    "faqs": "question=Why?,answer=Because.",
    "roadmap": "title=Launch,status=Complete",
    "regions": "name=Africa,status=Active",
    "content": "figure=$1457,label=disbursed",
}
"""The values of a new item of each noun; the first one can be changed."""


def use_content(walk: Walk) -> None:
    """Use every command of content."""
    names: dict[str, str] = {}
    for noun, values in CONTENT.items():
        sets = [word for pair in values.split(",") for word in ("--set", pair)]
        name = json.loads(walk.change(noun, "add", *sets, "--json"))["id"]
        names[noun] = name
        exported = walk.shell.done(noun, "export")
        walk.change(noun, "edit", name, "--set", f"{values.partition('=')[0]}=Another")
        walk.change(noun, "publish", name)
        walk.change(noun, "import", walk.write(f"{noun}.yaml", exported))
        for words in (["show", name], ["list"], ["export"]):
            walk.read(noun, *words)
    for noun, name in reversed(names.items()):
        walk.change(noun, "remove", name, "--yes")


def use_projects(walk: Walk) -> None:
    """Use every command of projects."""
    project = "clean-water-prop-01"
    walk.change(
        *("projects", "milestone", project, "drill"),
        *("--title", "Drilling", "--due", "2026-12", "--cost", "50"),
    )
    walk.change("projects", "evidence", project, "drill", "photo.png")
    homes = ("projects", "measure", project, "homes")
    walk.change(*homes, "--name", "Homes", "--target", "9", "--by", "2027-01-31")
    walk.change(*homes, "--value", "4")
    walk.change("projects", "pay", project, "10", "--yes")
    _field(walk, project)
    walk.change("proposals", "release", "prop_01", "5", "--why", "Cheaper pump", "--yes")


def _field(walk: Walk, project: str) -> None:
    added = walk.change("partners", "add", "Maji Safi", "--project", project, "--json")
    walk.change("partners", "link", "Maji Safi")
    walk.change("partners", "email", "Maji Safi", "maji@example.org")
    code = json.loads(added)["address"].partition("#")[2]
    application = build_from_environ(os.environ)
    for number in (1, 2):
        receive_report(
            application.context,
            application.limits,
            Caller(code, "192.0.2.1"),
            f"phone-made-key-{number:04}",
            ReportForm("Water", "At 62 metres."),
        )
    application.context.store.close()
    reports = [row["id"] for row in walk.shell.json("field", "list")]
    walk.read("partners", "list")
    walk.read("field", "list")
    walk.read("field", "show", reports[0])
    walk.change("field", "publish", reports[0], "--yes")
    walk.change("field", "refuse", reports[1], "--why", "Twice", "--yes")
    walk.change("partners", "revoke", "Maji Safi")


def use_claims(walk: Walk) -> None:
    """Use every command of claims."""
    walk.change("claims", "purposes", "add", "Food", "--account", "expenses:operations")
    walk.change("claims", "purposes", "add", "Cars", "--account", "expenses:operations")
    walk.change("claims", "purposes", "remove", "Cars")
    walk.read("claims", "purposes", "list")
    link = walk.change("claims", "link", "Kofi Addo", "--email", "kofi@example.org", "--json")
    application = build_from_environ(os.environ)
    code = json.loads(link)["address"].partition("#")[2]
    phone = ClaimPhone(Desk(application, walk.clock), code)
    for number in range(2):
        phone.claim(
            f"phone-made-key-{number:04}", purpose="Food", shop=f"{number}", amount="8", again=True
        )
    application.context.store.close()
    paid, refused = (row["id"] for row in walk.shell.json("claims", "list"))
    walk.read("claims", "list")
    walk.read("claims", "links")
    walk.read("claims", "show", paid)
    walk.change("claims", "approve", paid, "--yes")
    walk.change("claims", "pay", paid, "--yes")
    walk.change("claims", "refuse", refused, "--why", "Twice", "--yes")
    walk.change("claims", "end", "Kofi")
    walk.change("claims", "erase", "Kofi", "--yes")
