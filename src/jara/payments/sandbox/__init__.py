"""The sandbox: a payment provider that is imitated, with test cards and a clock of its own."""
