"""A bank statement of any size, of members who pay by transfer."""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jara.bootstrap import build_sample
from jara.bootstrap.organisation import initialise
from jara.config.settings import Settings
from jara.domain.bank.rules import Direction, Rule
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.member import Member
from jara.files.bank.writing import write_camt
from jara.services.bank.answering import add_rule, new_rule_id
from jara.services.members.contributors import KEY_PREFIX
from jara.services.samples.bank_year import FEE_TEXT, bank_year, prepare_payers, without_overlap
from jara.services.samples.stage import StoryClock

YEAR = 2025
STATEMENT = "statement.xml"
_MONTHS = 12


def write_statement(folder: Path, lines: int) -> int:
    """Create the organisation and ``statement.xml``; return the number of its lines.

    Nearly every line is a member's payment and is booked as a contribution.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clock = StoryClock(datetime(YEAR, 1, 1, tzinfo=UTC) - timedelta(days=1))
    settings = Settings(
        database_url=str(folder / "jara.db"), secrets_dir=folder / "jara.secrets", operator="bench"
    )
    sample = build_sample(settings, clock=clock, seed="bank")
    initialise(sample)
    context, payers = sample.context, lines // _MONTHS
    with context.store.write() as work:
        for number in range(payers):
            member = Member(
                id=context.new_id(),
                key=context.new_key(KEY_PREFIX),
                firstname="Payer",
                lastname=str(number),
                email=f"payer-{number}@example.net",
                country="Ghana",
                email_choice=EmailChoice.NOTHING,
                joined_at=clock.at,
            )
            work.members.add(member, password_hash="")
    prepare_payers(context, payers)
    rule = Rule(
        new_rule_id(context),
        Direction.OUT,
        "expenses:operations",
        contains=FEE_TEXT,
        why="Asked for",
    )
    add_rule(context, rule)
    statements = without_overlap(bank_year(context, YEAR))
    (folder / STATEMENT).write_bytes(write_camt(statements))
    context.store.truncate_log()
    context.store.close()
    return sum(len(statement.lines) for statement in statements)


if __name__ == "__main__":
    sys.stdout.write(f"{write_statement(Path(sys.argv[1]), int(sys.argv[2])):,} lines\n")
