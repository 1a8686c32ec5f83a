"""MCP over HTTP. A request passes these modules from top to bottom, its response the other way:

    server          binds sockets, serves, and shuts down in order
      uvicorn_server  uvicorn, with time limits for idle connections
      app           the ASGI application: checks access, then calls the endpoint
        access_control        checks of Host, Origin and API key
        streamable_endpoint   /mcp of the versions with sessions
        sessionless_endpoint  /mcp of the versions without sessions, and the rules of their headers
        sse_endpoint          /sse and /messages, of 2024-11-05
          post_response  the response to a POST: JSON, or an event stream
          sessions       the open sessions and their expiry
          exchange       one request and its response
          event_stream_queue  the events to send on one event stream

Source: MCP "Transports" of each revision; ASGI 3. Only `uvicorn_server` imports uvicorn. A server
on stdio imports nothing of this package.
"""
