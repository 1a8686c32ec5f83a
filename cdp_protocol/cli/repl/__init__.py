"""`cdp repl`: a Python prompt with a browser behind it."""
