"""The facts behind reports and statements."""
