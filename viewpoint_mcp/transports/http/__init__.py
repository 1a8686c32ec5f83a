"""MCP over HTTP. Bytes of one request come in at the top and go out the same way:

    server          binds, serves, ends in order
      uvicorn_server  uvicorn; how long the client of a connection is waited for
      app           whose request is it? the guard, then the endpoint
        access      Host, Origin, key
        streamable  /mcp of the revisions with sessions
        modern      /mcp of those without: the rules of their headers
        events      /sse and /messages, of 2024-11-05
          reply     the answer to a POST: JSON, or a stream of events
          sessions  who is there, and until when
          exchange  one request and its response

Source: MCP "Transports" of each revision; ASGI 3. uvicorn is imported in `uvicorn_server`
alone, and a server that speaks over stdio imports nothing of this.
"""
