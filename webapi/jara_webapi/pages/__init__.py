"""The website's pages as the server sends them."""
