"""Emails to members and subscribers: writing them, the outbox, the newsletter."""
