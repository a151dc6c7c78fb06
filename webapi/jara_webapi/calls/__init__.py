"""Shared by all calls of the API: reading requests, writing answers, errors, OpenAPI."""
