"""`cdp repl`: a Python prompt that is connected to a browser."""
