"""What the books keep beside the journal: settings, payments, changemakers."""
