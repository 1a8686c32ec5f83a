"""Messages on the wire: the JSON codec, the calls that wait for a response, and the message log.

The connection and its sessions use this package. It knows no session and no transport.
"""
