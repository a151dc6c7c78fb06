"""Members' accounts: profiles, sessions, passwords, their documents."""
