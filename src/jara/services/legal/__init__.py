"""The terms and the privacy text: their versions, values, and what is missing in them."""
