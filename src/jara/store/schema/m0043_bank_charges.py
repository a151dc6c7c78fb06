"""The charge that the bank took off a line."""

from jara.store.schema import Step

STEP = Step(("ALTER TABLE bank_lines ADD COLUMN fee_cents INTEGER NOT NULL DEFAULT 0",))
