"""Recordings of CDP traffic: write them to a file, list them, and replay them to a client.

`import cdp_protocol` does not import this package. docs/cdp.md describes the file format and the
secrets that a recording masks.
"""
