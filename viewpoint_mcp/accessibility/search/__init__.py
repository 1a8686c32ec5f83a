"""The search in a printed snapshot for a text or a regular expression."""
