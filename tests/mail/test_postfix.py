"""A real Postfix: an email that its next hop refuses comes back, and stops the address."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from jara.bootstrap.emails import mail_sender, read_reports
from jara.config.loading import load_settings
from jara.domain.organisation import IdentityPart
from jara.services.legal.changing import change_values
from jara.services.notices.emails import queue_member_email
from jara.services.notices.outbox import MailRun, send_due
from jara.services.notices.returned_emails import ReportRun, list_stopped
from tests.harness import make_organisation
from tests.journeys.live_server import free_port
from tests.mail.test_refusals import Server
from tests.services.notices.noticed_members import add_member
from tests.sizes import wait_until

ROOT = Path(__file__).parents[2]
DOCUMENTED = re.search(
    r"<!-- tested: postfix -->\n```ini\n(.*?)```",
    (ROOT / "docs/mail.md").read_text("utf-8"),
    re.DOTALL,
)
OWN = """
compatibility_level = 3.6
queue_directory = {place}/spool
data_directory = {place}/data
maillog_file = {place}/log
maillog_file_prefixes = {place}
myhostname = mx.jara.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
alias_maps =
smtpd_recipient_restrictions = permit_mynetworks, reject
disable_dns_lookups = yes
relayhost = [127.0.0.1]:{next_hop}
virtual_mailbox_domains = jara.example
virtual_mailbox_base = {place}/mail
virtual_mailbox_maps = static:Maildir/
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_minimum_uid = 1
"""

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(
        shutil.which("postfix") is None or os.getuid() != 0, reason="needs Postfix, as root"
    ),
]


@pytest.fixture
def postfix() -> Iterator[tuple[Path, int]]:
    """A running Postfix whose next hop refuses some; its folder and port."""
    place, port, next_hop = Path(tempfile.mkdtemp(dir="/tmp")), free_port(), free_port()
    place.chmod(0o755)
    (place / "mail").mkdir()
    shutil.chown(place / "mail", 65534, 65534)
    assert DOCUMENTED is not None
    (place / "main.cf").write_text(DOCUMENTED[1] + OWN.format(place=place, next_hop=next_hop))
    services = Path("/usr/share/postfix/master.cf.dist").read_text("utf-8")
    lines = [
        re.sub(r"^(\S+\s+\S+\s+\S+\s+\S+\s+)y\b", r"\1n", line) for line in services.splitlines()
    ]
    own = [re.sub(r"^smtp(\s+inet)", rf"127.0.0.1:{port}\1", line) for line in lines]
    (place / "master.cf").write_text("\n".join(own) + "\n")
    controller = Controller(Server(), hostname="127.0.0.1", port=next_hop)
    controller.start()
    for folder in ("spool", "data"):
        (place / folder).mkdir()
    shutil.chown(place / "data", "postfix")
    command = ["postfix", "-c", str(place)]
    subprocess.run([*command, "start"], check=True, capture_output=True, timeout=60)
    try:
        yield place, port
    finally:
        subprocess.run([*command, "stop"], check=True, capture_output=True, timeout=60)
        controller.stop()
        shutil.rmtree(place)


def test_an_email_that_postfix_cannot_deliver_stops_its_address(
    place: Path, postfix: tuple[Path, int]
) -> None:
    """With the settings of docs/mail.md, the report is in the Maildir, and names the email."""
    folder, port = postfix
    context = make_organisation(place)
    change_values(context, {IdentityPart.ADDRESS: "1 Main Street, Toronto"})
    gone, ama = add_member(context, "550-gone"), add_member(context, "ama")
    with context.store.write() as work:
        for member in (gone, ama):
            queue_member_email(context, work, "account_closed", member, values={})
    settings = load_settings(
        {
            "JARA_SMTP_URL": f"smtp://127.0.0.1:{port}",
            "JARA_MAIL_FROM": "Jara <hello@jara.example>",
            "JARA_BOUNCE_ADDRESS": "bounces+{id}@jara.example",
        }
    )

    assert send_due(context, mail_sender(context, settings)) == MailRun(sent=2)

    reports = folder / "mail" / "Maildir"
    wait_until(lambda: list(reports.glob("new/*")))
    assert read_reports(context, reports) == ReportRun(1, 1, 0, 0, {})
    assert [one.address for one in list_stopped(context)] == [gone.email]
