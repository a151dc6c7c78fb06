"""The domain: pure values and rules, without input or output."""
