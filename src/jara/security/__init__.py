"""Passwords, keys and signatures."""
