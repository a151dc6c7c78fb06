"""What is voted on: drafting, opening, closing, views, emails."""
