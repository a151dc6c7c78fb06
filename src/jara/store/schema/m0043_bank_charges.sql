-- The charge that the bank took off a line.

ALTER TABLE bank_lines ADD COLUMN fee_cents INTEGER NOT NULL DEFAULT 0;
