"""The text of a snapshot: lines of YAML, within a depth or a budget of characters."""
