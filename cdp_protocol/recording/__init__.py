"""What a browser and its client said to each other: written to a file, listed, and played again.

Nothing here is imported with `cdp_protocol`; see docs/cdp.md for the format and what it leaves out.
"""
