"""The first day with Jara: setup, a test email, the site, the demo.

``python -m tests.deploy.everyday FOLDER`` lives it in an empty folder and stops at what fails.
"""

import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from tests.journeys.live_server import JARA, LiveServer, free_port, serve, wait_until_ready
from tests.mail.emails_for_tests import Inbox, running

ANSWERS = """
name = "Sankofa Circle"
address = "12 Harbour Road, Halifax"
contact = "hello@sankofa.example"
mail-from = "hello@sankofa.example"
smtp-url = "{mail}"
"""
HOSTS = ("127.0.0.1", "localhost")


def main(folder: Path) -> None:
    """Set up an organisation that sends an email and has a site; then a demo of another."""
    inbox = Inbox()
    with running(inbox) as mail:
        answers = ANSWERS.format(mail=mail.replace("127.0.0.1", "localhost"))
        said = run(folder, "setup", "--answers", "-", given=answers)
    assert "What did not work" not in said, said
    assert [message["To"] for message in inbox.messages] == ["hello@sankofa.example"]
    with serve(folder) as server:
        show(server.port)
        taken = run(folder, "serve", "--port", str(server.port), status=5)
        assert f"cannot listen on 127.0.0.1:{server.port}" in taken, taken
    port, log = free_port(), folder / "demo.log"
    words = [*JARA, "demo", "--members", "5", "--port", str(port)]
    with log.open("wb") as out, subprocess.Popen(words, cwd=folder, stdout=out, stderr=out) as demo:
        try:
            wait_until_ready(LiveServer(port, demo, log))
            show(port)
        finally:
            demo.terminate()


def show(port: int) -> None:
    """Read something from the site by each of its names."""
    for host in HOSTS:
        with urlopen(f"http://{host}:{port}/api/config", timeout=300) as answer:
            assert answer.status == 200


def run(folder: Path, *words: str, given: str = "", status: int = 0) -> str:
    """Run a command in a folder; return what it said."""
    ran = subprocess.run(
        [*JARA, *words], cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    assert ran.returncode == status, (words, ran)
    return ran.stdout + ran.stderr


if __name__ == "__main__":
    main(Path(sys.argv[1]))
