"""What the API's calls share: reading requests, writing answers, errors, OpenAPI."""
