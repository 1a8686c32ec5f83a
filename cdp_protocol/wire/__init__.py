"""Messages on the wire: the WebSocket, the JSON codec, pending calls, and the message log.

Connections and sessions use this package. It depends on neither sessions nor protocol domains.
"""
