"""The sandbox: a simulated payment provider with test cards and its own clock."""
