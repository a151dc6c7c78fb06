"""A witness is killed while it signs, and its signatures stay true."""

import random
import subprocess
import sys
import time
from pathlib import Path

from jara.bootstrap import SystemClock
from jara.domain.publiclog.notes import parse_checkpoint
from jara.witness.cosigner import Cosigner, Signed
from jara.witness.folder import WitnessFolder
from tests.fakes.witnesses import make_cosigner
from tests.sizes import SEED, size
from tests.witness.witnessed_log import WitnessedLog

KILLS = size(3, 30)
LEAVES = 400

_PROGRAM = """
import sys
from pathlib import Path
from jara.bootstrap.witness import open_cosigner
from jara.witness.cosigner import Signed
from tests.witness.witnessed_log import WitnessedLog

log = WitnessedLog([b"%d" % number for number in range({leaves})])
cosigner = open_cosigner(Path(sys.argv[1]))
with cosigner.folder.transaction() as state:
    old = state.logs()[0].seen.size
print("ready", flush=True)
while old < log.size:
    answer = cosigner.add_checkpoint(log.request(old, old + 1))
    assert isinstance(answer, Signed), answer
    old += 1
    print(old, flush=True)
"""


def test_a_killed_witness_knows_all_that_it_signed(tmp_path: Path) -> None:
    """The stored state is never older than a sent signature, and never damaged."""
    chance, log = random.Random(SEED), WitnessedLog([b"%d" % number for number in range(LEAVES)])
    cosigner = make_cosigner(tmp_path, "w1", SystemClock(), log.key)
    program = _PROGRAM.format(leaves=LEAVES)
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", program, str(cosigner.folder.folder)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
            signed = [int(line) for line in process.stdout.read().splitlines() if line.isdigit()]
        with cosigner.folder.transaction() as state:
            (known,) = state.logs()
        assert known.seen.size >= max(signed, default=0)
        if known.note:
            assert known.seen.root == parse_checkpoint(known.note).root
        # A size that was stored but not signed is signed when the log asks again.
        again = Cosigner(WitnessFolder(cosigner.folder.folder), SystemClock())
        assert isinstance(
            again.add_checkpoint(log.request(known.seen.size, known.seen.size)), Signed
        )
