"""The public log: checkpoints, bundles, voters' receipts."""
