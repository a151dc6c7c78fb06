"""Processes that send news are killed again and again: nobody is left out, nobody gets two.

Between a mail server's answer and our commit, a kill cannot be told from one before it: the same
message then goes out again, with the same Message-ID, so that mail programs show it once. The
test counts these cases; they are no second message.
"""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from jara.services.context import Context
from jara.services.leasing import LEASE
from tests.harness import make_organisation
from tests.mail.emails_for_tests import running
from tests.services.news.news_world import add_project, add_update, join
from tests.sizes import SEED, only_full, saw, size

KILLS = size(6, 200, full=40)
MEMBERS = size(40, 10_000, full=1_000)
UPDATES = size(5, 10, full=10)
ROOT = Path(__file__).parents[2]
AT_ONCE = 2
"""Processes that work at the same time."""

pytestmark = [pytest.mark.slow, only_full]


class Sink:
    """A mail server that counts each message by its id, its recipient and its subject."""

    def __init__(self) -> None:
        """Start empty."""
        self.messages: Counter[tuple[str, str, str]] = Counter()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a message."""
        message = message_from_bytes(envelope.content)
        self.messages[message["Message-ID"], message["To"], message["Subject"]] += 1
        return "250 OK"


@pytest.mark.parametrize("server", ["smtp", "folder"])
def test_kills_lose_nothing_and_double_nothing(tmp_path: Path, server: str) -> None:
    """Two processes work at a time, each round is killed, the next ones go on."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    expected = publish(context)
    sink, begun = Sink(), time.monotonic()
    with running(sink) as smtp:
        url = smtp if server == "smtp" else ""
        kills = kill_senders(tmp_path, url, lambda: done(tmp_path, sink, server) < len(expected))

    if server == "folder":
        for file in (tmp_path / "mail").glob("*.eml"):
            message = message_from_bytes(file.read_bytes())
            sink.messages[message["Message-ID"], message["To"], message["Subject"]] += 1
    arrived = Counter((to, subject) for _, to, subject in sink.messages)
    assert arrived == Counter(expected)
    repeated = sum(times - 1 for times in sink.messages.values())
    saw(
        test="news",
        server=server,
        deliveries=len(expected),
        kills=kills,
        lost=0,
        doubled=0,
        same_message_again=repeated,
        seconds=round(time.monotonic() - begun),
    )
    assert repeated <= kills


def publish(context: Context) -> list[tuple[str, str]]:
    """Publish updates to members who want them at once; return each recipient and subject."""
    add_project(context)
    names = [f"m{number:05d}" for number in range(MEMBERS)]
    for name in names:
        join(context, name)
    titles = [f"News {number:02d}" for number in range(UPDATES)]
    for title in titles:
        add_update(context, title.lower().replace(" ", "-"), title=title)
    return [
        (f"{name}@example.org", f"A well for Atsu: {title}") for name in names for title in titles
    ]


def kill_senders(folder: Path, url: str, is_work_left: Any) -> int:
    """Start senders and kill them until the number of kills is reached; then let them finish."""
    dice, kills, ahead = random.Random(SEED), 0, timedelta()
    while True:
        senders = [start(folder, url, ahead) for _ in range(AT_ONCE)]
        if kills >= KILLS or not is_work_left():
            assert [sender.wait(timeout=3600) for sender in senders] == [0] * AT_ONCE
            return kills
        time.sleep(1.2 + dice.uniform(0, 3 if KILLS > AT_ONCE * 10 else 0.4))
        for sender in senders:
            sender.send_signal(signal.SIGKILL)
            sender.wait()
            kills += 1
        ahead += LEASE + timedelta(minutes=1)


def start(folder: Path, url: str, ahead: timedelta) -> subprocess.Popen[bytes]:
    """Start a process that sends."""
    words = (sys.executable, "-m", "tests.faults.news_sender", str(folder), url)
    return subprocess.Popen((*words, str(ahead.total_seconds())), cwd=ROOT)


def done(folder: Path, sink: Sink, server: str) -> int:
    """Return how many deliveries arrived."""
    if server == "smtp":
        return len(sink.messages)
    return sum(1 for _ in (folder / "mail").glob("*.eml"))
